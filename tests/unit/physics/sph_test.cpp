// The cubic spline, and solids as sand sees them. Values of the lattice: by summing up.

#include "repose/physics/sph.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

double lattice_sum(int low, int high) {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = low; z <= high; ++z)
        sum += sph_kernel(std::sqrt(static_cast<double>(x * x + y * y + z * z)));
  return sum;
}

TEST(SphKernel, SumsUpToOne) {
  EXPECT_NEAR(lattice_sum(-2, 2), 0.99997, 1e-5);
  double integral = 0;
  constexpr int kSteps = 20000;
  for (int k = 0; k < kSteps; ++k) {
    const double r = 2.0 * (k + 0.5) / kSteps;
    integral += 4 * 3.14159265358979 * r * r * sph_kernel(r) * 2 / kSteps;
  }
  EXPECT_NEAR(integral, 1, 1e-6);
  EXPECT_EQ(sph_kernel(2.0), 0);
  EXPECT_EQ(sph_kernel(5.0), 0);
}

TEST(SphKernel, SlopeIsItsDerivative) {
  for (const double r : {1e-3, 0.3, 0.99, 1.01, 1.5, 1.99}) {
    const double h = 1e-6, difference = (sph_kernel(r + h) - sph_kernel(r - h)) / (2 * h);
    EXPECT_NEAR(r * sph_kernel_slope(r), difference, 1e-6) << r;
  }
  EXPECT_TRUE(std::isfinite(sph_kernel_slope(0.0)));
  EXPECT_EQ(sph_kernel_slope(2.5), 0);
}

TEST(SphWall, StandsForTheLayerThatItReplaces) {
  // Half a spacing away it makes up for the particles below, and pushes with the whole pressure.
  EXPECT_NEAR(sph_wall(0.5), lattice_sum(1, 1), 5e-4);
  EXPECT_NEAR(sph_wall_slope(0.5), -1, 1e-12);
  for (const double d : {-0.5, 0.0, 0.5, 0.9}) {
    const double h = 1e-6, difference = (sph_wall(d + h) - sph_wall(d - h)) / (2 * h);
    EXPECT_NEAR(sph_wall_slope(d), difference, 1e-6) << d;
  }
  EXPECT_EQ(sph_wall(kSphWallReach), 0);
}

/// What eq. 22 of Ihmsen 2013 pulls with across a plane of a lattice, by its area.
TEST(SphCohesion, BearsTheTensionOfItsKappa) {
  constexpr double kKappa = 0.7, kDensity = 1602;
  double pull = 0;  // of all pairs across a plane between two layers, by cell of a layer [spacings]
  for (int z = 1; z <= 2; ++z)
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x) pull += z * z * sph_kernel(std::sqrt(double(x * x + y * y + z * z)));
  // A pair whose heights differ by z meets z of these planes. Kernels are by cubes of the spacing.
  for (const double spacing : {0.1, 0.02}) {
    const double mass = kDensity * spacing * spacing * spacing;
    const double force = mass * kKappa / (spacing * spacing * spacing) * spacing * pull;
    const double tension = force / (spacing * spacing);
    EXPECT_NEAR(sph_kappa_tension(kKappa, kDensity, spacing), tension, 0.05 * tension) << spacing;
  }
}

TEST(SphCohesion, GrowsWithWetness) {
  EXPECT_EQ(sph_cohesion(0.0, 1000.0, 0.0), 0);
  EXPECT_DOUBLE_EQ(sph_cohesion(0.0, 1000.0, 0.15), 500);
  EXPECT_EQ(sph_cohesion(0.0, 1000.0, 0.3), 1000);
  EXPECT_EQ(sph_cohesion(0.0, 1000.0, 1.0), 1000);
  EXPECT_EQ(sph_cohesion(3000.0, 1000.0, 1.0), 3000);
}

TEST(SphCohesion, GoesWhereMatterHasComeApart) {
  EXPECT_EQ(sph_held_share(0.4), 0);
  EXPECT_EQ(sph_held_share(0.5), 0);
  EXPECT_DOUBLE_EQ(sph_held_share(0.65), 0.5);
  EXPECT_DOUBLE_EQ(sph_held_share(0.8), 1);
  EXPECT_EQ(sph_held_share(1.1), 1);
}

}  // namespace
}  // namespace repose
