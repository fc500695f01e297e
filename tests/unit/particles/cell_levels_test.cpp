#include "repose/particles/cell_levels.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

/// Radii from 1 to `ratio` whose classes all have the same volume: many small ones, few large ones.
std::vector<double> equal_volumes(std::size_t count, double ratio) {
  std::vector<double> radii(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Inverse of the distribution with density r^-4 on [1, ratio].
    const double u = Random(4, Stream::test, 0, i).uniform();
    radii[i] = std::pow(1 - u * (1 - std::pow(ratio, -3)), -1.0 / 3);
  }
  return radii;
}

/// What every plan must satisfy, whatever is cheapest.
void expect_sound(const std::vector<CellLevel>& levels, const std::vector<double>& radii, double margin) {
  ASSERT_FALSE(levels.empty());
  EXPECT_LE(levels.size(), static_cast<std::size_t>(kCellLevelLimit));
  std::vector<double> largest(levels.size(), -1);
  for (const double r : radii) {
    std::size_t l = 0;
    while (l + 1 < levels.size() && r <= levels[l + 1].limit) ++l;
    largest[l] = std::max(largest[l], r);
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    EXPECT_EQ(largest[l], levels[l].max_radius) << "level " << l;
    EXPECT_GT(levels[l].width, 0);
    EXPECT_GE(levels[l].width, 2 * levels[l].max_radius + margin);
    EXPECT_TRUE(l == 0 || levels[l].limit < levels[l - 1].limit) << "level " << l;
  }
}

TEST(CellLevels, OneIsEnoughForEqualSpheres) {
  Threads threads(2);
  const std::vector<double> radii(1000, 0.5);
  const auto levels = plan_cell_levels(threads, radii, 0.1);
  expect_sound(levels, radii, 0.1);
  ASSERT_EQ(levels.size(), 1U);
  EXPECT_DOUBLE_EQ(levels[0].width, 1.1);
}

TEST(CellLevels, SizesFarApartGetTheirOwn) {
  Threads threads(2);
  for (const double ratio : {2.0, 10.0, 100.0}) {
    const std::vector<double> radii = equal_volumes(20000, ratio);
    expect_sound(plan_cell_levels(threads, radii, 0), radii, 0);
    expect_sound(plan_cell_levels(threads, radii, 0.3), radii, 0.3);
  }
  EXPECT_GE(plan_cell_levels(threads, equal_volumes(20000, 100), 0).size(), 3U);
}

TEST(CellLevels, TakesPointsAndNothing) {
  Threads threads(1);
  EXPECT_TRUE(plan_cell_levels(threads, {}, 0.1).empty());
  std::vector<double> radii(10, 0.0);
  expect_sound(plan_cell_levels(threads, radii, 0), radii, 0);
  expect_sound(plan_cell_levels(threads, radii, 0.1), radii, 0.1);
  radii.push_back(1e9);
  expect_sound(plan_cell_levels(threads, radii, 0), radii, 0);
}

}  // namespace
}  // namespace repose
