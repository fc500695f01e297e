// Grains that come and go, and how a run is planned.

#include <algorithm>
#include <cmath>
#include <set>

#include "support/dem_scenes.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/solvers/dem/dem_setup.h"
#include "repose/solvers/dem/stiffness.h"

namespace repose {
namespace {

double least_gap(const DemState& state) {
  double least = 1;
  for (std::size_t a = 0; a < state.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      least = std::min(least,
                       (state.position[a] - state.position[b]).length() - state.radius[a] - state.radius[b]);
  return least;
}

Emitter spout(double rate, const Vec3d& velocity) {
  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "sand";
  emitter.shape = test::box_shape({0.04, 0.04, 0.02}, {0.05, 0.05, 0.15});
  emitter.rate = rate;
  emitter.velocity = velocity;
  return emitter;
}

TEST(DemFill, GrainsOfALatticeDoNotTouchAndStayInside) {
  for (const Packing packing : {Packing::lattice, Packing::jittered}) {
    Scene scene = test::box_scene("tetrahedron", Vec3d(0.1), 0.01);
    scene.materials[0].sizes = {{1, 0.5}, {0.5, 0.5}};
    test::add_fill(scene, test::box_shape(Vec3d(0.1), Vec3d(0.05)), packing);
    Threads threads(2);
    const Placement placement = make_dem_setup(scene, threads).placement;
    const DemState& state = placement.state;
    EXPECT_GT(state.size(), 500U);
    EXPECT_GE(least_gap(state), 0);
    for (std::size_t g = 0; g < state.size(); ++g)
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(state.position[g][axis], state.radius[g]);
        EXPECT_LE(state.position[g][axis], 0.1 - state.radius[g] + 1e-12);
      }
    // By mass half and half; by number eight small ones for a large one.
    const auto large = std::count(state.radius.begin(), state.radius.end(), 0.005);
    EXPECT_NEAR(static_cast<double>(large) / static_cast<double>(state.size()), 1.0 / 9, 0.04);
  }
}

TEST(DemFill, LeavesOutWhatWouldOverlapAnotherFillOrABody) {
  Scene scene = test::box_scene("sphere", Vec3d(0.1), 0.01);
  test::add_fill(scene, test::box_shape(Vec3d(0.1), Vec3d(0.05)));
  test::add_fill(scene, test::box_shape(Vec3d(0.06), Vec3d(0.05)));
  BodyDefinition post;
  post.name = "post";
  post.shape = test::box_shape({0.03, 0.03, 0.1}, Vec3d(0.05));
  scene.bodies.push_back(post);
  Threads threads(2);
  const DemSetup setup = make_dem_setup(scene, threads);
  EXPECT_EQ(setup.placement.fills[1].count, 0U);
  EXPECT_GT(setup.placement.fills[1].rejected, 10U);
  EXPECT_EQ(setup.model.warnings.size(), 2U);
  EXPECT_GE(least_gap(setup.placement.state), 0);
  for (const Vec3d& x : setup.placement.state.position)
    EXPECT_GE(setup.bodies.nearest(0, x).distance, 0.005 - 1e-12);
}

TEST(DemFill, OrientationsDifferUnlessGiven) {
  Scene scene = test::box_scene("tetrahedron", Vec3d(0.1), 0.01);
  test::add_fill(scene, test::box_shape(Vec3d(0.1), Vec3d(0.05)));
  Threads threads(1);
  DemState state = make_dem_setup(scene, threads).placement.state;
  Vec3d sum(0);
  for (const Quatd& q : state.orientation) {
    EXPECT_NEAR(q.length(), 1, 1e-12);
    sum += rotate(q, Vec3d(0, 0, 1));
  }
  EXPECT_LT(sum.length() / static_cast<double>(state.size()), 0.1);
  scene.fills[0].grain_rotation.emplace(0, 0, 90);
  state = make_dem_setup(scene, threads).placement.state;
  for (const Quatd& q : state.orientation)
    EXPECT_LT((rotate(q, Vec3d(1, 0, 0)) - Vec3d(0, 1, 0)).length(), 1e-12);
}

TEST(DemEmitter, BringsItsMassAtItsRate) {
  Scene scene = test::box_scene("sphere", {0.1, 0.1, 0.2}, 0.01);
  scene.emitters.push_back(spout(0.2, {0, 0, -1}));
  scene.emitters[0].start = 0.05;
  scene.emitters[0].stop = 0.25;
  scene.solver.dem.dt = 5e-5;
  Threads threads(2);
  DemSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.049), "");
  EXPECT_EQ(solver.stats().particles, 0U);
  const double grain = solver.model().materials[0].sizes[0].mass;
  ASSERT_EQ(test::advance(solver, 0.15), "");
  EXPECT_NEAR(solver.stats().mass, 0.2 * 0.1, 2 * grain + 0.2 * 0.005);
  ASSERT_EQ(test::advance(solver, 0.35), "");
  EXPECT_NEAR(solver.stats().mass, 0.2 * 0.2, grain);
  EXPECT_EQ(solver.stats().escaped, 0U);
}

TEST(DemEmitter, NewGrainsNeverOverlapAndWhatDoesNotFitWaits) {
  Scene scene = test::box_scene("sphere", {0.1, 0.1, 0.2}, 0.01);
  scene.info.gravity = Vec3d(0);
  scene.emitters.push_back(spout(50, Vec3d(0)));  // far more than the shape can hold
  scene.solver.dem.dt = 0.1;
  int warnings = 0;
  Threads threads(1);
  DemSolver solver(scene, threads,
                   [&](LogLevel level, std::string_view) { warnings += level == LogLevel::warning; });
  warnings = 0;
  for (int i = 0; i < 60; ++i) ASSERT_EQ(solver.step(1).failure, "");
  EXPECT_GT(solver.stats().particles, 5U);
  EXPECT_GE(least_gap(solver.state()), 0);
  EXPECT_GT(solver.state().emitters[0].owed, 1);
  EXPECT_EQ(warnings, 1);
}

TEST(DemSink, TakesGrainsInsideItWhileItIsOn) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0.5});
  test::add_point(scene, {1, 0, 0.5});
  Sink sink;
  sink.shape = test::box_shape({0.1, 0.1, 0.1}, {0, 0, 0.5});
  sink.start = 0.01;
  scene.sinks.push_back(sink);
  scene.solver.dem.dt = 1e-3;
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.01), "");
  EXPECT_EQ(solver.stats().particles, 2U);
  ASSERT_EQ(test::advance(solver, 0.012), "");
  EXPECT_EQ(solver.stats().particles, 1U);
  EXPECT_EQ(solver.state().drained, 1U);
  EXPECT_EQ(solver.stats().escaped, 0U);
}

TEST(DemDomain, CountsGrainsThatLeaveThroughOpenFaces) {
  Scene scene = test::box_scene("sphere", Vec3d(0.1), 0.01);
  test::add_point(scene, {0.05, 0.05, 0.09}, {0, 0, 3});
  test::add_point(scene, {0.05, 0.05, 0.05});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.03), "");
  EXPECT_EQ(solver.stats().particles, 1U);
  EXPECT_EQ(solver.stats().total, 2U);
  EXPECT_EQ(solver.stats().left, 1U);
  EXPECT_EQ(solver.stats().escaped, 0U);
}

TEST(DemDomain, TellsGrainsThatPassedAWallFromThoseThatLeft) {
  Scene scene = test::box_scene("sphere", Vec3d(0.1), 0.01);
  test::add_point(scene, {0.05, 0.05, 0.09}, {0, 0, 3});
  test::add_point(scene, {0.05, 0.05, 0.05});
  test::add_point(scene, {0.05, 0.15, 0.05});  // beyond a wall from the start
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.03), "");
  EXPECT_EQ(solver.stats().particles, 1U);
  EXPECT_EQ(solver.stats().total, 3U);
  EXPECT_EQ(solver.stats().left, 1U);
  EXPECT_EQ(solver.stats().escaped, 1U);
}

TEST(DomainExit, IsByAnOpenFaceWhereOneWasPassed) {
  Domain domain;
  domain.min = Vec3d(0);
  domain.max = Vec3d(1);
  for (unsigned open = 0; open < 6; ++open) {
    domain.faces.fill(FaceKind::wall);
    domain.faces[open] = FaceKind::open;
    const DomainBox box{domain.min, domain.max, {}};
    for (unsigned face = 0; face < 6; ++face) {
      Vec3d x(0.5);
      x[face / 2] = face % 2 == 0 ? -0.2 : 1.2;
      EXPECT_EQ(domain_exit(domain, box, x, 0.1), face == open ? DomainExit::open_face : DomainExit::wall);
      EXPECT_EQ(domain_exit(domain, box, x, 0.3), DomainExit::none);
      x[(face / 2 + 1) % 3] = 1.2;  // at an edge
      const bool by_open = face == open || 2 * ((face / 2 + 1) % 3) + 1 == open;
      EXPECT_EQ(domain_exit(domain, box, x, 0.1), by_open ? DomainExit::open_face : DomainExit::wall);
    }
  }
}

TEST(DemDomain, PeriodicFacesBringGrainsBack) {
  Scene scene = test::void_scene("sphere", 0.01);
  scene.domain.min = Vec3d(0);
  scene.domain.max = Vec3d(0.1);
  scene.domain.faces.fill(FaceKind::periodic);
  test::add_point(scene, {0.05, 0.05, 0.05}, {1, 0, -2});
  scene.solver.dem.dt = 1e-3;
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.12), "");
  EXPECT_NEAR(solver.state().position[0].x, 0.07, 1e-12);
  EXPECT_NEAR(solver.state().position[0].z, 0.01, 1e-12);
  EXPECT_EQ(solver.stats().escaped, 0U);
}

Scene poured_scene() {
  Scene scene = test::box_scene("tetrahedron", {0.1, 0.1, 0.2}, 0.01);
  scene.materials[0].young.reset();
  test::add_fill(scene, test::box_shape({0.1, 0.1, 0.05}, {0.05, 0.05, 0.05}));
  scene.emitters.push_back(spout(0.5, {0, 0, -1}));
  return scene;
}

TEST(DemStiffness, AutomaticModulusDoesNotDependOnDuration) {
  Threads threads(1);
  Scene scene = poured_scene();
  const DemModel a = make_dem_setup(scene, threads).model;
  scene.info.duration = 1000;
  const DemModel b = make_dem_setup(scene, threads).model;
  EXPECT_GT(a.materials[0].young, 0);
  EXPECT_EQ(a.materials[0].young, b.materials[0].young);
  EXPECT_EQ(a.dt, b.dt);
}

TEST(DemStiffness, FallsAndDepthsAskForStifferGrains) {
  Threads threads(1);
  const auto young = [&](double height, double fall) {
    Scene scene = test::box_scene("sphere", {0.1, 0.1, 3}, 0.01);
    scene.materials[0].young.reset();
    test::add_fill(scene, test::box_shape({0.1, 0.1, height}, {0.05, 0.05, fall + 0.5 * height}));
    return make_dem_setup(scene, threads).model.materials[0].young;
  };
  EXPECT_GT(young(0.1, 1), 5 * young(0.1, 0));
  EXPECT_GT(young(1, 0), 5 * young(0.1, 0));
}

TEST(DemStiffness, WeightAsksForStifferGrains) {
  Threads threads(1);
  const auto young = [&](double bulk_density) {
    Scene scene = test::box_scene("sphere", {0.1, 0.1, 3}, 0.01);
    scene.materials[0].young.reset();
    scene.materials[0].density = bulk_density;  // what lies above, whatever the grains themselves weigh
    test::add_fill(scene, test::box_shape(Vec3d(0.1), Vec3d(0.05)));
    return make_dem_setup(scene, threads).model.materials[0].young;
  };
  EXPECT_NEAR(young(2e8) / young(1e8), 2, 1e-9);
  EXPECT_GT(young(1e8), 5 * young(1600));
}

TEST(DemStiffness, OverlapsStayWithinWhatWasAllowed) {
  Scene scene = test::floor_scene("sphere", 0.01);
  scene.materials[0].young.reset();
  scene.domain.max.z = 1;
  test::add_point(scene, {0, 0, 0.5});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  double deepest = 0;
  while (solver.time() < 0.35) {
    ASSERT_EQ(solver.step(1).failure, "");
    deepest = std::max(deepest, solver.stats().errors[0].value);
  }
  EXPECT_LT(deepest, kAllowedOverlap);
  EXPECT_GT(deepest, 0.3 * kAllowedOverlap);
}

TEST(DemStep, SaysWhatLimitsItAndEndsFramesWithEqualSteps) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 5});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const double dt = solver.model().dt;
  StepReport report = solver.step(10.5 * dt);
  EXPECT_STREQ(report.limit, "contact stiffness");
  EXPECT_NEAR(report.dt, 10.5 / 11 * dt, 1e-12 * dt);
  report = solver.step(0.25 * dt);
  EXPECT_STREQ(report.limit, "frame");
  EXPECT_DOUBLE_EQ(report.dt, 0.25 * dt);

  scene.fills[0].velocity = {0, 0, 2000};
  DemSolver fast(scene, threads, {});
  EXPECT_STREQ(fast.step(1).limit, "speed");
  scene.solver.dem.dt = 1e-7;
  DemSolver given(scene, threads, {});
  report = given.step(1);
  EXPECT_STREQ(report.limit, "solver.dem.dt");
  EXPECT_NEAR(report.dt, 1e-7, 1e-15);
  EXPECT_TRUE(given.model().warnings.empty());
  scene.solver.dem.dt = 5 * dt;
  DemSolver too_long(scene, threads, {});
  EXPECT_EQ(too_long.model().warnings.size(), 1U);
}

TEST(DemStep, WarnsOfGrainsThatStartInsideOthers) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0.5});
  test::add_point(scene, {0.1, 0, 0.0048});  // in the floor
  std::string warning;
  Threads threads(1);
  DemSolver solver(scene, threads, [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::warning) warning = text;
  });
  EXPECT_NE(warning.find("grain 1"), std::string::npos) << warning;
}

TEST(DemStep, DeepestOverlapIsOfTheInterval) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0.00501}, {0, 0, -1});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 0.01), "");
  EXPECT_EQ(solver.stats().errors[1].value, 0);  // it is in the air again
  EXPECT_GT(solver.stats().errors[0].value, 1e-4);
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 0.011), "");
  EXPECT_EQ(solver.stats().errors[0].value, 0);
}

TEST(DemDomain, RefusesAPeriodicBoxTooSmallForTheGrains) {
  Scene scene = test::void_scene("sphere", 0.01);
  scene.domain.min = Vec3d(0);
  scene.domain.max = {0.02, 0.1, 0.1};
  scene.domain.faces.fill(FaceKind::periodic);
  test::add_point(scene, Vec3d(0.005));
  Threads threads(1);
  EXPECT_TRUE(
      test::refuses([&] { make_dem_setup(scene, threads); }, "the periodic domain is 0.02 m long along x"));
}

TEST(DemStep, TellsWhichGrainWentWrong) {
  Scene scene = test::void_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0});
  test::add_point(scene, {0.004, 0, 0});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const std::string failure = solver.step(1).failure;
  EXPECT_NE(failure.find("grain 0"), std::string::npos) << failure;
  EXPECT_NE(failure.find("young"), std::string::npos) << failure;
}

TEST(DemPlan, CountsGrainsAndMassWithoutRunning) {
  Threads threads(1);
  Scene scene = poured_scene();
  scene.info.duration = 2;
  const SolverPlan plan = plan_run(scene, threads);
  ASSERT_EQ(plan.fills.size(), 2U);
  EXPECT_EQ(plan.fills[0].name, "fill0");
  EXPECT_GT(plan.fills[0].particles, 100);
  EXPECT_NEAR(plan.fills[1].mass, 1, 1e-12);
  EXPECT_GT(plan.dt, 0);
  EXPECT_FALSE(plan.dt_limit.empty());
  EXPECT_GT(plan.memory_bytes, 1e5);
  EXPECT_GT(plan.frame_bytes, 1e4);
  EXPECT_FALSE(plan.notes.empty());
}

TEST(DemSettle, SourcesWaitForTimeZero) {
  Threads threads(1);
  Scene scene = poured_scene();
  scene.info.settle = 0.05;
  DemSolver solver(scene, threads, {});
  EXPECT_EQ(solver.time(), -0.05);
  const std::size_t placed = solver.state().size();
  ASSERT_EQ(test::advance(solver, -1e-6), "");
  EXPECT_EQ(solver.state().size(), placed) << "nothing comes or drains before 0";
  EXPECT_GT(solver.state().max_speed, 0.1) << "but matter moves";
  ASSERT_EQ(test::advance(solver, 0.05), "");
  EXPECT_NE(solver.state().size(), placed);
}

TEST(DemHeld, HeldGrainsSetNoTimeStep) {
  const auto dt_of = [](double held_diameter) {
    Scene scene = test::floor_scene("sphere", 0.01);
    test::add_rows(scene, std::vector<Vec3d>{{0, 0, 0.005}}, std::vector<Vec3d>{Vec3d(0)},
                   std::vector<Vec3d>{Vec3d(0)});
    scene.fills[0].rows.diameter = {held_diameter};
    scene.fills[0].fixed = true;
    test::add_point(scene, {0, 0, 0.02});
    return test::automatic_dt(scene);
  };
  EXPECT_EQ(dt_of(0.01), dt_of(0.02)) << "a wall is as stiff";
  EXPECT_NEAR(dt_of(0.001), dt_of(0.01), 0.3 * dt_of(0.01)) << "the small held grain is no light one";
}

TEST(DemFrame, HasItsColumnsWithoutAnyGrain) {
  Scene scene = test::floor_scene("sphere", 0.01);
  Threads threads(1);
  const DemSolver solver(scene, threads, {});
  Frame frame;
  solver.fill_frame(frame);
  EXPECT_EQ(frame.particle_count(), 0U);
  EXPECT_EQ(frame.kind, ParticleKind::grains);
}

}  // namespace
}  // namespace repose
