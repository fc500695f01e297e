#pragma once

#include <map>
#include <memory>
#include <string>

#include "repose/geometry/mesh/mesh_solid.h"

namespace repose {

/// Meshes and height fields by file, so that shapes that name the same file share what was loaded.
class MeshCache {
 public:
  /// Loads the solid of a mesh or height field (shape.file, as it is) and hangs it into the shape; a height
  /// field's extent and base are filled in where the scene left them open. Throws Error(bad_scene), without
  /// the path.
  void load(Shape& shape);

 private:
  std::map<std::string, std::shared_ptr<const MeshSolid>> solids_;
};

}  // namespace repose
