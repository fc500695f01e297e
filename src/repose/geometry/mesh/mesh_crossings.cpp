#include <algorithm>
#include <cmath>

#include "repose/geometry/mesh/mesh_audit.h"

namespace repose {
namespace {

using Corners = std::array<Vec3d, 3>;

/// Six times the volume of a tetrahedron.
double volume6(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return (b - a).cross(c - a).dot(d - a);
}

/// Whether the segment passes through the inside of the triangle; touching it does not count.
bool segment_crosses(const Vec3d& p, const Vec3d& q, const Corners& t, double tolerance) {
  const double from = volume6(t[0], t[1], t[2], p), to = volume6(t[0], t[1], t[2], q);
  if (!(std::abs(from) > tolerance && std::abs(to) > tolerance) || (from > 0) == (to > 0)) return false;
  const double u = volume6(p, q, t[0], t[1]), v = volume6(p, q, t[1], t[2]), w = volume6(p, q, t[2], t[0]);
  return (u > tolerance && v > tolerance && w > tolerance) ||
         (u < -tolerance && v < -tolerance && w < -tolerance);
}

/// Of two triangles without a common corner.
bool triangles_cross(const Corners& a, const Corners& b, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k)
    if (segment_crosses(a[k], a[(k + 1) % 3], b, tolerance) ||
        segment_crosses(b[k], b[(k + 1) % 3], a, tolerance))
      return true;
  return false;
}

/// Of two with one common corner: the edge across from it passes through the other triangle.
bool fans_cross(const Corners& a, std::size_t shared_a, const Corners& b, std::size_t shared_b,
                double tolerance) {
  return segment_crosses(a[(shared_a + 1) % 3], a[(shared_a + 2) % 3], b, tolerance) ||
         segment_crosses(b[(shared_b + 1) % 3], b[(shared_b + 2) % 3], a, tolerance);
}

}  // namespace

MeshCrossings find_crossings(const MeshSolid& mesh, std::size_t most_pairs) {
  const MeshTopology& topology = mesh.topology();
  MeshCrossings out;
  std::size_t looked_at = 0;
  mesh.tree().for_each_pair([&](std::uint32_t i, std::uint32_t j) {
    if (looked_at++ == most_pairs) {
      out.was_cut_short = true;
      return false;
    }
    const Triangle &a = topology.triangles[i], &b = topology.triangles[j];
    std::size_t shared = 0, shared_a = 0, shared_b = 0;
    Corners ca, cb;
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      ca[k] = topology.positions[a[k]];
      cb[k] = topology.positions[b[k]];
      for (std::size_t l = 0; l < 3; ++l)
        if (a[k] == b[l]) {
          ++shared;
          shared_a = k;
          shared_b = l;
        }
    }
    if (shared > 1) return true;
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max({longest, (ca[(k + 1) % 3] - ca[k]).length(), (cb[(k + 1) % 3] - cb[k]).length()});
    const double tolerance = 1e-9 * longest * longest * longest;
    const bool cross =
        shared == 1 ? fans_cross(ca, shared_a, cb, shared_b, tolerance) : triangles_cross(ca, cb, tolerance);
    if (cross) out.pairs.add(topology.source[i], (ca[0] + ca[1] + ca[2]) / 3.0);
    return true;
  });
  return out;
}

}  // namespace repose
