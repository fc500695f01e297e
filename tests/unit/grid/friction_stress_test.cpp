// Friction within limits on a sparse grid, in the air, at walls and with a solid.

#include "repose/grid/friction_stress.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/matter_grid.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

using test::MatterGrid;

/// The same limit in all of the matter, and the same traction at solids, across z.
FrictionLimits even_limits(const MatterGrid& grid, const FrictionSystem& system, float limit,
                           float traction = 1e30F) {
  FrictionLimits limits;
  for (const float phi : grid.phi) limits.inside.push_back(phi < 0 ? limit : 0.0F);
  for (const std::uint32_t cell : system.wall_cells())
    limits.walls.push_back({cell, limit, traction, {0, 0, grid.solids.distance[cell] > 0 ? 1.0F : -1.0F}});
  return limits;
}

/// Over all that friction moves.
test::GridSums sums_of(const MatterGrid& grid, const FrictionSystem& system) {
  return test::sums_of(grid,
                       [&](std::size_t axis, std::size_t i, const Vec3d&) { return system.mass(axis, i); });
}

FrictionSystem system_of(const MatterGrid& grid, Threads& threads) {
  return {grid.tiles, grid.phi, 1, grid.solids, grid.weight, threads};
}

TEST(FrictionStress, WhatMovesAndTurnsAsAWholeDoesNotFeelIt) {
  Threads threads(2);
  MatterGrid grid = test::matter_ball();
  const Vec3d velocity(0.3, -0.2, 0.5), spin(0.2, 0.1, -0.3);
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    grid.velocity.u[axis][i] = static_cast<float>((velocity + spin.cross(at))[static_cast<int>(axis)]);
  });
  const FaceVelocity before = grid.velocity;
  FrictionSystem system = system_of(grid, threads);
  system.set_limits(even_limits(grid, system, 1));
  EXPECT_TRUE(system.solve(grid.velocity, {}, 1e-4, 100).converged);
  system.add_forces(grid.velocity, {});
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < grid.phi.size(); ++i)
      ASSERT_NEAR(grid.velocity.u[axis][i], before.u[axis][i], 1e-4);
}

TEST(FrictionStress, WithoutLimitABallBecomesRigidAndKeepsItsMomentum) {
  Threads threads(2);
  MatterGrid grid = test::matter_ball();
  test::stir(grid);
  FrictionSystem system = system_of(grid, threads);
  system.set_limits(even_limits(grid, system, 1e6F));
  const test::GridSums before = sums_of(grid, system);
  EXPECT_TRUE(system.solve(grid.velocity, {}, 1e-4, 3000).converged);
  system.add_forces(grid.velocity, {});
  const test::GridSums after = sums_of(grid, system);
  EXPECT_LT((after.momentum - before.momentum).length(), 2e-3);
  EXPECT_LT((after.spin - before.spin).length(), 3e-2);
  // What is left but motion as a whole and, since friction does not resist it, even growth: next to nothing.
  FrictionSystem fresh = system_of(grid, threads);
  fresh.set_limits(even_limits(grid, fresh, 1e6F));
  EXPECT_LT(fresh.solve(grid.velocity, {}, 1e-9, 1).residual, 1e-3);
  EXPECT_LT(after.energy, 0.1 * before.energy);
}

TEST(FrictionStress, NeverAddsEnergyWhateverItStartsFrom) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    MatterGrid grid = test::matter_ball();
    test::stir(grid);
    FrictionSystem system = system_of(grid, threads);
    system.set_limits(even_limits(grid, system, 0.2F));
    StressField stress = system.stress(1);
    for (std::size_t i = 0; i < stress.value.size(); ++i)
      stress.value[i] = 0.5F - static_cast<float>(philox4x32(seed, 0, i)[0]) * 0x1p-32F;
    system.set_stress(stress, 1);
    const double before = sums_of(grid, system).energy;
    system.solve(grid.velocity, {}, 1e-9, 1 + static_cast<int>(seed));
    system.add_forces(grid.velocity, {});
    EXPECT_LE(sums_of(grid, system).energy, before) << seed;
  }
}

TEST(FrictionStress, WhatWasKeptActsAtOnce) {
  // Before the limits of the next solve are known: the pressure that goes before it must feel the friction.
  Threads threads(2);
  MatterGrid grid = test::matter_ball();
  test::stir(grid);
  FrictionSystem system = system_of(grid, threads);
  system.set_limits(even_limits(grid, system, 1));
  system.solve(grid.velocity, {}, 1e-3, 20);
  FaceVelocity expected = grid.velocity, found = grid.velocity;
  system.add_forces(expected, {});
  FrictionSystem next = system_of(grid, threads);
  next.set_stress(system.stress(2), 0.5F);
  next.add_forces(found, {});
  EXPECT_NE(found.u[0], grid.velocity.u[0]);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(found.u[axis], expected.u[axis]);
}

TEST(FrictionStress, IsTheSameInEveryDirection) {
  // Evenly sheared matter that is far from stopping bears the limit itself, along D, whichever way it shears.
  Threads threads(2);
  for (int turn = 0; turn < 8; ++turn) {
    MatterGrid grid = test::matter_ball();
    const double a = 0.4 * turn, b = 0.7 * turn;
    const Vec3d n(std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)),
        t(-std::sin(a), std::cos(a), 0);
    grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
      grid.velocity.u[axis][i] = static_cast<float>(50 * n.dot(at) * t[static_cast<int>(axis)]);
    });
    FrictionSystem system = system_of(grid, threads);
    system.set_limits(even_limits(grid, system, 1));
    system.solve(grid.velocity, {}, 1e-6, 20);
    const StressField stress = system.stress(1);
    const Vec3i tile(1, 1, 1);
    for (std::size_t k = 0; k < stress.tile.size(); ++k) {
      if (stress.tile[k] != std::array<int, 3>{tile.x, tile.y, tile.z}) continue;
      const auto value = [&](std::size_t n5) {
        return static_cast<double>(stress.value[StressField::place(k, 0, n5, cell_in_tile(4, 4, 4))]);
      };
      const double root = std::sqrt(0.5);
      EXPECT_NEAR(value(0), root * 2 * n.x * t.x, 0.01) << turn;
      EXPECT_NEAR(value(1), root * 2 * n.y * t.y, 0.01) << turn;
      EXPECT_NEAR(value(2), root * (n.x * t.y + n.y * t.x), 0.01) << turn;
      EXPECT_NEAR(value(3), root * (n.x * t.z + n.z * t.x), 0.01) << turn;
      EXPECT_NEAR(value(4), root * (n.y * t.z + n.z * t.y), 0.01) << turn;
    }
  }
}

TEST(FrictionStress, SlipsAtAWallByItsTraction) {
  // Matter between two walls, 12 cells apart, that moves as a whole: both walls take what they can, in any
  // direction along them, and feel it.
  Threads threads(2);
  MatterGrid grid = test::matter_channel();
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (at.z > 5 && at.z < 17 && axis < 2) grid.velocity.u[axis][i] = axis == 0 ? 3.0F : 4.0F;
  });
  FrictionSystem system = system_of(grid, threads);
  system.set_limits(even_limits(grid, system, 100, 0.3F));
  system.solve(grid.velocity, {}, 1e-5, 2000);
  system.add_forces(grid.velocity, {});
  Vec3d drag(0);
  int faces = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 2) return;
    const double expected = axis == 0 ? 0.6 : 0.8;  // of the traction
    if (at.z > 5 && at.z < 17) {
      ASSERT_NEAR(grid.velocity.u[axis][i], expected * (5 - 2 * 0.3 / 12), 2e-3) << at.z;
      ++faces;
    } else {
      drag[static_cast<int>(axis)] += static_cast<double>(system.forces().u[axis][i]);
    }
  });
  EXPECT_GT(faces, 2 * 24 * 24);
  EXPECT_NEAR(drag.x, 0.6 * 2 * 0.3 * 24 * 24, 0.1);
  EXPECT_NEAR(drag.y, 0.8 * 2 * 0.3 * 24 * 24, 0.1);
}

TEST(FrictionStress, PullsAtAWallByNoMoreThanItsTension) {
  // Matter that rises as a whole between two walls, 12 cells apart, and does not feel the upper one: the
  // lower one holds it by the tension that it bears, and it goes on.
  Threads threads(2);
  MatterGrid grid = test::matter_channel();
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (at.z > 5 && at.z < 17 && axis == 2) grid.velocity.u[2][i] = 1;
  });
  FrictionSystem system = system_of(grid, threads);
  FrictionLimits limits = even_limits(grid, system, 100);
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    for (WallCell& wall : limits.walls)
      if (wall.cell == i && cell.z > 11) wall.limit = 0;
  });
  for (WallCell& wall : limits.walls) wall.tension = 0.2F;
  system.set_limits(limits);
  system.solve(grid.velocity, {}, 1e-5, 2000);
  system.add_forces(grid.velocity, {});
  double pull = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis != 2) return;
    if (at.z < 5.5) pull += static_cast<double>(system.forces().u[2][i]);
    if (at.z < 5.5 || at.z > 15.5) return;
    ASSERT_NEAR(grid.velocity.u[2][i], 1 - 0.2 / 10, 2e-3) << at.z;
  });
  EXPECT_NEAR(pull, 0.2 * 24 * 24, 0.1);
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    if (cell.z != 5) return;
    ASSERT_NEAR(system.normal_stress(static_cast<std::uint32_t>(i), {0, 0, 1}), 0.2, 1e-4);
  });
}

TEST(FrictionStress, ASolidGetsTheMomentumThatTheMatterLoses) {
  Threads threads(2);
  MatterGrid grid = test::matter_ball();
  FrictionPart cube;
  const Vec3d middle(12, 12, 12);
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0) grid.velocity.u[0][i] = 1;
    const Vec3d d = at - middle;
    if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) > 2) return;
    grid.solids.open[axis][i] = 0;
    Vec3d unit(0);
    unit[static_cast<int>(axis)] = 1;
    cube.faces.push_back({axis, i, row_of(unit, d)});
  });
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    const Vec3d d = Vec3d(cell) + Vec3d(0.5) - middle;
    grid.solids.distance[i] = static_cast<float>(std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) - 2);
  });
  for (std::size_t i = 0; i < 6; ++i) cube.inverse_mass[i][i] = i < 3 ? 1.0 / 200 : 1.0 / 500;
  FrictionSystem system = system_of(grid, threads);
  system.set_limits(even_limits(grid, system, 0.5F));
  const test::GridSums before = sums_of(grid, system);
  system.solve(grid.velocity, {&cube, 1}, 1e-5, 200);
  system.add_forces(grid.velocity, {&cube, 1});
  const test::GridSums after = sums_of(grid, system);
  EXPECT_GT(cube.velocity[0], 0.1);
  EXPECT_LT(
      (after.momentum + 200.0 * Vec3d(cube.velocity[0], cube.velocity[1], cube.velocity[2]) - before.momentum)
          .length(),
      1e-3);
  EXPECT_LT(after.energy + 0.5 * 200 * cube.velocity[0] * cube.velocity[0], before.energy);
}

TEST(FrictionStress, SameBitsForAnyNumberOfThreads) {
  std::vector<float> values;
  for (const int count : {1, 4}) {
    Threads threads(count);
    MatterGrid grid = test::matter_ball();
    test::stir(grid);
    FrictionSystem system = system_of(grid, threads);
    system.set_limits(even_limits(grid, system, 0.1F));
    system.solve(grid.velocity, {}, 1e-6, 20);
    const StressField stress = system.stress(1);
    if (values.empty())
      values = stress.value;
    else
      EXPECT_EQ(stress.value, values);
  }
}

}  // namespace
}  // namespace repose
