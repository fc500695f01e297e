#pragma once
// Sleeping (Ihmsen 2013, section 3.2): particles that are slow for a while no longer move, until they would
// be faster. In three degrees:
//   awake   takes part and moves
//   light   takes part, with pressure, friction and a velocity, but stays where it is. That velocity fades,
//   so
//           that it tells of what pulls at the particle now; where it is twice the sleep speed, it wakes.
//           What is near something as fast as that does not sleep: it would have the velocity that what
//           slides over it gives it, and not go along, so that this would sink into it and never stop
//   deep    is left out: it has no velocity, and its stress stays as it was. So are those that have slept for
//           long, two spacings or more from all that is awake and from bodies that move, and in no zone. What
//           touches a solid never sleeps deeply, so that solids bear the weight they should
//
// Under `yield = "paper"` it is the paper's own rule: what is slow sleeps lightly at once, with no velocity,
// and wakes where a step would accelerate it by almost gravity.

#include <span>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// Below this a particle is slow [m/s].
double sleep_speed(const SphModel& model);
/// Whether a particle that a step gives this velocity falls asleep, or stays so.
bool stays_slow(const SphModel& model, const SphState& state, std::size_t p, const Vec3d& velocity,
                double dt);
/// A particle sleeps when it has been slow for this time, and deeply after twice that [s].
double sleep_delay(const SphModel& model);
/// Whether a particle sleeps, lightly or deeply.
bool is_asleep(const SphModel& model, const SphState& state, std::size_t p);
/// In which the velocity of one that sleeps fades [s].
double drowsiness(const SphModel& model);

/// For particles in the order of cells: who is left out of this step (SphScratch::is_deep).
void find_sleepers(const SphModel& model, const Bodies& bodies, Threads& threads, SphState& state,
                   SphScratch& scratch);

/// Wakes the particles around places that others have left.
void wake_around(const SphModel& model, std::span<const Vec3d> places, Threads& threads, SphState& state);

}  // namespace repose
