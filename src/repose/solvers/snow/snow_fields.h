#pragma once
// Durability and density of snow between particles and grid.
//
// Particles carry both. How dense snow is could be counted from particles in cells; but eight of them in a
// cell make a tenth more or less by chance, and snow at rest would settle by that. So each particle carries
// the density that the flow has made of it: it changes by the divergence on the grid, as durability changes
// by the pressure there, and both go back as changes (FLIP; Takahashi 2014, section 4.2: means would wear
// them off). The count keeps it in bounds.

#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/snow/snow_model.h"
#include "repose/solvers/snow/snow_state.h"

namespace repose {

/// What the solve for pressure and friction needs to know (flip/compaction.h).
void find_snow_fields(const SnowModel& model, const SnowState& state, Threads& threads, FlipScratch& scratch);

/// After that solve: durability falls where snow was packed beyond its limit, and density follows the flow
/// over dt [s].
void update_snow(const SnowModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                 SnowState& state);

}  // namespace repose
