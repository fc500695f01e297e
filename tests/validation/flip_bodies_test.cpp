// Bodies in water.
//
// Buoyancy. Reference: Archimedes. A cube that is held under water, its sides within cells, is pushed up by
// the weight of the water it displaces, within 0.5 %: exact but for what still moves. A raft of half the
// density of water floats with half of it below the surface, within 2 % of its draught; the level follows
// from the volumes of water and of what it displaces. It heaves on: mean over two of its periods.
//
// At rest. A heavy ball lies on the floor: no water is squeezed out from below it. A second after the first
// step, which does not know yet that it lies, no particle is faster than 0.1 m/s.
//
// A ball that is let go deep in water. Reference: the added mass of a sphere is half of what it displaces
// (Lamb), so one of half the density of water starts with (rho - rho_b) g / (rho_b + rho / 2) = g / 2. Walls
// raise the added mass: within 15 % in a tank of four diameters.
//
// Momentum. A body thrown into a block of water without gravity: what it loses, the water gets, to the
// rounding of velocities in float: 1e-5 (free_matter.h; without it the particles have 7 % less).

#include <cmath>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

/// How deep a box of this size and half the density of water lies after 2 s, mean over a second [m].
double draught_of(const Vec3d& size) {
  constexpr double kTank = 0.32, kDepth = 0.2;
  Scene scene = test::tank_scene({kTank, kTank, 0.48}, 0.01);
  test::add_water(scene, {0, 0, 0}, {kTank, kTank, kDepth});
  BodyDefinition box;
  box.name = "box";
  // A little lower than it will float, so that it has to find its place.
  box.shape = test::box_shape(size, {0.5 * kTank, 0.5 * kTank, kDepth - 0.01});
  box.motion = Motion::dynamic;
  box.density = 500;
  scene.bodies.push_back(box);
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  const double water = solver.stats().mass / 1000;
  EXPECT_EQ(test::advance(solver, 2), "");
  double bottom = 0;
  constexpr int kSamples = 50;
  for (int k = 1; k <= kSamples; ++k) {
    EXPECT_EQ(test::advance(solver, 2 + k * 1.0 / kSamples), "");
    bottom += (solver.bodies()[0].pose.position.z - 0.5 * size.z) / kSamples;
  }
  return (water + 0.5 * size.x * size.y * size.z) / (kTank * kTank) - bottom;
}

TEST(FlipBodies, RaftFloatsAtItsDraught) {
  const double draught = draught_of({0.16, 0.16, 0.1});
  RecordProperty("draught", std::to_string(draught));
  EXPECT_NEAR(draught, 0.05, 0.02 * 0.05);
}

TEST(FlipBodies, HeldCubeIsBuoyedUp) {
  constexpr double kTank = 0.32, kEdge = 0.12;
  Scene scene = test::tank_scene({kTank, kTank, 0.48}, 0.01);
  test::add_water(scene, {0, 0, 0}, {kTank, kTank, 0.24});
  BodyDefinition cube;
  cube.name = "cube";
  cube.shape = test::box_shape(Vec3d(kEdge), {0.15, 0.17, 0.105});
  scene.bodies.push_back(cube);
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.5), "");
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 1), "");
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  const double expected = 1000 * 9.81 * kEdge * kEdge * kEdge;
  RecordProperty("buoyancy", std::to_string(rows[0].force.z / expected));
  EXPECT_NEAR(rows[0].force.z, expected, 0.005 * expected);
}

TEST(FlipBodies, BallOnTheFloorLeavesTheWaterAlone) {
  Scene scene = test::tank_scene({0.32, 0.32, 0.48}, 0.01);
  test::add_water(scene, {0, 0, 0}, {0.32, 0.32, 0.24});
  test::add_ball(scene, 0.07, {0.16, 0.16, 0.07}, 3000);
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 1), "");
  const double fastest = solver.stats().max_speed;
  RecordProperty("fastest", std::to_string(fastest));
  EXPECT_LT(fastest, 0.1);
  EXPECT_NEAR(solver.bodies()[0].pose.position.z, 0.07, 1e-4);
}

TEST(FlipBodies, LightBallStartsWithItsAddedMass) {
  constexpr double kRadius = 0.08, kTank = 0.64;
  Scene scene = test::tank_scene({kTank, kTank, kTank + 0.1}, 0.01);
  test::add_water(scene, {0, 0, 0}, {kTank, kTank, kTank});
  test::add_ball(scene, kRadius, Vec3d(0.5 * kTank), 500);
  scene.solver.flip.dt = 0.005;
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.02), "");
  const double acceleration = solver.bodies()[0].velocity.z / 0.02;
  RecordProperty("acceleration", std::to_string(acceleration));
  EXPECT_NEAR(acceleration, 0.5 * 9.81, 0.15 * 0.5 * 9.81);
}

TEST(FlipBodies, WaterGetsTheMomentumThatABodyLoses) {
  Scene scene = test::tank_scene({2, 2, 2}, 0.02);
  scene.domain.faces.fill(FaceKind::open);
  scene.info.gravity = Vec3d(0);
  test::add_water(scene, {0.8, 0.8, 0.8}, {1.2, 1.2, 1.2});
  test::add_ball(scene, 0.1, {0.66, 1, 1}, 3000).velocity = {1, 0, 0};
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  const double mass = solver.bodies()[0].mass.mass;
  ASSERT_EQ(test::advance(solver, 0.3), "");
  const double lost = mass * (1 - solver.bodies()[0].velocity.x), gained = solver.stats().momentum.x;
  RecordProperty("lost", std::to_string(lost));
  RecordProperty("gained", std::to_string(gained));
  EXPECT_GT(lost, 0.1 * mass);
  EXPECT_NEAR(gained, lost, 1e-5 * lost);
}

/// A drop lands on a raft that floats on a pool: what the pool does to the raft is not for the drop to pay.
TEST(FlipBodies, WhatAPoolDoesToARaftDoesNotPushTheDropOnIt) {
  Scene scene = test::tank_scene({1.6, 1.6, 1.6}, 0.02);
  test::add_water(scene, {0, 0, 0}, {1.6, 1.6, 0.32});
  test::add_water(scene, {0.72, 0.72, 1.02}, {0.88, 0.88, 1.18});
  BodyDefinition& raft = test::add_ball(scene, 0.1, {0.8, 0.8, 0.55}, 250);
  raft.shape.kind = ShapeKind::box;
  raft.shape.size = {0.4, 0.4, 0.9};
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.01), "");
  int in_drop = 0;
  for (std::size_t p = 0; p < solver.state().size(); ++p)
    if (solver.state().position[p].z > 0.9) {
      EXPECT_LT(solver.state().velocity[p].z, 0.02) << p;
      EXPECT_GT(solver.state().velocity[p].z, -1.5 * 9.81 * 0.01) << p;
      ++in_drop;
    }
  EXPECT_NEAR(in_drop, 8 * 8 * 8, 60);
}

}  // namespace
}  // namespace repose
