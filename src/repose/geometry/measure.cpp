// Bounds and volumes of shapes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/geometry/profile.h"
#include "repose/geometry/revolved_moments.h"
#include "repose/geometry/shape.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Half the extent of a unit circle about `axis` along each coordinate.
Vec3d circle_extent(const Vec3d& axis) {
  const auto side = [](double a) { return std::sqrt(std::max(0.0, 1.0 - a * a)); };
  return {side(axis.x), side(axis.y), side(axis.z)};
}

/// Grows `box` by a ring of radius r at height z along the axis.
void extend_by_ring(Box3d& box, const Vec3d& axis, const Vec3d& circle, double r, double z) {
  box.extendBy(z * axis - r * circle);
  box.extendBy(z * axis + r * circle);
}

/// Of a shape at scale 1 about its own origin, without thickness, turned but not moved. Bounded shapes only.
Box3d turned_bounds(const Shape& shape) {
  const Quatd& q = shape.pose.rotation;
  const Vec3d axis = rotate(q, Vec3d(0, 0, 1));
  const Vec3d circle = circle_extent(axis);
  const double half = 0.5 * shape.height;
  Box3d box;
  switch (shape.kind) {
    case ShapeKind::box: {
      const Vec3d x = rotate(q, Vec3d(0.5 * shape.size.x, 0, 0)),
                  y = rotate(q, Vec3d(0, 0.5 * shape.size.y, 0)),
                  z = rotate(q, Vec3d(0, 0, 0.5 * shape.size.z));
      for (int corner = 0; corner < 8; ++corner)
        box.extendBy((corner & 1 ? x : -x) + (corner & 2 ? y : -y) + (corner & 4 ? z : -z));
      break;
    }
    case ShapeKind::sphere:
      box = Box3d(Vec3d(-shape.radius), Vec3d(shape.radius));
      break;
    case ShapeKind::cylinder:
      extend_by_ring(box, axis, circle, shape.radius, -half);
      extend_by_ring(box, axis, circle, shape.radius, half);
      break;
    case ShapeKind::cone:
      extend_by_ring(box, axis, circle, shape.radius, -half);
      extend_by_ring(box, axis, circle, shape.radius_top, half);
      break;
    case ShapeKind::capsule:
      box.extendBy(-half * axis);
      box.extendBy(half * axis);
      box.min -= Vec3d(shape.radius);
      box.max += Vec3d(shape.radius);
      break;
    case ShapeKind::torus:
      extend_by_ring(box, axis, circle, shape.radius, 0);
      box.min -= Vec3d(shape.tube);
      box.max += Vec3d(shape.tube);
      break;
    case ShapeKind::lathe:
      for (const Vec2d& p : shape.profile) extend_by_ring(box, axis, circle, p.x, p.y);
      break;
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      if (q == Quatd(1, 0, 0, 0)) return shape.mesh->bounds();
      for (const Vec3d& p : shape.mesh->topology().positions) box.extendBy(rotate(q, p));
      break;
    case ShapeKind::plane:
      break;
  }
  return box;
}

/// Of the solid below a plane; a side is bounded only where the plane lies across a coordinate axis.
Box3d plane_bounds(const Shape& shape) {
  const Vec3d up = rotate(shape.pose.rotation, Vec3d(0, 0, shape.invert ? -1 : 1));
  const double reach = 0.5 * shape.thickness;
  Box3d box(Vec3d(-kInfinity), Vec3d(kInfinity));
  for (int i = 0; i < 3; ++i) {
    if (std::abs(up[i]) < 1.0 - 1e-15) continue;
    if (up[i] > 0 || shape.thickness > 0) box.max[i] = shape.pose.position[i] + reach;
    if (up[i] < 0 || shape.thickness > 0) box.min[i] = shape.pose.position[i] - reach;
  }
  return box;
}

double ball_volume(double r) { return 4.0 / 3.0 * kPi * r * r * r; }
double capsule_volume(double r, double h) { return kPi * r * r * h + ball_volume(r); }

/// The disc of radius `tube` about (radius, 0), as far as it lies at r >= 0, turned about the axis: the
/// integral of 2 pi r 2 sqrt(tube^2 - u^2) du over u = r - radius.
double torus_volume(double radius, double tube) {
  const double u = -std::min(radius, tube);
  const double root = std::sqrt(std::max(0.0, tube * tube - u * u));
  const double area = 0.5 * kPi * tube * tube - (u * root + tube * tube * std::asin(u / tube));
  return 2 * kPi * (radius * area + 2.0 / 3.0 * root * root * root);
}

double plain_volume(const Shape& shape) {
  const double r = shape.radius, h = shape.height;
  switch (shape.kind) {
    case ShapeKind::box:
      return shape.size.x * shape.size.y * shape.size.z;
    case ShapeKind::sphere:
      return 4.0 / 3.0 * kPi * r * r * r;
    case ShapeKind::cylinder:
      return kPi * r * r * h;
    case ShapeKind::cone:
      return kPi / 3.0 * h * (r * r + r * shape.radius_top + shape.radius_top * shape.radius_top);
    case ShapeKind::capsule:
      return capsule_volume(r, h);
    case ShapeKind::torus:
      return torus_volume(r, shape.tube);
    case ShapeKind::lathe:
      return solid_profile_volume(shape.profile);
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      return shape.mesh->moments().one;
    case ShapeKind::plane:
      break;
  }
  return kInfinity;
}

/// What lies within `t` of the surface of a box: Steiner's formula outside, the smaller box inside.
double box_shell_volume(const Vec3d& a, double t) {
  const double surface = 2 * (a.x * a.y + a.y * a.z + a.z * a.x);
  const double outside = surface * t + kPi * (a.x + a.y + a.z) * t * t + ball_volume(t);
  const auto left = [&](double edge) { return std::max(0.0, edge - 2 * t); };
  return outside + a.x * a.y * a.z - left(a.x) * left(a.y) * left(a.z);
}

/// The same for a cylinder; the integral of its mean curvature is pi h + pi^2 r.
double cylinder_shell_volume(double r, double h, double t) {
  const double surface = 2 * kPi * r * (r + h);
  const double outside = surface * t + (kPi * h + kPi * kPi * r) * t * t + ball_volume(t);
  const double inner_r = std::max(0.0, r - t), inner_h = std::max(0.0, h - 2 * t);
  return outside + kPi * (r * r * h - inner_r * inner_r * inner_h);
}

/// Of what lies within `t` of the surface of the shape at scale 1.
double shell_volume(const Shape& shape, double t) {
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::box:
      return box_shell_volume(shape.size, t);
    case ShapeKind::sphere:
      return ball_volume(r + t) - ball_volume(std::max(0.0, r - t));
    case ShapeKind::cylinder:
      return cylinder_shell_volume(r, shape.height, t);
    case ShapeKind::capsule:
      return capsule_volume(r + t, shape.height) - (r > t ? capsule_volume(r - t, shape.height) : 0.0);
    case ShapeKind::torus:
      if (shape.tube > r) return revolved_shell_moments(shape, t).one;
      return torus_volume(r, shape.tube + t) - (shape.tube > t ? torus_volume(r, shape.tube - t) : 0.0);
    case ShapeKind::cone:
    case ShapeKind::lathe:
      return revolved_shell_moments(shape, t).one;
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      return shape.mesh->shell_moments(t).one;
    case ShapeKind::plane:
      break;
  }
  return kInfinity;
}

}  // namespace

Box3d bounds(const Shape& shape) {
  if (shape.kind == ShapeKind::plane) return plane_bounds(shape);
  if (shape.invert && shape.thickness <= 0) return {Vec3d(-kInfinity), Vec3d(kInfinity)};
  const Box3d turned = turned_bounds(shape);
  const Vec3d reach(std::max(0.0, 0.5 * shape.thickness));
  return {shape.pose.position + shape.scale * turned.min - reach,
          shape.pose.position + shape.scale * turned.max + reach};
}

double volume(const Shape& shape) {
  if (shape.invert && shape.thickness <= 0) return kInfinity;
  const double s3 = shape.scale * shape.scale * shape.scale;
  if (shape.thickness > 0) return s3 * shell_volume(shape, 0.5 * shape.thickness / shape.scale);
  return s3 * plain_volume(shape);
}

}  // namespace repose
