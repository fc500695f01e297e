#pragma once
// The last step of a settled packing: its grains find their rest under gravity before the run starts.
//
// A packed fill touches its walls and carries itself, but not yet its weight: contacts close, and grains at
// the surface that stand on a slope roll into the next hollow. So the solver's own contacts, with friction,
// are run for a while in the set-up, with three differences. Grains are as soft as the weight alone allows,
// which makes steps long. Cundall's damping takes a share of every unbalanced force that drives motion
// (Cundall and Strack 1979, "A discrete numerical model for granular assemblies", Geotechnique 29; here
// without mass, on net forces), so that nothing swings. And what would leave the fill's shape where no wall
// holds it, the sides of a column for one, is held: a fill must not slump before the run starts.

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/placement.h"

namespace repose {

struct Rest {
  int steps = 0;
  double energy = 0;  ///< kinetic, by grain, over what falling by its own diameter gives [-]
};

/// Moves the grains of settled fills that start at rest to where they come to rest. `soft` is the model to
/// do it with, `overlap` what the weight makes in the run [diameters]: the soft grains' deeper ones are taken
/// back to it. Where friction remembers, the run's own `model` then goes on, so that contacts start with the
/// forces that they hold. Velocities are left as they were.
Rest come_to_rest(const Scene& scene, const DemModel& soft, const DemModel& model, double overlap,
                  Bodies& bodies, Placement& placement, Threads& threads);

}  // namespace repose
