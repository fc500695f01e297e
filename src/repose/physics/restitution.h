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

/// The same for a contact that may pull: the inverse of restitution_with_pull.
inline double damping_ratio_with_pull(double e) {
  const double wanted = e < kLeastRestitution ? kLeastRestitution : e;
  if (wanted >= 1) return 0;
  const double log_e = std::log(wanted);
  return -log_e / std::sqrt(kPi * kPi + log_e * log_e);
}

/// e [-] of any law of eq. 7, by integration: x'' = -(x^beta + kappa x^alpha x') from x = 0 at speed 1, in
/// units of m_eff, the speed v and the length (m_eff v^2 / k_r)^(1 / (beta + 1)), so that
/// kappa = k_d length^(alpha + 1) / (m_eff v). Runge-Kutta of order 4; used at set-up and in tests.
inline double restitution_by_integration(double alpha, double beta, double kappa, bool pulls) {
  constexpr double kStep = 1e-3;
  const auto acceleration = [&](double x, double v) {
    if (x <= 0) return alpha > 0 || !pulls ? 0.0 : -kappa * v;
    const double a = -(std::pow(x, beta) + kappa * std::pow(x, alpha) * v);
    return pulls || a < 0 ? a : 0.0;
  };
  double x = 0, v = 1;
  for (int n = 0; n < 100000; ++n) {
    const double a1 = acceleration(x, v), v1 = v;
    const double v2 = v + 0.5 * kStep * a1, a2 = acceleration(x + 0.5 * kStep * v1, v2);
    const double v3 = v + 0.5 * kStep * a2, a3 = acceleration(x + 0.5 * kStep * v2, v3);
    const double v4 = v + kStep * a3, a4 = acceleration(x + kStep * v3, v4);
    x += kStep / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    v += kStep / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    if (x <= 0 && v < 0) return -v;
    // Parting, and nothing pushes any more.
    if (!pulls && v < 0 && acceleration(x, v) == 0) return -v;
  }
  return 0;
}

/// kappa [-] at which a law of eq. 7 rebounds with e [-]; see restitution_by_integration.
inline double scaled_damping(double alpha, double beta, double e, bool pulls) {
  const double wanted = e < kLeastRestitution ? kLeastRestitution : e;
  if (wanted >= 1) return 0;
  double low = 0, high = 1;
  while (high < 1e3 && restitution_by_integration(alpha, beta, high, pulls) > wanted) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = 0.5 * (low + high);
    (restitution_by_integration(alpha, beta, middle, pulls) > wanted ? low : high) = middle;
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
