#pragma once
// From the restitution that a user asks for to the damping k_d of a contact, and back.
//
// For alpha = 1/4, beta = 3/2 the impact m x'' + k_d x^(1/4) x' + k_r x^(3/2) = 0 has a closed form. With
// s = (4/5) x^(5/4) and the speed taken as a function of s it reads v dv/ds + A v + (5/4) s = 0 in units
// where m = k_r = 1, A = k_d / sqrt(m k_r): a damped linear oscillator, whose damping ratio is zeta = A /
// sqrt(5). The spring and dashpot (alpha 0, beta 1) is that oscillator itself with zeta = k_d / (2 sqrt(m
// k_r)). So one curve e(zeta) serves both, for every speed, mass and stiffness.
//
// A contact that does not pull ends when its force has fallen to zero, before the overlap has; the speed then
// is e = exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), continued by acosh beyond zeta = 1 (for the linear law:
// Schwager and Poeschel 2007, "Coefficient of restitution and linear-dashpot model revisited"). With
// attraction it ends with the overlap: e = exp(-pi zeta / sqrt(1 - zeta^2)), Bell 2005, eq. 9 and 10.

#include <cmath>

#include "repose/math/vec.h"

namespace repose {

/// e [-] of a contact that does not pull, zeta >= 0 [-].
inline double restitution_without_pull(double zeta) {
  const double gap = 1 - zeta * zeta;
  // Near zeta = 1 both branches are 0/0; acos(z)/sqrt(1-z^2) = 1 + (1-z)/3 + ... there.
  if (std::abs(gap) < 1e-6) return std::exp(-2 * zeta * (1 + (1 - zeta) / 3));
  if (gap > 0) return std::exp(-2 * zeta * std::acos(zeta) / std::sqrt(gap));
  return std::exp(-2 * zeta * std::acosh(zeta) / std::sqrt(-gap));
}

/// e [-] of a contact that may pull, 0 <= zeta < 1 [-].
inline double restitution_with_pull(double zeta) {
  return std::exp(-kPi * zeta / std::sqrt(1 - zeta * zeta));
}

/// Below this restitution the damping would need a far smaller time step for a difference nobody sees.
inline constexpr double kLeastRestitution = 0.05;

/// zeta [-] at which a contact that does not pull rebounds with e [-]; e below kLeastRestitution counts as
/// that. Bisection to the last bit; used at set-up only.
inline double damping_ratio_without_pull(double e) {
  const double wanted = e < kLeastRestitution ? kLeastRestitution : e;
  if (wanted >= 1) return 0;
  double low = 0, high = 8;  // e(8) < kLeastRestitution
  for (int i = 0; i < 64; ++i) {
    const double middle = 0.5 * (low + high);
    (restitution_without_pull(middle) > wanted ? low : high) = middle;
  }
  return low;
}

/// A = k_d / sqrt(m_eff k_r) [-] of the Hertz law with alpha 1/4, from its damping ratio.
inline double hertz_damping_factor(double zeta) { return std::sqrt(5.0) * zeta; }

/// k_d [N s/m] of the spring and dashpot, from its damping ratio, m_eff [kg], k_r [N/m].
inline double linear_damping(double zeta, double m_eff, double k_r) {
  return 2 * zeta * std::sqrt(m_eff * k_r);
}

}  // namespace repose
