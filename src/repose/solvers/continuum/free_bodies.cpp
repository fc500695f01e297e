#include "repose/solvers/continuum/free_bodies.h"

#include <algorithm>

#include "repose/math/rotation.h"

namespace repose {
namespace {

/// A direction is free no more where a push along it moves the body less than this share of what it did.
constexpr double kHeld = 1e-6;

}  // namespace

std::vector<BodyVelocity> body_velocities(const Bodies& bodies) {
  std::vector<BodyVelocity> velocities;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    const Vec3d center = body.is_free ? body.state.center : body.pose.position;
    velocities.push_back({center, bodies.velocity_at(b, center), body.angular_velocity});
  }
  return velocities;
}

std::vector<BodyVelocity> body_velocities_over(const Bodies& bodies, double dt) {
  std::vector<BodyVelocity> velocities = body_velocities(bodies);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].is_free) continue;
    const BodyRate rate = bodies.rate_over(b, dt);
    velocities[b].velocity = rate.velocity;
    velocities[b].spin = rate.spin;
  }
  return velocities;
}

Mat6 mass_matrix(const Body& body) {
  Mat6 m{};
  const Imath::M33d inertia = turned_matrix(body.mass.inertia, body.state.rotation);
  for (std::size_t i = 0; i < 3; ++i) {
    m[i][i] = body.mass.mass;
    for (std::size_t k = 0; k < 3; ++k) m[3 + i][3 + k] = inertia[static_cast<int>(i)][static_cast<int>(k)];
  }
  return m;
}

void hold_at_contacts(const Bodies& bodies, std::size_t body, double dt, Mat6& inverse_mass, Vec6& u) {
  const Vec3d center = bodies[body].state.center;
  for (const BodyContact& contact : bodies.dynamics().contacts()) {
    const bool is_a = contact.a == body;
    const std::size_t other = is_a ? contact.b : contact.a;
    if ((!is_a && contact.b != body) || bodies[other].is_free) continue;
    const Body &a = bodies[contact.a], &b = bodies[contact.b];
    const Vec3d normal =
        rotate(contact.normal_turns_with_a != 0 ? a.pose.rotation : b.pose.rotation, contact.normal);
    const Vec3d on_a = a.pose.to_world(a.mass.center + contact.on_a) - contact.radius_a * normal;
    const Vec3d on_b = b.pose.to_world(b.mass.center + contact.on_b) + contact.radius_b * normal;
    const double gap = (on_a - on_b).dot(normal);
    const Vec3d away = is_a ? normal : -normal;
    const Vec6 row = row_of(away, on_a - center);
    const double opening = dot(row, u) - away.dot(bodies.velocity_at(other, on_a));
    const double least = std::min(0.0, -gap / dt);
    if (opening > least) continue;
    const Vec6 push = times(inverse_mass, row);
    const double response = dot(row, push);
    if (!(response > kHeld / bodies[body].mass.mass)) continue;
    for (std::size_t i = 0; i < 6; ++i) {
      u[i] += push[i] * (least - opening) / response;
      for (std::size_t j = 0; j < 6; ++j) inverse_mass[i][j] -= push[i] * push[j] / response;
    }
  }
}

}  // namespace repose
