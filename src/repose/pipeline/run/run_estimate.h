#pragma once
// What a run will take of the machine: memory, disk and time, for `repose check` and the start of a run.

#include <optional>
#include <string>
#include <vector>

#include "repose/scene/scene.h"
#include "repose/scene/scene_warnings.h"
#include "repose/solvers/solver.h"

namespace repose {

/// How an estimate of time may be off, upwards and downwards: the factor that the examples keep within
/// (tools/measure_check.py).
inline constexpr double kTimeUncertainty = 2;

struct RunEstimate {
  double memory_bytes = 0;     ///< resident at most
  double disk_bytes = 0;       ///< particle files, images and checkpoints
  double set_up_seconds = 0;   ///< wall time before the first step: packing
  double step_seconds = 0;     ///< of all steps
  double picture_seconds = 0;  ///< of all images
  double seconds() const { return set_up_seconds + step_seconds + picture_seconds; }
};

/// `speed`: of one core (exec/processor_speed.h).
RunEstimate estimate_run(const Scene& scene, const SolverPlan& plan, bool render, int threads, double speed);

/// What a run will need on disk, roughly: particle files, images and checkpoints [bytes].
double estimated_disk_bytes(const Scene& scene, const SolverPlan& plan, bool render);

/// That memory will not do, with the spacing that would; none where it does.
std::optional<SceneWarning> memory_warning(const Scene& scene, double needed, double had);

/// Throws Error(bad_scene) where a run would hold no particles: no fill makes any, and there is no emitter.
void require_particles(const Scene& scene, double particles);

}  // namespace repose
