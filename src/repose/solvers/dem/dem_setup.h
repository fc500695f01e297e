#pragma once
// From a scene to all that a dem run starts with; the solver and `repose check` both begin here.

#include <array>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/placement.h"
#include "repose/solvers/dem/sources.h"
#include "repose/solvers/solver.h"

namespace repose {

/// The solver's own columns of stats.csv.
inline constexpr std::array kDemErrorMeasures{"max_overlap", "contacts"};

struct DemSetup {
  Bodies bodies;
  DemModel model;
  std::vector<DemEmitter> emitters;
  std::vector<SinkShape> sinks;
  Placement placement;
};

/// Throws Error(bad_scene) where dem cannot do what the scene asks.
/// `draft`: only to be counted; settled packings then overlap walls and have not come to rest.
DemSetup make_dem_setup(const Scene& scene, Threads& threads, bool draft = false);

/// What a run from this set-up would be.
SolverPlan make_plan(const Scene& scene, const DemSetup& setup);
/// The same where there is no set-up yet, for `repose check`.
SolverPlan plan_dem(const Scene& scene, Threads& threads);

}  // namespace repose
