#pragma once
// Pressure and friction as Ihmsen 2013 prints them (eq. 6 to 21), with the misprints mended: for comparison,
// under `yield = "paper"`. Each step begins without stress; each iteration adds pressure for predicted
// compression and friction against the predicted rate of strain, the latter component by component within
// p sqrt(2/3) sin(friction_angle) (eq. 13).
//
// Mended:
//   eq. 3, 14, 18   the gradient is of differences of velocity, so that what moves as one has no strain
//   eq. 7, 12       the factors are each particle's own, not those of one with neighbours all around; D is
//                   2 dt / rho0 Sum V^2 gradW gradW^T, so that s = D^-1 strain takes the strain; its matrix
//                   is taken for a number, a third of its trace
//   eq. 8           the density is predicted along its gradient
// An iteration goes kRelaxation of the way: the whole of it overshoots where neighbours go the same way.
//
// Friction with solids is that of eq. 18 to 21: the sand's own stress, or an artificial viscosity with the
// body's `friction` as its factor, whichever is more. There is no Coulomb friction in it.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// As resist() of sph_stress.h does, by the paper's own iteration.
void resist_as_printed(const SphModel& model, double dt, Threads& threads, SphState& state,
                       SphScratch& scratch, Bodies& bodies);

}  // namespace repose
