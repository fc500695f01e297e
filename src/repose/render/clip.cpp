#include "repose/render/clip.h"

#include <cstddef>

namespace repose {
namespace {

/// One corner of a polygon.
struct Corner {
  Vec3f position, normal;
  float beyond;  ///< above zero on the side that goes away
};

Corner between(const Corner& a, const Corner& b) {
  const float k = a.beyond / (a.beyond - b.beyond);
  return {a.position + (b.position - a.position) * k, a.normal + (b.normal - a.normal) * k, 0};
}

}  // namespace

TriangleMesh clip_mesh(const TriangleMesh& mesh, const ClipPlane& plane, const Vec3d& origin) {
  TriangleMesh out;
  const bool smooth = !mesh.normals.empty();
  const Vec3f normal(plane.normal);
  const auto offset = static_cast<float>(plane.offset - plane.normal.dot(origin));
  for (const std::array<std::uint32_t, 3>& triangle : mesh.triangles) {
    std::array<Corner, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f& p = mesh.positions[triangle[k]];
      corners[k] = {p, smooth ? mesh.normals[triangle[k]] : Vec3f(0, 0, 0), normal.dot(p) - offset};
    }
    // Sutherland and Hodgman 1974, one plane: at most four corners remain.
    std::array<Corner, 4> kept;
    std::size_t count = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Corner &a = corners[k], &b = corners[(k + 1) % 3];
      if (a.beyond <= 0) kept[count++] = a;
      if ((a.beyond <= 0) != (b.beyond <= 0)) kept[count++] = between(a, b);
    }
    const auto base = static_cast<std::uint32_t>(out.positions.size());
    for (std::size_t k = 0; k < count; ++k) {
      out.positions.push_back(kept[k].position);
      if (smooth) out.normals.push_back(kept[k].normal);
    }
    for (std::uint32_t k = 2; k < count; ++k) out.triangles.push_back({base, base + k - 1, base + k});
  }
  return out;
}

}  // namespace repose
