#pragma once
// How a grain turns. Its angular momentum L in the world is what is kept, so that it is conserved to
// rounding; the spin follows from it: omega = R I^-1 R^T L, with R the orientation and I the inertia in the
// shape's own frame. A full inertia matrix by shape makes a principal frame needless.

#include "repose/math/rotation.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

/// Spin [rad/s] of a grain with angular momentum L [kg m2/s]; 0 for a held one (inverse mass 0).
inline Vec3d angular_velocity(const DemShape& shape, const Quatd& orientation, const Vec3d& L,
                              double inverse_mass, double radius) {
  const double factor = inverse_mass / (radius * radius);
  if (shape.isotropic) return (factor * shape.inverse_inertia[0][0]) * L;
  return rotate(orientation, apply(shape.inverse_inertia, rotate_back(orientation, factor * L)));
}

/// Angular momentum [kg m2/s] of a grain with spin [rad/s], mass [kg], bounding radius [m].
inline Vec3d angular_momentum(const DemShape& shape, const Quatd& orientation, const Vec3d& spin, double mass,
                              double radius) {
  const double factor = mass * radius * radius;
  return rotate(orientation, apply(shape.inertia, rotate_back(orientation, factor * spin)));
}

/// A quaternion that has length one but for rounding, nearer to it: one step of Newton's method.
inline Quatd made_unit(const Quatd& q) {
  const double length2 = q.r * q.r + q.v.dot(q.v);
  return q * (1.5 - 0.5 * length2);
}

/// Orientation after a time h [s] with a constant spin [rad/s].
inline Quatd turned(const Quatd& orientation, const Vec3d& spin, double h) {
  return made_unit(small_rotation(h * spin) * orientation);
}

/// Orientation after a time h [s] with constant angular momentum: the midpoint rule, of second order; exact
/// for an isotropic grain.
inline Quatd turned(const DemShape& shape, const Quatd& orientation, const Vec3d& L, double inverse_mass,
                    double radius, double h) {
  Vec3d spin = angular_velocity(shape, orientation, L, inverse_mass, radius);
  if (!shape.isotropic) {
    const Quatd middle = small_rotation(0.5 * h * spin) * orientation;
    spin = angular_velocity(shape, middle, L, inverse_mass, radius);
  }
  return turned(orientation, spin, h);
}

}  // namespace repose
