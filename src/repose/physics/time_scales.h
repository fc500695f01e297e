#pragma once
// How deep spheres sink into each other, how long that takes, and what time step it asks for. Elastic Hertz
// contact: repulsion k_r x^(3/2) (Bell 2005, eq. 12 with k_d = 0).

#include <cmath>
#include <limits>

namespace repose {

/// Deepest overlap [m] of an impact at speed v [m/s]: the energy m v^2 / 2 equals (2/5) k_r x^(5/2).
inline double hertz_impact_overlap(double m_eff, double k_r, double v) {
  return std::pow(1.25 * m_eff * v * v / k_r, 0.4);
}

/// Overlap [m] under a steady force [N].
inline double hertz_static_overlap(double force, double k_r) { return std::pow(force / k_r, 2.0 / 3.0); }

/// k_r [N/m^1.5] that holds an impact at speed v [m/s] to this overlap [m].
inline double hertz_stiffness_for_impact(double m_eff, double v, double overlap) {
  return 1.25 * m_eff * v * v / std::pow(overlap, 2.5);
}

/// k_r [N/m^1.5] that holds a steady force [N] to this overlap [m].
inline double hertz_stiffness_for_force(double force, double overlap) {
  return force / std::pow(overlap, 1.5);
}

/// Duration [s] of an undamped impact: 2.9433 x_max / v, where 2.9433 = 2 int_0^1 (1 - s^(5/2))^(-1/2) ds.
inline constexpr double kHertzContactTime = 2.94327518432;
inline double hertz_contact_time(double m_eff, double k_r, double v) {
  return kHertzContactTime * hertz_impact_overlap(m_eff, k_r, v) / v;
}

/// Angular frequency [rad/s] of a small oscillation about this overlap [m]: stiffness (3/2) k_r sqrt(x).
/// At the deepest point of an impact, frequency times contact time is 2.9433 sqrt(15/8).
inline double hertz_frequency(double m_eff, double k_r, double overlap) {
  return std::sqrt(1.5 * k_r * std::sqrt(overlap) / m_eff);
}
inline constexpr double kHertzFrequencyTimesDuration = 4.03024553;

/// Largest stable dt times frequency [-] of a spring with damping ratio zeta [-] when positions are staggered
/// and the damping takes the velocity from before the step: h^2 + 4 zeta h < 4.
inline double stable_phase(double zeta) { return 2 * (std::sqrt(1 + zeta * zeta) - zeta); }

/// The longest stable step [s], with a reserve, of a mass on springs and dashpots: their sums [N/m], [N s/m],
/// and mobility = speed by impulse where they act, at most [1/kg]. Half a swing in a step is the edge of
/// stability: frequency^2 h^2 + 2 braking h < 4 (stable_phase).
inline double stable_step(double stiffness, double braking, double mobility) {
  constexpr double kReserve = 0.3;
  const double frequency2 = stiffness * mobility, rate = braking * mobility;
  if (!(frequency2 > 0)) return std::numeric_limits<double>::infinity();
  return (std::sqrt(rate * rate + 4 * kReserve * frequency2) - rate) / frequency2;
}

}  // namespace repose
