// Particles to faces and back: what must be kept, and how much a round trip smooths.

#include "repose/grid/transfer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

struct Particles {
  std::vector<std::uint32_t> id;
  std::vector<Vec3d> position;
  std::vector<Vec3f> velocity;

  void add(const Vec3d& x, const Vec3f& v) {
    id.push_back(static_cast<std::uint32_t>(id.size()));
    position.push_back(x);
    velocity.push_back(v);
  }
  /// Brings them into the order of their cells.
  ParticleCells sort(const GridPlace& place, int margin, Threads& threads) {
    std::vector<std::uint32_t> order;
    ParticleCells cells = find_cells(position, id, place, margin, threads, order);
    const auto permute = [&](auto& channel) {
      auto sorted = channel;
      for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = channel[order[k]];
      channel = sorted;
    };
    permute(id);
    permute(position);
    permute(velocity);
    return cells;
  }
};

/// n at random in each of cells^3 cells.
template <class Velocity>
Particles random_particles(int cells, int per_cell, double width, const Velocity& velocity) {
  Particles particles;
  std::uint64_t number = 0;
  for (int z = 0; z < cells; ++z)
    for (int y = 0; y < cells; ++y)
      for (int x = 0; x < cells; ++x)
        for (int k = 0; k < per_cell; ++k) {
          Random random(1, Stream::test, 0, number++);
          const double a = random.uniform(), b = random.uniform(), c = random.uniform();
          const Vec3d at = width * Vec3d(x + a, y + b, z + c);
          particles.add(at, velocity(at));
        }
  return particles;
}

TEST(Transfer, SortsIntoCellsByIdAndLaysTheMargin) {
  Threads threads(2);
  const GridPlace place{.cell = 0.5, .origin = {1, 0, 0}};
  Particles particles;
  particles.add({-3, 0.1, 0.1}, Vec3f(0));
  particles.add({1.1, 0.1, 0.1}, Vec3f(0));
  particles.add({1.2, 0.2, 0.2}, Vec3f(0));
  particles.add({1.7, 0.1, 3.9}, Vec3f(0));
  const ParticleCells cells = particles.sort(place, 1, threads);
  // The first particle is in cell -8, at the low end of its tile; those at cell 0 reach back one tile.
  EXPECT_NE(cells.tiles.find({-2, 0, 0}), kNoTile);
  EXPECT_NE(cells.tiles.find({-1, -1, -1}), kNoTile);
  EXPECT_EQ(cells.tiles.find({1, 0, 0}), kNoTile);
  EXPECT_NE(cells.tiles.find({0, 0, 1}), kNoTile);  // the last one is in the top layer
  const std::uint32_t tile = cells.tiles.find({0, 0, 0});
  EXPECT_EQ(cells.tile_end(tile) - cells.tile_first(tile), 3U);
  const std::uint32_t first = cells.cell_first[tile * kTileCells];
  EXPECT_EQ(cells.cell_first[tile * kTileCells + 1] - first, 2U);
  EXPECT_EQ(particles.id[first], 1U);
  EXPECT_EQ(particles.id[first + 1], 2U);
  EXPECT_EQ(cells.occupied.size(), 2U);
}

TEST(Transfer, OrderDoesNotDependOnTheOrderBefore) {
  Threads threads(2);
  const auto still = [](const Vec3d&) { return Vec3f(0); };
  Particles one = random_particles(10, 5, 1, still), other = one;
  std::reverse(other.id.begin(), other.id.end());
  std::reverse(other.position.begin(), other.position.end());
  one.sort({}, 2, threads);
  other.sort({}, 2, threads);
  EXPECT_EQ(one.id, other.id);
}

TEST(Transfer, KeepsMomentum) {
  Threads threads(2);
  const GridPlace place{.cell = 0.1};
  Particles particles = random_particles(12, 8, 0.1, [](const Vec3d& x) {
    return Vec3f(static_cast<float>(1 + x.x), static_cast<float>(std::sin(9 * x.y)),
                 static_cast<float>(-x.z));
  });
  const ParticleCells cells = particles.sort(place, 2, threads);
  FaceVelocity u;
  FaceWeight w;
  particles_to_faces(particles.position, particles.velocity, cells, place, threads, u, w);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double grid = 0, weight = 0, sum = 0;
    for (std::size_t i = 0; i < cells.tiles.cell_count(); ++i) {
      grid += static_cast<double>(u.u[axis][i]) * w.u[axis][i];
      weight += w.u[axis][i];
    }
    for (const Vec3f& v : particles.velocity) sum += v[static_cast<int>(axis)];
    const auto n = static_cast<double>(particles.id.size());
    EXPECT_NEAR(weight / n, 1, 1e-6);
    EXPECT_NEAR(grid / n, sum / n, 1e-6);
  }
}

TEST(Transfer, UniformMotionStaysAsItIs) {
  Threads threads(2);
  const GridPlace place{.cell = 0.25, .origin = {-0.3, 0.2, 0}};
  Particles particles = random_particles(9, 8, 0.25, [](const Vec3d&) { return Vec3f(1, -2, 3); });
  const ParticleCells cells = particles.sort(place, 1, threads);
  FaceVelocity u;
  FaceWeight w;
  particles_to_faces(particles.position, particles.velocity, cells, place, threads, u, w);
  faces_to_particles(u, u, 0, particles.position, cells, place, threads, particles.velocity);
  for (const Vec3f& v : particles.velocity) EXPECT_LT((v - Vec3f(1, -2, 3)).length(), 2e-6F);
}

/// Component i stands in the middle of the faces across axis i: a field that is linear in space comes back as
/// it is only if each of them is taken from there.
TEST(Transfer, LinearFieldsAreInterpolatedExactly) {
  Threads threads(2);
  const GridPlace place{.cell = 0.5, .origin = {1, 2, 3}};
  const auto field = [](const Vec3d& x) {
    return Vec3d(1 + 2 * x.x - x.y + 0.5 * x.z, x.x + 3 * x.y - x.z, -x.x + x.y + 2 * x.z);
  };
  Particles particles = random_particles(5, 4, 0.5, [](const Vec3d&) { return Vec3f(0); });
  const ParticleCells cells = particles.sort(place, 2, threads);
  FaceVelocity u;
  u.resize(cells.tiles.cell_count());
  for (std::size_t i = 0; i < cells.tiles.cell_count(); ++i) {
    const int cell = static_cast<int>(i % kTileCells);
    const Vec3d corner = tile_corner(place, cells.tiles.coordinate(i / kTileCells)) +
                         place.cell * Vec3d(cell % 8, cell / 8 % 8, cell / 64);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d face = corner + Vec3d(0.5 * place.cell);
      face[axis] = corner[axis];
      u.u[static_cast<std::size_t>(axis)][i] = static_cast<float>(field(face)[axis]);
    }
  }
  faces_to_particles(u, u, 0, particles.position, cells, place, threads, particles.velocity);
  for (std::size_t p = 0; p < particles.id.size(); ++p)
    EXPECT_LT((Vec3d(particles.velocity[p]) - field(particles.position[p])).length(), 2e-5);
}

TEST(Transfer, FlipWithoutChangeOnTheGridLeavesParticlesAlone) {
  Threads threads(2);
  Particles particles =
      random_particles(6, 8, 1, [](const Vec3d& x) { return Vec3f(static_cast<float>(std::sin(40 * x.x))); });
  const ParticleCells cells = particles.sort({}, 1, threads);
  FaceVelocity u;
  FaceWeight w;
  particles_to_faces(particles.position, particles.velocity, cells, {}, threads, u, w);
  const std::vector<Vec3f> before = particles.velocity;
  faces_to_particles(u, u, 1, particles.position, cells, {}, threads, particles.velocity);
  EXPECT_EQ(particles.velocity, before);
}

/// A round trip by PIC multiplies a wave of wave number k by (2 + cos(k dx)) / 3 along each axis: the full
/// hat twice, with many particles. Zhu 2005, eq. 3.8 (there with half the hat, 1/9 instead of 1/6 f'' dx^2).
TEST(Transfer, PicRoundTripHasTheGainOfTheFullHat) {
  Threads threads(2);
  const int n = 24;
  const GridPlace place{.cell = 1, .period = {n / 8, n / 8, n / 8}};
  for (const int length : {24, 12, 8, 6}) {
    const double k = 2 * kPi / length;
    const auto wave = [k](const Vec3d& x) { return std::cos(k * x.y); };
    Particles particles =
        random_particles(n, 27, 1, [&](const Vec3d& x) { return Vec3f(static_cast<float>(wave(x)), 0, 0); });
    const ParticleCells cells = particles.sort(place, 1, threads);
    FaceVelocity u;
    FaceWeight w;
    particles_to_faces(particles.position, particles.velocity, cells, place, threads, u, w);
    faces_to_particles(u, u, 0, particles.position, cells, place, threads, particles.velocity);
    double product = 0, square = 0;
    for (std::size_t p = 0; p < particles.id.size(); ++p) {
      product += particles.velocity[p].x * wave(particles.position[p]);
      square += wave(particles.position[p]) * wave(particles.position[p]);
    }
    // Particles to grid and back to particles: the hat's mean over a cell acts twice, together the gain of
    // grid to particles and back to the grid.
    EXPECT_NEAR(product / square, std::pow(std::sin(k / 2) / (k / 2), 4), 0.005) << length;
    // The grid itself, taken to particles and back, has the gain (2 + cos) / 3.
    FaceVelocity again;
    particles_to_faces(particles.position, particles.velocity, cells, place, threads, again, w);
    double grid_product = 0, grid_square = 0;
    for (std::size_t i = 0; i < u.u[0].size(); ++i) {
      grid_product += static_cast<double>(again.u[0][i]) * u.u[0][i];
      grid_square += static_cast<double>(u.u[0][i]) * u.u[0][i];
    }
    EXPECT_NEAR(grid_product / grid_square, (2 + std::cos(k)) / 3, 0.01) << length;
  }
}

/// A solid rotation, in 100 frames a turn with five substeps: the midpoint rule stretches a circle by
/// h^4 / 8 a step and runs ahead by h^3 / 6 (h the angle of a step).
TEST(Transfer, MovesAroundACircleBySecondOrder) {
  Threads threads(2);
  const GridPlace place{.cell = 1.0 / 32, .origin = {-1, -1, -1}};
  const auto turn = [&](int steps, int substeps) {
    Particles particles;
    particles.add({0.5, 0, 0}, Vec3f(0));
    for (int step = 0; step < steps; ++step) {
      const ParticleCells cells = particles.sort(place, 4, threads);
      FaceVelocity u;
      u.resize(cells.tiles.cell_count());
      for (std::size_t i = 0; i < cells.tiles.cell_count(); ++i) {
        const int cell = static_cast<int>(i % kTileCells);
        const Vec3d corner =
            place.origin + place.cell * (8.0 * Vec3d(cells.tiles.coordinate(i / kTileCells)) +
                                         Vec3d(cell % 8, cell / 8 % 8, cell / 64));
        u.u[0][i] = static_cast<float>(-(corner.y + 0.5 * place.cell));
        u.u[1][i] = static_cast<float>(corner.x + 0.5 * place.cell);
      }
      const double way = 0.5 * 2 * kPi / steps / place.cell;
      move_particles(u, std::vector<Vec3f>(cells.tiles.size(), Vec3f(0)), cells, place, 2 * kPi / steps,
                     1.001 * way / substeps, threads, particles.position);
    }
    return particles.position[0];
  };
  const Vec3d fine = turn(100, 5), coarse = turn(100, 1);
  EXPECT_NEAR(fine.length(), 0.5, 5e-6);
  EXPECT_NEAR(std::atan2(fine.y, fine.x), 1.65e-4, 0.1e-4);
  EXPECT_NEAR(std::atan2(coarse.y, coarse.x) / std::atan2(fine.y, fine.x), 25, 3);
}

TEST(Transfer, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<float>> results;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    Particles particles = random_particles(20, 8, 1, [](const Vec3d& x) {
      return Vec3f(static_cast<float>(std::sin(x.x)), static_cast<float>(x.y), 1);
    });
    const ParticleCells cells = particles.sort({}, 1, threads);
    FaceVelocity u;
    FaceWeight w;
    particles_to_faces(particles.position, particles.velocity, cells, {}, threads, u, w);
    results.push_back(u.u[0]);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace repose
