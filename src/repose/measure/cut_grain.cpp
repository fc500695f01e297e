#include "repose/measure/cut_grain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace repose {
namespace {

/// Share of a ball of radius r inside a ball of radius R, centres d apart: the lens of two spheres.
double share_in_ball(double d, double r, double R) {
  if (d + r <= R) return 1;
  if (d >= r + R) return 0;
  if (d + R <= r) return R * R * R / (r * r * r);
  const double depth = r + R - d;
  const double lens = kPi * depth * depth * (d * d + 2 * d * (r + R) - 3 * (r - R) * (r - R)) / (12 * d);
  return lens / (4 * kPi / 3 * r * r * r);
}

/// Signed distances to the flat faces that a ball of radius r at x reaches, of which there may be one at most
/// for a closed form; none of these faces: wholly inside them.
std::optional<double> share_by_faces(const std::array<double, 6>& distances, double r) {
  double cut = -r;
  int count = 0;
  for (const double distance : distances)
    if (distance > -r) cut = distance, ++count;
  if (count > 1) return std::nullopt;
  return share_below_plane(cut, r);
}

/// The closed form for a lone sphere, where there is one.
std::optional<double> closed_share(const Shape& shape, const Vec3d& center, double r) {
  if (shape.invert || shape.thickness > 0) return std::nullopt;
  const Vec3d x = shape.pose.to_local(center);
  const double s = shape.scale;
  switch (shape.kind) {
    case ShapeKind::plane:
      return share_below_plane(x.z, r);
    case ShapeKind::sphere:
      return share_in_ball(x.length(), r, s * shape.radius);
    case ShapeKind::box: {
      const Vec3d h = 0.5 * s * shape.size;
      return share_by_faces({x.x - h.x, -x.x - h.x, x.y - h.y, -x.y - h.y, x.z - h.z, -x.z - h.z}, r);
    }
    case ShapeKind::cylinder: {
      const double h = 0.5 * s * shape.height;
      if (std::hypot(x.x, x.y) + r > s * shape.radius) return std::nullopt;
      return share_by_faces({x.z - h, -x.z - h, -2 * r, -2 * r, -2 * r, -2 * r}, r);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

double share_below_plane(double distance, double radius) {
  const double x = std::clamp(distance / radius, -1.0, 1.0);
  return 0.25 * (1 - x) * (1 - x) * (2 + x);
}

double share_inside(const Shape& shape, const Frame& frame, std::size_t row, const GrainTable& grains) {
  const Vec3d center = frame.position[row];
  const double r = frame.radius[row];
  const double distance = signed_distance(shape, center);
  if (distance <= -r) return 1;
  if (distance >= r) return 0;
  const auto spheres = grains.spheres(frame, row);
  if (spheres.size() < 2)
    if (const auto share = closed_share(shape, center, r)) return *share;

  const auto points = grains.points(frame, row);
  const Quatd q = frame.orientation.empty() ? Quatd() : Quatd(frame.orientation[row]);
  std::size_t inside = 0;
  for (const Vec3d& p : points) inside += signed_distance(shape, center + rotate(q, r * p)) < 0 ? 1 : 0;
  return static_cast<double>(inside) / static_cast<double>(std::max<std::size_t>(1, points.size()));
}

}  // namespace repose
