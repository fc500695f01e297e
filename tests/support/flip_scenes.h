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

/// A ball that is free to move. The reference holds until another body is added.
inline BodyDefinition& add_ball(Scene& scene, double radius, const Vec3d& position, double density) {
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = radius;
  ball.shape.pose.position = position;
  ball.motion = Motion::dynamic;
  ball.density = density;
  return scene.bodies.emplace_back(ball);
}

}  // namespace repose::test
