#include "repose/bodies/keyframes.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

const std::vector<Keyframe> kKeys{{0.5, {0, 0, 1}, {0, 0, 0}},
                                  {1.0, {1, 0, 1}, {0, 0, 400}},
                                  {1.2, {1.1, 0, 3}, {30, 0, 900}},
                                  {3.0, {0, -2, 1}, {-50, 80, 720}}};

class KeyframesOf : public testing::TestWithParam<Interpolation> {};

TEST_P(KeyframesOf, PassThroughTheKeysAndStandStillOutside) {
  const KeyframePath path(kKeys, GetParam());
  for (const Keyframe& key : kKeys) {
    const Pose pose = path.at(key.t).pose;
    EXPECT_LT((pose.position - key.position).length(), 1e-14);
    const Quatd wanted = rotation_from_degrees(key.rotation);
    EXPECT_LT((rotate(pose.rotation, Vec3d(1, 2, 3)) - rotate(wanted, Vec3d(1, 2, 3))).length(), 1e-13);
  }
  for (const double t : {-10.0, 0.49, 3.0, 100.0}) {
    const PathPoint point = path.at(t);
    EXPECT_EQ(point.pose.position, t < 1 ? kKeys.front().position : kKeys.back().position);
    EXPECT_EQ(point.velocity, Vec3d(0));
    EXPECT_EQ(point.angular_velocity, Vec3d(0));
  }
}

TEST_P(KeyframesOf, NeverGoBeyondTheKeysOfTheirInterval) {
  const KeyframePath path(kKeys, GetParam());
  for (std::size_t k = 0; k + 1 < kKeys.size(); ++k)
    for (double u = 0; u <= 1; u += 0.01) {
      const Vec3d p = path.at(kKeys[k].t + u * (kKeys[k + 1].t - kKeys[k].t)).pose.position;
      for (int axis = 0; axis < 3; ++axis) {
        const auto [low, high] = std::minmax(kKeys[k].position[axis], kKeys[k + 1].position[axis]);
        EXPECT_GE(p[axis], low - 1e-14);
        EXPECT_LE(p[axis], high + 1e-14);
      }
    }
}

TEST_P(KeyframesOf, VelocitiesAreDerivativesOfThePose) {
  const KeyframePath path(kKeys, GetParam());
  constexpr double h = 1e-6;
  for (double t = 0.05; t < 3.4; t += 0.0917) {
    const PathPoint low = path.at(t - h), high = path.at(t + h), point = path.at(t);
    EXPECT_LT((point.velocity - (high.pose.position - low.pose.position) / (2 * h)).length(), 1e-6) << t;
    for (const Vec3d& arm : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
      const Vec3d rate = (rotate(high.pose.rotation, arm) - rotate(low.pose.rotation, arm)) / (2 * h);
      const Vec3d wanted = point.angular_velocity.cross(rotate(point.pose.rotation, arm));
      EXPECT_LT((rate - wanted).length(), 1e-5) << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, KeyframesOf, testing::Values(Interpolation::smooth, Interpolation::linear));

TEST(Keyframes, AnglesPast360TurnOn) {
  const KeyframePath path({{0, {0, 0, 0}, {0, 0, 0}}, {4, {0, 0, 0}, {0, 0, 720}}}, Interpolation::linear);
  EXPECT_NEAR(path.at(1).angular_velocity.z, kPi, 1e-14);
  const Vec3d half_turn = rotate(path.at(1).pose.rotation, Vec3d(1, 0, 0));
  EXPECT_NEAR(half_turn.x, -1, 1e-14);
  EXPECT_NEAR(rotate(path.at(2).pose.rotation, Vec3d(1, 0, 0)).x, 1, 1e-14);
  EXPECT_NEAR(rotate(path.at(3.5).pose.rotation, Vec3d(1, 0, 0)).y, -1, 1e-14);
}

TEST(Keyframes, SmoothVelocityHasNoJumps) {
  const KeyframePath path(kKeys, Interpolation::smooth);
  for (const Keyframe& key : kKeys) {
    const PathPoint before = path.at(key.t - 1e-9), after = path.at(key.t + 1e-9);
    EXPECT_LT((after.velocity - before.velocity).length(), 1e-5);
    EXPECT_LT((after.angular_velocity - before.angular_velocity).length(), 1e-4);
  }
  EXPECT_GT(path.at(1.0).velocity.x, 0.1);
  EXPECT_LT(path.at(0.5 + 1e-9).velocity.length(), 1e-5);
}

TEST(Keyframes, OneKeyIsAPlaceToStand) {
  for (const Interpolation interpolation : {Interpolation::smooth, Interpolation::linear}) {
    const KeyframePath path({{1, {1, 2, 3}, {0, 0, 90}}}, interpolation);
    for (const double t : {0.0, 1.0, 2.0}) {
      EXPECT_EQ(path.at(t).pose.position, Vec3d(1, 2, 3));
      EXPECT_EQ(path.at(t).velocity, Vec3d(0));
    }
  }
}

}  // namespace
}  // namespace repose
