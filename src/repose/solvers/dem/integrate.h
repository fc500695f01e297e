#pragma once
// Motion of the grains: drift, kick, drift (position Verlet). Forces are taken halfway through the step, so
// the state is positions and velocities alone, and the scheme is symplectic for forces that depend on
// positions.
//
// A step costs little arithmetic and much memory, so it goes over the grains once: a chunk's contacts are
// computed, its grains are kicked and moved while the forces are still in the cache, and their spheres are
// placed for the middle of the next step, beside those that other chunks still read. Where the next step
// turns out to have another length, they are placed again.

#include <cmath>
#include <limits>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Sets place and motion of all spheres as they are a time `ahead` [s] after the state, the grains moving and
/// turning with their momenta as they are.
void place_spheres(const DemModel& model, const DemState& state, double ahead, DemScratch& scratch,
                   Threads& threads);

/// Moves and turns the grains for a time h [s] with their momenta as they are, back into a periodic box, and
/// places their spheres there. Lone spheres do not turn.
void drift(const DemModel& model, DemState& state, double h, DemScratch& scratch, Threads& threads);

/// How fast grains are, and one whose state is not finite, if any.
struct MotionCheck {
  double move2 = 0;                                               ///< largest square of a velocity [m2/s2]
  double turn2 = 0;                                               ///< of a bounding radius times spin [m2/s2]
  double longest_step = std::numeric_limits<double>::infinity();  ///< stable for grains in many contacts [s]
  bool leaving = false;                                           ///< whether a grain is outside the domain
  bool broken = false;
  std::uint32_t broken_id = 0;  ///< the smallest such id

  /// No sphere's surface is faster [m/s].
  double max_speed() const { return std::sqrt(move2) + std::sqrt(turn2); }
};

/// The parts of a time step [s].
struct StepTimes {
  double dt;        ///< the whole: of the kick
  double first;     ///< from the state to where forces are taken: half of it, or 0 (symplectic Euler)
  double turn = 0;  ///< lone spheres turn for so long: their orientation moves nothing, so not in every step
};

/// What a step found out.
struct StepFindings {
  ContactExtremes contacts;
  MotionCheck motion;
};

/// Finds all contacts, changes the momenta by gravity and their forces, and moves and turns the grains to the
/// end of the step. Their spheres are placed `first` ahead, and then `first` ahead of the end.
StepFindings advance(const DemModel& model, DemState& state, const Bodies& bodies, const StepTimes& times,
                     DemScratch& scratch, Threads& threads);

/// The same of a state that nothing was done to.
MotionCheck check_motion(const DemModel& model, const DemState& state, const DemScratch& scratch,
                         Threads& threads);

}  // namespace repose
