// Implicit viscosity on a sparse grid with a free surface and walls.

#include "repose/grid/viscosity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace repose {
namespace {

/// A grid of 3 x 3 x 3 tiles, cells of edge 1, with weights everywhere.
struct Grid {
  TileSet tiles;
  SolidCells solids;
  std::vector<float> phi;
  FaceVelocity velocity;
  FaceWeight weight;

  explicit Grid(TilePeriod period = {0, 0, 0}) {
    std::vector<Vec3i> list;
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) list.emplace_back(x, y, z);
    tiles = TileSet(list, period);
    solids.resize(tiles.cell_count(), 1);
    phi.assign(tiles.cell_count(), 1.0F);
    velocity.resize(tiles.cell_count());
    weight.resize(tiles.cell_count());
    for (std::vector<float>& w : weight.u) std::fill(w.begin(), w.end(), 1.0F);
  }
  template <class F>
  void for_each_cell(const F& f) const {
    for (std::size_t i = 0; i < tiles.cell_count(); ++i) {
      const auto in = static_cast<int>(i % kTileCells);
      f(i, kTileEdge * tiles.coordinate(i / kTileCells) + Vec3i(in % 8, in / 8 % 8, in / 64));
    }
  }
  /// Calls f(axis, face, middle of the face).
  template <class F>
  void for_each_face(const F& f) const {
    for_each_cell([&](std::size_t i, const Vec3i& cell) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d at = Vec3d(cell) + Vec3d(0.5);
        at[static_cast<int>(axis)] -= 0.5;
        f(axis, i, at);
      }
    });
  }
  /// The share of liquid around a face, as the solver takes it.
  double mass(std::size_t axis, std::size_t face, const Vec3d& at) const {
    Vec3d below = at;
    below[static_cast<int>(axis)] -= 0.5;
    const Vec3i low(static_cast<int>(std::floor(below.x)), static_cast<int>(std::floor(below.y)),
                    static_cast<int>(std::floor(below.z)));
    const std::uint32_t tile = tiles.find({low.x >> 3, low.y >> 3, low.z >> 3});
    if (tile == kNoTile) return 0;
    const auto inside = [](float p) { return 1 + std::clamp(-p, -1.0F, 1.0F); };
    const float other = phi[tile * kTileCells + cell_in_tile(low.x & 7, low.y & 7, low.z & 7)];
    return std::clamp(0.5F * (inside(phi[face]) + inside(other)) - 0.5F, 0.0F, 1.0F);
  }
  ViscousResult diffuse(double strength, Threads& threads, FaceVelocity* drag = nullptr) {
    ViscousSystem system(tiles, phi, 1, solids, weight, strength, threads);
    const ViscousResult result = system.solve(1e-7, 1000, velocity);
    if (drag) system.find_drag(velocity, *drag);
    return result;
  }
};

/// A ball of liquid with a radius of 7.3 cells in the air.
Grid ball() {
  Grid grid;
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    grid.phi[i] = static_cast<float>((Vec3d(cell) + Vec3d(0.5) - Vec3d(12.1, 11.8, 12)).length() - 7.3);
  });
  return grid;
}

TEST(Viscosity, WhatMovesAndTurnsAsAWholeDoesNotFeelIt) {
  Threads threads(2);
  Grid grid = ball();
  const Vec3d velocity(0.3, -0.2, 0.5), spin(0.2, 0.1, -0.3);
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    grid.velocity.u[axis][i] = static_cast<float>((velocity + spin.cross(at))[static_cast<int>(axis)]);
  });
  const FaceVelocity before = grid.velocity;
  EXPECT_TRUE(grid.diffuse(100, threads).converged);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < grid.phi.size(); ++i)
      ASSERT_NEAR(grid.velocity.u[axis][i], before.u[axis][i], 1e-4);
}

TEST(Viscosity, ABlobInTheAirKeepsItsMomentumAndAngularMomentum) {
  Threads threads(2);
  Grid grid = ball();
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    grid.velocity.u[axis][i] =
        static_cast<float>(std::sin(0.7 * at.x + 1.1 * at.y - 0.4 * at.z + static_cast<double>(axis)));
  });
  struct Sums {
    Vec3d momentum{0, 0, 0}, spin{0, 0, 0};
    double energy = 0;
  };
  const auto sums = [&] {
    Sums out;
    grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
      const double mass = grid.mass(axis, i, at);
      Vec3d v(0);
      v[static_cast<int>(axis)] = grid.velocity.u[axis][i];
      out.momentum += mass * v;
      out.spin += mass * at.cross(v);
      out.energy += 0.5 * mass * v.dot(v);
    });
    return out;
  };
  const Sums before = sums();
  EXPECT_TRUE(grid.diffuse(3, threads).converged);
  const Sums after = sums();
  EXPECT_LT((after.momentum - before.momentum).length(), 1e-3);
  EXPECT_LT((after.spin - before.spin).length(), 2e-2);
  EXPECT_LT(after.energy, 0.2 * before.energy);
}

/// Between walls at z = 5 and z = 17, periodic along x and y.
Grid channel() {
  Grid grid({3, 3, 0});
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    grid.phi[i] = cell.z < 2 || cell.z > 20 ? 10 : -10;  // it goes on into the walls, but not to the end
    grid.solids.distance[i] = static_cast<float>(std::min(cell.z + 0.5 - 5, 17 - (cell.z + 0.5)));
    const bool is_solid = cell.z < 5 || cell.z >= 17;
    for (const std::size_t axis : {0U, 1U}) grid.solids.open[axis][i] = is_solid ? 0.0F : 1.0F;
    grid.solids.open[2][i] = cell.z <= 5 || cell.z >= 17 ? 0.0F : 1.0F;
  });
  return grid;
}

TEST(Viscosity, FlowBetweenWallsDiesDownAsItsSineDoes) {
  // u = sin(pi (z - 5) / 12): one implicit step divides it by 1 + s k^2, k^2 = (2 - 2 cos(pi / 12)) on a grid
  // whose walls lie halfway between faces.
  Threads threads(2);
  Grid grid = channel();
  const double k = std::numbers::pi / 12, s = 4;
  const auto profile = [&](double z) { return z > 5 && z < 17 ? std::sin(k * (z - 5)) : 0; };
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0) grid.velocity.u[0][i] = static_cast<float>(profile(at.z));
  });
  EXPECT_TRUE(grid.diffuse(s, threads).converged);
  const double left = 1 / (1 + s * (2 - 2 * std::cos(k)));
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0 && at.z > 5 && at.z < 17) {
      ASSERT_NEAR(grid.velocity.u[0][i], left * profile(at.z), 1e-5) << at.z;
    }
  });
}

TEST(Viscosity, AMovingWallDragsTheLiquidAndFeelsIt) {
  // Couette: after a very long step the profile is a straight line, and each wall feels s du/dz on its area.
  Threads threads(2);
  Grid grid = channel();
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    if (cell.z >= 17) grid.solids.velocity[0][i] = 1.2F;
  });
  FaceVelocity drag;
  EXPECT_TRUE(grid.diffuse(1e4, threads, &drag).converged);
  double upper = 0, lower = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis != 0) return;
    if (at.z > 5 && at.z < 17) {
      ASSERT_NEAR(grid.velocity.u[0][i], 0.1 * (at.z - 5), 2e-3) << at.z;
    }
    (at.z > 11 ? upper : lower) += static_cast<double>(drag.u[0][i]);
  });
  const double expected = 1e4 * 0.1 * 24 * 24;
  EXPECT_NEAR(upper, -expected, 0.02 * expected);
  EXPECT_NEAR(lower, expected, 0.02 * expected);
}

TEST(Viscosity, ASolidInAThickLiquidGoesWithIt) {
  // A cube at rest in a ball of liquid that moves: after a very long step both have one velocity, that of
  // all momentum over all mass.
  Threads threads(2);
  Grid grid = ball();
  RigidPart cube{{}, {}, {}};
  const Vec3d middle(12, 12, 12);
  double mass = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0) grid.velocity.u[0][i] = 1;
    const Vec3d d = at - middle;
    if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) > 2) return;
    grid.solids.open[axis][i] = 0;
    Vec3d unit(0);
    unit[static_cast<int>(axis)] = 1;
    cube.faces.push_back({axis, i, row_of(unit, d)});
  });
  for (std::size_t i = 0; i < 6; ++i) cube.mass[i][i] = i < 3 ? 200 : 500;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0 && grid.solids.open[0][i] > 0) mass += grid.mass(axis, i, at);
  });
  ViscousSystem system(grid.tiles, grid.phi, 1, grid.solids, grid.weight, 1e4, threads);
  EXPECT_TRUE(system.solve(1e-7, 2000, grid.velocity, {&cube, 1}).converged);
  const double common = mass / (mass + 200);
  EXPECT_NEAR(cube.velocity[0], common, 2e-3);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(cube.velocity[i], 0, 2e-3);
  EXPECT_NEAR(grid.velocity.u[0][grid.tiles.find({1, 1, 0}) * kTileCells + cell_in_tile(4, 4, 7)], common,
              2e-3);
}

TEST(Viscosity, SameBitsForAnyNumberOfThreads) {
  Grid one = ball(), many = ball();
  for (Grid* grid : {&one, &many})
    grid->for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
      grid->velocity.u[axis][i] = static_cast<float>(std::sin(at.x * at.y + at.z));
    });
  Threads single(1), several(4);
  one.diffuse(2, single);
  many.diffuse(2, several);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(one.velocity.u[axis], many.velocity.u[axis]);
}

}  // namespace
}  // namespace repose
