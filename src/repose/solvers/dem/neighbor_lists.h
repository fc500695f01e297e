#pragma once
// Lists of spheres near each other and near bodies, kept while nothing has moved by more than half a margin.
// The lists hold at least all contacts, and sums over them are exact in any order (contact_kernel.h): when
// lists were made never shows in a result.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets up the arrays of the scratch after grains came, went or changed their places in memory, and places
/// all spheres. What contacts remember goes back into the state.
void prepare_grains(const DemModel& model, DemState& state, DemScratch& scratch, Threads& threads);

/// Makes the lists again if a sphere or a body has moved too far since; `time` is that of the bodies [s].
/// Now and then it also sorts the grains' memory in space. Spheres have been placed before.
void update_neighbors(const DemModel& model, DemState& state, const Bodies& bodies, DemScratch& scratch,
                      Threads& threads);

}  // namespace repose
