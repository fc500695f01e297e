// Wide mixtures: how dense they pack, how many grains of each size they have, and that small ones lie between
// large ones.

#include "repose/particles/packing/mixture.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

/// Sizes by number, as packings take them, from shares of the solid.
std::vector<TileSize> by_number(std::vector<TileSize> shares) {
  double total = 0;
  for (TileSize& size : shares) total += size.probability /= std::pow(size.radius, 3);
  for (TileSize& size : shares) size.probability /= total;
  return shares;
}

TEST(Mixture, PacksAsDenseAsItsSizesAllow) {
  EXPECT_DOUBLE_EQ(mixture_fraction(by_number({{1, 1}}), 0.64), 0.64);
  EXPECT_NEAR(mixture_fraction(by_number({{1, 0.5}, {1 - 1e-9, 0.5}}), 0.64), 0.64, 1e-3);
  // Dust in the voids of large grains: as much as fills them, Furnas' limit 1 - (1 - 0.64)^2.
  const double dust = 0.36 / 1.36;
  EXPECT_NEAR(mixture_fraction(by_number({{1, 1 - dust}, {1e-9, dust}}), 0.64), 0.8704, 1e-3);
  // Worked out from the formulas by another program.
  EXPECT_NEAR(mixture_fraction(by_number({{1, 0.75}, {0.05, 0.25}}), 0.64), 0.79361, 1e-5);
  EXPECT_NEAR(mixture_fraction(by_number({{1, 0.75}, {0.2, 0.25}}), 0.64), 0.74178, 1e-5);
  EXPECT_NEAR(mixture_fraction(by_number({{0.1, 0.5}, {1, 0.5}}), 0.6), 0.72356, 1e-5);
}

TEST(Mixture, IsSplitFromLargeToSmallWithinAFactorOfThree) {
  const std::vector<TileSize> sizes{{0.1, 0.4}, {1, 0.1}, {0.3, 0.2}, {0.5, 0.3}};
  EXPECT_TRUE(is_wide_mixture(sizes));
  EXPECT_FALSE(is_wide_mixture(std::vector<TileSize>{{1, 0.5}, {0.2, 0.5}}));
  const auto groups = size_groups(sizes);
  ASSERT_EQ(groups.size(), 2U);
  ASSERT_EQ(groups[0].size(), 2U);
  EXPECT_EQ(groups[0][0].radius, 1);
  EXPECT_EQ(groups[0][1].radius, 0.5);
  EXPECT_EQ(groups[1][0].radius, 0.3);
  EXPECT_EQ(groups[1][1].radius, 0.1);
}

TEST(Mixture, CountsEachSizeToHalfAGrainAndTheMassToTheSmallest) {
  const std::vector<TileSize> sizes = by_number({{1, 0.7}, {0.3, 0.2}, {0.1, 0.1}});
  for (const double volume : {10.0, 47.0, 1000.0}) {
    const auto counts = mixture_counts(sizes, 4, volume);
    const double shares[] = {0.7, 0.2, 0.1};
    double sum = 0, larger = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double grain = 4 * std::pow(counts[k].radius, 3);
      const double solid = static_cast<double>(counts[k].count) * grain;
      EXPECT_NEAR(solid, shares[k] * volume, 0.5 * grain + larger + 1e-9);
      larger = 0.5 * grain;
      sum += solid;
    }
    EXPECT_NEAR(sum, volume, 0.5 * 4 * 1e-3 + 1e-9) << "half of the smallest grain";
  }
}

struct Cell {
  std::vector<TileSize> sizes;
  PackedGrains grains;
  DomainBox box;
  double fraction = 0;
  CrowdState state;
};

/// A periodic cell with this many of the largest grains, at a share of what is reached.
Cell pack_cell(std::vector<TileSize> shares, double largest_count, double share_of_densest) {
  Threads threads(2);
  Cell cell;
  TileRequest request;
  request.shape = {"sphere", {{{0, 0, 0}, 1}}};
  request.solid = 4.0 / 3 * kPi;
  const double largest = largest_count * request.solid / shares[0].probability;
  request.sizes = cell.sizes = by_number(std::move(shares));
  request.fraction = share_of_densest * kMixtureReach * mixture_fraction(request.sizes, 0.635);
  const double length = std::cbrt(largest / request.fraction);
  request.lengths = cell.box.max = Vec3d(length);
  cell.box.periodic = {true, true, true};
  Shape fill;
  fill.size = Vec3d(length);
  fill.pose.position = Vec3d(0.5 * length);
  const CarveRegion region{fill, {}, {}, cell.box, {Vec3d(0), Vec3d(std::nextafter(length, 0))}};
  Carved carved = pack_mixture(request, region, threads);
  EXPECT_NEAR(carved.solid, carved.wanted, 0.01 * carved.wanted);
  cell.fraction = carved.solid / std::pow(length, 3);
  cell.grains = std::move(carved.grains);
  const GrainShape shapes[] = {request.shape};
  Crowd crowd(cell.grains, shapes, {}, cell.box, threads);
  crowd.stiffen_by_size();
  cell.state = crowd.relax({.iterations = 1500, .allowed_overlap = 0.007});
  return cell;
}

/// The deepest overlap of all pairs, in diameters of the smaller.
double deepest_overlap(const Cell& cell) {
  double deepest = 0;
  const PackedGrains& grains = cell.grains;
  for (std::size_t a = 0; a < grains.size(); ++a)
    for (std::size_t b = a + 1; b < grains.size(); ++b) {
      const double distance = cell.box.minimum_image(grains.position[b] - grains.position[a]).length();
      deepest = std::max(deepest, (grains.radius[a] + grains.radius[b] - distance) /
                                      (2 * std::min(grains.radius[a], grains.radius[b])));
    }
  return deepest;
}

// What is said to be reached is, and 1 % more, over ratios and shares, without overlaps above 0.8 %.
TEST(Mixture, ReachesTheDensestPackingOverRatiosAndShares) {
  struct Case {
    double ratio, small;
  };
  for (const auto [ratio, small] :
       {Case{5.1, 0.05}, {5.1, 0.25}, {5.1, 0.5}, {7, 0.15}, {7, 0.35}, {10, 0.25}}) {
    const Cell cell = pack_cell({{1, 1 - small}, {1 / ratio, small}}, 16, 1.01);
    EXPECT_LT(deepest_overlap(cell), 0.008) << ratio << ' ' << small;
    EXPECT_GT(cell.fraction, 0.635) << ratio << ' ' << small;
    double solid = 0;
    for (const double r : cell.grains.radius) solid += r < 0.9 ? r * r * r : 0;
    EXPECT_NEAR(solid * 4.0 / 3 * kPi / (cell.fraction * std::pow(cell.box.max.x, 3)), small, 0.01);
  }
}

TEST(Mixture, ReachesTheDensestPackingOfAContinuousDistribution) {
  // Lognormal by mass, over a ratio of 8 in eight sizes.
  std::vector<TileSize> sizes;
  for (int k = 0; k < 8; ++k) {
    const double z = (k - 3.5) / 2;
    sizes.push_back({std::pow(8.0, -k / 7.0), std::exp(-0.5 * z * z)});
  }
  double total = 0;
  for (const TileSize& size : sizes) total += size.probability;
  for (TileSize& size : sizes) size.probability /= total;
  const Cell cell = pack_cell(sizes, 3, 1);
  EXPECT_LT(deepest_overlap(cell), 0.008);
  EXPECT_GT(cell.fraction, 0.66);
}

}  // namespace
}  // namespace repose
