// Turning the world from z up to y up.

#include "repose/io/particles/up_axis.h"

#include "unit/io/frames.h"
#include <gtest/gtest.h>

#include "repose/math/vec.h"

namespace repose {
namespace {

TEST(UpAxis, UpGoesUpAndTheHandStays) {
  EXPECT_EQ(to_y_up(Vec3d(0, 0, 1)), Vec3d(0, 1, 0));
  const Vec3d x = to_y_up(Vec3d(1, 0, 0)), y = to_y_up(Vec3d(0, 1, 0)), z = to_y_up(Vec3d(0, 0, 1));
  EXPECT_EQ(x.cross(y), z);
}

/// A point of a turned grain lands where the turned point of the grain was.
TEST(UpAxis, OrientationsTurnTurnedShapes) {
  const Quatd q = rotation_from_degrees({20, 50, 110});
  const Vec3d local(0.3, -0.4, 0.8);
  const Vec3d there = rotate(to_y_up(q), to_y_up(local)), expected = to_y_up(rotate(q, local));
  EXPECT_LT((there - expected).length(), 1e-15);
}

TEST(UpAxis, TurnsAllThatAFrameHolds) {
  Frame frame = test::make_frame(5, true);
  BodyRow body;
  body.pose = {{1, 2, 3}, rotation_from_degrees({10, 20, 30})};
  body.velocity = {4, 5, 6};
  body.angular_velocity = {7, 8, 9};
  body.force = {10, 11, 12};
  body.torque = {13, 14, 15};
  frame.bodies.push_back(body);
  const Frame before = frame;
  turn_y_up(frame);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(frame.position[i], to_y_up(before.position[i]));
    EXPECT_EQ(frame.velocity[i], to_y_up(before.velocity[i]));
    EXPECT_EQ(frame.angular_velocity[i], to_y_up(before.angular_velocity[i]));
    EXPECT_EQ(frame.orientation[i], to_y_up(before.orientation[i]));
    EXPECT_EQ(frame.radius[i], before.radius[i]);
    EXPECT_EQ(frame.id[i], before.id[i]);
  }
  const BodyRow& turned = frame.bodies[0];
  EXPECT_EQ(turned.pose.position, Vec3d(1, 3, -2));
  EXPECT_EQ(turned.pose.rotation, to_y_up(body.pose.rotation));
  EXPECT_EQ(turned.velocity, Vec3d(4, 6, -5));
  EXPECT_EQ(turned.angular_velocity, Vec3d(7, 9, -8));
  EXPECT_EQ(turned.force, Vec3d(10, 12, -11));
  EXPECT_EQ(turned.torque, Vec3d(13, 15, -14));
}

}  // namespace
}  // namespace repose
