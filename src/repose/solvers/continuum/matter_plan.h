#pragma once
// What a run will hold of matter, and how fast that may get: for `repose check` and the log.

#include <vector>

#include "repose/solvers/continuum/matter_settings.h"
#include "repose/solvers/continuum/matter_sources.h"
#include "repose/solvers/solver.h"

namespace repose {

/// Particles of each fill, as they were placed.
std::vector<double> count_placed(const Scene& scene, const NewMatter& placed);

/// The same before they are: exact where they are few, else by volume (run_cost.h), which the plan then says.
std::vector<double> count_fills(const Scene& scene, const MatterSettings& settings, const Bodies& bodies,
                                Threads& threads, SolverPlan& plan);

/// Refuses emitters that have no room; those so large that looking takes long have.
void check_emitters(const Scene& scene, const MatterSettings& settings, const Bodies& bodies);

/// Adds the fills with these counts, with a note on empty ones, and the emitters with what they give until
/// the end; then what is expected of steps of at most plan.dt [s] where matter is fast, and `calm_dt` where
/// it is at rest: memory, time, size of frames.
void plan_matter(const Scene& scene, const MatterSettings& settings, const std::vector<double>& counts,
                 double calm_dt, SolverPlan& plan);

/// The fastest that matter gets by falling through the domain, from what it starts with and what hits it
/// [m/s].
double expected_speed(const Scene& scene);

}  // namespace repose
