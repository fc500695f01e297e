#include "repose/pipeline/later/surface_run.h"

#include <system_error>

#include "repose/io/atomic_file.h"
#include "repose/io/meshes/surface_file.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/surface/surface.h"

namespace repose {

SurfaceRunSummary surface_run(const SurfaceRunOptions& options, Threads& threads, Progress& progress) {
  const RunCache cache = open_run(options.run);
  const Scene scene = options.scene ? *options.scene : run_scene(cache);
  const SurfaceOptions settings = surface_options(scene);
  const std::vector<int> frames = select_frames(cache, options.frames);
  SurfaceRunSummary summary;
  summary.output = options.output.empty() ? cache.folder.surfaces() : options.output;
  create_folder(summary.output);

  const Stopwatch watch;
  const int total = static_cast<int>(frames.size());
  for (const int number : frames) {
    if (options.interrupt != nullptr && options.interrupt->load()) {
      summary.interrupted = true;
      return summary;
    }
    const Frame frame = read_frame(cache, number);
    const SurfaceMesh surface = make_surface(frame, scene.materials, settings, threads);
    const auto path = summary.output / numbered_name("surface", number, "ply");
    write_surface(path, surface, number, frame.time);
    std::error_code gone;
    const auto size = std::filesystem::file_size(path, gone);
    if (!gone) summary.bytes += size;
    summary.triangles = surface.mesh.triangles.size();
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
