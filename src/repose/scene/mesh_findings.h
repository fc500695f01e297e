#pragma once
// The audit of all meshes of a scene, for `repose check` and the start of a run.

#include <string>
#include <vector>

#include "repose/geometry/mesh/mesh_audit.h"
#include "repose/scene/scene.h"

namespace repose {

struct SceneFinding {
  std::string table;  ///< "body.NAME", "fill.NAME", ...
  std::string file;   ///< as resolved
  MeshFinding finding;
};

/// A mesh that several tables use in the same way is looked at once. Height fields are sound by construction
/// and left out.
std::vector<SceneFinding> audit_scene_meshes(const Scene& scene);

/// One line: table, file's name, what was found and what to do.
std::string finding_line(const SceneFinding& found);

}  // namespace repose
