#pragma once
// What is wrong or odd about a mesh, with how often, where first, and what to do about it. `repose check`
// prints it; a run refuses what is an error and logs what is a warning.
//
// Errors are what would make a solid meaningless: a mesh that encloses nothing, or has holes so large that
// its inside cannot be told, and is used without a thickness. Smaller holes are a warning (mesh_solid.h).
// Warnings are what Repose worked around (triangles turned, left out) or cannot help (surfaces that cross).
// Notes only inform. Crossing triangles and thin walls are looked for in bounded time; where that ran out the
// text says "at least".

#include <cstddef>
#include <string>
#include <vector>

#include "repose/geometry/mesh/mesh_solid.h"

namespace repose {

enum class FindingLevel { note, warning, error };

struct MeshFinding {
  FindingLevel level = FindingLevel::note;
  std::string name;          ///< "open_edges", ...: for programs
  std::string text;          ///< what, how often, where
  std::string remedy;        ///< what to do; may be empty
  std::size_t count = 0;     ///< how often
  std::size_t triangle = 0;  ///< the first place: triangle of the file, from 0
  Vec3d position{0, 0, 0};   ///< in the shape's own frame, scaled [m]
};

/// How a mesh is used.
struct MeshUse {
  double scale = 1;
  double thickness = 0;        ///< > 0: as a shell; open meshes are welcome [m]
  bool can_be_shell = true;    ///< whether the scene could give it a thickness
  double spacing = 0;          ///< solver.spacing; 0: not known [m]
  double domain_diagonal = 0;  ///< 0: not known [m]
};

/// What the winding number says of an open mesh, from points all over its bounds.
struct MeshInside {
  std::size_t points = 0;  ///< that are inside
  double unsure = 0;       ///< points with a winding number between 0.2 and 0.8, over those inside
};
MeshInside judge_inside(const MeshSolid& mesh);

/// The errors alone, in no time: for the scene reader.
std::vector<MeshFinding> mesh_errors(const MeshSolid& mesh, const MeshUse& use);

/// Everything.
std::vector<MeshFinding> audit_mesh(const MeshSolid& mesh, const MeshUse& use);

/// Pairs of triangles that cross each other, but for neighbours that share an edge.
struct MeshCrossings {
  MeshCount pairs;
  bool was_cut_short = false;
};
MeshCrossings find_crossings(const MeshSolid& mesh, std::size_t most_pairs = 20'000'000);

}  // namespace repose
