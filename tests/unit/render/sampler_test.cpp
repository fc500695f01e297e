#include "repose/render/sampler.h"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "repose/render/lighting.h"

namespace repose {
namespace {

/// A (0, m, 2)-net: every elementary rectangle of area 2^-m holds exactly one of 2^m points (Sobol 1967).
TEST(Sampler, AlignedRunsAreNets) {
  constexpr std::uint32_t m = 4, count = 1U << m;
  for (std::uint32_t pair = 0; pair < 6; ++pair)
    for (std::uint32_t start = 0; start < 64 * count; start += count)
      for (std::uint32_t split = 0; split <= m; ++split) {
        std::set<std::pair<int, int>> cells;
        for (std::uint32_t i = start; i < start + count; ++i) {
          const Point2 p = sample_point(i, PairSeeds(pair));
          cells.insert({static_cast<int>(p.x * static_cast<float>(1U << split)),
                        static_cast<int>(p.y * static_cast<float>(1U << (m - split)))});
        }
        ASSERT_EQ(cells.size(), count) << "pair " << pair << " start " << start << " split " << split;
      }
}

TEST(Sampler, PairsAreNotAlike) {
  double sum = 0;
  constexpr int n = 4096;
  for (std::uint32_t i = 0; i < n; ++i)
    sum += (sample_point(i, PairSeeds(2)).x - 0.5) * (sample_point(i, PairSeeds(3)).x - 0.5);
  EXPECT_NEAR(12 * sum / n, 0, 0.05);
}

TEST(Sampler, ZOrderVisitsBlocks) {
  EXPECT_EQ(z_order(0, 0), 0U);
  EXPECT_EQ(z_order(1, 0), 1U);
  EXPECT_EQ(z_order(0, 1), 2U);
  EXPECT_EQ(z_order(3, 3), 15U);
  EXPECT_EQ(z_order(0xFFFF, 0xFFFF), 0xFFFFFFFFU);
}

TEST(Sampler, CircleIsRound) {
  for (int i = 0; i <= 1000; ++i) {
    const float turn = static_cast<float>(i) / 1000;
    const Point2 p = on_circle(turn);
    EXPECT_NEAR(p.x, std::cos(2 * kPi * turn), 1e-5);
    EXPECT_NEAR(p.y, std::sin(2 * kPi * turn), 1e-5);
  }
}

TEST(Sampler, CosineDirectionsHaveTheirMean) {
  const Vec3f n = unit(Vec3f(0.3F, -0.5F, -0.8F));
  Vec3f mean(0);
  constexpr int count = 4096;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3f d = cosine_direction(n, sample_point(i, PairSeeds(0)));
    EXPECT_NEAR(d.length(), 1, 1e-5);
    EXPECT_GE(d.dot(n), -1e-6F);
    mean += d / static_cast<float>(count);
  }
  EXPECT_NEAR((mean - n * (2.0F / 3)).length(), 0, 1e-3) << "the mean of cos/pi is 2/3 of the normal";
}

}  // namespace
}  // namespace repose
