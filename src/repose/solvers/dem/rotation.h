#pragma once
// How a grain turns. Its angular momentum L in the world is what is kept, so that it is conserved to
// rounding; the spin follows from it: omega = R I^-1 R^T L, with R the orientation and I the inertia in the
// shape's own frame. A full inertia matrix by shape makes a principal frame needless.

#include "repose/math/vec.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

/// A unit quaternion as a matrix: cheaper where many vectors are turned.
struct RotationMatrix {
  Vec3d x, y, z;  ///< rows

  explicit RotationMatrix(const Quatd& q) {
    const double w = q.r, a = q.v.x, b = q.v.y, c = q.v.z;
    x = {1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)};
    y = {2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)};
    z = {2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)};
  }
  Vec3d apply(const Vec3d& v) const { return {x.dot(v), y.dot(v), z.dot(v)}; }
};

/// M v with rows m[i]; Imath's own product takes row vectors.
inline Vec3d apply(const Imath::M33d& m, const Vec3d& v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

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

/// exp_rotation for the small angles of a step: the same to rounding, without sine, cosine and root.
inline Quatd small_rotation(const Vec3d& w) {
  const double a2 = w.dot(w);
  if (!(a2 < 0.01)) return exp_rotation(w);
  const double s = 0.5 + a2 * (-1.0 / 48 + a2 * (1.0 / 3840 + a2 * (-1.0 / 645120 + a2 * (1.0 / 185794560))));
  const double c = 1 + a2 * (-1.0 / 8 + a2 * (1.0 / 384 + a2 * (-1.0 / 46080 + a2 * (1.0 / 10321920))));
  return Quatd(c, s * w.x, s * w.y, s * w.z);
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
  const Quatd q = small_rotation(h * spin) * orientation;
  // One step of Newton's method towards length one: q was of that length but for rounding.
  const double length2 = q.r * q.r + q.v.dot(q.v);
  return q * (1.5 - 0.5 * length2);
}

}  // namespace repose
