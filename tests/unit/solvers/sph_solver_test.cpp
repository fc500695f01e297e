// The sph solver's invariants: what it keeps, what it never adds, and that its bits depend on nothing but the
// scene.

#include "repose/solvers/sph/sph_solver.h"

#include <cmath>

#include "support/refuses.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/archive.h"
#include "repose/core/error.h"
#include "repose/core/random.h"

namespace repose {
namespace {

Scene falling_scene() {
  Scene scene = test::under_sph(test::sand_tank({0.2, 0.2, 0.4}, 0.01, 30));
  test::add_sand(scene, {0.02, 0.02, 0.02}, {0.1, 0.12, 0.14});
  test::add_ball(scene, 0.03, {0.06, 0.06, 0.2}, 2500);
  scene.fills[0].wetness = 0.1;
  Zone rain;
  rain.shape = test::box_shape({0.1, 0.1, 0.1}, {0.1, 0.1, 0.1});
  rain.wetness_rate = 3;
  scene.zones.push_back(rain);
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
  const double weight = 9.81 * solver.stats().mass;
  EXPECT_NEAR(test::weight_borne(solver), weight, 0.01 * weight);
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

/// Two that fly at each other meet one spacing apart, and go on together.
TEST(Sph, SingleParticlesDoNotPassThroughEachOther) {
  Scene scene = test::sph_void_scene({0.9, 0.9, 0.9}, {0.95, 0.95, 0.95}, 0.01);
  scene.fills.clear();
  test::add_point(scene, {0.4, 0.5, 0.5});
  test::add_point(scene, {0.5, 0.504, 0.5});
  scene.fills[0].velocity = {1, 0, 0};
  scene.fills[1].velocity = {-0.5, 0, 0};
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  const double before = solver.stats().kinetic;
  const Vec3d momentum = solver.stats().momentum;
  double nearest = 1;
  for (int k = 1; k <= 100; ++k) {
    ASSERT_EQ(test::advance(solver, 0.001 * k), "");
    nearest = std::min(nearest, (solver.state().position[0] - solver.state().position[1]).length());
  }
  EXPECT_GT(nearest, 0.009);
  EXPECT_LT(nearest, 0.011);
  EXPECT_LT((solver.stats().momentum - momentum).length(), 1e-14 * momentum.length());
  EXPECT_LT(solver.stats().kinetic, 0.3 * before);
}

/// Two thin clouds that fly at each other, a fifth as dense as sand, do not pass through each other.
TEST(Sph, CloudsOfParticlesStopEachOther) {
  constexpr double kSpacing = 0.01;
  Scene scene = test::sph_void_scene({0.9, 0.9, 0.9}, {0.95, 0.95, 0.95}, kSpacing);
  scene.fills.clear();
  for (std::uint64_t k = 0; k < 432; ++k) {
    Random random(3, Stream::fill_position, 0, k);
    const double side = k % 2 == 0 ? -1 : 1, x = random.uniform(0.01, 0.11), y = random.uniform(-0.05, 0.05),
                 z = random.uniform(-0.05, 0.05);
    test::add_point(scene, {0.5 + side * x, 0.5 + y, 0.5 + z}, {-side, 0, 0});
  }
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  const double before = solver.stats().kinetic;
  ASSERT_EQ(test::advance(solver, 0.12), "");
  EXPECT_LT(solver.stats().kinetic, 0.5 * before);
}

TEST(Sph, RefusesLiquids) {
  Scene scene = test::tank_scene({0.2, 0.2, 0.2}, 0.01);
  scene.solver.type = SolverKind::sph;
  test::add_water(scene, {0, 0, 0}, {0.1, 0.1, 0.1});
  Threads threads(1);
  EXPECT_TRUE(test::refuses([&] { SphSolver(scene, threads, {}); }, "the sph solver does granular matter"));
}

TEST(SphModel, SaysWhereAFrictionAngleIsTakenOrOutOfReach) {
  Threads threads(1);
  const auto notes_with = [&](std::optional<double> angle, double cohesion) {
    Scene scene = test::under_sph(test::sand_layer(2, 0.01, 30, 0, 0.5));
    scene.materials[0].friction_angle = angle;
    scene.materials[0].cohesion = cohesion;
    return make_sph_setup(scene, threads).model.notes;
  };
  ASSERT_EQ(notes_with(std::nullopt, 0).size(), 1U);
  EXPECT_NE(notes_with(std::nullopt, 0)[0].find("is set to 30 degrees"), std::string::npos);
  EXPECT_TRUE(notes_with(radians(45), 0).empty());
  ASSERT_EQ(notes_with(radians(50), 0).size(), 1U);
  EXPECT_NE(notes_with(radians(50), 0)[0].find("is above 45 degrees"), std::string::npos);
  EXPECT_TRUE(notes_with(radians(50), 100).empty()) << "cohesion bears tension";
}

}  // namespace
}  // namespace repose
