// The sph solver's invariants: what it keeps, what it never adds, and that its bits depend on nothing but the
// scene.

#include "repose/solvers/sph/sph_solver.h"

#include <cmath>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/archive.h"
#include "repose/core/error.h"

namespace repose {
namespace {

Scene falling_scene() {
  Scene scene = test::under_sph(test::sand_tank({0.2, 0.2, 0.4}, 0.01, 30));
  test::add_sand(scene, {0.02, 0.02, 0.02}, {0.1, 0.12, 0.14});
  test::add_ball(scene, 0.03, {0.06, 0.06, 0.2}, 2500);
  return scene;
}

TEST(Sph, BitsDoNotDependOnThreadsOrMemory) {
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    SphSolver solver(falling_scene(), threads, {});
    ASSERT_EQ(test::advance(solver, 0.05), "");
    solver.permute_memory(static_cast<std::uint64_t>(count));
    ASSERT_EQ(test::advance(solver, 0.1), "");
    hashes.push_back(test::state_hash(solver));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(Sph, GoesOnFromWhatItSaved) {
  Threads threads(2);
  SphSolver whole(falling_scene(), threads, {});
  ASSERT_EQ(test::advance(whole, 0.05), "");
  ArchiveWriter out;
  whole.save(out);
  SphSolver resumed(falling_scene(), threads, {});
  ArchiveReader in(out.bytes());
  resumed.load(in);
  ASSERT_EQ(test::advance(whole, 0.1), "");
  ASSERT_EQ(test::advance(resumed, 0.1), "");
  EXPECT_EQ(test::state_hash(whole), test::state_hash(resumed));
}

/// A block whose particles fly into each other, with a ball thrown into it: momentum is kept to rounding, and
/// energy goes.
TEST(Sph, KeepsMomentumAndTakesEnergy) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.52, 0.52, 0.52}, 0.01);
  scene.fills[0].velocity_spread = 0.2;
  test::add_ball(scene, 0.04, {0.35, 0.46, 0.46}, 2500).velocity = {1, 0, 0};
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  const auto all = [&] {
    const Body& ball = solver.bodies()[0];
    return solver.stats().momentum + ball.mass.mass * ball.velocity;
  };
  const auto energy = [&] {
    const Body& ball = solver.bodies()[0];
    const Vec3d spin = ball.angular_velocity;
    return solver.stats().kinetic + 0.5 * ball.mass.mass * ball.velocity.dot(ball.velocity) +
           0.5 * spin.dot(ball.state.angular_momentum);
  };
  const Vec3d start = all();
  double before = energy();
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(test::advance(solver, 0.01 * k), "");
    EXPECT_LT((all() - start).length(), 1e-12 * start.length()) << k;
    EXPECT_LE(energy(), before * (1 + 1e-3)) << k;
    before = energy();
  }
  EXPECT_LT(solver.bodies()[0].velocity.x, 0.95);
}

/// Sand does not hold together: two halves that part feel nothing of each other.
TEST(Sph, SandThatPartsFeelsNothing) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.46, 0.52, 0.52}, 0.01);
  scene.fills[0].velocity = {-1, 0, 0};
  test::add_sand(scene, {0.46, 0.4, 0.4}, {0.52, 0.52, 0.52});
  scene.fills[1].velocity = {1, 0, 0};
  for (Fill& fill : scene.fills) fill.packing = Packing::lattice;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.05), "");
  for (const Vec3d& v : solver.state().velocity) EXPECT_NEAR(std::abs(v.x), 1, 1e-6);
}

/// The floor bears what lies on it.
TEST(Sph, FloorBearsTheWeight) {
  Scene scene = test::under_sph(test::sand_tank({0.16, 0.16, 0.4}, 0.01, 30));
  test::add_sand(scene, {0, 0, 0}, {0.16, 0.16, 0.1});
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.3), "");
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 0.5), "");
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  double down = 0;
  for (const BodyRow& row : rows) down -= row.force.z;
  const double weight = 9.81 * solver.stats().mass;
  EXPECT_NEAR(down, weight, 0.01 * weight);
}

/// What is alone bears nothing, whatever pressed it before: here a shelf that is taken away.
TEST(Sph, AParticleAloneIsWithoutPressure) {
  Scene scene = test::under_sph(test::sand_tank({0.2, 0.2, 2}, 0.01, 30));
  test::add_point(scene, {0.1, 0.1, 1.205});
  BodyDefinition shelf;
  shelf.name = "shelf";
  shelf.shape = test::box_shape({0.1, 0.1, 0.1}, {0.1, 0.1, 1.15});
  shelf.remove = 0.2;
  scene.bodies.push_back(shelf);
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.2), "");
  EXPECT_GT(solver.state().stress[0].pressure, 0);
  ASSERT_EQ(test::advance(solver, 0.3), "");
  EXPECT_EQ(solver.state().stress[0].pressure, 0);
}

TEST(Sph, ABallPressesNothingThroughTheFloor) {
  Scene scene = test::under_sph(test::sand_tank({0.2, 0.2, 0.4}, 0.01, 30));
  test::add_sand(scene, {0, 0, 0}, {0.2, 0.2, 0.04});
  test::add_ball(scene, 0.05, {0.08, 0.1, 0.1}, 7800).velocity = {3, 0, -10};
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(test::advance(solver, 0.002 * k), "");
    for (const Vec3d& x : solver.state().position) ASSERT_GT(x.z, 0) << k;
  }
  EXPECT_EQ(solver.state().escaped, 0U);
}

TEST(Sph, RefusesLiquids) {
  Scene scene = test::tank_scene({0.2, 0.2, 0.2}, 0.01);
  scene.solver.type = SolverKind::sph;
  test::add_water(scene, {0, 0, 0}, {0.1, 0.1, 0.1});
  Threads threads(1);
  EXPECT_THROW(SphSolver(scene, threads, {}), Error);
}

}  // namespace
}  // namespace repose
