#pragma once
// One range of colours for all frames of a run.

#include "repose/exec/threads.h"
#include "repose/pipeline/later/cache.h"
#include "repose/scene/scene.h"

namespace repose {

/// Sets scene.render.range from all frames of the run where color_by shows a value and the scene gives no
/// range, so that a colour means the same in each picture. Throws Error(usage) where the frames lack the
/// values, Error(interrupted) where the threads are stopped (StopScope).
void set_color_range(const RunCache& cache, const Threads& threads, Scene& scene);

}  // namespace repose
