// Piles made of points, whose slope and size are known.

#include "repose/measure/pile.h"

#include "frames.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

using namespace test;

struct Cone {
  double angle = radians(30), height = 0.1, radius = 0.002;  ///< [rad, m, m]
  bool wedge = false;                                        ///< along x, of width 0.1 along y
};

/// Balls on a jittered lattice that fill a cone or wedge on the floor z = 0.
Frame make_pile(const Cone& cone, const Vec3d& at, std::uint64_t seed) {
  Frame frame;
  const double foot = cone.height / std::tan(cone.angle), spacing = 1.9 * cone.radius;
  const int n = static_cast<int>(foot / spacing) + 1, m = static_cast<int>(cone.height / spacing) + 1;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = 0; k <= m; ++k) {
        Random random(seed, Stream::test, 0,
                      static_cast<std::uint64_t>((i + n) * 1000000 + (j + n) * 1000 + k));
        const auto jitter = [&] { return 0.1 * spacing * random.uniform(-1, 1); };
        Vec3d x = spacing * Vec3d(i, j, k) + Vec3d(jitter(), jitter(), 0);
        if (cone.wedge && std::abs(x.y) > 0.05) continue;
        const double s = cone.wedge ? std::abs(x.x) : std::hypot(x.x, x.y);
        // Balls stay wholly below the surface.
        const double surface = (foot - s) * std::tan(cone.angle) - cone.radius;
        x.z += cone.radius;
        if (x.z < surface || (k == 0 && s < foot - cone.radius)) add_grain(frame, x + at, cone.radius);
      }
  return frame;
}

class PileTest : public testing::Test {
 protected:
  PileReading read(const Frame& frame, const Vec3d& at = Vec3d(0), PileAxis along = PileAxis::radius) {
    return read_pile(box(Vec3d(2), at), along, frame, GrainTable(scene_, shapes_), DomainBox{}, threads_);
  }
  Scene scene_ = plain_scene();
  std::vector<GrainShape> shapes_ = lone_spheres();
  Threads threads_{2};
};

TEST_F(PileTest, ConesHaveTheirAngle) {
  for (const double angle : {20.0, 30.0, 38.0}) {
    const Cone cone{.angle = radians(angle)};
    const Vec3d at(0.31, -0.2, 0);
    const PileReading reading = read(make_pile(cone, at, 1), at);
    const double foot = cone.height / std::tan(cone.angle);
    EXPECT_NEAR(degrees(reading.angle), angle, 0.5) << angle;
    EXPECT_NEAR(reading.foot, foot, 0.03 * foot) << angle;
    EXPECT_NEAR(reading.height, cone.height, 0.05 * cone.height) << angle;
    // Of a full cone 1 % lies beyond 1 - sqrt(0.01 / 3) of its foot, to first order.
    EXPECT_NEAR(reading.front, 0.94 * foot, 0.015 * foot) << angle;
  }
}

TEST_F(PileTest, WedgesHaveTheirAngleAlongX) {
  const Cone wedge{.angle = radians(25), .height = 0.06, .wedge = true};
  const PileReading reading = read(make_pile(wedge, Vec3d(0), 2), Vec3d(0), PileAxis::x);
  EXPECT_NEAR(degrees(reading.angle), 25, 0.5);
  EXPECT_NEAR(reading.foot, wedge.height / std::tan(wedge.angle), 0.005);
}

TEST_F(PileTest, LooseGrainsChangeNothing) {
  Frame frame = make_pile({}, Vec3d(0), 1);
  const PileReading clean = read(frame);
  Random random(5, Stream::test, 0, 0);
  for (int i = 0; i < 400; ++i) {
    // Apart from the pile and from each other: on the floor far out, and in the air.
    const double angle = 0.1 * i, distance = 0.3 + 0.001 * i;
    add_grain(frame, {distance * std::cos(angle), distance * std::sin(angle), 0.002}, 0.002);
    add_grain(frame, {0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.2 + 0.0017 * i}, 0.002);
  }
  const PileReading reading = read(frame);
  EXPECT_EQ(reading.count, clean.count);
  EXPECT_EQ(reading.front, clean.front);
  EXPECT_EQ(reading.angle, clean.angle);
  EXPECT_EQ(reading.height, clean.height);
}

TEST_F(PileTest, NothingAndOneGrainHaveNoAngle) {
  Frame frame;
  EXPECT_EQ(read(frame).count, 0U);
  EXPECT_TRUE(std::isnan(read(frame).height));
  add_grain(frame, {0, 0, 0.1}, 0.1);
  EXPECT_EQ(read(frame).count, 1U);
  EXPECT_NEAR(read(frame).height, 0.2, 1e-7);
  EXPECT_TRUE(std::isnan(read(frame).angle));
}

}  // namespace
}  // namespace repose
