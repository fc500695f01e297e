// The level set of Zhu 2005, chapter 4, on shapes whose distance is known.

#include "repose/grid/particle_distance.h"

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/physics/level_set.h"

namespace repose {
namespace {

TEST(ParticleDistance, OfOneParticleIsTheBallAroundIt) {
  const double r = 0.6;
  for (const double d : {0.0, 0.3, 0.99}) {
    const double weight = neighborhood_weight(1 - d * d);
    EXPECT_NEAR(averaged_distance(weight, 0.6 * weight * d, 0.0, -0.8 * weight * d, r), d - r, 1e-15);
  }
  EXPECT_EQ(neighborhood_weight(1.0), 1);
  EXPECT_EQ(neighborhood_weight(-0.1), 0);
  EXPECT_NEAR(neighborhood_weight(0.75), 0.421875, 1e-15);
}

struct Cloud {
  std::vector<Vec3d> position;
  ParticleCells cells;
  GridPlace place;
  DistanceSettings settings;
  std::vector<float> phi;

  void measure(Threads& threads) {
    std::vector<std::uint32_t> id(position.size()), order;
    for (std::size_t p = 0; p < id.size(); ++p) id[p] = static_cast<std::uint32_t>(p);
    const int margin = static_cast<int>(std::ceil(settings.support / place.cell)) + 1;
    cells = find_cells(position, id, place, margin, threads, order);
    std::vector<Vec3d> sorted;
    for (const std::uint32_t p : order) sorted.push_back(position[p]);
    position = sorted;
    particle_distance(position, cells, place, settings, threads, phi);
  }
  Vec3d middle(std::size_t i) const {
    const int cell = static_cast<int>(i % kTileCells);
    return place.origin + place.cell * (8.0 * Vec3d(cells.tiles.coordinate(i / kTileCells)) +
                                        Vec3d(cell % 8 + 0.5, cell / 8 % 8 + 0.5, cell / 64 + 0.5));
  }
};

TEST(ParticleDistance, OnTheGridOfAParticleAcrossTileBorders) {
  Threads threads(2);
  Cloud cloud;
  cloud.position = {{0.01, 7.98, 0.02}};
  cloud.place.cell = 1;
  cloud.settings = {.radius = 1.1, .support = 2.5};
  cloud.measure(threads);
  int near = 0;
  for (std::size_t i = 0; i < cloud.phi.size(); ++i) {
    const double d = (cloud.middle(i) - cloud.position[0]).length();
    if (d < 2.4) {
      EXPECT_NEAR(cloud.phi[i], d - 1.1, 1e-5);
      ++near;
    } else if (d > 2.5) {
      EXPECT_EQ(cloud.phi[i], 2.5F);
    }
  }
  EXPECT_NEAR(near, 4.0 / 3 * kPi * 2.4 * 2.4 * 2.4, 6);
}

/// Particles at a spacing of one fill the shape with `distance` < 0, jittered; those within one spacing of
/// the surface are set one spacing deep, as at the start of a simulation.
Cloud filled(const std::function<double(const Vec3d&)>& distance,
             const std::function<Vec3d(const Vec3d&)>& normal, int edge) {
  Cloud cloud;
  std::uint64_t number = 0;
  for (int z = -edge; z < edge; ++z)
    for (int y = -edge; y < edge; ++y)
      for (int x = -edge; x < edge; ++x) {
        Random random(3, Stream::test, 0, number++);
        const double a = random.uniform(), b = random.uniform(), c = random.uniform();
        Vec3d at(x + a, y + b, z + c);
        if (distance(at) >= 0) continue;
        if (distance(at) > -2) at -= (distance(at) + 1) * normal(at);
        cloud.position.push_back(at);
      }
  cloud.place.cell = 0.5;
  cloud.settings = {.radius = 1, .support = 2};
  return cloud;
}

struct Error {
  double mean = 0, spread = 0, worst = 0;
};

/// True distance of the places where phi changes sign between two cells, where `counts` [spacings].
Error surface_error(const Cloud& cloud, const std::function<double(const Vec3d&)>& distance,
                    const std::function<bool(const Vec3d&)>& counts) {
  Error error;
  double sum = 0, squares = 0;
  int count = 0;
  for (std::size_t i = 0; i < cloud.phi.size(); ++i)
    for (const std::size_t next : {std::size_t{1}, std::size_t{8}, std::size_t{64}}) {
      const std::size_t in_tile_place = i % kTileCells;
      if (in_tile_place / next % 8 == 7) continue;
      const float a = cloud.phi[i], b = cloud.phi[i + next];
      if ((a < 0) == (b < 0)) continue;
      const Vec3d x =
          cloud.middle(i) + static_cast<double>(a / (a - b)) * (cloud.middle(i + next) - cloud.middle(i));
      if (!counts(x)) continue;
      const double e = distance(x);
      sum += e;
      squares += e * e;
      error.worst = std::max(error.worst, std::abs(e));
      ++count;
    }
  error.mean = sum / count;
  error.spread = std::sqrt(squares / count - error.mean * error.mean);
  return error;
}

/// The figures are those of the formula itself, measured on jittered particles: plane mean -0.008, spread
/// 0.008, worst 0.05; ball of radius 12 mean -0.037, spread 0.013, worst 0.09 spacings.
TEST(ParticleDistance, IsFlatAlongAPlane) {
  Threads threads(2);
  const auto distance = [](const Vec3d& x) { return x.z - 0.37; };
  Cloud cloud = filled(
      distance, [](const Vec3d&) { return Vec3d(0, 0, 1); }, 12);
  cloud.measure(threads);
  const Error e = surface_error(
      cloud, distance, [](const Vec3d& x) { return std::max(std::abs(x.x), std::abs(x.y)) < 8 && x.z > -6; });
  EXPECT_LT(std::abs(e.mean), 0.03);
  EXPECT_LT(e.spread, 0.02);
  EXPECT_LT(e.worst, 0.15);
}

TEST(ParticleDistance, IsRoundAlongABall) {
  Threads threads(2);
  const auto distance = [](const Vec3d& x) { return x.length() - 12; };
  Cloud cloud = filled(
      distance, [](const Vec3d& x) { return x.normalized(); }, 13);
  cloud.measure(threads);
  const Error e = surface_error(cloud, distance, [](const Vec3d&) { return true; });
  EXPECT_LT(std::abs(e.mean), 0.06);
  EXPECT_LT(e.spread, 0.02);
  EXPECT_LT(e.worst, 0.15);
}

TEST(ParticleDistance, SmoothingOnlyLowers) {
  Threads threads(2);
  Cloud cloud;
  cloud.position = {{0.3, 0.2, 0.1}, {3, 0.4, 0.2}};
  cloud.place.cell = 0.5;
  cloud.settings = {.radius = 1, .support = 2};
  cloud.measure(threads);
  const std::vector<float> before = cloud.phi;
  lower_bumps(cloud.cells.tiles, 2, threads, cloud.phi);
  int lowered = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LE(cloud.phi[i], before[i]);
    lowered += cloud.phi[i] < before[i] ? 1 : 0;
  }
  EXPECT_GT(lowered, 0);
}

/// Half a space of particles one apart, with one too many on its surface.
TEST(ParticleDistance, EveningTakesOffBumpsAndNoMoreThanItMay) {
  Threads threads(2);
  Cloud cloud;
  cloud.place.cell = 0.75;
  cloud.settings = {.radius = 3 * kBorderRadius, .support = 3};
  for (int z = -4; z < 3; ++z)
    for (int y = -8; y < 8; ++y)
      for (int x = -8; x < 8; ++x) cloud.position.emplace_back(x + 0.5, y + 0.5, z + 0.5);
  cloud.position.emplace_back(0, 0, 3.5);
  cloud.measure(threads);
  const std::vector<float> before = cloud.phi;
  even_out(cloud.cells.tiles, cloud.place, {cloud.settings, 6, 0.3}, threads, cloud.phi);
  // The surface is where phi is zero between two cells of a column.
  const auto height = [&](const std::vector<float>& phi, double x, double y) {
    for (std::size_t i = 0; i + 64 < phi.size(); ++i) {
      const Vec3d at = cloud.middle(i);
      const bool is_lower_half = i % kTileCells < kTileCells - 64;
      if (std::abs(at.x - x) > 0.4 || std::abs(at.y - y) > 0.4 || !is_lower_half) continue;
      if (phi[i] < 0 && phi[i + 64] >= 0) return at.z + 0.75 * phi[i] / (phi[i] - phi[i + 64]);
    }
    return -1.0;
  };
  const double bump = height(before, 0, 0), flat = height(before, 4, 4);
  EXPECT_GT(bump - flat, 0.1);
  EXPECT_LT(height(cloud.phi, 0, 0) - height(cloud.phi, 4, 4), 0.85 * (bump - flat));
  EXPECT_NEAR(height(cloud.phi, 4, 4), flat, 0.03);  // what is flat stays where it is
}

TEST(ParticleDistance, EveningLeavesASingleParticle) {
  Threads threads(2);
  Cloud cloud;
  cloud.place.cell = 0.75;
  cloud.settings = {.radius = 3 * kBorderRadius, .support = 3};
  cloud.position.emplace_back(0.1, 0.2, 0.3);
  cloud.measure(threads);
  even_out(cloud.cells.tiles, cloud.place, {cloud.settings, 6, 0.15}, threads, cloud.phi);
  float least = 1;
  for (const float p : cloud.phi) least = std::min(least, p);
  EXPECT_LT(least, 0);
}

TEST(ParticleDistance, FullBlocksChangeNothingNearTheSurface) {
  Threads threads(2);
  Cloud cloud = filled([](const Vec3d& x) { return x.length() - 12; },
                       [](const Vec3d& x) { return x.normalized(); }, 13);
  cloud.measure(threads);
  const std::vector<float> all = cloud.phi;
  const double edge = 4 * cloud.place.cell;  // of a block; particles lie one apart
  cloud.settings.full = static_cast<std::uint32_t>(0.5 * edge * edge * edge);
  cloud.measure(threads);
  const auto radius = static_cast<float>(cloud.settings.radius);
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (cloud.phi[i] == all[i]) continue;
    ++left_out;
    EXPECT_NEAR(cloud.phi[i], -radius, 1e-6F);
    EXPECT_LT(all[i], -0.25F * radius);
    EXPECT_LT(cloud.middle(i).length(), 12 - 0.9 * edge);
  }
  EXPECT_GT(left_out, all.size() / 20);
}

/// Particles of a ball of radius 4, eight a cell; those near each cell looked for one by one.
TEST(NearMatter, IsTheMeanOfTheParticlesInReach) {
  Threads threads(2);
  constexpr std::uint32_t kFull = 4;
  const GridPlace place{.cell = 2};
  Cloud cloud =
      filled([](const Vec3d& x) { return x.length() - 8; }, [](const Vec3d& x) { return x.normalized(); }, 9);
  cloud.place = place;
  cloud.settings = {.radius = 1, .support = 3};
  cloud.measure(threads);
  std::vector<NearMatter> near;
  find_near_matter(cloud.position, cloud.cells, place, 3, kFull, threads, near);
  std::size_t all_around = 0, ways = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Vec3d middle = cloud.middle(i);
    double weight = 0;
    Vec3d way(0);
    for (const Vec3d& x : cloud.position) {
      const Vec3d d = x - middle;
      const double w = neighborhood_weight(1 - d.dot(d) / 9);
      weight += w;
      way += w * d;
    }
    if (near[i].weight == kAllAround) {
      ++all_around;
      EXPECT_LT((way / weight).length(), 0.5) << "matter is all around";
      continue;
    }
    ASSERT_NEAR(near[i].weight, weight, 1e-4 + 1e-5 * weight);
    if (weight > 1e-2) {
      ASSERT_LT((Vec3d(near[i].way) - way / weight).length(), 1e-4);
      ++ways;
    }
  }
  EXPECT_GT(ways, 20U);
  EXPECT_GT(all_around, 20U);
}

TEST(ParticleDistance, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<float>> results;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    Cloud cloud = filled([](const Vec3d& x) { return x.length() - 6; },
                         [](const Vec3d& x) { return x.normalized(); }, 7);
    cloud.measure(threads);
    lower_bumps(cloud.cells.tiles, 2, threads, cloud.phi);
    results.push_back(cloud.phi);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace repose
