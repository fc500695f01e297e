#pragma once
// The stages that a scene asks for, in their order.

#include <memory>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/pipeline/run_folder.h"
#include "repose/pipeline/stages/frame_stage.h"
#include "repose/scene/scene.h"

namespace repose {

using FrameStages = std::vector<std::unique_ptr<FrameStage>>;

/// `scene` and `threads` outlive them. `render`: with pictures.
FrameStages make_frame_stages(const Scene& scene, const std::vector<GrainShape>& shapes,
                              const RunFolder& folder, bool render, Threads& threads);

}  // namespace repose
