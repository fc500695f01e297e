#include "repose/geometry/mesh/triangle_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace repose {
namespace {

NearestOnTriangle nearest_on_edges(const std::array<Vec3d, 3>& corners, const Vec3d& p) {
  NearestOnTriangle best{corners[0], TrianglePart::corner_0};
  double square = (p - corners[0]).dot(p - corners[0]);
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3d &a = corners[k], along = corners[(k + 1) % 3] - a;
    const double length2 = along.dot(along);
    const double t = length2 > 0 ? (p - a).dot(along) / length2 : 0.0;
    const bool is_inner = t > 0 && t < 1;
    const std::size_t end = t <= 0 ? k : (k + 1) % 3;
    const Vec3d q = is_inner ? a + t * along : corners[end];
    const double d2 = (p - q).dot(p - q);
    if (d2 < square) {
      square = d2;
      best = {q, static_cast<TrianglePart>(is_inner ? 3 + k : end)};
    }
  }
  return best;
}

/// How far along the ray it meets the triangle; infinity where it does not. The ray is o + t d with the
/// solution of o + t d = a + u ab + v ac by Cramer's rule.
double ray_meets(const std::array<Vec3d, 3>& corners, const Vec3d& o, const Vec3d& d) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Vec3d ab = corners[1] - corners[0], ac = corners[2] - corners[0], ao = o - corners[0];
  const Vec3d across = d.cross(ac), q = ao.cross(ab);
  const double det = ab.dot(across);
  if (det == 0) return kNever;
  const double u = ao.dot(across) / det, v = d.dot(q) / det, t = ac.dot(q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : kNever;
}

}  // namespace

NearestOnTriangle nearest_on_triangle(const std::array<Vec3d, 3>& corners, const Vec3d& p) {
  const auto& [a, b, c] = corners;
  const Vec3d ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {a, TrianglePart::corner_0};
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {b, TrianglePart::corner_1};
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {c, TrianglePart::corner_2};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return {a + d1 / (d1 - d3) * ab, TrianglePart::edge_0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return {a + d2 / (d2 - d6) * ac, TrianglePart::edge_2};
  const double va = d3 * d6 - d5 * d4, e = d4 - d3, f = d5 - d6;
  if (va <= 0 && e >= 0 && f >= 0 && e + f > 0) return {b + e / (e + f) * (c - b), TrianglePart::edge_1};
  const double sum = va + vb + vc;
  if (!(sum > 1e-24 * ab.dot(ab) * ac.dot(ac))) return nearest_on_edges(corners, p);
  return {a + vb / sum * ab + vc / sum * ac, TrianglePart::face};
}

TriangleTree::TriangleTree(std::span<const Vec3d> positions, std::span<const Triangle> triangles) {
  const auto corner = [&](std::uint32_t t, std::size_t c) -> const Vec3d& {
    return positions[triangles[t][c]];
  };
  std::vector<Vec3d> middle(triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    Box3d box;
    for (std::size_t c = 0; c < 3; ++c) box.extendBy(corner(t, c));
    middle[t] = box.center();
  }
  triangles_.resize(triangles.size());
  std::iota(triangles_.begin(), triangles_.end(), 0U);

  // Depth first, so that a first child follows its parent; a second child tells its parent where it came.
  struct Task {
    std::uint32_t begin, end, parent;
  };
  constexpr std::uint32_t kNoParent = std::numeric_limits<std::uint32_t>::max();
  std::vector<Task> tasks;
  if (!triangles.empty()) tasks.push_back({0, static_cast<std::uint32_t>(triangles.size()), kNoParent});
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    if (task.parent != kNoParent) nodes_[task.parent].first = index;
    Box3d box, middles;
    for (std::uint32_t k = task.begin; k < task.end; ++k) {
      for (std::size_t c = 0; c < 3; ++c) box.extendBy(corner(triangles_[k], c));
      middles.extendBy(middle[triangles_[k]]);
    }
    Node node{box.min, box.max, task.begin, task.end - task.begin};
    const auto at = [&](std::uint32_t k) { return triangles_.begin() + k; };
    if (node.count <= kLeaf) {
      std::sort(at(task.begin), at(task.end));  // nth_element leaves the order open
    } else {
      const auto axis = static_cast<int>(middles.majorAxis());
      const std::uint32_t half = task.begin + node.count / 2;
      std::nth_element(at(task.begin), at(half), at(task.end), [&](std::uint32_t a, std::uint32_t b) {
        return middle[a][axis] != middle[b][axis] ? middle[a][axis] < middle[b][axis] : a < b;
      });
      node.count = 0;
      tasks.push_back({half, task.end, index});
      tasks.push_back({task.begin, half, kNoParent});
    }
    nodes_.push_back(node);
  }
  corners_.resize(triangles.size());
  for (std::size_t k = 0; k < triangles.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) corners_[k][c] = corner(triangles_[k], c);
}

TriangleTree::Hit TriangleTree::nearest(const Vec3d& p) const {
  Hit best;
  best.square = std::numeric_limits<double>::infinity();
  struct Entry {
    std::uint32_t node;
    double square;
  };
  std::array<Entry, kStack> stack;
  std::size_t depth = 0;
  if (!nodes_.empty()) stack[depth++] = {0, square_distance(nodes_[0], p)};
  while (depth > 0) {
    const Entry entry = stack[--depth];
    if (!(entry.square < best.square)) continue;
    const Node& node = nodes_[entry.node];
    if (node.count == 0) {
      Entry near{entry.node + 1, square_distance(nodes_[entry.node + 1], p)},
          far{node.first, square_distance(nodes_[node.first], p)};
      if (far.square < near.square) std::swap(near, far);
      stack[depth++] = far;
      stack[depth++] = near;
      continue;
    }
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const NearestOnTriangle near = nearest_on_triangle(corners_[k], p);
      const double square = (p - near.point).dot(p - near.point);
      if (square < best.square) best = {triangles_[k], near, square};
    }
  }
  return best;
}

TriangleTree::RayHit TriangleTree::first_on_ray(const Vec3d& from, const Vec3d& direction,
                                                std::uint32_t without) const {
  RayHit hit;
  double nearest = std::numeric_limits<double>::infinity();
  const auto enters = [&](const Node& node) {
    double low = 0, high = nearest;
    for (int i = 0; i < 3; ++i) {
      if (direction[i] == 0) {
        if (from[i] < node.low[i] || from[i] > node.high[i]) return false;
        continue;
      }
      const double a = (node.low[i] - from[i]) / direction[i], b = (node.high[i] - from[i]) / direction[i];
      low = std::max(low, std::min(a, b));
      high = std::min(high, std::max(a, b));
    }
    return low <= high * (1 + 1e-12);
  };
  std::array<std::uint32_t, kStack> stack;
  std::size_t depth = 0;
  if (!nodes_.empty()) stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    if (!enters(node)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
      const double t = triangles_[k] == without ? nearest : ray_meets(corners_[k], from, direction);
      if (t < nearest) {
        nearest = t;
        hit = {true, t, triangles_[k]};
      }
    }
  }
  return hit;
}

}  // namespace repose
