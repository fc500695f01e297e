#include "repose/physics/cut_cells.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/physics/level_set.h"

namespace repose {
namespace {

TEST(CutCells, OpenAreaOfAHalfSpaceIsExact) {
  EXPECT_EQ(open_area<double>({1, 1, 1, 1}), 1);
  EXPECT_EQ(open_area<double>({-1, -1, -1, -1}), 0);
  // A line parallel to a side: the distance is x - 0.3.
  EXPECT_NEAR(open_area<double>({-0.3, 0.7, 0.7, -0.3}), 0.7, 1e-15);
  // A corner cut off: the triangle x + y < 0.5 is solid.
  EXPECT_NEAR(open_area<double>({-0.5, 0.5, 1.5, 0.5}), 1 - 0.125, 1e-15);
  EXPECT_NEAR(open_area<double>({0.5, -0.5, -1.5, -0.5}), 0.125, 1e-15);
}

TEST(CutCells, OpenAndClosedAreasAddUp) {
  for (int k = 0; k < 64; ++k) {
    const double angle = 0.1 * k, c = std::cos(angle), s = std::sin(angle), shift = 0.02 * k - 0.6;
    const std::array<double, 4> d{shift, shift + c, shift + c + s, shift + s};
    EXPECT_NEAR(open_area(d) + open_area<double>({-d[0], -d[1], -d[2], -d[3]}), 1, 1e-12) << k;
  }
}

TEST(CutCells, OpenHatIsTheIntegralOfTheHat) {
  for (double a = -1.2; a < 1.25; a += 0.1) {
    double sum = 0;
    constexpr int kSteps = 4000;
    for (int k = 0; k < kSteps; ++k) {
      const double t = -1 + 2 * (k + 0.5) / kSteps;
      if (t > -a) sum += (1 - std::abs(t)) * 2 / kSteps;
    }
    EXPECT_NEAR(open_hat(a), sum, 1e-3) << a;
  }
}

TEST(LevelSet, HalfSpaceMeanIsThatOfTheKernel) {
  // Straight from k(s) = (1 - s^2)^3 over the part of the ball with z > -a, in rings about z.
  for (double a = -0.9; a < 0.95; a += 0.1) {
    double weight = 0, moment = 0;
    constexpr int kSteps = 600;
    for (int i = 0; i < kSteps; ++i)
      for (int j = 0; j < kSteps; ++j) {
        const double z = -a + (1 + a) * (i + 0.5) / kSteps, r = (j + 0.5) / kSteps;
        const double k = neighborhood_weight(1 - z * z - r * r) * r;
        weight += k;
        moment += k * z;
      }
    EXPECT_NEAR(half_space_mean(a), moment / weight, 4e-3) << a;
    if (a <= 0.7) {
      EXPECT_NEAR(half_space_depth(half_space_mean(a)), a, a < -0.75 ? 3e-3 : 1e-4) << a;
    }
  }
  EXPECT_NEAR(half_space_mean(0.0), 63.0 / 256, 1e-15);
  EXPECT_EQ(half_space_depth(0.0), 0.7);
  EXPECT_NEAR(half_space_depth(1.0), -1, 1e-6);
}

}  // namespace
}  // namespace repose
