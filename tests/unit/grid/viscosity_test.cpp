// Implicit viscosity on a sparse grid with a free surface and walls.

#include "repose/grid/viscosity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/matter_grid.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

ViscousResult diffuse(test::MatterGrid& grid, double strength, Threads& threads,
                      FaceVelocity* drag = nullptr) {
  ViscousSystem system(grid.tiles, grid.phi, 1, grid.solids, grid.weight, strength, threads);
  const ViscousResult result = system.solve(1e-7, 1000, grid.velocity);
  if (drag) system.find_drag(grid.velocity, *drag);
  return result;
}

TEST(Viscosity, WhatMovesAndTurnsAsAWholeDoesNotFeelIt) {
  Threads threads(2);
  test::MatterGrid grid = test::matter_ball();
  const Vec3d velocity(0.3, -0.2, 0.5), spin(0.2, 0.1, -0.3);
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    grid.velocity.u[axis][i] = static_cast<float>((velocity + spin.cross(at))[static_cast<int>(axis)]);
  });
  const FaceVelocity before = grid.velocity;
  EXPECT_TRUE(diffuse(grid, 100, threads).converged);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < grid.phi.size(); ++i)
      ASSERT_NEAR(grid.velocity.u[axis][i], before.u[axis][i], 1e-4);
}

TEST(Viscosity, ABlobInTheAirKeepsItsMomentumAndAngularMomentum) {
  Threads threads(2);
  test::MatterGrid grid = test::matter_ball();
  test::stir(grid);
  const auto sums = [&] {
    return test::sums_of(
        grid, [&](std::size_t axis, std::size_t i, const Vec3d& at) { return grid.mass(axis, i, at); });
  };
  const test::GridSums before = sums();
  EXPECT_TRUE(diffuse(grid, 3, threads).converged);
  const test::GridSums after = sums();
  EXPECT_LT((after.momentum - before.momentum).length(), 1e-3);
  EXPECT_LT((after.spin - before.spin).length(), 2e-2);
  EXPECT_LT(after.energy, 0.2 * before.energy);
}

TEST(Viscosity, FlowBetweenWallsDiesDownAsItsSineDoes) {
  // u = sin(pi (z - 5) / 12): one implicit step divides it by 1 + s k^2, k^2 = (2 - 2 cos(pi / 12)) on a grid
  // whose walls lie halfway between faces.
  Threads threads(2);
  test::MatterGrid grid = test::matter_channel();
  const double k = std::numbers::pi / 12, s = 4;
  const auto profile = [&](double z) { return z > 5 && z < 17 ? std::sin(k * (z - 5)) : 0; };
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0) grid.velocity.u[0][i] = static_cast<float>(profile(at.z));
  });
  EXPECT_TRUE(diffuse(grid, s, threads).converged);
  const double left = 1 / (1 + s * (2 - 2 * std::cos(k)));
  int faces = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis == 0 && at.z > 5 && at.z < 17) {
      ASSERT_NEAR(grid.velocity.u[0][i], left * profile(at.z), 1e-5) << at.z;
      ++faces;
    }
  });
  EXPECT_GT(faces, 24 * 24);
}

TEST(Viscosity, AMovingWallDragsTheLiquidAndFeelsIt) {
  // Couette: after a very long step the profile is a straight line, and each wall feels s du/dz on its area.
  Threads threads(2);
  test::MatterGrid grid = test::matter_channel();
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    if (cell.z >= 17) grid.solids.velocity[0][i] = 1.2F;
  });
  FaceVelocity drag;
  EXPECT_TRUE(diffuse(grid, 1e4, threads, &drag).converged);
  double upper = 0, lower = 0;
  int faces = 0;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    if (axis != 0) return;
    if (at.z > 5 && at.z < 17) {
      ASSERT_NEAR(grid.velocity.u[0][i], 0.1 * (at.z - 5), 2e-3) << at.z;
      ++faces;
    }
    (at.z > 11 ? upper : lower) += static_cast<double>(drag.u[0][i]);
  });
  EXPECT_GT(faces, 24 * 24);
  const double expected = 1e4 * 0.1 * 24 * 24;
  EXPECT_NEAR(upper, -expected, 0.02 * expected);
  EXPECT_NEAR(lower, expected, 0.02 * expected);
}

TEST(Viscosity, ASolidInAThickLiquidGoesWithIt) {
  // A cube at rest in a ball of liquid that moves: after a very long step both have one velocity, that of
  // all momentum over all mass.
  Threads threads(2);
  test::MatterGrid grid = test::matter_ball();
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
  test::MatterGrid one = test::matter_ball(), many = test::matter_ball();
  for (test::MatterGrid* grid : {&one, &many})
    grid->for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
      grid->velocity.u[axis][i] = static_cast<float>(std::sin(at.x * at.y + at.z));
    });
  Threads single(1), several(4);
  diffuse(one, 2, single);
  diffuse(many, 2, several);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(one.velocity.u[axis], many.velocity.u[axis]);
}

}  // namespace
}  // namespace repose
