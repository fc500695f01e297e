#pragma once
// Bodies as meshes to be drawn: made once for a run, placed for each frame.

#include <string>
#include <vector>

#include "repose/geometry/triangle_mesh.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

struct BodyMesh {
  std::string name;
  TriangleMesh mesh;  ///< in the body's frame
  Color color;
  float opacity;  ///< below 1 the camera looks through
  bool thin;      ///< a sheet without inside, where it is looked through
};

/// The visible bodies of a scene. `size` [m] is that of the scene: it says how fine is fine enough.
std::vector<BodyMesh> make_body_meshes(const Scene& scene, double size);

/// The mesh as the body stands `later` seconds after the frame, relative to `origin`.
TriangleMesh place_mesh(const TriangleMesh& mesh, const BodyRow& row, double later, const Vec3d& origin);

}  // namespace repose
