// Integrators against each other and against closed forms.
//
// A ball that bounces without loss keeps its height; the error of a smooth motion falls with the order of the
// scheme: a sphere between two others of a chain swings about its rest like a spring (small amplitudes), and
// a free, unequal top turns as Euler's equations say. RKF45 holds the error that it is asked for: positions
// after many collisions agree with a run at a thousandth of the tolerance.

#include <cmath>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// A ball dropped on a rigid floor without loss: its energy after two bounces over that before.
double energy_kept(Integrator integrator, double dt_share, double tolerance) {
  Scene scene = test::floor_scene("sphere", 0.02);
  scene.materials[0].young = 1e7;
  scene.materials[0].restitution = 1;
  scene.domain.friction.fill(0);
  scene.solver.dem.integrator = integrator;
  scene.solver.dem.tolerance = tolerance;
  test::add_point(scene, {0, 0, 0.05});
  if (integrator != Integrator::rkf45) scene.solver.dem.dt = dt_share * test::automatic_dt(scene);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 0.3), "");
  const SolverStats stats = solver.stats();
  return (stats.kinetic + stats.potential) / (stats.mass * 9.81 * 0.05);
}

TEST(Integrators, KeepTheEnergyOfABall) {
  EXPECT_NEAR(energy_kept(Integrator::verlet, 1, 0), 1, 1e-3);
  EXPECT_NEAR(energy_kept(Integrator::euler, 1, 0), 1, 0.05);
  const double coarse = std::abs(energy_kept(Integrator::rkf45, 1, 1e-4) - 1);
  const double fine = std::abs(energy_kept(Integrator::rkf45, 1, 1e-7) - 1);
  EXPECT_LT(coarse, 0.05);
  EXPECT_LT(fine, 1e-3);
  EXPECT_LT(fine, coarse);
}

/// Where a ball that falls from rest is after 0.1 s, before it touches anything.
TEST(Integrators, FallAsGalileiSays) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::euler, Integrator::rkf45}) {
    Scene scene = test::floor_scene("sphere", 0.02);
    scene.materials[0].young = 1e7;
    scene.solver.dem.integrator = integrator;
    test::add_point(scene, {0, 0, 1});
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.1), "");
    const double dt = integrator == Integrator::euler ? test::automatic_dt(scene) : 0;
    EXPECT_NEAR(solver.state().position[0].z, 1 - 0.5 * 9.81 * 0.01 - 0.5 * 9.81 * 0.1 * dt, 2e-6);
  }
}

TEST(Integrators, RkfHoldsItsTolerance) {
  const auto run = [](double tolerance) {
    Scene scene = test::box_scene("tetrahedron", {0.05, 0.05, 0.1}, 0.01);
    scene.materials[0].young = 1e6;
    scene.materials[0].friction = 0;
    scene.domain.friction.fill(0);
    scene.solver.dem.integrator = Integrator::rkf45;
    scene.solver.dem.tolerance = tolerance;
    test::add_fill(scene, test::box_shape({0.04, 0.04, 0.03}, {0.025, 0.025, 0.03}));
    scene.fills[0].velocity_spread = 0.3;
    Threads threads(2);
    DemSolver solver(scene, threads, {});
    EXPECT_EQ(test::advance(solver, 0.03), "");
    return solver.state();
  };
  const auto difference = [](const DemState& a, const DemState& b) {
    const auto rows_a = order_by_id(a), rows_b = order_by_id(b);
    double largest = 0;
    for (std::size_t k = 0; k < rows_a.size(); ++k)
      largest = std::max(largest, (a.position[rows_a[k]] - b.position[rows_b[k]]).length());
    return largest;
  };
  const DemState best = run(1e-8), fine = run(1e-6), coarse = run(1e-4);
  EXPECT_LT(difference(fine, best), 0.1 * 0.005);
  EXPECT_LT(difference(fine, best), difference(coarse, best));
}

// What lies on a covered slab presses it with its weight, whatever moves the grains.
TEST(Integrators, CoveredBodiesFeelTheWeight) {
  for (const Integrator integrator : {Integrator::verlet, Integrator::euler, Integrator::rkf45}) {
    Scene scene = test::box_scene("tetrahedron", {0.05, 0.05, 0.1}, 0.01);
    scene.materials[0].young = 1e6;
    scene.materials[0].restitution = 0.2;
    scene.domain.friction.fill(0);
    scene.solver.dem.integrator = integrator;
    BodyDefinition slab;
    slab.name = "slab";
    slab.shape = test::box_shape({0.049, 0.049, 0.01}, {0.025, 0.025, 0.006});
    slab.surface = BodySurface::particles;
    scene.bodies.push_back(slab);
    test::add_fill(scene, test::box_shape({0.04, 0.04, 0.02}, {0.025, 0.025, 0.026}));
    Threads threads(2);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.35), "");
    solver.begin_interval();
    ASSERT_EQ(test::advance(solver, 0.45), "");
    std::vector<BodyRow> rows;
    solver.fill_bodies(rows);
    const double weight = 9.81 * solver.stats().mass;
    EXPECT_NEAR(rows[0].force.z, -weight, 0.05 * weight);
  }
}

TEST(Integrators, RkfIsTheSameForAnyThreadsAndAfterAnInterruption) {
  Scene scene = test::box_scene("tetrahedron", {0.05, 0.05, 0.1}, 0.01);
  scene.materials[0].young = 1e6;
  scene.solver.dem.integrator = Integrator::rkf45;
  test::add_fill(scene, test::box_shape({0.04, 0.04, 0.03}, {0.025, 0.025, 0.03}));
  scene.fills[0].velocity_spread = 0.3;
  Threads one(1), three(3);
  DemSolver a(scene, one, {}), b(scene, three, {});
  ASSERT_EQ(test::advance(a, 0.02), "");
  ASSERT_EQ(test::advance(b, 0.02), "");
  EXPECT_EQ(test::state_hash(a), test::state_hash(b));
  ArchiveWriter saved;
  a.save(saved);
  DemSolver c(scene, three, {});
  ArchiveReader reader(saved.bytes());
  c.load(reader);
  ASSERT_EQ(test::advance(a, 0.03), "");
  ASSERT_EQ(test::advance(c, 0.03), "");
  EXPECT_EQ(test::state_hash(a), test::state_hash(c));
}

}  // namespace
}  // namespace repose
