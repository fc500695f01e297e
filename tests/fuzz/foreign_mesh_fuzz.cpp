// Any bytes are a glTF or FBX mesh or an Error. Assimp reads them in a process of its own, which may die of
// them (core/child_process.h): this one may not. The first byte says which format, or that the rest is what
// such a process answers.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_file.h"

namespace repose {
namespace {

MeshData read(char format, std::string_view bytes) {
  switch (format) {
    case 'b':
      return parse_with_assimp(bytes, "glb");
    case 'g':
      return parse_with_assimp(bytes, "gltf");
    case 'f':
      return parse_with_assimp(bytes, "fbx");
    default:
      return mesh_from_child(bytes);
  }
}

}  // namespace
}  // namespace repose

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const repose::MeshData mesh = repose::read(bytes[0], bytes.substr(1));
    for (const repose::Vec3d& p : mesh.positions)
      if (!std::isfinite(p.x + p.y + p.z)) std::abort();
    for (const repose::Triangle& t : mesh.triangles)
      for (const std::uint32_t v : t)
        if (v >= mesh.positions.size()) std::abort();
  } catch (const repose::Error&) {
  }
  return 0;
}
