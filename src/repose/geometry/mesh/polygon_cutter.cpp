#include <algorithm>
#include <cmath>

#include "repose/geometry/mesh/mesh_file.h"

namespace repose {
namespace {

// Corners looked at while one polygon is cut: what bounds the time that a hostile file can cost.
constexpr std::size_t kMostLooks = 4'000'000;

/// Twice the signed area of a triangle; positive where it turns left.
template <class Corner>
double turn(const Corner& a, const Corner& b, const Corner& c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

/// The polygon's normal, its length twice the area (Newell's sum).
Vec3d area_vector(const std::vector<std::uint32_t>& corners, const MeshData& mesh) {
  Vec3d sum(0);
  const Vec3d& origin = mesh.positions[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += (mesh.positions[corners[i]] - origin).cross(mesh.positions[corners[i + 1]] - origin);
  return sum;
}

}  // namespace

void PolygonCutter::cut(const std::vector<std::uint32_t>& corners, MeshData& mesh) {
  if (corners.size() < 3) return;
  if (corners.size() == 3) {
    mesh.triangles.push_back({corners[0], corners[1], corners[2]});
    return;
  }
  // See it along the axis that its normal is nearest to, so that it turns left.
  const Vec3d normal = area_vector(corners, mesh);
  const Vec3d size(std::abs(normal.x), std::abs(normal.y), std::abs(normal.z));
  const int w = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  const int u = (w + 1) % 3, v = (w + 2) % 3;
  const double side = normal[w] < 0 ? -1 : 1;
  corners_.clear();
  for (const std::uint32_t c : corners)
    corners_.push_back({side * mesh.positions[c][u], mesh.positions[c][v], c});

  std::size_t looks = 0, at = 1, misses = 0;
  while (corners_.size() > 3) {
    const std::size_t n = corners_.size(), i = at % n;
    looks += n;
    if (misses > n || looks > kMostLooks) break;
    if (!is_ear(i)) {
      ++misses;
      ++at;
      continue;
    }
    misses = 0;
    mesh.triangles.push_back(
        {corners_[(i + n - 1) % n].vertex, corners_[i].vertex, corners_[(i + 1) % n].vertex});
    corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(i));
    at = i;  // the corner after the one that went
  }
  for (std::size_t i = 1; i + 1 < corners_.size(); ++i)
    mesh.triangles.push_back({corners_[0].vertex, corners_[i].vertex, corners_[i + 1].vertex});
}

/// Whether the triangle of a corner and its neighbours turns left and holds no other corner.
bool PolygonCutter::is_ear(std::size_t i) const {
  const std::size_t n = corners_.size();
  const Corner &a = corners_[(i + n - 1) % n], &b = corners_[i], &c = corners_[(i + 1) % n];
  if (!(turn(a, b, c) > 0)) return false;
  for (const Corner& p : corners_) {
    if (p.vertex == a.vertex || p.vertex == b.vertex || p.vertex == c.vertex) continue;
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

}  // namespace repose
