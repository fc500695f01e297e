#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles as a file holds them, in the file's unit. Positions are finite, indices in range; nothing else
/// is promised.
struct MeshData {
  std::vector<Vec3d> positions;
  std::vector<Triangle> triangles;
};

}  // namespace repose
