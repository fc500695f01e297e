#pragma once
// Lists of spheres near each other and near bodies, kept while nothing has moved by more than half a margin.
// The lists hold at least all contacts, in the order of ids; so when they were made never shows in a result.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets up the arrays of the scratch after grains came, went or changed their places in memory.
void prepare_grains(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads);

/// Sets place, motion and arm of all spheres from the state.
void place_spheres(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads);

/// Makes the lists again if a sphere or a body has moved too far since; `time` is that of the bodies [s].
/// Now and then it also sorts the grains' memory in space. Spheres have been placed before.
void update_neighbors(const DemModel& model, DemState& state, const Bodies& bodies, DemScratch& scratch,
                      Threads& threads);

}  // namespace repose
