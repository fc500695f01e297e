#pragma once
// Bodies and walls, as particles meet them. A solid counts like sand in its place by the distance to its
// surface (physics/sph.h): the limit of boundary particles (Ihmsen 2013, eq. 16 to 19) that lie ever closer.
// So its surface is as smooth as its shape, and costs as much for a large body as for a small one.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Finds the solids that each particle meets, with the friction that the last step ended with, and adds them
/// to densities and gradients.
void find_walls(const SphModel& model, const Bodies& bodies, Threads& threads, SphState& state,
                SphScratch& scratch);

/// Keeps the friction for the next step.
void keep_rubs(Threads& threads, SphScratch& scratch, SphState& state);

}  // namespace repose
