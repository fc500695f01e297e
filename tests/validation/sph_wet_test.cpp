// Dry and wet sand under sph (Ihmsen 2013, section 3.4).
//
// Blocks. Reference: a vertical face of sand with cohesion c stands up to 4 c tan(45 + phi / 2) / (rho g),
// 0.49 m for 1 kPa and 35 degrees (the usual formula of Coulomb's wedge); dry sand stands at its
// friction_angle at most. A block 0.16 m high, wet, keeps its form: top and width within 5 %. The same block
// dry comes down by a quarter of its height and more.
//
// A ledge. Reference: a beam that hangs over by l, h high, bends with a stress of 3 rho g l^2 / h at its
// root. Wet sand bears about its cohesion in tension. With l = 0.03 and h = 0.08 that is 530 Pa: it hangs
// with 1 kPa, and falls where it is dry.
//
// A lump. Reference: kappa = 0.7 of eq. 22 holds it together where it is torn apart, kappa = 0 does
// not. The tension that eq. 22 bears is that of physics/sph.h.

#include <algorithm>
#include <cmath>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/physics/sph.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.016;

Scene wet_tank(double wetness) {
  Scene scene = test::under_sph(test::sand_tank({0.8, 0.48, 0.5}, kSpacing, 35));
  scene.materials[0].wetness = wetness;
  scene.domain.friction.fill(0.6);
  return scene;
}

Box3d bounds_of(const SphState& state) {
  Box3d box;
  for (const Vec3d& x : state.position) box.extendBy(x);
  return box;
}

/// The bounds of a block 0.16 m wide and high, a second after it was left alone.
Box3d block_after(double wetness) {
  Scene scene = wet_tank(wetness);
  test::add_sand(scene, {0.32, 0.16, 0}, {0.48, 0.32, 0.16});
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 1), "");
  return bounds_of(solver.state());
}

TEST(SphWet, BlockStandsWithVerticalFaces) {
  const Box3d wet = block_after(0.3), dry = block_after(0);
  const double height = 0.16 - 0.5 * kSpacing, width = 0.16 - kSpacing;
  RecordProperty("wet_height", test::figure(wet.max.z / height));
  RecordProperty("wet_width", test::figure(wet.size().x / width));
  RecordProperty("dry_height", test::figure(dry.max.z / height));
  RecordProperty("dry_width", test::figure(dry.size().x / width));
  EXPECT_NEAR(wet.max.z, height, 0.05 * height);
  EXPECT_NEAR(wet.size().x, width, 0.05 * width);
  EXPECT_LT(dry.max.z, 0.75 * height);
  EXPECT_GT(dry.size().x, 1.3 * width);
}

/// How far the lowest particle of a block is below the ledge that it hangs over, half a second after.
double drop_off_ledge(double wetness) {
  Scene scene = wet_tank(wetness);
  BodyDefinition ledge;
  ledge.name = "ledge";
  ledge.shape = test::box_shape({0.3, 0.48, 0.16}, {0.25, 0.24, 0.08});
  ledge.friction = 0.6;
  scene.bodies.push_back(ledge);
  test::add_sand(scene, {0.27, 0.16, 0.16}, {0.43, 0.32, 0.24});
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 0.5), "");
  return 0.16 - bounds_of(solver.state()).min.z;
}

TEST(SphWet, BlockHangsOverAnEdge) {
  const double wet = drop_off_ledge(0.3), dry = drop_off_ledge(0);
  RecordProperty("wet", test::figure(wet));
  EXPECT_LT(wet, 0.01);
  EXPECT_GT(dry, 0.1);
}

/// How far two halves are apart that were torn apart at 0.2 m/s, 0.2 s later [m].
double gap_of_halves(double cohesion) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.464, 0.496, 0.496}, kSpacing);
  test::add_sand(scene, {0.464, 0.4, 0.4}, {0.528, 0.496, 0.496});
  scene.materials[0].cohesion = cohesion;
  scene.fills[0].velocity = {-0.1, 0, 0};
  scene.fills[1].velocity = {0.1, 0, 0};
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 0.2), "");
  return bounds_of(solver.state()).size().x - (0.128 - kSpacing);
}

TEST(SphWet, LumpKeepsTogether) {
  const double tension = sph_kappa_tension(0.7, 1600.0, kSpacing);
  const double wet = gap_of_halves(tension), dry = gap_of_halves(0);
  RecordProperty("wet", test::figure(wet));
  EXPECT_LT(wet, 0.25 * kSpacing);
  EXPECT_NEAR(dry, 0.04, 0.3 * kSpacing);
}

/// Single particles, too far from each other to be sand, that fly apart: wet as they are, nothing holds them.
TEST(SphWet, WhatHasComeApartIsNotHeld) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.5, 0.5, 0.5}, kSpacing);
  scene.fills.clear();
  scene.materials[0].wetness = 0.3;
  constexpr double kApart = 1.4 * kSpacing, kRate = 2;  // a density of 0.36 [m, 1/s]
  const Vec3d middle(0.5);
  for (int z = -2; z <= 2; ++z)
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x) {
        const Vec3d at = kApart * Vec3d(x, y, z);
        test::add_point(scene, middle + at, kRate * at);
      }
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  const double before = solver.stats().kinetic;
  ASSERT_EQ(test::advance(solver, 0.02), "");
  EXPECT_NEAR(solver.stats().kinetic, before, 1e-6 * before);
}

/// Cohesion and viscosity take energy and never give it, and keep momentum, also where wet sand meets dry.
TEST(SphWet, KeepsMomentumAndTakesEnergy) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.448, 0.496, 0.496}, kSpacing);
  test::add_sand(scene, {0.448, 0.4, 0.4}, {0.496, 0.496, 0.496});
  scene.fills[0].wetness = 0.3;
  for (Fill& fill : scene.fills) {
    fill.velocity = {1, 0, 0};
    fill.velocity_spread = 0.2;
  }
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  const Vec3d start = solver.stats().momentum;
  double before = solver.stats().kinetic;
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(test::advance(solver, 0.01 * k), "");
    EXPECT_LT((solver.stats().momentum - start).length(), 1e-12 * start.length()) << k;
    EXPECT_LE(solver.stats().kinetic, before * (1 + 1e-3)) << k;
    before = solver.stats().kinetic;
  }
}

}  // namespace
}  // namespace repose
