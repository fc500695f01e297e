// glTF and FBX through Assimp. The only file that knows Assimp.

#include <cmath>

#include <assimp/Importer.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_file.h"

namespace repose {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

/// Adds what one mesh of the file holds, turned from y up to z up: (x, y, z) becomes (x, -z, y).
void add_mesh(const aiMesh& from, MeshData& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (unsigned i = 0; i < from.mNumVertices; ++i) {
    const aiVector3D& v = from.mVertices[i];
    const Vec3d p(v.x, -v.z, v.y);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z) || std::abs(p.x) > 1e15 ||
        std::abs(p.y) > 1e15 || std::abs(p.z) > 1e15)
      fail(fmt::format("vertex {} has a coordinate that is not a number up to 1e15", i));
    mesh.positions.push_back(p);
  }
  for (unsigned i = 0; i < from.mNumFaces; ++i) {
    const aiFace& face = from.mFaces[i];
    if (face.mNumIndices != 3) continue;
    Triangle t;
    for (unsigned c = 0; c < 3; ++c) {
      if (face.mIndices[c] >= from.mNumVertices)
        fail(
            fmt::format("face {} names vertex {}, but there are {}", i, face.mIndices[c], from.mNumVertices));
      t[c] = first + face.mIndices[c];
    }
    mesh.triangles.push_back(t);
  }
}

}  // namespace

MeshData parse_with_assimp(std::string_view bytes, const std::string& extension) {
  Assimp::Importer importer;
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // PreTransformVertices puts every copy of a mesh where the file's nodes place it.
  const aiScene* scene =
      importer.ReadFileFromMemory(bytes.data(), bytes.size(),
                                  aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                                      aiProcess_PreTransformVertices | aiProcess_SortByPType,
                                  extension.c_str());
  if (scene == nullptr)
    fail(fmt::format("Assimp cannot read it: {}{}", std::string(importer.GetErrorString()).substr(0, 200),
                     extension == "gltf" ? " (a .gltf file must hold its buffers itself; a .glb does)" : ""));
  MeshData mesh;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) add_mesh(*scene->mMeshes[i], mesh);
  if (mesh.triangles.empty()) fail("there are no triangles in it");
  return mesh;
}

}  // namespace repose
