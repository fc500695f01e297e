#include "repose/geometry/shape.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/geometry/profile.h"

namespace repose {
namespace {

// Points beyond this are treated as if they were there, so that squares do not overflow.
constexpr double kFarthest = 1e140;  // [m]
// A squared length below this gives no direction.
constexpr double kSmallestSquare = 1e-280;  // [m2]

SurfacePoint sphere_distance(double radius, const Vec3d& p) {
  const double square = p.dot(p);
  if (square < kSmallestSquare) return {-radius, {0, 0, 1}};
  const double length = std::sqrt(square);
  return {length - radius, p / length};
}

SurfacePoint box_distance(const Vec3d& half, const Vec3d& p) {
  const Vec3d q(std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z);
  const Vec3d out(std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0));
  const double square = out.dot(out);
  if (square > kSmallestSquare) {
    const double length = std::sqrt(square);
    return {length,
            Vec3d(std::copysign(out.x, p.x), std::copysign(out.y, p.y), std::copysign(out.z, p.z)) / length};
  }
  // Inside or on the surface: the nearest face; where two are equally near, z before y before x.
  if (q.z >= q.x && q.z >= q.y) return {q.z, {0, 0, std::copysign(1.0, p.z)}};
  if (q.y >= q.x) return {q.y, {0, std::copysign(1.0, p.y), 0}};
  return {q.x, {std::copysign(1.0, p.x), 0, 0}};
}

SurfacePoint capsule_distance(double radius, double height, const Vec3d& p) {
  const double half = 0.5 * height;
  const Vec3d from_core(p.x, p.y, p.z - std::clamp(p.z, -half, half));
  if (from_core.dot(from_core) < kSmallestSquare) return {-radius, {1, 0, 0}};
  return sphere_distance(radius, from_core);
}

ProfileDistance cylinder_profile(double radius, double height, double r, double z) {
  const double out_r = r - radius, out_z = std::abs(z) - 0.5 * height;
  const double up = std::copysign(1.0, z);
  if (out_r > 0 && out_z > 0) {
    const double length = std::sqrt(out_r * out_r + out_z * out_z);
    if (length * length < kSmallestSquare) return {0, 0, up};
    return {length, out_r / length, up * out_z / length};
  }
  if (out_r > out_z) return {out_r, 1, 0};
  return {out_z, 0, up};
}

ProfileDistance cone_profile(const Shape& shape, double r, double z) {
  const double half = 0.5 * shape.height;
  const std::array<Vec2d, 4> outline{Vec2d(0, -half), Vec2d(shape.radius, -half),
                                     Vec2d(shape.radius_top, half), Vec2d(0, half)};
  return solid_profile_distance(outline, r, z);
}

ProfileDistance torus_profile(double radius, double tube, double r, double z) {
  const double u = r - radius;
  const double square = u * u + z * z;
  if (square < kSmallestSquare) return {-tube, 1, 0};
  const double length = std::sqrt(square);
  if (radius < tube && radius + tube * u / length < 0) {
    // A torus without a hole, and no point of the tube's circle lies in this direction before the axis: the
    // nearest is where the circle meets the axis.
    const double tip = std::copysign(std::sqrt(tube * tube - radius * radius), z);
    const double distance = std::sqrt(r * r + (z - tip) * (z - tip));
    const double sign = length < tube ? -1.0 : 1.0;
    if (distance * distance < kSmallestSquare) return {0, 0, std::copysign(1.0, z)};
    return {sign * distance, sign * r / distance, sign * (z - tip) / distance};
  }
  return {length - tube, u / length, z / length};
}

/// A distance in the half-plane (r, z) that p lies in, turned back into space.
SurfacePoint around_axis(const ProfileDistance& flat, const Vec3d& p, double r) {
  if (r * r < kSmallestSquare) return {flat.distance, {flat.normal_r, 0, flat.normal_z}};
  return {flat.distance, {flat.normal_r * p.x / r, flat.normal_r * p.y / r, flat.normal_z}};
}

/// Of the shape at scale 1, not inverted, without thickness (but a lathe or mesh with thickness: unsigned,
/// to its profile or triangles).
SurfacePoint plain_distance(const Shape& shape, const Vec3d& p) {
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  switch (shape.kind) {
    case ShapeKind::box:
      return box_distance(0.5 * shape.size, p);
    case ShapeKind::sphere:
      return sphere_distance(shape.radius, p);
    case ShapeKind::cylinder:
      return around_axis(cylinder_profile(shape.radius, shape.height, r, p.z), p, r);
    case ShapeKind::cone:
      return around_axis(cone_profile(shape, r, p.z), p, r);
    case ShapeKind::capsule:
      return capsule_distance(shape.radius, shape.height, p);
    case ShapeKind::torus:
      return around_axis(torus_profile(shape.radius, shape.tube, r, p.z), p, r);
    case ShapeKind::plane:
      return {p.z, {0, 0, 1}};
    case ShapeKind::lathe:
      return around_axis(shape.thickness > 0 ? open_profile_distance(shape.profile, r, p.z)
                                             : solid_profile_distance(shape.profile, r, p.z),
                         p, r);
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      assert(shape.mesh != nullptr);
      return shape.thickness > 0 ? shape.mesh->unsigned_distance(p) : shape.mesh->signed_distance(p);
  }
  return {std::numeric_limits<double>::infinity(), {0, 0, 1}};
}

}  // namespace

SurfacePoint distance_in_own_frame(const Shape& shape, const Vec3d& point) {
  const auto near = [](double x) { return std::clamp(x, -kFarthest, kFarthest); };
  SurfacePoint s = plain_distance(shape, Vec3d(near(point.x), near(point.y), near(point.z)) / shape.scale);
  s.distance *= shape.scale;
  if (shape.thickness > 0) {
    if (s.distance < 0) s = {-s.distance, -s.normal};
    s.distance -= 0.5 * shape.thickness;
  } else if (shape.invert) {
    s = {-s.distance, -s.normal};
  }
  return s;
}

SurfacePoint distance_and_normal(const Shape& shape, const Vec3d& point) {
  SurfacePoint s = distance_in_own_frame(shape, shape.pose.to_local(point));
  s.normal = rotate(shape.pose.rotation, s.normal);
  return s;
}

double signed_distance(const Shape& shape, const Vec3d& point) {
  return distance_in_own_frame(shape, shape.pose.to_local(point)).distance;
}

}  // namespace repose
