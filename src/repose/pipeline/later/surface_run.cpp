#include "repose/pipeline/later/surface_run.h"

#include <optional>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/fine_file.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/stages/surface_stage.h"

namespace repose {

SurfaceRunSummary surface_run(const SurfaceRunOptions& options, Threads& threads, Progress& progress) {
  if (options.up && *options.up != "z" && *options.up != "y")
    throw Error(ExitCode::usage, fmt::format("the axis that points up is z or y, not '{}'", *options.up));
  const RunCache cache = open_run(options.run);
  Scene scene = options.scene ? *options.scene : run_scene(cache);
  if (options.up) scene.output.up = *options.up;
  const std::vector<int> frames = select_frames(cache, options.frames);
  SurfaceRunSummary summary;
  summary.output = options.output.empty() ? cache.folder.surfaces() : options.output;

  sweep_temporary_files(summary.output);
  progress.message(LogLevel::activity, fmt::format("making the surface of frame {}", frames.front()));

  SurfaceStage stage(scene, summary.output, threads);
  summary.frames = for_each_frame("surface", frames, threads, options.interrupt, progress, [&](int number) {
    FrameProducts products{read_frame(cache, scene, number), nullptr, std::nullopt};
    std::optional<FineGrains> fine;
    if (scene.surface.fine && has_fine_grains(cache.folder.fine(), number))
      products.fine = &fine.emplace(read_fine_grains(cache.folder.fine(), number, threads));
    stage.advance(products);
    summary.triangles = products.surface->mesh.triangles.size();
  });
  summary.bytes = stage.bytes();
  summary.interrupted = summary.frames < static_cast<int>(frames.size());
  return summary;
}

}  // namespace repose
