#include "repose/solvers/dem/time_step.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/time_scales.h"

namespace repose {
namespace {

constexpr double kPhase = kHertzFrequencyTimesDuration / kStepsPerContact;  ///< frequency times dt [-]
constexpr double kReserve = 0.6;                                            ///< of the edge of stability [-]

}  // namespace

double contact_phase(double damping) {
  // About a given overlap the damping ratio is A / (2 sqrt(3/2)), whatever the overlap.
  const double zeta = damping / (2 * std::sqrt(1.5));
  return std::min(kPhase, kReserve * stable_phase(kPackingFactor * zeta) / kPackingFactor);
}

ContactStep contact_step(double frequency, double damping, double m_eff, double k_t) {
  const double phase = contact_phase(damping);
  ContactStep step{phase / frequency, phase < kPhase ? "contact damping" : "contact stiffness"};
  if (k_t > 0 && kFrictionRate * m_eff / k_t < step.dt) step = {kFrictionRate * m_eff / k_t, "friction k_t"};
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
    if (state.body_step < step.dt) step = {state.body_step, "light body"};
  }
  if (longest < step.dt) step = {longest, "bodies"};
  if (max_dt <= step.dt) return {max_dt, "frame"};
  // A hair more than a whole number of steps is that number: rounding must not add a step.
  step.dt = max_dt / std::ceil(max_dt / step.dt * (1 - 1e-12));
  return step;
}

}  // namespace repose
