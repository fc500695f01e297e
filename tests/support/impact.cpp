#include "support/impact.h"

#include <algorithm>
#include <cmath>

#include "support/body_scenes.h"

namespace repose::test {
namespace {

constexpr double kGravity = 9.81;    ///< [m/s2]
constexpr double kAbove = 0.003;     ///< where the ball's lowest point starts over the bed [m]
constexpr double kDuration = 0.25;   ///< [s]
constexpr double kInterval = 0.005;  ///< between readings [s]

Scene bed_scene(const BallDrop& ball) {
  const double d = ball.grain;
  Scene scene = box_scene("sphere", {ball.width, ball.width, ball.depth + 0.2}, d);
  scene.info.seed = ball.seed;
  scene.domain.friction.fill(ball.friction);
  Material& sand = scene.materials[0];
  sand.young = 3e6;
  sand.friction = ball.friction;
  sand.density = ball.packing * sand.grain_density;
  add_fill(
      scene,
      box_shape({ball.width, ball.width, ball.depth}, {0.5 * ball.width, 0.5 * ball.width, 0.5 * ball.depth}),
      Packing::settled);
  return scene;
}

/// Where the ball's lowest point is when it first touches the bed [m].
double touch_height(const DemState& state, const BallDrop& ball) {
  const double reach = 0.5 * (ball.diameter + ball.grain);
  double center = 0;
  for (const Vec3d& x : state.position) {
    const double off = std::hypot(x.x - 0.5 * ball.width, x.y - 0.5 * ball.width);
    if (off < reach) center = std::max(center, x.z + std::sqrt(reach * reach - off * off));
  }
  return center - 0.5 * ball.diameter;
}

/// Of the bed, whose surface stands twice as high as its centre of mass [kg/m3].
double bed_density(const DemState& state, double grain_mass, double width) {
  double sum = 0;
  for (const Vec3d& x : state.position) sum += x.z;
  const auto count = static_cast<double>(state.size());
  return count * grain_mass / (width * width * 2 * sum / count);
}

}  // namespace

Crater drop(const BallDrop& ball) {
  Scene scene = bed_scene(ball);
  Threads threads(1);
  double surface = 0;
  Crater out;
  {
    const DemSolver still(scene, threads, {});
    surface = touch_height(still.state(), ball);
    out.grains = still.state().size();
    const double mass = scene.materials[0].grain_density * kPi / 6 * std::pow(ball.grain, 3);
    out.bed_density = bed_density(still.state(), mass, ball.width);
  }
  BodyDefinition body = dynamic_ball(
      "ball", 0.5 * ball.diameter,
      {0.5 * ball.width, 0.5 * ball.width, surface + kAbove + 0.5 * ball.diameter}, ball.density);
  body.velocity = {0, 0, -std::sqrt(2 * kGravity * std::max(0.0, ball.fall - kAbove))};
  body.friction = ball.friction;
  body.restitution = scene.materials[0].restitution;
  scene.bodies.push_back(body);
  if (ball.dt_factor != 1) scene.solver.dem.dt = ball.dt_factor * automatic_dt(scene);
  DemSolver solver(scene, threads, {});
  for (double t = kInterval; t <= kDuration; t += kInterval) {
    out.failure = advance(solver, t);
    if (!out.failure.empty()) return out;
    out.depth = surface - (solver.bodies()[0].pose.position.z - 0.5 * ball.diameter);
    out.deepest = std::max(out.deepest, out.depth);
  }
  out.speed = solver.bodies()[0].velocity.length();
  return out;
}

}  // namespace repose::test
