// Motion without contacts.
//
// Free fall: z = z_0 + v t - g t^2 / 2 (Garg et al. 2012, MFiX-DEM verification). Drift, kick, drift is exact
// for a constant force, so the tolerance is rounding: 1e-12 m.
//
// Torque-free top: six spheres of 8 mm and 2500 kg/m3 at (+-3, 0, 0), (0, +-2, 0), (0, 0, +-1) cm have the
// moments of inertia 6.1852e-6, 1.15469e-5 and 1.47638e-5 kg m2. Started with (0.01, 10, 0.01) rad/s, near
// its unstable axis, the middle component of its spin changes sign at 2.2415 s and 6.1693 s (Euler's
// equations, integrated with a small step). Tolerance: 1 % of these times, 1e-3 of angular momentum and
// energy in 8 s; the direction of the angular momentum is kept as well.

#include <cmath>
#include <vector>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

TEST(FreeMotion, FallsAsGalileoSays) {
  for (const double share : {1.0, 0.5}) {
    Scene scene = test::floor_scene("tetrahedron", 0.01);
    test::add_point(scene, {0, 0, 1}, {0.3, 0, 0.5}, {5, -3, 2});
    scene.solver.dem.dt = share * 1e-3;
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.4), "");
    EXPECT_NEAR(solver.state().position[0].z, 1 + 0.5 * 0.4 - 0.5 * 9.81 * 0.16, 1e-12);
    EXPECT_NEAR(solver.state().position[0].x, 0.12, 1e-12);
    EXPECT_NEAR(solver.state().velocity[0].z, 0.5 - 9.81 * 0.4, 1e-12);
    EXPECT_LT((test::spin_of(solver) - Vec3d(5, -3, 2)).length(), 1e-12);
  }
}

Scene top_scene() {
  Scene scene = test::void_scene("top", 2 * 0.038);
  scene.materials[0].grain_density = 2500;
  GrainDefinition top;
  top.name = "top";
  top.mass = GrainMass::sum_of_spheres;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      std::array<double, 4> sphere{0, 0, 0, 0.008};
      sphere[static_cast<std::size_t>(axis)] = side * 0.01 * (3 - axis);
      top.spheres.push_back(sphere);
    }
  scene.grains.push_back(top);
  test::add_point(scene, Vec3d(0), Vec3d(0), {0.01, 10, 0.01});
  return scene;
}

TEST(FreeMotion, TopTurnsOverWhenEulerSays) {
  for (const double dt : {1e-3, 5e-4}) {
    Scene scene = top_scene();
    scene.solver.dem.dt = dt;
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    const DemState& state = solver.state();
    const DemShape& shape = solver.model().shapes[0];
    const double mass = solver.model().grain_mass(0, 0, state.radius[0]);
    const double scale = mass * state.radius[0] * state.radius[0];
    EXPECT_NEAR(scale * shape.inertia[0][0], 6.1852e-6, 1e-10);
    EXPECT_NEAR(scale * shape.inertia[1][1], 1.15469e-5, 1e-10);
    EXPECT_NEAR(scale * shape.inertia[2][2], 1.47638e-5, 1e-10);

    const Vec3d L_0 = state.angular_momentum[0];
    const double E_0 = 0.5 * test::spin_of(solver).dot(L_0);
    std::vector<double> turns;
    double before = 10;
    while (solver.time() < 8 - 1e-9) {
      ASSERT_EQ(solver.step(8 - solver.time()).failure, "");
      const double middle = rotate_back(state.orientation[0], test::spin_of(solver)).y;
      if (middle * before < 0) turns.push_back(solver.time());
      before = middle;
      const double E = 0.5 * test::spin_of(solver).dot(state.angular_momentum[0]);
      ASSERT_LT(std::abs(E / E_0 - 1), 1e-3) << "t " << solver.time();
    }
    ASSERT_EQ(turns.size(), 2U);
    EXPECT_NEAR(turns[0], 2.2415, 0.01 * 2.2415);
    EXPECT_NEAR(turns[1], 6.1693, 0.01 * 6.1693);
    EXPECT_LT((state.angular_momentum[0] - L_0).length(), 1e-12 * L_0.length());
  }
}

}  // namespace
}  // namespace repose
