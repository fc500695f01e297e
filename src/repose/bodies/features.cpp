#include "repose/bodies/features.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/bodies/mesh_features.h"

namespace repose {
namespace {

/// How much of its least extent a box or cylinder is rounded by.
constexpr double kRounding = 0.01;

/// Corners and edges of a box; radius of what lies around them.
void add_box(const Vec3d& half, double radius, ContactFeatures& out) {
  std::array<Vec3d, 8> corner;
  for (unsigned i = 0; i < 8; ++i)
    corner[i] = {(i & 1U) != 0 ? half.x : -half.x, (i & 2U) != 0 ? half.y : -half.y,
                 (i & 4U) != 0 ? half.z : -half.z};
  for (const Vec3d& c : corner) out.points.push_back({c, radius});
  for (unsigned i = 0; i < 8; ++i)
    for (const unsigned bit : {1U, 2U, 4U})
      if ((i & bit) == 0) out.edges.push_back({corner[i], corner[i | bit], radius});
}

/// A rim; a point where it lies on the axis.
void add_rim(double height, double radius, double tube, ContactFeatures& out) {
  if (radius > 0)
    out.rings.push_back({height, radius, tube});
  else
    out.points.push_back({{0, 0, height}, tube});
}

}  // namespace

ContactFeatures contact_features(const Shape& shape) {
  ContactFeatures out;
  out.core = shape;
  out.core.pose = Pose{};
  const bool is_shell = shape.thickness > 0;
  if (shape.kind == ShapeKind::plane || (shape.invert && !is_shell)) return out;

  // Lengths are scaled at the end; a shell's thickness is not, so it is divided out here.
  const double scale = shape.scale, wall = is_shell ? 0.5 * shape.thickness / scale : 0.0;
  const double half_height = 0.5 * shape.height;
  switch (shape.kind) {
    case ShapeKind::box: {
      const double round = is_shell ? 0.0 : kRounding * std::min({shape.size.x, shape.size.y, shape.size.z});
      out.core.size -= Vec3d(2 * round);
      out.rounding = round;
      add_box(0.5 * out.core.size, round + wall, out);
      break;
    }
    case ShapeKind::sphere:
      out.points.push_back({Vec3d(0), shape.radius + wall});
      break;
    case ShapeKind::capsule:
      for (const double side : {-1.0, 1.0})
        out.points.push_back({{0, 0, side * half_height}, shape.radius + wall});
      out.edges.push_back({{0, 0, -half_height}, {0, 0, half_height}, shape.radius + wall});
      break;
    case ShapeKind::cylinder: {
      const double round = is_shell ? 0.0 : kRounding * std::min(2 * shape.radius, shape.height);
      out.core.radius -= round;
      out.core.height -= 2 * round;
      out.rounding = round;
      for (const double side : {-1.0, 1.0})
        add_rim(side * (half_height - round), shape.radius - round, round + wall, out);
      out.edges.push_back({{0, 0, -half_height}, {0, 0, half_height}, shape.radius + wall});
      break;
    }
    case ShapeKind::cone:
      add_rim(-half_height, shape.radius, wall, out);
      add_rim(half_height, shape.radius_top, wall, out);
      break;
    case ShapeKind::torus:
      add_rim(0, shape.radius, shape.tube + wall, out);
      break;
    case ShapeKind::lathe:
      for (const Vec2d& p : shape.profile) add_rim(p.y, p.x, wall, out);
      break;
    case ShapeKind::heightfield:
    case ShapeKind::mesh:
      add_mesh_features(out.core, out);
      return out;
    case ShapeKind::plane:
      break;
  }
  out.rounding *= scale;
  for (ContactPoint& p : out.points) p = {scale * p.center, scale * p.radius};
  for (ContactEdge& e : out.edges) e = {scale * e.a, scale * e.b, scale * e.radius};
  for (ContactRing& r : out.rings) r = {scale * r.height, scale * r.radius, scale * r.tube};
  return out;
}

}  // namespace repose
