// Bodies in motion: tops, pendulums, bounces, swarms.
//
// Reference: a top without torque keeps angular momentum and energy and flips when Euler's equations say (the
// inertia of six spheres of radius 8 mm and 2500 kg/m3 at 3, 2 and 1 cm on the axes gives 6.1852e-6,
// 1.15469e-5 and 1.47638e-5 kg m2; with w = (0.01, 10, 0.01) rad/s the middle one changes its sign at 2.2415
// s and 6.1693 s); a pendulum swings with the period of its length; a ball that falls from H rebounds to e^2
// H; whatever bodies do to each other, momentum and angular momentum are conserved. Tolerances: 1 % of the
// times and 1e-3 of momentum and energy for the top; 1 % for the period; e^2 H within 5 % of H, since the
// moment of impact is known to a step of 1.25 ms; momentum to rounding.

#include <cmath>

#include "support/body_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/physics/rigid_body.h"

namespace repose {
namespace {

using test::advance;
using test::body_scene;
using test::BodySums;
using test::dynamic_ball;
using test::dynamic_box;
using test::numbered;
using test::sums_of;

TEST(BodiesInMotion, ATopWithoutTorqueFlipsInTime) {
  // The same inertia as the spheres': only its ratios and the spin count.
  const Imath::M33d inertia(6.1852e-6, 0, 0, 0, 1.15469e-5, 0, 0, 0, 1.47638e-5);
  const Imath::M33d inverse = inertia.inverse();
  for (const double h : {0.005, 0.001}) {
    Quatd q(1, 0, 0, 0);
    const Vec3d w0(0.01, 10, 0.01), L = momentum_from_spin(inertia, q, w0);
    const double energy = L.dot(w0);
    std::vector<double> flips;
    double last = w0.y, worst = 0;
    for (int k = 1; k * h <= 8; ++k) {
      q = turned_freely(inverse, q, L, h);
      const Vec3d w = spin_from_momentum(inverse, q, L);
      const double middle = rotate_back(q, w).y;
      if (middle * last < 0) flips.push_back(k * h);
      last = middle;
      worst = std::max(worst, std::fabs(L.dot(w) / energy - 1));
    }
    ASSERT_EQ(flips.size(), 2U) << h;
    EXPECT_NEAR(flips[0], 2.2415, 0.01 * 2.2415);
    EXPECT_NEAR(flips[1], 6.1693, 0.01 * 6.1693);
    EXPECT_LT(worst, 1e-6);
  }
}

TEST(BodiesInMotion, AFreeBoxKeepsMomentumAndEnergy) {
  Scene scene = body_scene(false);
  scene.info.gravity = Vec3d(0);
  BodyDefinition box = dynamic_box("top", {0.06, 0.04, 0.02}, Vec3d(0));
  box.angular_velocity = {0.01, 10, 0.01};
  box.velocity = {0.1, 0.2, 0.3};
  scene.bodies.push_back(box);
  Bodies bodies(scene);
  const BodySums before = sums_of(bodies);
  int flips = 0;
  double last = 1;
  for (int k = 0; k < 1600; ++k) {
    bodies.advance(0.005, (k + 1) * 0.005);
    const BodySums now = sums_of(bodies);
    ASSERT_LT((now.L - before.L).length(), 1e-10 * before.sizes_of_L);
    ASSERT_LT(std::fabs(now.kinetic / before.kinetic - 1), 1e-9);
    const double middle = rotate_back(bodies[0].pose.rotation, bodies[0].angular_velocity).y;
    flips += middle * last < 0 ? 1 : 0;
    last = middle;
  }
  EXPECT_GE(flips, 2);
  EXPECT_LT((bodies[0].pose.position - 8.0 * box.velocity).length(), 1e-9);
}

TEST(BodiesInMotion, ARigidPendulumHasItsPeriod) {
  // A thin rod of length l on a hinge at its end: T = 2 pi sqrt(2 l / (3 g)) for small swings; 5 degrees add
  // 0.05 %.
  Scene scene = body_scene(false);
  const double length = 0.6, angle = radians(5);
  BodyDefinition rod =
      dynamic_box("rod", {0.01, 0.01, length}, 0.5 * length * Vec3d(std::sin(angle), 0, -std::cos(angle)));
  rod.shape.pose.rotation = rotation_from_degrees({0, -5, 0});
  scene.bodies.push_back(rod);
  scene.joints.push_back({.name = "pivot",
                          .bodies = {"world", "rod"},
                          .type = JointKind::hinge,
                          .position = {0, 0, 0},
                          .axis = {0, 1, 0},
                          .release = {}});
  Bodies bodies(scene);
  std::vector<double> crossings;
  double last = 1;
  for (int k = 0; k < 2000; ++k) {
    bodies.advance(0.005, (k + 1) * 0.005);
    const double x = bodies[0].pose.position.x;
    if (x * last < 0) crossings.push_back((k + 1) * 0.005 - 0.005 * x / (x - last));
    last = x;
  }
  ASSERT_GT(crossings.size(), 10U);
  const double half_periods = static_cast<double>(crossings.size() - 1);
  const double period = 2 * (crossings.back() - crossings.front()) / half_periods;
  const double expected = 2 * kPi * std::sqrt(2 * length / (3 * 9.81));
  EXPECT_NEAR(period, expected, 0.01 * expected);
  EXPECT_NEAR(bodies[0].pose.position.length(), 0.5 * length, 1e-5);
}

/// How high a body that falls from a height of 1 m comes back [m].
double height_after_bounce(BodyDefinition body, double restitution) {
  Scene scene = body_scene(true);
  body.restitution = restitution;
  scene.bodies.push_back(body);
  Bodies bodies(scene);
  const double rest = body.shape.pose.position.z - 1;
  double highest = 0;
  bool has_turned = false;
  for (int k = 0; k < 260; ++k) {
    bodies.advance(0.005, (k + 1) * 0.005);
    has_turned = has_turned || bodies[0].velocity.z > 0;
    if (has_turned && bodies[0].velocity.z < 0) break;
    if (has_turned) highest = std::max(highest, bodies[0].pose.position.z - rest);
  }
  return highest;
}

TEST(BodiesInMotion, BouncesReachTheHeightOfTheirRestitution) {
  for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    EXPECT_NEAR(height_after_bounce(dynamic_ball("ball", 0.05, {0, 0, 1.05}), e), e * e, 0.05) << e;
    EXPECT_NEAR(height_after_bounce(dynamic_box("box", Vec3d(0.1), {0, 0, 1.05}), e), e * e, 0.05) << e;
  }
}

TEST(BodiesInMotion, EqualBallsExchangeTheirVelocities) {
  Scene scene = body_scene(false);
  scene.info.gravity = Vec3d(0);
  for (int i = 0; i < 2; ++i) {
    BodyDefinition ball = dynamic_ball(numbered("ball", i), 0.05, {0.2 * i, 0, 0});
    ball.velocity = {i == 0 ? 1.0 : 0.0, 0, 0};
    ball.restitution = 1;
    ball.friction = 0;
    scene.bodies.push_back(ball);
  }
  Bodies bodies(scene);
  advance(bodies, 0.5, 0.005);
  EXPECT_NEAR(bodies[0].velocity.x, 0, 1e-9);
  EXPECT_NEAR(bodies[1].velocity.x, 1, 1e-9);
}

/// Boxes, balls and cylinders at random in a ball, all on their way to its middle; some are joined.
Scene swarm() {
  Scene scene = body_scene(false);
  scene.info.gravity = Vec3d(0);
  int count = 0;
  for (std::uint64_t k = 0; count < 24; ++k) {
    Random random(1, Stream::test, 1, k);
    const auto cube = [&] {
      return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    const Vec3d x = 0.5 * cube();
    bool is_free = true;
    for (const BodyDefinition& other : scene.bodies)
      is_free = is_free && (other.shape.pose.position - x).length() > 0.16;
    if (!is_free) continue;
    BodyDefinition body =
        dynamic_box(numbered("body", count), {0.1, 0.08, 0.06}, x, 500.0 + 300 * (count % 4));
    body.shape.kind = std::array{ShapeKind::box, ShapeKind::sphere,
                                 ShapeKind::cylinder}[static_cast<std::size_t>(count % 3)];
    body.shape.radius = 0.045;
    body.shape.height = 0.09;
    body.shape.pose.rotation = rotation_from_degrees(180.0 * cube());
    body.velocity = -1.5 * x + 0.2 * cube();
    body.angular_velocity = 4.0 * cube();
    body.restitution = 0.4;
    scene.bodies.push_back(body);
    if (count % 4 == 3) {
      JointDefinition joint;
      joint.name = numbered("joint", count);
      joint.bodies = {numbered("body", count - 1), body.name};
      joint.type = std::array{JointKind::ball, JointKind::hinge,
                              JointKind::fixed}[static_cast<std::size_t>(count / 4 % 3)];
      joint.position = 0.5 * (x + scene.bodies[scene.bodies.size() - 2].shape.pose.position);
      scene.joints.push_back(joint);
    }
    ++count;
  }
  return scene;
}

TEST(BodiesInMotion, WhatMeetsInEmptySpaceKeepsItsMomentum) {
  for (const double dt : {0.005, 1e-4}) {
    const Scene scene = swarm();
    Bodies bodies(scene);
    const BodySums before = sums_of(bodies);
    std::size_t most_contacts = 0;
    for (int k = 0; k * dt < 1; ++k) {
      bodies.advance(dt, (k + 1) * dt);
      most_contacts = std::max(most_contacts, bodies.dynamics().contacts().size());
    }
    const BodySums after = sums_of(bodies);
    EXPECT_LE((after.P - before.P).length(), 1e-12 * before.sizes_of_P);
    EXPECT_LE((after.L - before.L).length(), 1e-11 * before.sizes_of_L);
    EXPECT_LT(after.kinetic, 0.9 * before.kinetic);  // they did meet
    EXPECT_GT(most_contacts, 10U);
  }
}

TEST(BodiesInMotion, AFastBallDoesNotPassAThinWall) {
  for (const double speed : {1.0, 30.0, 300.0}) {
    Scene scene = body_scene(false);
    BodyDefinition wall;
    wall.name = "wall";
    wall.shape.size = {0.002, 1, 1};
    BodyDefinition ball = dynamic_ball("ball", 0.005, {-0.5, 0.013, 0.021});
    ball.velocity = {speed, 0, 0};
    scene.bodies = {wall, ball};
    scene.info.gravity = Vec3d(0);
    Bodies bodies(scene);
    advance(bodies, 1 / speed, 0.005);
    EXPECT_LT(bodies[1].pose.position.x, 0) << speed;
  }
}

TEST(BodiesInMotion, BoxesThatTumbleOntoEachOtherOnlyLoseEnergy) {
  for (const double dt : {0.005, 6e-4}) {
    Scene scene = body_scene(true);
    scene.bodies = {dynamic_box("cube", Vec3d(0.2), {0, 0, 0.2}, 500),
                    dynamic_box("box", {0.15, 0.15, 0.1}, {0.01, 0, 0.5}, 500)};
    scene.bodies[0].shape.pose.rotation = rotation_from_degrees({20, 10, 0});
    for (BodyDefinition& body : scene.bodies) body.restitution = 0.4;
    Bodies bodies(scene);
    const auto energy = [&] {
      double sum = sums_of(bodies).kinetic;
      for (std::size_t i = 0; i < 2; ++i) sum += 9.81 * bodies[i].mass.mass * bodies[i].state.center.z;
      return sum;
    };
    const double start = energy();
    for (int k = 0; k * dt < 1.5; ++k) {
      bodies.advance(dt, (k + 1) * dt);
      ASSERT_LT(energy(), 1.02 * start) << k * dt;
    }
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(bodies[i].velocity.length(), 0.01);
  }
}

TEST(BodiesInMotion, AMovingWallPushesABox) {
  Scene scene = body_scene(true, 0.3);
  BodyDefinition ram;
  ram.name = "ram";
  ram.shape.size = {0.1, 0.5, 0.5};
  ram.shape.pose.position = {-0.2, 0, 0.25};
  ram.motion = Motion::moving;
  ram.velocity = {0.5, 0, 0};
  scene.bodies = {ram, dynamic_box("box", Vec3d(0.1), {0, 0, 0.05})};
  Bodies bodies(scene);
  advance(bodies, 2, 0.005);
  EXPECT_NEAR(bodies[0].pose.position.x, 0.8, 1e-12);
  EXPECT_NEAR(bodies[1].pose.position.x, 0.9, 1e-3);
  EXPECT_NEAR(bodies[1].velocity.x, 0.5, 1e-3);
}

TEST(BodiesInMotion, AJointThatLetsGoLetsFall) {
  Scene scene = body_scene(false);
  scene.bodies.push_back(dynamic_ball("ball", 0.05, {0, 0, -0.5}));
  scene.joints.push_back({.name = "string",
                          .bodies = {"world", "ball"},
                          .type = JointKind::ball,
                          .position = {0, 0, 0},
                          .axis = {0, 0, 1},
                          .release = 1.0});
  Bodies bodies(scene);
  advance(bodies, 1, 0.005);
  EXPECT_NEAR(bodies[0].pose.position.z, -0.5, 1e-9);
  for (int k = 200; k < 300; ++k) bodies.advance(0.005, (k + 1) * 0.005);
  EXPECT_NEAR(bodies[0].pose.position.z, -0.5 - 0.5 * 9.81 * 0.25, 0.01);
}

}  // namespace
}  // namespace repose
