#pragma once
// Triangle meshes as OBJ files, the one mesh format that every program reads.

#include <filesystem>
#include <string_view>

#include "repose/geometry/triangle_mesh.h"

namespace repose {

/// What the first line of the files begins with.
inline constexpr std::string_view kObjMark = "# repose body";

/// `name` is that of the object in the file. Digits enough to read the same number back.
void write_obj(const std::filesystem::path& path, std::string_view name, const TriangleMesh& mesh);

}  // namespace repose
