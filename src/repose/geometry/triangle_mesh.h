#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

/// Triangles, counter-clockwise seen from outside. Normals by vertex are empty (flat) or one a vertex.
struct TriangleMesh {
  std::vector<Vec3f> positions;
  std::vector<Vec3f> normals;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

}  // namespace repose
