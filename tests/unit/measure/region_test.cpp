// What is in a region: packings whose numbers are known in closed form.

#include "repose/measure/region.h"

#include "frames.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/measure/cut_grain.h"

namespace repose {
namespace {

using namespace test;

class RegionTest : public testing::Test {
 protected:
  RegionReading read(const Shape& shape, const Frame& frame) {
    return read_region(Region(shape), frame, GrainTable(scene_, shapes_), DomainBox{}, threads_);
  }
  Scene scene_ = plain_scene();
  std::vector<GrainShape> shapes_ = lone_spheres();
  Threads threads_{2};
};

constexpr double kFccFraction = 0.7404804896930611;  // pi / sqrt(18)

TEST_F(RegionTest, FccLatticeHasItsFractionAndTwelveNeighbors) {
  const double r = 0.01, a = 2 * std::sqrt(2.0) * r;
  const Frame frame = fcc_lattice(r, 4);
  // Whole cells, at several phases of the border: through centres, between them, anywhere.
  for (const double phase : {0.0, 0.25, 0.1, 0.37}) {
    const RegionReading reading = read(box(Vec3d(4 * a), a * Vec3d(phase, 0.6 * phase, -phase)), frame);
    EXPECT_NEAR(reading.solid_fraction, kFccFraction, 0.002 * kFccFraction) << phase;
    EXPECT_NEAR(reading.mass, kFccFraction * 2500 * std::pow(4 * a, 3), 0.002 * reading.mass) << phase;
    EXPECT_EQ(reading.coordination, 12) << phase;
    EXPECT_EQ(reading.temperature, 0) << phase;
  }
  // Faces that cut one at a time are exact: a column that no edge cuts.
  Frame column;
  for (int k = -6; k <= 6; ++k) add_grain(column, {0, 0, 2 * r * k}, r);
  EXPECT_NEAR(
      read(box({4 * r, 4 * r, 6.6 * r}), column).solid_fraction,
      (3 * ball_volume(r) + 2 * ball_volume(r) * share_below_plane(0.7 * r, r)) / (16 * 6.6 * r * r * r),
      1e-7);
}

TEST_F(RegionTest, VelocityAndTemperatureAreThoseOfTheMass) {
  Frame frame;
  Random random(1, Stream::test, 0, 0);
  Vec3d momentum(0);
  double mass = 0, square = 0;
  std::vector<Vec3d> velocities;
  std::vector<double> masses;
  for (int i = 0; i < 50; ++i) {
    const double r = random.uniform(0.01, 0.02);
    const Vec3d v(random.uniform(-1, 1), random.uniform(0, 1), random.uniform(-3, 1));
    add_grain(frame, {random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4)}, r, v);
    masses.push_back(2500 * ball_volume(frame.radius.back()));
    velocities.emplace_back(frame.velocity.back());
    mass += masses.back();
    momentum += masses.back() * velocities.back();
  }
  add_grain(frame, {5, 0, 0}, 0.02, {100, 0, 0});  // outside
  const Vec3d mean = momentum / mass;
  for (std::size_t i = 0; i < masses.size(); ++i) square += masses[i] * (velocities[i] - mean).length2();
  const RegionReading reading = read(box(Vec3d(1)), frame);
  EXPECT_EQ(reading.count, 50U);
  EXPECT_NEAR(reading.mass, mass, 1e-12 * mass);
  EXPECT_NEAR((reading.velocity - mean).length(), 0, 1e-12);
  EXPECT_NEAR(reading.temperature, square / (3 * mass), 1e-12);
}

TEST_F(RegionTest, AnEmptyRegionHasNoVelocity) {
  const RegionReading reading = read(box(Vec3d(1)), Frame{});
  EXPECT_EQ(reading.count, 0U);
  EXPECT_EQ(reading.mass, 0);
  EXPECT_EQ(reading.solid_fraction, 0);
  EXPECT_TRUE(std::isnan(reading.velocity.x));
  EXPECT_TRUE(std::isnan(reading.coordination));
}

TEST_F(RegionTest, AGrainThatIsCutCountsByItsShare) {
  const GrainTable grains(scene_, shapes_);
  Frame frame;
  add_grain(frame, {0, 0, 0}, 0.5);
  const auto share = [&](const Shape& shape) { return share_inside(shape, frame, 0, grains); };
  EXPECT_DOUBLE_EQ(share(below(0)), 0.5);
  EXPECT_NEAR(share(below(0.25)), 1 - 0.25 * 0.25 * 2.5, 1e-15);  // a cap of half the radius
  EXPECT_EQ(share(below(0.5)), 1);
  EXPECT_EQ(share(below(-0.5)), 0);
  // A corner through the centre takes an eighth, an edge a quarter: counted on points, within 1 % of the
  // grain.
  EXPECT_NEAR(share(box(Vec3d(2), Vec3d(1))), 0.125, 0.01);
  EXPECT_NEAR(share(box(Vec3d(2, 2, 8), {1, 1, 0})), 0.25, 0.01);
  // Two balls: the lens, here by Gauss-free means: both caps of height h = r (1 - 1/2).
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = 0.5;
  ball.pose.position = {0.5, 0, 0};
  EXPECT_NEAR(share(ball), 2 * 0.25 * 0.25 * 2.5, 1e-15);
  ball.radius = 0.1;
  ball.pose.position = {0.2, 0, 0};
  EXPECT_NEAR(share(ball), 0.008, 1e-6);
}

TEST_F(RegionTest, CompoundsCountByTheirUnion) {
  // Two balls on top of each other are one ball; mass = "sum" does not make them more solid.
  shapes_ = {{"double", {{Vec3d(0), 1}, {Vec3d(0), 1}}}};
  GrainDefinition grain;
  grain.name = "double";
  grain.mass = GrainMass::sum_of_spheres;
  scene_.grains.push_back(grain);
  Frame frame;
  add_grain(frame, {0, 0, 0}, 0.25);
  const RegionReading reading = read(box(Vec3d(1)), frame);
  EXPECT_NEAR(reading.solid_fraction, ball_volume(0.25), 1e-9);
  EXPECT_NEAR(reading.mass, 2 * 2500 * ball_volume(0.25), 1e-5);
  // Cut by a plane through its middle.
  EXPECT_NEAR(read(box(Vec3d(1, 1, 1), {0, 0, -0.5}), frame).solid_fraction, 0.5 * ball_volume(0.25),
              0.01 * ball_volume(0.25));
}

TEST_F(RegionTest, StressOfAColumnOfBallsIsTheWeightAbove) {
  // Balls stacked along z, each of weight W: the contact below ball k carries (n - k) W. Both arms are r.
  const int n = 10;
  const double r = 0.05, W = 3;
  Frame frame;
  std::vector<ContactMoment> moments;
  for (int k = 0; k < n; ++k) {
    add_grain(frame, {0, 0, (2 * k + 1) * r}, r);
    ContactMoment moment;
    moment.add({0, 0, -r}, {0, 0, (n - k) * W});
    if (k + 1 < n) moment.add({0, 0, r}, {0, 0, -(n - k - 1) * W});
    moments.push_back(moment);
  }
  // Around balls 4 and 5: contacts of 6, 5, 5 and 4 weights, over a height of 4 r.
  const Region region(box({1, 1, 4 * r}, {0, 0, 10 * r}));
  const auto stress = contact_stress(region, frame, moments, threads_);
  EXPECT_NEAR(stress[2], r * (6 + 5 + 5 + 4) * W / (4 * r), 1e-5);
  for (const int zero : {0, 1, 3, 4, 5}) EXPECT_EQ(stress[static_cast<std::size_t>(zero)], 0);
}

TEST_F(RegionTest, TurningTheContactTurnsTheStress) {
  Frame frame;
  add_grain(frame, {0, 0, 0}, 0.1);
  ContactMoment moment;
  const Vec3d arm = Vec3d(1, 1, 0) * (0.1 / std::sqrt(2.0));
  moment.add(arm, -arm);
  moment.add(-arm, arm);
  const auto stress = contact_stress(Region(box(Vec3d(1))), frame, std::vector{moment}, threads_);
  EXPECT_NEAR(stress[0], 0.01, 1e-15);
  EXPECT_NEAR(stress[1], 0.01, 1e-15);
  EXPECT_NEAR(stress[3], 0.01, 1e-15);
  EXPECT_EQ(stress[2], 0);
}

}  // namespace
}  // namespace repose
