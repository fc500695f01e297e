#pragma once
// Vectors, matrices and quaternions: Imath's types under our names, and the few functions Imath lacks.
// Right-handed axes, z up. A quaternion turns local into world coordinates: world = rotate(q, local).

#include <cmath>
#include <numbers>

#include <ImathBox.h>
#include <ImathMatrix.h>
#include <ImathQuat.h>
#include <ImathVec.h>

namespace repose {

using Vec2d = Imath::V2d;
using Vec3d = Imath::V3d;
using Vec3f = Imath::V3f;
using Vec3i = Imath::V3i;
using Quatd = Imath::Quatd;
using Quatf = Imath::Quatf;
using Box3d = Imath::Box3d;

inline Vec3f to_float(const Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

inline constexpr double kPi = std::numbers::pi;

inline constexpr double radians(double degrees) { return degrees * (kPi / 180.0); }
inline constexpr double degrees(double radians) { return radians * (180.0 / kPi); }

/// v turned by the unit quaternion q: v + 2 w (u x v) + 2 u x (u x v).
template <class T>
inline Imath::Vec3<T> rotate(const Imath::Quat<T>& q, const Imath::Vec3<T>& v) {
  const Imath::Vec3<T> t = T(2) * q.v.cross(v);
  return v + q.r * t + q.v.cross(t);
}
/// v turned back by the unit quaternion q.
template <class T>
inline Imath::Vec3<T> rotate_back(const Imath::Quat<T>& q, const Imath::Vec3<T>& v) {
  const Imath::Vec3<T> t = T(2) * v.cross(q.v);
  return v + q.r * t + t.cross(q.v);
}
/// The unit quaternion that turns by |w| radians about the direction of w [rad].
inline Quatd exp_rotation(const Vec3d& w) {
  const double angle = std::sqrt(w.dot(w));
  const double half = 0.5 * angle;
  const double s = angle > 1e-8 ? std::sin(half) / angle : 0.5 - angle * angle / 48.0;
  return Quatd(std::cos(half), s * w.x, s * w.y, s * w.z);
}
/// Turns about fixed axes, first x, then y, then z [deg], as scene files give them.
inline Quatd rotation_from_degrees(const Vec3d& xyz) {
  return exp_rotation({0, 0, radians(xyz.z)}) * exp_rotation({0, radians(xyz.y), 0}) *
         exp_rotation({radians(xyz.x), 0, 0});
}

/// Where a thing is and how it is turned.
struct Pose {
  Vec3d position{0, 0, 0};  ///< [m]
  Quatd rotation{1, 0, 0, 0};

  Vec3d to_world(const Vec3d& local) const { return position + rotate(rotation, local); }
  Vec3d to_local(const Vec3d& world) const { return rotate_back(rotation, world - position); }
};

}  // namespace repose
