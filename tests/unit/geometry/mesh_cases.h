#pragma once
// Meshes that tests make themselves, in double and with as many triangles as they like.

#include <cmath>
#include <memory>
#include <vector>

#include "repose/core/random.h"
#include "repose/geometry/mesh/mesh_solid.h"
#include "repose/geometry/tessellate.h"

namespace repose {

/// The six faces of a box of this size about the origin, each cut into n x n squares of two triangles, with
/// the diagonal either way.
inline MeshData box_mesh(const Vec3d& size, std::uint32_t n = 1) {
  MeshData mesh;
  Random random(3, Stream::test, 0, 7);
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (std::uint32_t j = 0; j <= n; ++j)
        for (std::uint32_t i = 0; i <= n; ++i) {
          Vec3d p;
          p[axis] = 0.5 * side * size[axis];
          p[u] = size[u] * (static_cast<double>(i) / n - 0.5);
          p[v] = side * size[v] * (static_cast<double>(j) / n - 0.5);
          mesh.positions.push_back(p);
        }
      for (std::uint32_t j = 0; j < n; ++j)
        for (std::uint32_t i = 0; i < n; ++i) {
          const std::uint32_t a = first + j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
          if (random.uniform() < 0.5) {
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({a, d, c});
          } else {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({b, d, c});
          }
        }
    }
  return mesh;
}

/// A flat square sheet at z = 0, facing up.
inline MeshData sheet_mesh(double edge, std::uint32_t n) {
  const MeshData box = box_mesh({edge, edge, 1}, n);
  const std::size_t points = (n + 1) * (n + 1), faces = std::size_t{2} * n * n;
  MeshData mesh;
  mesh.positions.assign(box.positions.end() - static_cast<std::ptrdiff_t>(points), box.positions.end());
  for (Vec3d& p : mesh.positions) p.z = 0;
  mesh.triangles.assign(box.triangles.end() - static_cast<std::ptrdiff_t>(faces), box.triangles.end());
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& v : t) v -= static_cast<std::uint32_t>(box.positions.size() - points);
  return mesh;
}

/// A shape's own drawing as a mesh.
inline MeshData drawn_as_mesh(const Shape& shape, double tolerance) {
  const TriangleMesh drawn = tessellate(shape, tolerance);
  MeshData mesh;
  for (const Vec3f& p : drawn.positions) mesh.positions.emplace_back(Vec3d(p));
  mesh.triangles = drawn.triangles;
  return mesh;
}

inline void append(MeshData& mesh, const MeshData& more, const Vec3d& shift = Vec3d(0)) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3d& p : more.positions) mesh.positions.push_back(p + shift);
  for (const Triangle& t : more.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

inline Shape mesh_shape(const MeshData& data) {
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.mesh = std::make_shared<const MeshSolid>(data);
  return shape;
}

}  // namespace repose
