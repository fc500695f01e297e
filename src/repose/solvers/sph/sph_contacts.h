#pragma once
// Particles that are almost in one place. Pressure acts where sand is as dense as at rest; at a free surface
// it is thinner, and particles would gather in pairs there, which never come to rest (in a spray they are
// kept apart by sph_dispersed.h). So two that are closer than kClosePair meet like inelastic balls: what
// brings them closer is taken, friction with it, and they are moved apart slowly. In sand at rest none are
// that close.
//
// Each pair's impulses are opposite, so momentum is kept. A particle that meets several shares itself among
// them, so that energy is not added but by moving apart, with a twentieth of sqrt(g spacing) at most.

#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Changes scratch.start by what particles do to each other that are too close.
void part_particles(const SphModel& model, Threads& threads, const SphState& state, SphScratch& scratch);

}  // namespace repose
