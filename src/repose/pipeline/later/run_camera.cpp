#include "repose/pipeline/later/run_camera.h"

#include <cstddef>
#include <set>

#include "repose/render/camera.h"

namespace repose {
namespace {

constexpr std::size_t kFramesLookedAt = 32;

}  // namespace

void set_run_camera(const RunCache& cache, const Threads& threads, Scene& scene) {
  if (!camera_is_automatic(scene) || cache.frames.empty()) return;
  std::set<int> frames;
  const std::size_t last = cache.frames.size() - 1;
  for (std::size_t k = 0; k < kFramesLookedAt; ++k)
    frames.insert(cache.frames[k * last / (kFramesLookedAt - 1)]);
  SeenMatter seen;
  for (const int frame : frames) {
    threads.check_stop();
    seen.add(read_frame(cache, scene, frame));
  }
  const double aspect = static_cast<double>(scene.render.size[0]) / scene.render.size[1];
  const Camera camera = frame_points(seen_points(scene, seen), radians(scene.render.camera_fov), aspect);
  scene.render.camera_position = camera.position;
  scene.render.camera_target = camera.target;
}

}  // namespace repose
