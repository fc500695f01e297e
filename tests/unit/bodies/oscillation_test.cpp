#include "repose/bodies/oscillation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/bodies/bodies.h"
#include "repose/math/rotation.h"

namespace repose {
namespace {

Scene scene_with(const BodyDefinition& body) {
  Scene scene;
  scene.domain.faces.fill(FaceKind::open);
  scene.bodies.push_back(body);
  return scene;
}

BodyDefinition plate() {
  BodyDefinition body;
  body.name = "plate";
  body.shape.size = {0.4, 0.3, 0.1};
  body.shape.pose = {{0.2, -0.1, 0.5}, rotation_from_degrees({10, 20, 30})};
  body.oscillation.frequency = 7;
  body.oscillation.phase = radians(25);
  return body;
}

double swing_at(double t) { return std::sin(2 * kPi * 7 * t + radians(25)); }

TEST(Oscillation, IsASineAboutWhereTheBodyStands) {
  BodyDefinition body = plate();
  body.oscillation.amplitude = {0.01, -0.02, 0.03};
  Bodies bodies(scene_with(body));
  for (const double t : {0.0, 0.013, 0.1, 1.234, 1e4 + 0.021}) {
    bodies.move_to(t);
    const Vec3d expected = body.shape.pose.position + swing_at(t) * body.oscillation.amplitude;
    EXPECT_LT((bodies[0].pose.position - expected).length(), 1e-11 * (1 + t)) << t;
    EXPECT_LT(angle_between(bodies[0].pose.rotation, body.shape.pose.rotation), 1e-7);
    const Vec3d velocity = 2 * kPi * 7 * std::cos(2 * kPi * 7 * t + radians(25)) * body.oscillation.amplitude;
    EXPECT_LT((bodies[0].velocity - velocity).length(), 1e-8) << t;
  }
  // It waits before t = 0, where it will be then.
  bodies.move_to(-0.3);
  EXPECT_LT((bodies[0].pose.position - body.shape.pose.position - swing_at(0) * body.oscillation.amplitude)
                .length(),
            1e-15);
  EXPECT_EQ(bodies[0].velocity, Vec3d(0));
}

TEST(Oscillation, TurnsAboutItsPivot) {
  BodyDefinition body = plate();
  body.oscillation.rotation = {0, 8, 0};
  body.oscillation.pivot = {0.7, 0, 0.9};
  Bodies bodies(scene_with(body));
  for (const double t : {0.0, 0.02, 0.11, 0.5}) {
    bodies.move_to(t);
    const Quatd turn = exp_rotation({0, radians(8) * swing_at(t), 0});
    const Vec3d pivot = *body.oscillation.pivot;
    const Vec3d expected = pivot + rotate(turn, body.shape.pose.position - pivot);
    EXPECT_LT((bodies[0].pose.position - expected).length(), 1e-14) << t;
    EXPECT_LT(angle_between(bodies[0].pose.rotation, turn * body.shape.pose.rotation), 1e-7) << t;
  }
}

/// On top of keyframes and of a steady motion: what velocities say is what the poses do.
TEST(Oscillation, VelocitiesAreDerivatives) {
  for (const Motion motion : {Motion::fixed, Motion::moving, Motion::keyframed}) {
    BodyDefinition body = plate();
    body.motion = motion;
    body.oscillation.amplitude = {0.01, 0, 0.03};
    body.oscillation.rotation = {3, 5, -4};
    body.oscillation.pivot = {0.4, 0.3, 0.2};
    if (motion == Motion::moving) {
      body.velocity = {0.3, 0, 0.1};
      body.angular_velocity = {0.5, 1, -2};
      body.pivot = {0, 0, 1};
    }
    if (motion == Motion::keyframed)
      body.keyframes = {
          {0, {0, 0, 0}, {0, 0, 0}}, {0.5, {1, 0, 0}, {0, 90, 0}}, {1, {1, 1, 0}, {40, 90, 10}}};
    Bodies bodies(scene_with(body));
    const Vec3d at(0.3, 0.2, 0.1);
    constexpr double kStep = 1e-5;
    for (const double t : {0.05, 0.21, 0.377, 0.63}) {
      bodies.move_to(t - kStep);
      const Pose before = bodies[0].pose;
      bodies.move_to(t + kStep);
      const Pose after = bodies[0].pose;
      bodies.move_to(t);
      const Vec3d moved = (after.to_world(at) - before.to_world(at)) / (2 * kStep);
      EXPECT_LT((bodies.velocity_at(0, bodies[0].pose.to_world(at)) - moved).length(), 2e-6)
          << static_cast<int>(motion) << " " << t;
    }
  }
}

TEST(Oscillation, LimitsTheStep) {
  BodyDefinition body = plate();
  EXPECT_EQ(Bodies(scene_with(BodyDefinition{})).longest_step(), std::numeric_limits<double>::infinity());
  body.oscillation.amplitude = {0, 0, 0.01};
  EXPECT_NEAR(Bodies(scene_with(body)).longest_step(), 1.0 / 7 / kStepsPerPeriod, 1e-15);
}

TEST(Belts, RunAlongTheSurfaceOfARoller) {
  BodyDefinition roller;
  roller.name = "roller";
  roller.shape.kind = ShapeKind::cylinder;
  roller.shape.radius = 0.3;
  roller.shape.height = 2;
  roller.shape.pose.rotation = rotation_from_degrees({90, 0, 0});
  roller.surface_velocity = {1.5, 0, 0};
  Bodies bodies(scene_with(roller));
  bodies.move_to(0);
  for (int k = 0; k < 24; ++k) {
    const double a = 2 * kPi * k / 24;
    const Vec3d n = bodies.nearest(0, {0.4 * std::sin(a), 0.1, 0.4 * std::cos(a)}).normal;
    const Vec3d v = bodies.belt_velocity(0, n);
    EXPECT_NEAR(v.dot(n), 0, 1e-15);
    EXPECT_NEAR(v.length(), 1.5 * std::abs(std::cos(a)), 1e-14) << k;
    EXPECT_GE(v.x, -1e-15);
    EXPECT_EQ(bodies.velocity_at(0, {0.3 * std::sin(a), 0, 0.3 * std::cos(a)}), Vec3d(0));
  }
  bodies.move_to(-1);
  EXPECT_EQ(bodies.belt_velocity(0, {0, 0, 1}), Vec3d(0));
}

}  // namespace
}  // namespace repose
