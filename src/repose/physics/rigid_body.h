#pragma once
// How a rigid body turns, and what it takes to push it at a point.
//
// Angular momentum L in the world is what is kept, since it is what pushes change and what is conserved. The
// spin follows from it: w = R I^-1 R^T L, with R the orientation and I the inertia in the body's own frame.

#include <algorithm>
#include <cmath>

#include "repose/math/rotation.h"

namespace repose {

/// Spin [rad/s] from angular momentum [kg m2/s]; inverse inertia about the centre of mass in the body's frame
/// [1/(kg m2)].
inline Vec3d spin_from_momentum(const Imath::M33d& inverse_inertia, const Quatd& rotation, const Vec3d& L) {
  return rotate(rotation, apply(inverse_inertia, rotate_back(rotation, L)));
}

/// The other way round, with the inertia [kg m2].
inline Vec3d momentum_from_spin(const Imath::M33d& inertia, const Quatd& rotation, const Vec3d& spin) {
  return rotate(rotation, apply(inertia, rotate_back(rotation, spin)));
}

/// Orientation after a time h [s] without torque. With q(t) = exp(theta) q(0) the rotation vector follows
/// theta' = w - theta x w / 2 + theta x (theta x w) / 12 + ... (Munthe-Kaas 1999, "High order Runge-Kutta
/// methods on manifolds", eq. 3 and 7), integrated by the classical Runge-Kutta rule of fourth order in
/// steps of at most a tenth of a radian. L is not touched: it is conserved to the bit.
inline Quatd turned_freely(const Imath::M33d& inverse_inertia, const Quatd& rotation, const Vec3d& L,
                           double h) {
  constexpr double kLargestTurn = 0.1;  // [rad]
  const double turn = spin_from_momentum(inverse_inertia, rotation, L).length() * h;
  const int steps = 1 + static_cast<int>(std::min(turn / kLargestTurn, 1e4));
  const double part = h / steps;
  Quatd q = rotation;
  for (int k = 0; k < steps; ++k) {
    const auto rate = [&](const Vec3d& theta) {
      const Vec3d w = spin_from_momentum(inverse_inertia, small_rotation(theta) * q, L);
      const Vec3d bent = theta.cross(w);
      return w - 0.5 * bent + theta.cross(bent) * (1.0 / 12);
    };
    const Vec3d k1 = rate(Vec3d(0)), k2 = rate(0.5 * part * k1), k3 = rate(0.5 * part * k2),
                k4 = rate(part * k3);
    q = small_rotation(part / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)) * q;
    // One step of Newton's method towards length one: q was of that length but for rounding.
    q = q * (1.5 - 0.5 * (q.r * q.r + q.v.dot(q.v)));
  }
  return q;
}

/// How much velocity along the unit vector n [m/s] an impulse of one along n gives at `arm` [m] from the
/// centre of mass: 1/m + (arm x n) . I^-1 (arm x n) [1/kg], inverse inertia in the world.
inline double inverse_mass_along(double inverse_mass, const Imath::M33d& inverse_inertia, const Vec3d& arm,
                                 const Vec3d& n) {
  const Vec3d lever = arm.cross(n);
  return inverse_mass + lever.dot(apply(inverse_inertia, lever));
}

/// Friction or restitution of two surfaces: the geometric mean; an infinite one (no slip) against none is
/// none.
inline double mixed_coefficient(double a, double b) { return a == 0 || b == 0 ? 0.0 : std::sqrt(a * b); }

}  // namespace repose
