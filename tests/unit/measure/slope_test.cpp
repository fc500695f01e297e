// Beds made of points, whose slope is known.

#include "repose/measure/slope.h"

#include "frames.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/measure/pile.h"

namespace repose {
namespace {

using namespace test;

constexpr double kRadius = 0.002;

/// Balls below a surface z(x) inside a drum of radius 0.1 about y, `width` long. `turn`: about the vertical.
template <class F>
Frame make_bed(F&& surface, double turn = 0, double width = 0.05, std::uint64_t seed = 1) {
  Frame frame;
  const double R = 0.1, spacing = 1.9 * kRadius;
  const int n = static_cast<int>(R / spacing) + 1, m = static_cast<int>(0.5 * width / spacing);
  for (int i = -n; i <= n; ++i)
    for (int j = -m; j <= m; ++j)
      for (int k = -n; k <= n; ++k) {
        Random random(seed, Stream::test, 0,
                      static_cast<std::uint64_t>((i + n) * 1000000 + (j + n) * 1000 + (k + n)));
        const auto jitter = [&] { return 0.1 * spacing * random.uniform(-1, 1); };
        const Vec3d x = spacing * Vec3d(i, j, k) + Vec3d(jitter(), jitter(), jitter());
        if (std::hypot(x.x, x.z) > R - kRadius || x.z > surface(x.x) - kRadius) continue;
        const double c = std::cos(turn), s = std::sin(turn);
        add_grain(frame, {c * x.x - s * x.y, s * x.x + c * x.y, x.z}, kRadius);
      }
  return frame;
}

class SlopeTest : public testing::Test {
 protected:
  SlopeReading read(const Frame& frame, PileAxis along = PileAxis::radius) {
    return read_slope(box(Vec3d(1), Vec3d(0)), along, frame, GrainTable(scene_, shapes_), DomainBox{},
                      threads_);
  }
  Scene scene_ = plain_scene();
  std::vector<GrainShape> shapes_ = lone_spheres();
  Threads threads_{2};
};

TEST_F(SlopeTest, BedsOfDrumsHaveTheirAngle) {
  for (const double angle : {0.0, 12.0, 25.0, 40.0})
    for (const double turn : {0.0, 30.0, 90.0, 200.0})
      for (const double height : {-0.025, 0.0}) {
        const double slope = std::tan(radians(angle));
        const SlopeReading found =
            read(make_bed([&](double x) { return height - slope * x; }, radians(turn)));
        EXPECT_NEAR(degrees(found.angle), angle, 1.0) << turn << " " << height;
        EXPECT_LT(found.roughness, kRadius) << angle << " " << turn;
        if (angle == 0) continue;
        EXPECT_NEAR(std::remainder(degrees(found.direction) - turn, 360), 0, 3) << angle;
      }
}

TEST_F(SlopeTest, ALineGoesByOneAxis) {
  const Frame frame = make_bed([](double x) { return -0.6 * x; }, 0, 0.012);
  EXPECT_NEAR(degrees(read(frame, PileAxis::x).angle), degrees(std::atan(0.6)), 1.0);
  EXPECT_NEAR(degrees(read(frame).angle), degrees(std::atan(0.6)), 1.0);  // too narrow for a slope along y
}

/// As a fast drum bends it: the middle has the slope.
TEST_F(SlopeTest, BentEndsDoNotCount) {
  const auto bent = [](double x) {
    const double end = std::max(0.0, std::abs(x) - 0.06);
    return -0.6 * x + (x < 0 ? -1 : 1) * 0.6 * end;  // level beyond 60 % of the radius
  };
  EXPECT_NEAR(degrees(read(make_bed(bent)).angle), degrees(std::atan(0.6)), 1.5);
}

TEST_F(SlopeTest, FlyingGrainsChangeNothing) {
  Frame frame = make_bed([](double x) { return -0.5 * x; });
  const double clean = read(frame).angle;
  for (int i = 0; i < 40; ++i) add_grain(frame, {-0.05 + 0.0024 * i, 0.01 * (i % 3), 0.095}, 0.001);
  EXPECT_EQ(read(frame).angle, clean);
}

TEST_F(SlopeTest, AFewGrainsHaveNone) {
  Frame frame;
  for (int i = 0; i < 4; ++i) add_grain(frame, {0.0039 * i, 0, 0}, kRadius);
  const SlopeReading found = read(frame);
  EXPECT_EQ(found.count, 4U);
  EXPECT_TRUE(std::isnan(found.angle));
  EXPECT_TRUE(std::isnan(found.roughness));
}

/// What walls hold is no pile, whichever way one looks at it.
TEST_F(SlopeTest, BedsAreNoPiles) {
  for (const double angle : {0.0, 15.0, 30.0})
    for (const double height : {-0.03, 0.0, 0.02})
      for (const PileAxis along : {PileAxis::radius, PileAxis::x, PileAxis::y}) {
        const double slope = std::tan(radians(angle));
        const Frame frame = make_bed([&](double x) { return height - slope * x; });
        const PileReading found = read_pile(box(Vec3d(1), Vec3d(0)), along, frame,
                                            GrainTable(scene_, shapes_), DomainBox{}, threads_);
        EXPECT_TRUE(std::isnan(found.angle)) << angle << " " << height << ": " << degrees(found.angle);
        EXPECT_TRUE(std::isnan(found.foot));
        EXPECT_GT(found.height, 0);
      }
}

}  // namespace
}  // namespace repose
