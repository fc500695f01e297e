#pragma once
// Bodies and walls, as particles meet them. A body that is covered with boundary particles counts by these
// (sph_covers.h; Ihmsen 2013, eq. 16 to 19). Any other solid counts like sand in its place by the distance to
// its surface (physics/sph.h): the limit of boundary particles that lie ever closer. So its surface is as
// smooth as its shape, and costs as much for a large body as for a small one.
//
// Sand pushes itself with the pressures of both particles of a pair, boundary particles push with that of the
// sand alone (eq. 17): half as much, so that the pressure at a wall would be twice the weight above. Under
// `yield = "coulomb"` a boundary particle mirrors the sand's pressure and its velocity against the wall
// (Adami, Hu and Adams 2012), which doubles both. Under `yield = "paper"` it does as the paper prints.

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
