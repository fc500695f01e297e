#pragma once
// Cutting the scene open: what lies beyond a plane is not drawn.

#include <array>

#include "repose/geometry/triangle_mesh.h"
#include "repose/math/vec.h"

namespace repose {

/// Keeps x with normal . x <= offset.
struct ClipPlane {
  Vec3d normal{0, 0, 0};
  double offset = 0;  ///< [m], for a unit normal

  /// nx, ny, nz, d as in scenes; the normal of any length.
  explicit ClipPlane(const std::array<double, 4>& numbers)
      : normal(numbers[0], numbers[1], numbers[2]), offset(numbers[3]) {}
  bool keeps(const Vec3d& p) const { return normal.dot(p) <= offset; }
};

/// The part of a mesh that the plane keeps; triangles across it are cut. `origin` is what the mesh's
/// positions are relative to.
TriangleMesh clip_mesh(const TriangleMesh& mesh, const ClipPlane& plane, const Vec3d& origin);

}  // namespace repose
