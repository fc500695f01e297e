#pragma once
// A tree of boxes over triangles: nearest triangle, triangles near a point, pairs of triangles that come near
// each other. Triangles are split at the median of their middles along the longest side, ties by index, so
// the tree depends on nothing but the triangles and its depth is bounded by their number.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/geometry/mesh/mesh_data.h"

namespace repose {

/// The part of a triangle that is nearest to a point: its corner k, the edge that starts at corner k, or its
/// inside.
enum class TrianglePart : std::uint8_t { corner_0, corner_1, corner_2, edge_0, edge_1, edge_2, face };

struct NearestOnTriangle {
  Vec3d point;
  TrianglePart part;
};

/// Ericson 2005, "Real-Time Collision Detection", section 5.1.5: which of the triangle's Voronoi regions
/// holds p. A triangle without area counts as its edges.
NearestOnTriangle nearest_on_triangle(const std::array<Vec3d, 3>& corners, const Vec3d& p);

class TriangleTree {
 public:
  TriangleTree() = default;
  TriangleTree(std::span<const Vec3d> positions, std::span<const Triangle> triangles);

  struct Hit {
    std::uint32_t triangle = 0;
    NearestOnTriangle nearest{};
    double square = 0;  ///< of the distance
  };
  /// The nearest triangle; of equally near ones always the same.
  Hit nearest(const Vec3d& p) const;

  struct RayHit {
    bool found = false;
    double distance = 0;
    std::uint32_t triangle = 0;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;  ///< no triangle
  /// The first triangle that a ray passes through, but for one.
  RayHit first_on_ray(const Vec3d& from, const Vec3d& direction, std::uint32_t without) const;

  /// Calls visit(triangle, nearest point on it, squared distance) for every triangle nearer than `reach`,
  /// until it returns false.
  template <class Visit>
  void for_each_near(const Vec3d& p, double reach, Visit&& visit) const {
    const double limit = reach * reach;
    std::array<std::uint32_t, kStack> stack;
    std::size_t depth = 0;
    if (!nodes_.empty()) stack[depth++] = 0;
    while (depth > 0) {
      const Node& node = nodes_[stack[--depth]];
      if (!(square_distance(node, p) < limit)) continue;
      if (node.count == 0) {
        stack[depth++] = node.first;
        stack[depth++] = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
        continue;
      }
      for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
        const NearestOnTriangle near = nearest_on_triangle(corners_[k], p);
        const double square = (p - near.point).dot(p - near.point);
        if (square < limit && !visit(triangles_[k], near, square)) return;
      }
    }
  }

  /// Calls visit(a, b) for each pair a < b of triangles whose boxes meet, until it returns false.
  template <class Visit>
  void for_each_pair(Visit&& visit) const {
    std::vector<std::array<std::uint32_t, 2>> stack;
    if (!nodes_.empty()) stack.push_back({0, 0});
    while (!stack.empty()) {
      const auto [i, j] = stack.back();
      stack.pop_back();
      const Node &a = nodes_[i], &b = nodes_[j];
      if (i != j && !boxes_meet(a, b)) continue;
      if (a.count > 0 && b.count > 0) {
        for (std::uint32_t k = a.first; k < a.first + a.count; ++k)
          for (std::uint32_t l = i == j ? k + 1 : b.first; l < b.first + b.count; ++l)
            if (!visit(std::min(triangles_[k], triangles_[l]), std::max(triangles_[k], triangles_[l])))
              return;
        continue;
      }
      const std::uint32_t left_i = i + 1, left_j = j + 1;
      if (i == j) {
        stack.push_back({left_i, left_i});
        stack.push_back({left_i, a.first});
        stack.push_back({a.first, a.first});
      } else if (a.count > 0 || (b.count == 0 && (b.high - b.low).length() > (a.high - a.low).length())) {
        stack.push_back({i, left_j});
        stack.push_back({i, b.first});
      } else {
        stack.push_back({left_i, j});
        stack.push_back({a.first, j});
      }
    }
  }

  /// The first child of an inner node stands right after it, the second further behind.
  struct Node {
    Vec3d low, high;
    std::uint32_t first = 0;  ///< leaf: into corners(); inner: the second child
    std::uint32_t count = 0;  ///< leaf: how many triangles; inner: 0
  };
  static constexpr std::size_t kStack = 96;  ///< twice the depth that 2^32 triangles need, and some
  std::span<const Node> nodes() const { return nodes_; }
  /// Of the triangles, in the order of the leaves.
  std::span<const std::array<Vec3d, 3>> corners() const { return corners_; }

 private:
  static constexpr std::uint32_t kLeaf = 4;

  static double square_distance(const Node& node, const Vec3d& p) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double out = std::max({node.low[i] - p[i], p[i] - node.high[i], 0.0});
      sum += out * out;
    }
    return sum;
  }
  static bool boxes_meet(const Node& a, const Node& b) {
    for (int i = 0; i < 3; ++i)
      if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
    return true;
  }

  std::vector<Node> nodes_;
  std::vector<std::array<Vec3d, 3>> corners_;  // in the order of the leaves
  std::vector<std::uint32_t> triangles_;       // likewise: which triangle
};

}  // namespace repose
