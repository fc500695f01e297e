#pragma once
// Reading triangles from files. OBJ, PLY and STL are read by code of our own, which works on bytes in memory
// and which no bytes can crash: counts are held against the size of the file before anything is allocated,
// coordinates are finite, indices in range, and polygons are cut into triangles in bounded time. glTF and FBX
// go through Assimp and are checked in the same way afterwards.
//
// Lengths come in as the file has them: no format but glTF (metres) says its unit. glTF and FBX stand with y
// up and are turned to z up; the other formats are taken as they are.
//
// All throw Error(bad_scene), with the line or the byte and without the path.

#include <string>
#include <string_view>

#include "repose/geometry/mesh/mesh_data.h"

namespace repose {

MeshData parse_obj(std::string_view bytes);
MeshData parse_ply_mesh(std::string_view bytes);
MeshData parse_stl(std::string_view bytes);
/// `extension` is "glb", "gltf" or "fbx". A glTF file must hold its buffers itself.
MeshData parse_with_assimp(std::string_view bytes, const std::string& extension);

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
