#pragma once
// What a run will hold of matter, and how fast that may get: for `repose check` and the log.

#include <vector>

#include "repose/solvers/continuum/matter_settings.h"
#include "repose/solvers/continuum/matter_sources.h"
#include "repose/solvers/solver.h"

namespace repose {

/// Adds the fills, with a note on empty ones, and the emitters with what they give until the end. Returns the
/// number of particles in all.
double plan_matter(const Scene& scene, const MatterSettings& settings, const NewMatter& placed,
                   const std::vector<MatterEmitter>& emitters, SolverPlan& plan);

/// The fastest that matter gets by falling through the domain, and from what it starts with [m/s].
double expected_speed(const Scene& scene);

}  // namespace repose
