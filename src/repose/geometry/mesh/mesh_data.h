#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

using Triangle = std::array<std::uint32_t, 3>;

/// Triangles as a file holds them, in the file's unit, or in metres where it says what that is. Positions are
/// finite, indices in range; nothing else is promised.
struct MeshData {
  std::vector<Vec3d> positions;
  std::vector<Triangle> triangles;
  bool states_unit = false;  ///< positions are in metres by the file's own word
};

}  // namespace repose
