#pragma once
// Surfaces for tests of their files.

#include <cstdint>
#include <vector>

#include "repose/surface/surface.h"

namespace repose::test {

/// Around two touching heaps of particles of two materials, with velocities that grow with x.
inline SurfaceMesh blob_surface() {
  Frame frame;
  for (int z = 0; z < 12; ++z)
    for (int y = 0; y < 12; ++y)
      for (int x = 0; x < 24; ++x) {
        const Vec3d at = 0.01 * Vec3d(x, y, z);
        frame.position.push_back(at);
        frame.velocity.emplace_back(static_cast<float>(10 * at.x), 0.5F, -1.0F);
        frame.material.push_back(x < 12 ? 0 : 1);
        frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
      }
  std::vector<Material> materials(2);
  materials[0].color = Color(1, 0, 0);
  materials[1].color = Color(0, 0, 1);
  Threads threads(1);
  return make_surface(frame, materials, {.spacing = 0.005, .radius = 0.01, .support = 0.02}, threads);
}

}  // namespace repose::test
