#include "repose/geometry/mesh/winding_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace repose {
namespace {

/// How many radii away triangles count as one: beta of Barill et al. 2018. With theirs, 2, and two terms of
/// the series the sum is off by up to 0.05 near a ball; with 4 by 0.013.
constexpr double kFar = 4;
constexpr double kSphere = 4 * std::numbers::pi;

Vec3d area_vector(const std::array<Vec3d, 3>& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]); }

}  // namespace

double solid_angle_share(const std::array<Vec3d, 3>& corners, const Vec3d& p) {
  const Vec3d a = corners[0] - p, b = corners[1] - p, c = corners[2] - p;
  const double la = a.length(), lb = b.length(), lc = c.length();
  const double height = a.dot(b.cross(c));
  const double base = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  if (height == 0 && base == 0) return 0;  // on a corner, where it has no value
  return 2 * std::atan2(height, base) / kSphere;
}

WindingNumber::WindingNumber(const TriangleTree& tree) : dipoles_(tree.nodes().size()) {
  // Children stand behind their parents.
  for (std::size_t node = dipoles_.size(); node-- > 0;)
    dipoles_[node] = dipole_of(tree, static_cast<std::uint32_t>(node));
}

WindingNumber::Dipole WindingNumber::dipole_of(const TriangleTree& tree, std::uint32_t node) const {
  const TriangleTree::Node& own = tree.nodes()[node];
  Dipole sum;
  const auto triangles =
      own.count > 0 ? tree.corners().subspan(own.first, own.count) : std::span<const std::array<Vec3d, 3>>{};
  std::array<const Dipole*, 2> children{};
  if (own.count == 0) children = {&dipoles_[node + 1], &dipoles_[own.first]};
  const Vec3d box_middle = 0.5 * (own.low + own.high);
  for (const auto& t : triangles) {
    const double area = area_vector(t).length();
    sum.area += area;
    sum.center += area * (t[0] + t[1] + t[2]) / 3.0;
  }
  for (const Dipole* child : children)
    if (child != nullptr) sum.area += child->area, sum.center += child->area * child->center;
  sum.center = sum.area > 0 ? sum.center / sum.area : box_middle;
  const auto add = [&](const Vec3d& away, const Vec3d& normal) {
    sum.normal += normal;
    sum.first_x += away.x * normal;
    sum.first_y += away.y * normal;
    sum.first_z += away.z * normal;
  };
  for (const auto& t : triangles) add((t[0] + t[1] + t[2]) / 3.0 - sum.center, area_vector(t));
  for (const Dipole* child : children) {
    if (child == nullptr) continue;
    sum.first_x += child->first_x;
    sum.first_y += child->first_y;
    sum.first_z += child->first_z;
    add(child->center - sum.center, child->normal);
  }
  // The farthest corner of the box: no smaller than the ball that is needed.
  for (int axis = 0; axis < 3; ++axis) {
    const double reach = std::max(own.high[axis] - sum.center[axis], sum.center[axis] - own.low[axis]);
    sum.radius += reach * reach;
  }
  sum.radius = std::sqrt(sum.radius);
  return sum;
}

double WindingNumber::at(const TriangleTree& tree, const Vec3d& p) const {
  double sum = 0;
  std::array<std::uint32_t, TriangleTree::kStack> stack;
  std::size_t depth = 0;
  if (!dipoles_.empty()) stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const TriangleTree::Node& node = tree.nodes()[index];
    const Dipole& dipole = dipoles_[index];
    const Vec3d d = dipole.center - p;
    const double square = d.dot(d), far = kFar * dipole.radius;
    if (square > far * far) {
      // Barill et al. 2018, eq. 10 and 14: the first two terms of the series about the center.
      const double length = std::sqrt(square);
      const Vec3d moved(dipole.first_x.dot(d), dipole.first_y.dot(d), dipole.first_z.dot(d));
      const double trace = dipole.first_x.x + dipole.first_y.y + dipole.first_z.z;
      sum += (dipole.normal.dot(d) + trace - 3 * moved.dot(d) / square) / (kSphere * square * length);
    } else if (node.count > 0) {
      for (const auto& t : tree.corners().subspan(node.first, node.count)) sum += solid_angle_share(t, p);
    } else {
      stack[depth++] = node.first;
      stack[depth++] = index + 1;
    }
  }
  return sum;
}

}  // namespace repose
