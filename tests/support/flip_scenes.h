#pragma once
// Small scenes of water for tests, built in code.

#include <string>

#include "support/dem_scenes.h"

#include "repose/scene/scene.h"

namespace repose::test {

/// An empty tank from the origin with walls all around but an open top.
inline Scene tank_scene(const Vec3d& size, double spacing) {
  Scene scene = box_scene("sphere", size, spacing);
  scene.solver.type = SolverKind::flip;
  scene.materials[0].name = "water";
  scene.materials[0].kind = MaterialKind::fluid;
  scene.materials[0].density = 1000;
  return scene;
}

/// Water in the box from `low` to `high`.
inline void add_water(Scene& scene, const Vec3d& low, const Vec3d& high) {
  add_fill(scene, box_shape(high - low, 0.5 * (low + high)));
}

}  // namespace repose::test
