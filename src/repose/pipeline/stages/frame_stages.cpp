#include "repose/pipeline/stages/frame_stages.h"

#include "repose/pipeline/stages/picture_stage.h"
#include "repose/pipeline/stages/refine_stage.h"
#include "repose/pipeline/stages/surface_stage.h"

namespace repose {

FrameStages make_frame_stages(const Scene& scene, const std::vector<GrainShape>& shapes,
                              const RunFolder& folder, bool render, Threads& threads) {
  FrameStages stages;
  if (scene.refine.given) stages.push_back(std::make_unique<RefineStage>(scene, folder.fine(), threads));
  if (scene.surface.given)
    stages.push_back(std::make_unique<SurfaceStage>(scene, folder.surfaces(), threads));
  if (render) stages.push_back(std::make_unique<PictureStage>(scene, shapes, folder, threads));
  return stages;
}

}  // namespace repose
