#include "repose/particles/reorder.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/particles/morton.h"

namespace repose {
namespace {

std::vector<Vec3d> random_points(std::size_t count, double side) {
  std::vector<Vec3d> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(2, Stream::test, 0, i);
    points[i] = Vec3d(random.uniform(), random.uniform(), random.uniform()) * side - Vec3d(side / 2);
  }
  return points;
}

TEST(Morton, CollectsWhatItSpread) {
  for (const std::uint64_t x : {0ULL, 1ULL, 0x3ffffULL, 0x2a5a5ULL, 77777ULL}) {
    EXPECT_EQ(collect_bits(morton_code(x, 0x3ffff, 12345) | 0xfULL << (3 * kMortonBits)), x);
    EXPECT_EQ(collect_bits(morton_code(4321, x, 0x3ffff) >> 1), x);
    EXPECT_EQ(collect_bits(morton_code(0x3ffff, 99, x) >> 2), x);
  }
  EXPECT_EQ(morton_code(1, 1, 0), 3U);
  EXPECT_EQ(morton_code(3, 0, 1), 13U);
  EXPECT_LT(morton_code(0x3ffff, 0x3ffff, 0x3ffff), 1ULL << (3 * kMortonBits));
}

TEST(SpatialOrder, TakesEachParticleOnce) {
  Threads threads(2);
  std::vector<Vec3d> points = random_points(5000, 2);
  points[17].x = std::nan("");
  points[18].y = 1e300;
  std::vector<std::uint32_t> order;
  spatial_order(threads, points, 0.1, order);
  std::sort(order.begin(), order.end());
  for (std::uint32_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
  EXPECT_EQ(order.size(), points.size());
  spatial_order(threads, {}, 0.1, order);
  EXPECT_TRUE(order.empty());
}

TEST(SpatialOrder, BringsNeighboursTogether) {
  Threads threads(2);
  const std::vector<Vec3d> points = random_points(8000, 2);
  std::vector<std::uint32_t> order;
  spatial_order(threads, points, 0.1, order);
  double sum = 0;
  for (std::size_t k = 1; k < order.size(); ++k) sum += (points[order[k]] - points[order[k - 1]]).length();
  // Cells are 0.1 wide with one point each; in random order the mean step is 1.32 (Robbins' constant times
  // 2).
  EXPECT_LT(sum / 7999, 0.2);
}

TEST(SpatialOrder, KeepsTheOrderWithinACell) {
  Threads threads(2);
  const std::vector<Vec3d> points = random_points(1000, 0.5);
  std::vector<std::uint32_t> order;
  spatial_order(threads, points, 1, order);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

}  // namespace
}  // namespace repose
