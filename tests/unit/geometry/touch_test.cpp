#include "repose/geometry/touch.h"

#include <algorithm>
#include <cmath>

#include "shape_cases.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

std::vector<ShapeCase> all_cases() {
  std::vector<ShapeCase> cases = plain_solids();
  for (ShapeCase c : plain_solids()) {
    c.name += "_inverted";
    c.shape.invert = true;
    cases.push_back(c);
  }
  for (const ShapeCase& c : shells()) cases.push_back(c);
  ShapeCase hopper{"hopper_shell", make_lathe({{0.1, -0.6}, {0.1, -0.4}, {0.5, 0.2}, {0.5, 0.6}})};
  hopper.shape.thickness = 0.05;
  cases.push_back(hopper);
  for (ShapeCase& c : cases) c.shape.scale = 1.3;
  return cases;
}

Touches touches_of(const Shape& shape, const Vec3d& p, double reach) {
  Touches touches;
  find_touches(shape, p, reach, touches);
  return touches;
}

class TouchesOf : public testing::TestWithParam<ShapeCase> {};

TEST_P(TouchesOf, NearestIsAmongThemAndAllAreOnTheSurface) {
  const Shape& shape = GetParam().shape;
  constexpr double kReach = 0.12;
  Random random(5, Stream::test, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const Vec3d p(random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2));
    const SurfacePoint nearest = distance_in_own_frame(shape, p);
    const Touches touches = touches_of(shape, p, kReach);
    ASSERT_EQ(touches.size() > 0, nearest.distance < kReach) << p;
    if (touches.size() == 0 || nearest.distance < 0) continue;
    double least = kReach;
    for (const Touch& t : touches) {
      least = std::min(least, t.distance);
      EXPECT_LT(t.distance, kReach);
      EXPECT_NEAR(t.normal.length(), 1, 1e-12);
      // Where two walls of a shell meet, the side of one may lie within the other.
      const double foot = distance_in_own_frame(shape, p - t.distance * t.normal).distance;
      EXPECT_LT(foot, 1e-9) << p;
      EXPECT_GT(foot, -0.5 * shape.thickness - 1e-9) << p;
    }
    EXPECT_NEAR(least, nearest.distance, 1e-12) << p;
  }
}

/// What a ball of this radius would feel, in units of stiffness.
Vec3d push(const Shape& shape, const Vec3d& p, double radius) {
  Vec3d sum(0);
  for (const Touch& t : touches_of(shape, p, radius)) sum += (radius - t.distance) * t.normal;
  return sum;
}

TEST_P(TouchesOf, PushOnABallThatSinksInByLittleHasNoJumps) {
  const Shape& shape = GetParam().shape;
  constexpr double kRadius = 0.06, kDeepest = 0.01 * kRadius, kStep = 1e-5;
  Random random(6, Stream::test, 0, 0);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    // Walk along the surface at the depth of a contact.
    Vec3d p(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9));
    for (int k = 0; k < 20; ++k) {
      const SurfacePoint s = distance_in_own_frame(shape, p);
      p += (kRadius - 0.5 * kDeepest - s.distance) * s.normal;
    }
    const Vec3d direction =
        Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    for (int k = 0; k < 20; ++k) {
      const Vec3d q = p + kStep * direction;
      if (distance_in_own_frame(shape, p).distance < kRadius - kDeepest) break;
      EXPECT_LT((push(shape, q, kRadius) - push(shape, p, kRadius)).length(), 4 * kStep) << p;
      ++compared;
      p = q;
    }
  }
  EXPECT_GT(compared, 5000);
}

INSTANTIATE_TEST_SUITE_P(All, TouchesOf, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Touch, ConvexSolidsAreTouchedOnce) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::cylinder, ShapeKind::cone, ShapeKind::sphere}) {
    const Shape shape = make_shape(kind);
    Random random(7, Stream::test, 0, 0);
    for (int i = 0; i < 1000; ++i) {
      const Vec3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      EXPECT_EQ(touches_of(shape, p, 10).size(), 1U);
    }
  }
}

TEST(Touch, CornerOfAContainerHasThreeFaces) {
  Shape box = make_shape(ShapeKind::box);
  box.invert = true;
  const Touches touches = touches_of(box, {0.35, -0.62, -0.27}, 0.1);
  ASSERT_EQ(touches.size(), 3U);
  EXPECT_NEAR(touches[0].distance, 0.05, 1e-15);
  EXPECT_EQ(touches[0].normal, Vec3d(-1, 0, 0));
  EXPECT_NEAR(touches[1].distance, 0.08, 1e-15);
  EXPECT_EQ(touches[1].normal, Vec3d(0, 1, 0));
  EXPECT_NEAR(touches[2].distance, 0.03, 1e-15);
  EXPECT_EQ(touches[2].normal, Vec3d(0, 0, 1));
  EXPECT_NE(touches[0].face, touches[1].face);
}

TEST(Touch, FloorAndWallOfADrum) {
  Shape drum = make_shape(ShapeKind::cylinder);
  drum.invert = true;
  const Touches touches = touches_of(drum, {0, 0.45, -0.5}, 0.08);
  ASSERT_EQ(touches.size(), 2U);
  EXPECT_NEAR(touches[0].distance, 0.05, 1e-15);
  EXPECT_LT((touches[0].normal - Vec3d(0, 0, 1)).length(), 1e-15);
  EXPECT_NEAR(touches[1].distance, 0.05, 1e-15);
  EXPECT_LT((touches[1].normal - Vec3d(0, -1, 0)).length(), 1e-15);
}

TEST(Touch, BallInAnOutletRestsOnBothSidesOfTheRim) {
  Shape hopper = make_lathe({{0.1, 0}, {0.5, 0.6}});
  hopper.thickness = 0.01;
  const Touches touches = touches_of(hopper, {1e-4, 0, 0.08}, 0.2);
  ASSERT_EQ(touches.size(), 2U);
  EXPECT_LT(touches[0].normal.x, 0);
  EXPECT_GT(touches[1].normal.x, 0);
}

TEST(Touch, BendsOfAFewDegreesAreOneSurface) {
  const Shape bowl = [] {
    Shape s = make_lathe({});
    for (int i = 0; i <= 18; ++i)
      s.profile.emplace_back(0.5 * std::sin(radians(5.0 * i)), -0.5 * std::cos(radians(5.0 * i)));
    s.thickness = 0.01;
    return s;
  }();
  for (double angle = 4; angle < 86; angle += 0.3) {
    const Vec3d p = 0.4 * Vec3d(std::sin(radians(angle)), 0, -std::cos(radians(angle)));
    EXPECT_EQ(touches_of(bowl, p, 0.1).size(), 1U) << angle;
  }
}

}  // namespace
}  // namespace repose
