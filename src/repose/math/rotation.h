#pragma once
// Small tools around rotations: where many vectors are turned, and where angles are those of a time step.

#include "repose/math/vec.h"

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

/// R M R^T, with R the rotation q: a symmetric matrix of a turned frame in the world.
inline Imath::M33d turned_matrix(const Imath::M33d& m, const Quatd& q) {
  const RotationMatrix R(q);
  const Vec3d a = R.apply({m[0][0], m[1][0], m[2][0]}), b = R.apply({m[0][1], m[1][1], m[2][1]}),
              c = R.apply({m[0][2], m[1][2], m[2][2]});
  // Columns a, b, c are R M; its rows times R^T are the rows of the result.
  const Vec3d x = R.apply({a.x, b.x, c.x}), y = R.apply({a.y, b.y, c.y}), z = R.apply({a.z, b.z, c.z});
  return Imath::M33d(x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z);
}

/// exp_rotation for the small angles of a step: the same to rounding, without sine, cosine and root.
inline Quatd small_rotation(const Vec3d& w) {
  const double a2 = w.dot(w);
  if (!(a2 < 0.01)) return exp_rotation(w);
  if (a2 < 1e-7) {  // what follows is less than the last bit
    const double s = 0.5 - a2 * (1.0 / 48);
    return Quatd(1 - a2 * (1.0 / 8), s * w.x, s * w.y, s * w.z);
  }
  const double s = 0.5 + a2 * (-1.0 / 48 + a2 * (1.0 / 3840 + a2 * (-1.0 / 645120 + a2 * (1.0 / 185794560))));
  const double c = 1 + a2 * (-1.0 / 8 + a2 * (1.0 / 384 + a2 * (-1.0 / 46080 + a2 * (1.0 / 10321920))));
  return Quatd(c, s * w.x, s * w.y, s * w.z);
}

/// The turn by at most pi that leads from one orientation to another: axis times angle [rad].
inline Vec3d turn_between(const Quatd& from, const Quatd& to) {
  Quatd turn = to * Quatd(from.r, -from.v);
  if (turn.r < 0) turn = Quatd(-turn.r, -turn.v);
  const double sine = turn.v.length();
  return sine > 0 ? (2 * std::atan2(sine, turn.r) / sine) * turn.v : Vec3d(0);
}

/// The angle [rad] between two orientations, 0 to pi.
inline double angle_between(const Quatd& a, const Quatd& b) {
  const Quatd turn = a * Quatd(b.r, -b.v);
  return 2 * std::atan2(turn.v.length(), std::fabs(turn.r));
}

}  // namespace repose
