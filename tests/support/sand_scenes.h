#pragma once
// Small scenes of sand under flip for tests, built in code.

#include <cmath>
#include <limits>
#include <string>

#include "support/flip_scenes.h"

#include "repose/scene/scene.h"

namespace repose::test {

/// An empty tank with walls all around but an open top, for sand that stands at this slope [deg].
inline Scene sand_tank(const Vec3d& size, double spacing, double angle) {
  Scene scene = tank_scene(size, spacing);
  Material& sand = scene.materials[0];
  sand.name = "sand";
  sand.kind = MaterialKind::granular;
  sand.density = 1600;
  sand.friction_angle = radians(angle);
  return scene;
}

inline void add_sand(Scene& scene, const Vec3d& low, const Vec3d& high) { add_water(scene, low, high); }

/// A layer of `cells` cells without end on a floor that is tilted by `tilt` [deg] along x: gravity is.
inline Scene sand_layer(int cells, double spacing, double angle, double tilt, double wall_friction) {
  const double h = 2 * spacing;
  Scene scene = sand_tank({8 * h, 8 * h, (cells + 6) * h}, spacing, angle);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  scene.domain.friction.fill(wall_friction);
  scene.info.gravity = 9.81 * Vec3d(std::sin(radians(tilt)), 0, -std::cos(radians(tilt)));
  add_sand(scene, {0, 0, 0}, {8 * h, 8 * h, cells * h});
  return scene;
}

}  // namespace repose::test
