// How grains move on their own, and what a frame shows of it.

#include <cmath>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/math/rotation.h"
#include "repose/solvers/dem/dem_solver.h"

namespace repose {
namespace {

// Lone spheres turn once in several steps; a frame shows them as if in each.
TEST(DemMotion, LoneSpheresAreShownTurnedAsFarAsTheySpun) {
  Scene scene = test::void_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0}, Vec3d(0), {0, 0, 7});
  scene.solver.dem.dt = 1e-3;
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  Frame before, after;
  solver.fill_frame(before);
  for (int steps = 1; steps <= 21; ++steps) {
    ASSERT_EQ(solver.step(1).failure, "");
    solver.fill_frame(after);
    const auto quat = [](const Quatf& q) { return Quatd(q.r, Vec3d(q.v)); };
    EXPECT_NEAR(angle_between(quat(after.orientation[0]), quat(before.orientation[0])), 7 * solver.time(),
                1e-5)
        << steps;
  }
}

// A step of another length than the one before: spheres that were placed ahead must be placed again.
TEST(DemMotion, StepsOfAnyLengthMoveAGrainAsFar) {
  for (const char* grain : {"sphere", "tetrahedron"}) {
    Scene scene = test::void_scene(grain, 0.01);
    test::add_point(scene, {0, 0, 0}, {1, 0, 0}, {0, 3, 0});
    test::add_point(scene, {0.05, 0, 0});
    scene.solver.dem.dt = 7e-6;  // ends no frame
    Threads threads(1);
    DemSolver even(scene, threads, {}), uneven(scene, threads, {});
    for (int k = 1; k <= 30; ++k) {
      const double t = 1e-3 * k + 1e-4 * (k % 3);  // steps divide what is left to it
      ASSERT_EQ(test::advance(uneven, t), "");
      EXPECT_LT((uneven.state().position[0] - Vec3d(t, 0, 0)).length(), 1e-12) << grain << " " << k;
    }
    ASSERT_EQ(test::advance(even, 0.1), "");
    for (int k = 31; k <= 100; ++k) ASSERT_EQ(test::advance(uneven, 1e-3 * k), "");
    // They met meanwhile.
    EXPECT_GT(even.state().velocity[1].x, 0.1) << grain;
    for (std::size_t g = 0; g < 2; ++g)
      EXPECT_LT((even.state().velocity[g] - uneven.state().velocity[g]).length(), 0.01) << grain;
  }
}

}  // namespace
}  // namespace repose
