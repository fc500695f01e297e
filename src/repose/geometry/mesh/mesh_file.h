#pragma once
// Reading triangles from files. OBJ, PLY and STL are read by code of our own, which works on bytes in memory
// and which no bytes can crash: counts are held against the size of the file before anything is allocated,
// coordinates are finite, indices in range, and polygons are cut into triangles in bounded time. glTF and FBX
// go through Assimp, in a process of its own that may die, and are checked in the same way afterwards.
//
// glTF (metres) and FBX (which says its unit and axes) come in metres with z up. Of the other formats none
// says its unit or axes, and they are taken as they are.
//
// All throw Error(bad_scene), with the line or the byte and without the path.

#include <string>
#include <string_view>

#include "repose/geometry/mesh/mesh_data.h"

namespace repose {

MeshData parse_obj(std::string_view bytes);
MeshData parse_ply_mesh(std::string_view bytes);
MeshData parse_stl(std::string_view bytes);
/// `extension` is "glb", "gltf" or "fbx". No other file is opened: a glTF must hold its buffers itself.
MeshData parse_with_assimp(std::string_view bytes, const std::string& extension);
/// What the process that reads such files answers. It may have read anything: all of it is checked.
MeshData mesh_from_child(std::string_view bytes);

/// Reads a file by the ending of its name: .obj, .ply, .stl, .glb, .gltf, .fbx in any case.
MeshData read_mesh_file(const std::string& path);

/// Cuts polygons with more than three corners into triangles. Convex ones become fans, others are cut ear by
/// ear; where that would take too long, or a polygon crosses itself, the rest becomes a fan.
class PolygonCutter {
 public:
  /// Appends the triangles of a polygon of `corners` (indices into mesh.positions, in range).
  void cut(const std::vector<std::uint32_t>& corners, MeshData& mesh);

 private:
  struct Corner {
    double u, v;  // in the plane that the polygon is seen in
    std::uint32_t vertex;
  };
  bool is_ear(std::size_t i) const;
  std::vector<Corner> corners_;
};

}  // namespace repose
