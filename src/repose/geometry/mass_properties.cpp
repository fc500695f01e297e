#include "repose/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/geometry/profile.h"
#include "repose/geometry/revolved_moments.h"
#include "repose/math/quadrature.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kQuarter = 0.5 * kPi;

VolumeMoments box_moments(const Vec3d& half) {
  const double v = 8 * half.x * half.y * half.z;
  return {v, {0, 0, 0}, v / 3 * Vec3d(half.x * half.x, half.y * half.y, half.z * half.z), {0, 0, 0}};
}

/// The integrals of 1 and x^2 over a box that is rounded by t outside of it: slices across x are rectangles
/// rounded by s, of area b c + 2 s (b + c) + pi s^2, with s = t up to the face and shrinking beyond it.
std::pair<double, double> rounded_slices(double half, double b, double c, double t) {
  const auto area = [&](double s) { return b * c + 2 * s * (b + c) + kPi * s * s; };
  double one = 2 * half * area(t), square = 2.0 / 3.0 * half * half * half * area(t);
  for (const auto& [share, weight] : gauss_legendre<16>()) {
    const double angle = kQuarter * share, x = half + t * std::sin(angle), s = t * std::cos(angle);
    const double slice = 2 * area(s) * s * kQuarter * weight;
    one += slice;
    square += slice * x * x;
  }
  return {one, square};
}

VolumeMoments rounded_box_moments(const Vec3d& half, double t) {
  VolumeMoments m;
  for (int i = 0; i < 3; ++i) {
    const auto [one, square] = rounded_slices(half[i], 2 * half[(i + 1) % 3], 2 * half[(i + 2) % 3], t);
    m.one = one;
    m.xx[i] = square;
  }
  return m;
}

VolumeMoments capsule_moments(double radius, double height) {
  const double half = 0.5 * height;
  RevolvedMoments sum;
  sum.add_arc({0, -half}, radius, -kQuarter, 0);
  sum.add_line({radius, -half}, {radius, half});
  sum.add_arc({0, half}, radius, 0, kQuarter);
  return sum.moments();
}

/// A tube that reaches over the axis is cut off there.
VolumeMoments torus_moments(double radius, double tube) {
  const double end = radius < tube ? std::acos(-radius / tube) : kPi;
  RevolvedMoments sum;
  sum.add_arc({radius, 0}, tube, -end, end);
  return sum.moments();
}

/// A cylinder rounded by t outside of it.
VolumeMoments rounded_cylinder_moments(double radius, double height, double t) {
  const double half = 0.5 * height;
  RevolvedMoments sum;
  sum.add_arc({radius, -half}, t, -kQuarter, 0);
  sum.add_line({radius + t, -half}, {radius + t, half});
  sum.add_arc({radius, half}, t, 0, kQuarter);
  return sum.moments();
}

VolumeMoments profile_moments(std::span<const Vec2d> profile) {
  RevolvedMoments sum;
  sum.add_polyline(profile);
  VolumeMoments m = sum.moments();
  if (m.one >= 0) return m;
  VolumeMoments turned;  // a profile that runs clockwise
  turned -= m;
  return turned;
}

/// At scale 1 about the shape's own origin.
VolumeMoments plain_moments(const Shape& shape) {
  const double half = 0.5 * shape.height;
  switch (shape.kind) {
    case ShapeKind::box:
      return box_moments(0.5 * shape.size);
    case ShapeKind::sphere:
      return capsule_moments(shape.radius, 0);
    case ShapeKind::cylinder:
      return profile_moments(std::array{Vec2d(shape.radius, -half), Vec2d(shape.radius, half)});
    case ShapeKind::cone:
      return profile_moments(std::array{Vec2d(shape.radius, -half), Vec2d(shape.radius_top, half)});
    case ShapeKind::capsule:
      return capsule_moments(shape.radius, shape.height);
    case ShapeKind::torus:
      return torus_moments(shape.radius, shape.tube);
    case ShapeKind::lathe:
      return profile_moments(shape.profile);
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      return shape.mesh->moments();
    case ShapeKind::plane:
      break;
  }
  return {kInfinity, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}

/// What lies within t of the surface.
VolumeMoments shell_moments(const Shape& shape, double t) {
  const double r = shape.radius, h = shape.height;
  const bool is_hollow = r > t;
  VolumeMoments m;
  switch (shape.kind) {
    case ShapeKind::box: {
      const Vec3d half = 0.5 * shape.size, inner = half - Vec3d(t);
      m = rounded_box_moments(half, t);
      if (inner.x > 0 && inner.y > 0 && inner.z > 0) m -= box_moments(inner);
      return m;
    }
    case ShapeKind::sphere:
      m = capsule_moments(r + t, 0);
      if (is_hollow) m -= capsule_moments(r - t, 0);
      return m;
    case ShapeKind::cylinder:
      m = rounded_cylinder_moments(r, h, t);
      if (is_hollow && h > 2 * t) m -= rounded_cylinder_moments(r - t, h - 2 * t, 0);
      return m;
    case ShapeKind::capsule:
      m = capsule_moments(r + t, h);
      if (is_hollow) m -= capsule_moments(r - t, h);
      return m;
    case ShapeKind::torus:
      if (shape.tube > r) return revolved_shell_moments(shape, t);
      m = torus_moments(r, shape.tube + t);
      if (shape.tube > t) m -= torus_moments(r, shape.tube - t);
      return m;
    case ShapeKind::cone:
    case ShapeKind::lathe:
      return revolved_shell_moments(shape, t);
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      return shape.mesh->shell_moments(t);
    case ShapeKind::plane:
      break;
  }
  return {kInfinity, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}

/// The inertia tensor of a solid that is turned by q.
Imath::M33d turned(const Imath::M33d& inertia, const Quatd& q) {
  // Imath's matrices work on rows: v M. The tensor is symmetric, so R^T I R is what a turned row needs.
  const Imath::M33d r = q.toMatrix33();
  return r.transposed() * inertia * r;
}

}  // namespace

VolumeMoments& VolumeMoments::operator+=(const VolumeMoments& other) {
  one += other.one;
  x += other.x;
  xx += other.xx;
  yz_zx_xy += other.yz_zx_xy;
  return *this;
}

VolumeMoments& VolumeMoments::operator-=(const VolumeMoments& other) {
  one -= other.one;
  x -= other.x;
  xx -= other.xx;
  yz_zx_xy -= other.yz_zx_xy;
  return *this;
}

MassProperties to_properties(const VolumeMoments& m) {
  MassProperties out;
  out.volume = m.one;
  const Vec3d c = out.center = m.x / m.one;
  const Vec3d s = m.xx - m.one * Vec3d(c.x * c.x, c.y * c.y, c.z * c.z);
  const Vec3d p = m.yz_zx_xy - m.one * Vec3d(c.y * c.z, c.z * c.x, c.x * c.y);
  out.inertia = Imath::M33d(s.y + s.z, -p.z, -p.y, -p.z, s.z + s.x, -p.x, -p.y, -p.x, s.x + s.y);
  return out;
}

VolumeMoments mesh_moments(std::span<const Vec3d> positions,
                           std::span<const std::array<std::uint32_t, 3>> triangles) {
  VolumeMoments m;
  for (const auto& t : triangles) {
    const Vec3d &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]], s = a + b + c;
    // Over the tetrahedron (0, a, b, c): x_i has the mean s_i / 4, x_i x_j the mean (s_i s_j + a_i a_j +
    // b_i b_j + c_i c_j) / 20.
    const double volume = a.dot(b.cross(c)) / 6;
    const auto product = [&](int i, int j) { return s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]; };
    m.one += volume;
    m.x += volume / 4 * s;
    m.xx += volume / 20 * Vec3d(product(0, 0), product(1, 1), product(2, 2));
    m.yz_zx_xy += volume / 20 * Vec3d(product(1, 2), product(2, 0), product(0, 1));
  }
  return m;
}

MassProperties mass_properties(const Shape& shape) {
  const bool is_shell = shape.thickness > 0;
  MassProperties out;
  out.center = shape.pose.position;
  out.inertia = Imath::M33d(0.0);
  const bool is_endless = shape.kind == ShapeKind::plane || (shape.invert && !is_shell);
  const VolumeMoments m = is_endless ? VolumeMoments{kInfinity}
                          : is_shell ? shell_moments(shape, 0.5 * shape.thickness / shape.scale)
                                     : plain_moments(shape);
  out.volume = m.one;
  if (!(m.one < kInfinity)) return out;
  const MassProperties own = to_properties(m);
  const double s = shape.scale, s3 = s * s * s;
  out.volume = s3 * own.volume;
  out.center = shape.pose.to_world(s * own.center);
  out.inertia = turned(own.inertia, shape.pose.rotation) * (s3 * s * s);
  return out;
}

}  // namespace repose
