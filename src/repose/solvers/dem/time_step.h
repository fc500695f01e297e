#pragma once
// The time step of a dem run: a share of how long the stiffest contact lasts, unless grains are so fast that
// they would cross too much of their radius in it.

#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_state.h"

namespace repose {

/// Steps in the time that the fastest expected impact takes, for the laws of Hertz. At 25 the measured
/// restitution is within 0.01 of what was asked and varies by less than 0.005 with the phase of the step in
/// which the contact begins.
inline constexpr double kStepsPerContact = 25;

/// The same for any law of eq. 7. A linear spring acts at once where Hertz' begins gently: with compounds,
/// that oscillate up to 1.6 times as fast as their mass says, it needs more. Contacts that pull end under a
/// force, and with damping that is not small at the end (alpha < 1/4) the step in which they end matters
/// most.
double steps_per_contact(double alpha, double beta, bool pulls);

/// How much faster than one contact a grain between many of them oscillates, at most: half a dozen contacts
/// to each side and the turning of compounds make about 8 times the stiffness of one.
inline constexpr double kPackingFactor = 3;

/// How much longer than accurate a step may be before it is unstable, with some reserve.
inline constexpr double kStableShare = 2;

/// Automatic k_t of eq. 18 in units of m_eff / dt. Two spheres alone would be stable up to 4/7 and stop their
/// slip in one step at 2/7; in packings of tetrahedra motion at rest was least between 0.1 and 0.2, and grew
/// again at 0.3. What Coulomb's limit would hold creeps under a force F on n contacts at F / (n k_t): 10 g dt
/// of speed for a grain that hangs on one contact.
inline constexpr double kFrictionRate = 0.1;

struct ContactStep {
  double dt;          ///< [s]
  const char* limit;  ///< what limits it
};

/// What dt times frequency [-] a contact with this damping ratio [-] is held to, with so many steps or more.
double contact_phase(double zeta, double steps = kStepsPerContact);

/// dt [s] for a contact that oscillates at `frequency` [rad/s] with damping ratio zeta [-], m_eff [kg], and
/// whose friction has a given drag [N s/m] (0: automatic) and spring [N/m] (0: none).
ContactStep contact_step(double frequency, double zeta, double m_eff, double drag, double spring,
                         double steps = kStepsPerContact);

/// The next step: what the model says, shorter where the last one met stiffer contacts or faster grains than
/// expected, no longer than `longest` [s], which bodies among themselves can take, and cut so that equal
/// steps end at max_dt [s].
ContactStep choose_time_step(const DemModel& model, const DemState& state, double longest, double max_dt);

}  // namespace repose
