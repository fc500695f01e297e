#include "repose/solvers/dem/time_step.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/time_scales.h"

namespace repose {
namespace {

constexpr double kLargestDrag = 1e11;  ///< more stands for Coulomb's law itself [N s/m]
constexpr double kReserve = 0.6;       ///< of the edge of stability [-]

}  // namespace

double steps_per_contact(double alpha, double beta, bool pulls) {
  const double steps = beta < 1.5 ? 36 : kStepsPerContact;
  if (!pulls) return steps;
  return alpha < 0.25 ? 12 * steps : 2 * steps;
}

double contact_phase(double zeta, double steps) {
  return std::min(kHertzFrequencyTimesDuration / steps,
                  kReserve * stable_phase(kPackingFactor * zeta) / kPackingFactor);
}

ContactStep contact_step(double frequency, double zeta, double m_eff, double drag, double spring,
                         double steps) {
  const double phase = contact_phase(zeta, steps);
  ContactStep step{phase / frequency,
                   phase < kHertzFrequencyTimesDuration / steps ? "contact damping" : "contact stiffness"};
  if (drag > 0 && drag < kLargestDrag && kFrictionRate * m_eff / drag < step.dt)
    step = {kFrictionRate * m_eff / drag, "friction k_t"};
  // A sphere that turns as it slides moves 7/2 as easily. Mindlin's spring swings 1.7 times as fast as the
  // normal one, which the phase leaves room for.
  const double sideways = std::sqrt(3.5 * spring / m_eff) / 1.7;
  if (sideways > frequency && phase / sideways < step.dt) step = {phase / sideways, "friction spring"};
  return step;
}

ContactStep choose_time_step(const DemModel& model, const DemState& state, double longest, double max_dt) {
  ContactStep step{model.dt, model.contact_limit};
  if (!model.dt_is_given) {
    const double frequency = std::sqrt(1.5 * state.fastest_contact);
    if (frequency * step.dt > model.contact_phase)
      step = {model.contact_phase / frequency, "contact stiffness"};
    const double way = model.cfl * model.smallest_radius;
    if (state.max_speed * step.dt > way) step = {way / state.max_speed, "speed"};
    if (state.body_step < step.dt) step = {state.body_step, "many contacts"};
  }
  if (longest < step.dt) step = {longest, "bodies"};
  if (max_dt <= step.dt) return {max_dt, "frame"};
  // A hair more than a whole number of steps is that number: rounding must not add a step.
  step.dt = max_dt / std::ceil(max_dt / step.dt * (1 - 1e-12));
  return step;
}

}  // namespace repose
