#pragma once
// Forces inside sand: pressure that only pushes (sand_pressure.h) and friction within the limits of Coulomb's
// law (grid/friction_stress.h), found in turn, each with the other's last result in place (staggered
// projections: Narain, Golas and Lin 2010, "Free-Flowing Granular Materials with Two-Way Solid Coupling"; as
// recalled, not opened).
//
//   |s|_F <= sqrt(2) (p tan(friction_angle) + cohesion)    inside
//   |t|   <= mu (p - n s n),  n s n <= p                   at bodies and walls, of normal n
//
// with s of the turn before: friction does not press sand against a wall to hold it there.
//
// Both start from what they were at the end of the step before, so sand at rest is found at rest, and what
// the turns of one step leave over the next ones take.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// From the velocity after gravity to the one after pressure and friction, of sand and free bodies; rubs on
/// the others. Notes iterations and residuals in the state.
void resist_like_sand(const FlipModel& model, double dt, Threads& threads, FlipState& state,
                      FlipScratch& scratch, Bodies& bodies);

}  // namespace repose
