#pragma once
// Who is near whom: the pairs of a step with the kernel's gradients, densities, and the pressure around each
// particle.

#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Particles that are closer than this meet by themselves (sph_contacts.h) [spacings].
inline constexpr double kClosePair = 0.5;

/// For rows in the order of scratch.cells. Density is that of the particles alone, without solids. Each pair
/// stands with both its particles, with gradients that are opposite to the bit. scratch.bearing is the mean
/// of the pressures that the last step left, weighted by the kernel, after each was taken to the particle's
/// own height: by its weight, sand is pressed more by density * g a metre along gravity. So the mean is also
/// right next to a floor and at a free surface, where all neighbours are on one side.
void find_pairs(const SphModel& model, Threads& threads, SphState& state, SphScratch& scratch);

}  // namespace repose
