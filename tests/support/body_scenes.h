#pragma once
// Scenes of bodies without matter, built in code, and what one does with them.

#include <algorithm>
#include <cmath>
#include <string>

#include "repose/bodies/bodies.h"
#include "repose/scene/scene.h"

namespace repose::test {

/// "box3" and the like.
inline std::string numbered(std::string name, int number) { return name.append(std::to_string(number)); }

/// A large space without matter: a floor at z = 0 where wanted, gravity down.
inline Scene body_scene(bool with_floor, double friction = 0.5) {
  Scene scene;
  scene.domain.min = {-50, -50, with_floor ? 0.0 : -50};
  scene.domain.max = {50, 50, 50};
  scene.domain.faces.fill(FaceKind::open);
  if (with_floor) scene.domain.faces[4] = FaceKind::wall;
  scene.domain.friction.fill(friction);
  return scene;
}

inline BodyDefinition dynamic_body(const std::string& name, const Vec3d& position, double density = 1000) {
  BodyDefinition body;
  body.name = name;
  body.motion = Motion::dynamic;
  body.density = density;
  body.shape.pose.position = position;
  body.restitution = 0;
  return body;
}

inline BodyDefinition dynamic_box(const std::string& name, const Vec3d& size, const Vec3d& position,
                                  double density = 1000) {
  BodyDefinition body = dynamic_body(name, position, density);
  body.shape.size = size;
  return body;
}

inline BodyDefinition dynamic_ball(const std::string& name, double radius, const Vec3d& position,
                                   double density = 1000) {
  BodyDefinition body = dynamic_body(name, position, density);
  body.shape.kind = ShapeKind::sphere;
  body.shape.radius = radius;
  return body;
}

/// Advances from t = 0 in equal steps.
inline void advance(Bodies& bodies, double duration, double dt) {
  const int steps = static_cast<int>(std::lround(duration / dt));
  for (int k = 0; k < steps; ++k) bodies.advance(dt, (k + 1) * dt);
}

/// Momentum, angular momentum about the origin, and energy of motion of all dynamic bodies.
struct BodySums {
  Vec3d P{0, 0, 0}, L{0, 0, 0};
  double sizes_of_P = 0, sizes_of_L = 0, kinetic = 0;
};
inline BodySums sums_of(const Bodies& bodies) {
  BodySums sums;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (!body.is_free) continue;
    const Vec3d p = body.mass.mass * body.state.velocity;
    const Vec3d l = body.state.center.cross(p) + body.state.angular_momentum;
    sums.P += p;
    sums.L += l;
    sums.sizes_of_P += p.length();
    sums.sizes_of_L += l.length();
    sums.kinetic +=
        0.5 * p.dot(body.state.velocity) + 0.5 * body.state.angular_momentum.dot(body.angular_velocity);
  }
  return sums;
}

/// The farthest that any of the scene's bodies is from where it started [m].
inline double largest_shift(const Bodies& bodies, const Scene& scene) {
  double largest = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    largest = std::max(largest, (bodies[i].pose.position - scene.bodies[i].shape.pose.position).length());
  return largest;
}

}  // namespace repose::test
