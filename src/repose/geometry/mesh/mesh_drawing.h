#pragma once

#include <vector>

#include "repose/geometry/mesh/mesh_solid.h"

namespace repose {

/// Triangles for drawing, with normals by vertex: smooth where faces meet at less than 30 degrees, separate
/// vertices along sharper edges.
struct DrawnMesh {
  std::vector<Vec3d> positions, normals;
  std::vector<Triangle> triangles;
};

/// The surface itself, or with an offset > 0 the shell of that reach to both sides, in the mesh's unit. The
/// sides of a shell are the mesh moved along its normals, with strips along open edges; they meet in sharp
/// edges where the shell itself is rounded.
DrawnMesh draw_mesh(const MeshSolid& mesh, double offset);

}  // namespace repose
