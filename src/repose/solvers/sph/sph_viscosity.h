#pragma once
// Artificial viscosity (Monaghan 1992; Ihmsen 2013, algorithm 1 and section 3.4): particles that come closer
// to each other are slowed down, each pair along the line between its two,
//   v_i -= k (g_ij . (v_i - v_j)) g_ij   where g_ij . (v_i - v_j) > 0,   g = V grad W.
// So momentum and angular momentum are kept, what turns or parts feels nothing, and energy goes.
//
// Monaghan weighs pairs by W' / r where this weighs them by the square of W': then the sum of the weights of
// a particle is at hand. By the inequality of Cauchy and Schwarz energy cannot grow where that sum is at
// most 1. So k is kept to that for every pair, and where the viscosity asks for more than a step can do, it
// is done in several parts. The factor k is such that the kinematic viscosity is that of Monaghan's form
// (physics/sph.h).
//
// In an incompressible solver no speed of sound is left to be c_s. As usual it is ten times a speed of the
// flow, here that of a fall by one spacing: c_s = 10 sqrt(2 g spacing). It does not depend on the steps, and
// flows that differ in their size alone look alike.

#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Takes from scratch.start what viscosity takes over dt [s].
void slow_down_approach(const SphModel& model, double dt, Threads& threads, const SphState& state,
                        SphScratch& scratch);

}  // namespace repose
