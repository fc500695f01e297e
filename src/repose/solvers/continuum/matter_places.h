#pragma once
// The particles that a run starts with: one in each cube of the spacing that a fill holds, at a random place
// around its middle where the packing is no lattice (Zhu 2005, section 3.1), so that flows do not feel one.
//
// A cube that a body or the end of the domain cuts gets a particle as often as its free share says, and that
// particle is moved off the body to the solver's clearance: mass is that of the free volume wherever bodies
// stand. To drop what is too close instead would lose up to a layer of particles.
//
// With has_flat_surface, particles within one spacing of the fill's free surface are put half a spacing deep,
// in the middle of the layer that they stand for: the surface is flat from the start. Beside solids they are
// not: flow away from a wall would draw the layer off it as a sheet, with gaps around that show as furrows.
// Zhu puts those within a cell of two spacings half a cell deep; there the layer is twice too dense, and as
// the flow evens it out the surface rises by a quarter of a cell. That fits his r; here evenly spread
// particles have their surface where their volume ends (flip/liquid.h).

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/continuum/matter_settings.h"

namespace repose {

/// The particles of all fills, one fill after the other; points and files as they are. None is in a body,
/// outside the domain, or where an earlier fill is. Throws Error(bad_scene) where a fill cannot be placed.
NewMatter place_matter(const Scene& scene, const MatterSettings& settings, const Bodies& bodies,
                       Threads& threads);

}  // namespace repose
