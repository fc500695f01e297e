#pragma once
// Who is near whom: the pairs of a step with the kernel's gradients, and densities.

#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Particles that are closer than this meet by themselves (sph_contacts.h) [spacings].
inline constexpr double kClosePair = 0.5;

/// For rows in the order of scratch.cells. Density is that of the particles alone, without solids. Each pair
/// stands with both its particles, with gradients that are opposite to the bit.
void find_pairs(const SphModel& model, Threads& threads, SphState& state, SphScratch& scratch);

}  // namespace repose
