#pragma once
// Forces between single particles that fly about (Ihmsen 2013, algorithm 1; Alduan and Otaduy 2011). Pressure
// resists where matter is denser than at rest: two particles, or a thin spray of them, would pass through
// each other. So particles among few others are kept one spacing apart: what of their speed towards each
// other would bring them closer in the step is taken, half from each, along the line between them, and is not
// given back. Momentum and angular momentum are kept, energy goes. Dense matter, and its surface, is left
// alone.

#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Changes scratch.start so that dispersed particles do not meet within dt [s].
void keep_apart(const SphModel& model, double dt, Threads& threads, const SphState& state,
                SphScratch& scratch);

}  // namespace repose
