#pragma once
// Where the particles of a fill start. They are counted on a lattice, one in each cube of the spacing
// (continuum/matter_places.h), and a lattice shows: in its rows on every surface until they are sheared, and
// in sand that slides along its planes more easily than across. So they are shifted at random within their
// cubes and then pushed apart, down the gradient of their density, until they lie as evenly as before
// without any order: like the molecules of a glass. Particles of SPH are often started so; the way down the
// gradient is the shifting of Lind et al. 2012 ("Incompressible smoothed particle hydrodynamics for
// free-surface flows", sec. 2.3), taken as a step of its own.
//
// The fill's surface holds them like a wall, so that it stays flat and the fill keeps its volume. Beyond it
// solids, other fills and the other side of a periodic domain take its place.

#include <span>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Moves the particles of fills whose packing is settled; ids and all else stay. `fill` is by id. For a state
/// before its first step.
void relax_places(const Scene& scene, const SphModel& model, const Bodies& bodies,
                  std::span<const std::uint32_t> fill, Threads& threads, SphState& state);

}  // namespace repose
