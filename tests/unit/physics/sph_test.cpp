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

}  // namespace
}  // namespace repose
