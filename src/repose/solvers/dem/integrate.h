#pragma once
// Motion of the grains: drift, kick, drift (position Verlet). Forces are taken halfway through the step, so
// the state is positions and velocities alone, and the scheme is symplectic for forces that depend on
// positions. Each half of a step is one pass over the grains.

#include <cmath>
#include <limits>

#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Moves and turns the grains for a time h [s] with their momenta as they are, back into a periodic box, and
/// places their spheres. Lone spheres, which look the same from all sides, turn in end_step().
void begin_step(const DemModel& model, DemState& state, double h, DemScratch& scratch, Threads& threads);

/// How fast grains are, and one whose state is not finite, if any.
struct MotionCheck {
  double move2 = 0;                                               ///< largest square of a velocity [m2/s2]
  double turn2 = 0;                                               ///< of a bounding radius times spin [m2/s2]
  double longest_step = std::numeric_limits<double>::infinity();  ///< stable for grains in many contacts [s]
  bool broken = false;
  std::uint32_t broken_id = 0;  ///< the smallest such id

  /// No sphere's surface is faster [m/s].
  double max_speed() const { return std::sqrt(move2) + std::sqrt(turn2); }
};

/// Changes the momenta by gravity and the forces in the scratch over dt [s], then moves and turns the grains
/// for a time h [s]: half of it, or all of it where begin_step() moved nothing (symplectic Euler).
MotionCheck end_step(const DemModel& model, DemState& state, double dt, double h, const DemScratch& scratch,
                     Threads& threads);

/// The same of a state that nothing was done to.
MotionCheck check_motion(const DemModel& model, const DemState& state, const DemScratch& scratch,
                         Threads& threads);

/// Brings a position back into the box along its periodic axes.
void wrap_into(const DomainBox& box, Vec3d& x);

/// Sets place, motion and arm of all spheres from the state.
void place_spheres(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads);

}  // namespace repose
