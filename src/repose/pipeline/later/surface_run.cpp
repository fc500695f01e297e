#include "repose/pipeline/later/surface_run.h"

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/stoppable.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/pipeline/surface_files.h"
#include "repose/surface/surface.h"

namespace repose {

SurfaceRunSummary surface_run(const SurfaceRunOptions& options, Threads& threads, Progress& progress) {
  if (options.up && *options.up != "z" && *options.up != "y")
    throw Error(ExitCode::usage, fmt::format("the axis that points up is z or y, not '{}'", *options.up));
  const RunCache cache = open_run(options.run);
  Scene scene = options.scene ? *options.scene : run_scene(cache);
  if (options.up) scene.output.up = *options.up;
  const SurfaceOptions settings = surface_options(scene);
  const std::vector<int> frames = select_frames(cache, options.frames);
  SurfaceRunSummary summary;
  summary.output = options.output.empty() ? cache.folder.surfaces() : options.output;

  sweep_temporary_files(summary.output);
  progress.message(LogLevel::activity, fmt::format("making the surface of frame {}", frames.front()));

  const Stopwatch watch;
  const int total = static_cast<int>(frames.size());
  for (const int number : frames) {
    summary.interrupted = !finish_unless_stopped(threads, options.interrupt, [&] {
      const Frame frame = read_frame(cache, scene, number);
      const SurfaceMesh surface = make_surface(frame, scene.materials, settings, threads);
      summary.bytes += write_surface_files(summary.output, scene, surface, frame, threads);
      summary.triangles = surface.mesh.triangles.size();
    });
    if (summary.interrupted) return summary;
    ++summary.frames;
    progress.job_advanced({.job = "surface",
                           .frame = number,
                           .done = summary.frames,
                           .total = total,
                           .elapsed = watch.seconds(),
                           .eta = watch.seconds() / summary.frames * (total - summary.frames)});
  }
  return summary;
}

}  // namespace repose
