// `yield = "paper"` under sph: Ihmsen 2013 as printed, with its misprints mended.
//
// An iteration of friction takes energy, whatever the neighbourhood (eq. 12 with one factor for all particles
// gives energy at surfaces). Reference: kinetic energy falls in a single iteration for random velocities, in
// each of 100 clumps of 8 to 64 particles, most of them at the surface.
// sph_paper_long_test.cpp has its piles.

#include <cmath>
#include <string>
#include <vector>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

Scene printed(Scene scene) {
  scene.solver.sph.yield = YieldLaw::paper;
  return scene;
}

/// Clumps of particles that stand too far apart to be compressed; cohesion gives them friction that needs no
/// pressure.
TEST(SphPaper, FrictionTakesEnergyFromAnyNeighborhood) {
  constexpr double kSpacing = 0.01, kStep = 1e-4, kSpeed = 0.02;
  Threads threads(1);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Scene scene = printed(test::sph_void_scene({0.4, 0.4, 0.4}, Vec3d(0.5), kSpacing));
    scene.fills.clear();
    Random random(seed, Stream::fill_position, 0, 0);
    const auto around = [&](double size) {
      return Vec3d(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
    };
    const int side = 2 + static_cast<int>(seed % 3);
    for (int k = 0; k < side * side * side; ++k) {
      const Vec3d place(k % side, k / side % side, k / (side * side));
      test::add_point(scene, Vec3d(0.45) + kSpacing * (1.2 * place + around(0.15)), around(kSpeed));
    }
    scene.materials[0].cohesion = 1e6;
    scene.solver.sph.iterations = 1;
    scene.solver.sph.dt = kStep;
    SphSolver solver(scene, threads, {});
    const double before = solver.stats().kinetic;
    EXPECT_EQ(solver.step(kStep).failure, "");
    EXPECT_LT(solver.stats().kinetic, before) << seed;
  }
}

}  // namespace
}  // namespace repose
