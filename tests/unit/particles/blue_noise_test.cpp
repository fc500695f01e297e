// Blue noise: as many points as the volume asks for, evenly spread, without a lattice.

#include "repose/particles/packing/blue_noise.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kSpacing = 0.01;

Shape box_of(const Vec3d& size, const Vec3d& position) {
  Shape box;
  box.size = size;
  box.pose.position = position;
  return box;
}

double least_distance(const std::vector<Vec3d>& points, const DomainBox& box) {
  double least = 1;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      least = std::min(least, box.minimum_image(points[b] - points[a]).length());
  return least;
}

/// |sum exp(i k.x)|^2 / N: about N for the wave vectors of a lattice, 1 for strewn points, near 0 where
/// points are more even than that.
double structure_factor(const std::vector<Vec3d>& points, const Vec3d& k) {
  std::complex<double> sum = 0;
  for (const Vec3d& x : points) sum += std::polar(1.0, k.dot(x));
  return std::norm(sum) / static_cast<double>(points.size());
}

TEST(BlueNoise, HasTheNumberAndTheDistances) {
  Threads threads(2);
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = 0.07;
  Shape plane;
  plane.kind = ShapeKind::plane;
  const Shape walls[] = {plane};
  const double cell = kSpacing * kSpacing * kSpacing;
  const auto whole = sample_blue_noise(ball, {.spacing = kSpacing}, threads);
  const auto half = sample_blue_noise(ball, {.spacing = kSpacing, .walls = walls}, threads);
  EXPECT_NEAR(static_cast<double>(whole.size()) * cell / volume(ball), 1, 0.01);
  EXPECT_NEAR(static_cast<double>(half.size()) * cell / (0.5 * volume(ball)), 1, 0.01);
  EXPECT_GT(least_distance(whole, {}), kBlueNoiseDistance * kSpacing);
  for (const Vec3d& x : half) EXPECT_GT(x.z, 0);
  for (const Vec3d& x : whole) EXPECT_LT(x.length(), 0.07 + 0.1 * kSpacing);
  Threads one(1), four(4);
  EXPECT_EQ(sample_blue_noise(ball, {.spacing = kSpacing}, one), whole);
  EXPECT_EQ(sample_blue_noise(ball, {.spacing = kSpacing}, four), whole);
}

TEST(BlueNoise, HasNoLatticeAndIsEvenerThanChance) {
  Threads threads(2);
  const Tile tile = make_blue_noise_tile(kSpacing, Vec3d(0), 1, threads);
  const std::vector<Vec3d>& points = tile.grains.position;
  double largest = 0, long_waves = 0;
  int waves = 0;
  // All wave vectors of the cell up to a wave length of half a spacing.
  for (int i = 0; i <= 26; ++i)
    for (int j = 0; j <= 26; j += 1)
      for (int k = 0; k <= 26; k += 13) {
        if (i + j + k == 0) continue;
        const double s = structure_factor(points, 2 * kPi / tile.lengths.x * Vec3d(i, j, k));
        largest = std::max(largest, s);
        if (i + j + k <= 3) long_waves += s, ++waves;
      }
  EXPECT_LT(largest, 0.02 * static_cast<double>(points.size())) << "a lattice has peaks of N";
  EXPECT_LT(long_waves / waves, 0.05) << "the density is even: strewn points have 1";
  EXPECT_GT(least_distance(points, {Vec3d(0), tile.lengths, {true, true, true}}),
            kBlueNoiseDistance * kSpacing);
}

TEST(BlueNoise, ClosesOnItselfInAPeriodicBox) {
  Threads threads(2);
  BlueNoise noise{.spacing = kSpacing};
  noise.box = {Vec3d(0), {0.083, 0.064, 1}, {true, true, false}};
  noise.bounds = {Vec3d(0), {0.083, 0.064, 0.1}};
  const auto points = sample_blue_noise(box_of({0.083, 0.064, 0.05}, {0.0415, 0.032, 0.025}), noise, threads);
  EXPECT_NEAR(static_cast<double>(points.size()), 0.083 * 0.064 * 0.05 / 1e-6, 2);
  EXPECT_GT(least_distance(points, noise.box), kBlueNoiseDistance * kSpacing);
}

}  // namespace
}  // namespace repose
