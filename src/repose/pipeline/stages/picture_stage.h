#pragma once
// Images of frames in a run's folder.

#include <optional>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/pipeline/run_folder.h"
#include "repose/pipeline/stages/frame_stage.h"
#include "repose/render/render.h"
#include "repose/scene/scene.h"

namespace repose {

class PictureStage final : public FrameStage {
 public:
  /// Images go to `target`. Images that are added to others take their colours and their camera from what
  /// that folder says of them. `threads` outlives it.
  PictureStage(const Scene& scene, std::vector<GrainShape> shapes, RunFolder target, Threads& threads);

  std::string_view name() const override { return "render"; }
  void advance(FrameProducts& products) override;

 private:
  RunFolder target_;
  Scene scene_;  ///< with the range of the images that are there
  Renderer renderer_;
};

/// What pictures of a frame show in place of its particles.
struct DrawnMatter {
  std::optional<SurfaceMesh> surface;  ///< without velocities and colours where it was read
  std::optional<FineGrains> fine;
};

/// What the run's folder holds of a frame (`repose surface` and `repose refine` may have made it later), or
/// else the surface that the scene asks for.
DrawnMatter drawn_matter(const RunFolder& folder, const Scene& scene, const Frame& frame, Threads& threads);

}  // namespace repose
