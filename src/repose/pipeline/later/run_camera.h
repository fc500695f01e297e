#pragma once
// One camera for all frames of a run.

#include "repose/exec/threads.h"
#include "repose/pipeline/later/cache.h"
#include "repose/scene/scene.h"

namespace repose {

/// Sets the scene's camera, where it leaves it open, to one that sees where matter was over the run
/// (render/camera.h).
void set_run_camera(const RunCache& cache, const Threads& threads, Scene& scene);

}  // namespace repose
