#pragma once
// Sand whose surface stays even. A flow that stretches sand along a slope stretches the pattern of its
// particles as well: they come to stand in rows along the contour lines with gaps between, and the grid,
// whose cells hold eight of them, does not see it. In a liquid the rows are soon stirred again; sand stops
// and shows them.
//
// So particles near the surface make room for each other along it while they move past each other, and those
// next to it go to half a spacing below, where fills put them at first. How far they go is in
// proportion to how they move against their neighbours in the step, as grains that are sheared jostle: it
// does not depend on the step, adds nothing to a motion as one, and is nothing at rest. Velocities do not
// feel it.

#include <vector>

#include "repose/exec/threads.h"
#include "repose/math/vec.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// How far each particle is to be moved besides its way through the flow in dt [s], by rows [m]. For
/// particles that still stand in scratch.cells, with their new velocities.
std::vector<Vec3f> spread_surface(const FlipModel& model, double dt, Threads& threads,
                                  const FlipScratch& scratch, const FlipState& state);

}  // namespace repose
