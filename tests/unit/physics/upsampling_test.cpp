// Weights and shares of fine grains among guides, against values worked out by hand from the papers'
// equations.

#include "repose/physics/upsampling.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

// r = 1, h = 3: w = (1 - d^2 / 9)^3.
TEST(Ihmsen2013, WeightsFallFromOneToZero) {
  const auto w = [](double d) { return ihmsen2013_weight(d * d / 9); };
  EXPECT_EQ(w(0), 1);
  EXPECT_NEAR(w(1), 512.0 / 729, 1e-15);
  EXPECT_NEAR(w(1.5), 0.421875, 1e-15);
  EXPECT_NEAR(w(2), 125.0 / 729, 1e-15);
  EXPECT_EQ(w(3), 0);
  EXPECT_EQ(w(4), 0);
  EXPECT_NEAR(kIhmsenWeightAtRadius, w(1), 1e-15);
}

TEST(Ihmsen2013, GrainByOneOfTwoGuidesKeepsPartOfItsFlight) {
  const double w1 = ihmsen2013_weight(0.64 / 9), w2 = ihmsen2013_weight(2.56 / 9);
  EXPECT_NEAR(w1 / (w1 + w2), 0.686281, 1e-6);
  EXPECT_NEAR(w2 / (w1 + w2), 0.313719, 1e-6);
  EXPECT_NEAR(ihmsen2013_own_share(w1, w1 + w2), 0.198523, 1e-6);
}

TEST(Ihmsen2013, GrainFarFromAllGuidesKeepsPartOfItsFlight) {
  const double w1 = ihmsen2013_weight(1.44 / 9), w2 = ihmsen2013_weight(1.69 / 9);
  EXPECT_NEAR(w1 / (w1 + w2), 0.5252, 1e-4);
  EXPECT_NEAR(ihmsen2013_own_share(w1, w1 + w2), 0.407296, 1e-6);
}

TEST(Ihmsen2013, GrainAmongManyGuidesIsLed) {
  const double w = ihmsen2013_weight(0.25 / 9);
  EXPECT_EQ(ihmsen2013_own_share(w, 4 * w), 0);
}

TEST(Ihmsen2013, GrainWithoutGuidesFlies) { EXPECT_EQ(ihmsen2013_own_share(0.0, 0.0), 1); }

TEST(Alduan2009, WeightsFallFromThreeQuartersToOne) {
  EXPECT_EQ(alduan2009_weight(0.0), 0.75);
  EXPECT_EQ(alduan2009_weight(0.5), 0.5);
  EXPECT_EQ(alduan2009_weight(1.0), 0.25);
}

TEST(Alduan2009, TwoGuidesLeadAndOneDoesNot) {
  EXPECT_EQ(alduan2009_own_share(0.0), 1);
  EXPECT_EQ(alduan2009_own_share(1.0), 1);
  EXPECT_EQ(alduan2009_own_share(2.0), 0);
  EXPECT_EQ(alduan2009_own_share(7.0), 0);
}

TEST(Takahashi2014, DenseSnowLeadsAndThinSnowLetsFly) {
  EXPECT_EQ(takahashi2014_led_share(0.0, 300.0), 0);
  EXPECT_NEAR(takahashi2014_led_share(75.0, 300.0), 0.25, 1e-15);
  EXPECT_EQ(takahashi2014_led_share(300.0, 300.0), 1);
  EXPECT_EQ(takahashi2014_led_share(500.0, 300.0), 1);
}

// v = alpha u + (1 - alpha) (u + f dt / m), as printed.
TEST(Takahashi2014, BlendIsThePrintedOneForAGrainThatMovesWithTheSnow) {
  const double u = 2, f_dt = -0.5, alpha = 0.3;
  EXPECT_NEAR(blended_velocity(1 - alpha, u, u + f_dt), alpha * u + (1 - alpha) * (u + f_dt), 1e-15);
}

TEST(Flight, WithoutDragIsBallistic) { EXPECT_NEAR(flown_velocity(3.0, -9.81, 0.0, 7.0, 0.1), 2.019, 1e-15); }

TEST(Flight, DragEndsAtTheTerminalSpeedForAnyStep) {
  double v = 0;
  for (int n = 0; n < 1000; ++n) v = flown_velocity(v, -9.81, 5.0, 1.0, 10.0);
  EXPECT_NEAR(v, 1 - 9.81 / 5, 1e-12);
}

// Against a sum over a wall of closely set particles.
TEST(WallWeight, IsTheSumOverBoundaryParticles) {
  const double h = 3, spacing = 0.05;
  for (const double d : {0.0, 0.7, 1.9, 2.9, 3.1}) {
    double sum = 0;
    for (int i = -80; i <= 80; ++i)
      for (int j = -80; j <= 80; ++j)
        sum += ihmsen2013_weight((d * d + spacing * spacing * (i * i + j * j)) / (h * h));
    EXPECT_NEAR(wall_weight(d * d / (h * h), spacing / h), sum, 1e-3 * sum + 1e-12) << d;
  }
}

TEST(Upsampling, KernelsOfTakahashi2014) {
  EXPECT_DOUBLE_EQ(takahashi2014_smooth(0.0), 1);
  EXPECT_DOUBLE_EQ(takahashi2014_smooth(0.25), 0.75);
  EXPECT_DOUBLE_EQ(takahashi2014_smooth(1.5), 0);
  EXPECT_DOUBLE_EQ(takahashi2014_sharp(0.25), 3);
  EXPECT_DOUBLE_EQ(takahashi2014_sharp(1.0), 0);
  EXPECT_DOUBLE_EQ(takahashi2014_sharp(2.0), 0);
  EXPECT_TRUE(std::isfinite(takahashi2014_sharp(0.0)));
  // A cubic lattice of spacing 0.4 h around its own points and around the middles of its cubes.
  double at_point = 0, at_middle = 0;
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -4; z <= 4; ++z) {
        const auto square = [](double a, double b, double c) { return 0.16 * (a * a + b * b + c * c); };
        at_point += takahashi2014_smooth(square(x, y, z));
        at_middle += takahashi2014_smooth(square(x + 0.5, y + 0.5, z + 0.5));
      }
  const double rest = takahashi2014_rest_density(0.4);
  EXPECT_NEAR(at_point, rest, 0.04 * rest);
  EXPECT_NEAR(at_middle, rest, 0.04 * rest);
}

}  // namespace
}  // namespace repose
