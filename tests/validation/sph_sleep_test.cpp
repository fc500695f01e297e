// Sleeping under sph: what sleeps stays, what is pulled or pushed wakes, and results are those without it.
//
// Reference: the same scene with sleep off. A particle is slow below 0.02 sqrt(g spacing) and sleeps after 3
// sqrt(spacing / g), so what is left out is what accelerates by less than g / 150: 0.4 degrees of slope. A
// slope that slept flows two degrees above its angle with the acceleration that it has without sleep, within
// that much. A column that collapses ends with its centre of mass at the same height within 2 %, and a ball
// that falls on a bed that sleeps goes as deep within 10 %: each is a chaotic flow, run once.

#include "repose/solvers/sph/sph_sleep.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/archive.h"

namespace repose {
namespace {

std::uint64_t awake(const SphSolver& solver) { return solver.state().size() - solver.stats().asleep; }
/// All but single particles of its surface, which find their places late.
bool sleeps_as_a_whole(const SphSolver& solver) { return 100 * awake(solver) < solver.state().size(); }

bool all_sleep_deeply(const SphSolver& solver) {
  const std::vector<float>& calm = solver.state().calm;
  return *std::min_element(calm.begin(), calm.end()) > 2 * sleep_delay(solver.model());
}

/// A cone of sand, flatter than it could be.
Scene heap_scene() {
  Scene scene = test::under_sph(test::sand_tank({0.4, 0.4, 0.3}, 0.01, 35));
  Shape cone;
  cone.kind = ShapeKind::cone;
  cone.radius = 0.15, cone.height = 0.07;
  cone.pose.position = {0.2, 0.2, 0.035};
  test::add_sand(scene, cone);
  scene.solver.sph.sleep = true;
  return scene;
}

TEST(SphSleep, AHeapAsleepMovesNowhere) {
  Threads threads(2);
  SphSolver solver(heap_scene(), threads, {});
  // All of it has slept for a second: when the last fall asleep, others may still be stirred once more.
  double t = 0;
  for (int quiet = 0; quiet < 10 && t < 10; quiet = awake(solver) == 0 ? quiet + 1 : 0)
    ASSERT_EQ(test::advance(solver, t += 0.1), "");
  RecordProperty("asleep_after", test::figure(t));
  EXPECT_EQ(awake(solver), 0U);
  const auto places = [&] {
    std::vector<Vec3d> out;
    for (const std::uint32_t p : order_by_id(solver.state())) out.push_back(solver.state().position[p]);
    return out;
  };
  const std::vector<Vec3d> before = places();
  ASSERT_EQ(test::advance(solver, t + 10), "");
  EXPECT_TRUE(places() == before);
  EXPECT_EQ(awake(solver), 0U);
}

TEST(SphSleep, BitsDoNotDependOnThreadsMemoryOrResume) {
  Threads one(1), two(2);
  SphSolver first(heap_scene(), one, {}), second(heap_scene(), two, {});
  ASSERT_EQ(test::advance(first, 0.6), "");
  ASSERT_EQ(test::advance(second, 0.6), "");
  EXPECT_GT(first.stats().asleep, 800U);
  second.permute_memory(7);
  ArchiveWriter out;
  first.save(out);
  SphSolver resumed(heap_scene(), two, {});
  ArchiveReader in(out.bytes());
  resumed.load(in);
  for (SphSolver* solver : {&first, &second, &resumed}) ASSERT_EQ(test::advance(*solver, 0.8), "");
  EXPECT_EQ(test::state_hash(first), test::state_hash(second));
  EXPECT_EQ(test::state_hash(first), test::state_hash(resumed));
}

TEST(SphSleep, TheFloorStillBearsTheWeight) {
  Threads threads(2);
  SphSolver solver(heap_scene(), threads, {});
  ASSERT_EQ(test::advance(solver, 1.5), "");
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 2), "");
  const double weight = 9.81 * solver.stats().mass;
  EXPECT_NEAR(test::weight_borne(solver), weight, 0.02 * weight);
}

/// Mean acceleration of a layer over 0.4 s from 0.2 s after it was tilted, by `tilt` degrees.
double acceleration_of_a_slope(double tilt, bool sleeps, double& speed) {
  Scene scene = test::under_sph(test::sand_layer(5, 0.01, 30, 0, 10));
  scene.solver.sph.sleep = sleeps;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 2.5), "");
  EXPECT_EQ(sleeps_as_a_whole(solver), sleeps);
  test::tilt_ground(solver, tilt);
  EXPECT_EQ(test::advance(solver, 2.7), "");
  const double before = test::mean_speed(solver.state());
  EXPECT_EQ(test::advance(solver, 3.1), "");
  speed = test::mean_speed(solver.state());
  return (speed - before) / 0.4;
}

TEST(SphSleep, ASlopeWakesWhenItIsTooSteep) {
  double speed = 0;
  const double with = acceleration_of_a_slope(32, true, speed);
  const double without = acceleration_of_a_slope(32, false, speed);
  RecordProperty("with", test::figure(with));
  RecordProperty("without", test::figure(without));
  EXPECT_NEAR(with, without, 9.81 / 150);
  acceleration_of_a_slope(28, true, speed);
  EXPECT_LT(std::abs(speed), 1e-3);
}

double height_after_collapse(bool sleeps) {
  Scene scene = test::under_sph(test::sand_tank({0.6, 0.6, 0.3}, 0.01, 30));
  Shape column;
  column.kind = ShapeKind::cylinder;
  column.radius = 0.08, column.height = 0.12;
  column.pose.position = {0.3, 0.3, 0.06};
  test::add_sand(scene, column);
  scene.solver.sph.sleep = sleeps;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 1.5), "");
  EXPECT_EQ(sleeps_as_a_whole(solver), sleeps);
  return test::mean_height(solver.state());
}

TEST(SphSleep, AColumnEndsAsItDoesWithout) {
  const double with = height_after_collapse(true), without = height_after_collapse(false);
  RecordProperty("with", test::figure(with));
  RecordProperty("without", test::figure(without));
  EXPECT_NEAR(with, without, 0.02 * without);
}

struct Impact {
  double depth = 0;        ///< of the ball's lowest point below the bed's surface at the end [m]
  double undisturbed = 0;  ///< share of particles that slept all along
};

/// A ball falls on a bed that has slept.
Impact drop_a_ball(bool sleeps) {
  constexpr double kBall = 0.04;
  Scene scene = test::under_sph(test::sand_tank({0.48, 0.48, 0.8}, 0.02, 35));
  test::add_sand(scene, {0, 0, 0}, {0.48, 0.48, 0.16});
  BodyDefinition& ball = test::add_ball(scene, kBall, {0.24, 0.24, 0.3}, 2500);
  ball.release = 3;
  scene.solver.sph.sleep = sleeps;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 3), "");
  EXPECT_EQ(sleeps_as_a_whole(solver), sleeps);
  const auto delay = static_cast<float>(sleep_delay(solver.model()));
  std::vector<bool> has_slept(solver.state().size(), true);
  for (int k = 1; k <= 40; ++k) {
    EXPECT_EQ(test::advance(solver, 3 + 0.025 * k), "");
    for (std::size_t p = 0; p < solver.state().size(); ++p)
      if (solver.state().calm[p] < delay) has_slept[solver.state().id[p]] = false;
  }
  return {0.16 + kBall - solver.bodies()[0].pose.position.z,
          static_cast<double>(std::count(has_slept.begin(), has_slept.end(), true)) /
              static_cast<double>(has_slept.size())};
}

TEST(SphSleep, ABallWakesWhatItHits) {
  const Impact with = drop_a_ball(true), without = drop_a_ball(false);
  RecordProperty("with", test::figure(with.depth));
  RecordProperty("without", test::figure(without.depth));
  RecordProperty("undisturbed", test::figure(with.undisturbed));
  EXPECT_NEAR(with.depth, without.depth, 0.1 * without.depth);
  EXPECT_GT(with.undisturbed, 0.5);
  EXPECT_LT(with.undisturbed, 0.99);
}

/// All of a bed sleep deeply, those at its surface too: what comes near must wake them before it is there.
/// With sleep on or off, the bed stops it after the same way within 10 %.
TEST(SphSleep, ABallDoesNotFallThroughSleepers) {
  const auto height_after = [](bool sleeps) {
    Scene scene = test::under_sph(test::sand_tank({0.32, 0.32, 0.5}, 0.02, 35));
    test::add_sand(scene, {0, 0, 0}, {0.32, 0.32, 0.16});
    scene.fills[0].packing = Packing::lattice;
    test::add_ball(scene, 0.04, {0.16, 0.16, 0.25}, 2500).release = 0.8;
    scene.solver.sph.sleep = sleeps;
    Threads threads(2);
    SphSolver solver(scene, threads, {});
    EXPECT_EQ(test::advance(solver, 0.8), "");
    EXPECT_TRUE(all_sleep_deeply(solver));
    EXPECT_EQ(test::advance(solver, 1.2), "");
    return solver.bodies()[0].pose.position.z;
  };
  const double with = height_after(true), without = height_after(false), way = 0.25 - without;
  RecordProperty("with", test::figure(with));
  RecordProperty("without", test::figure(without));
  EXPECT_NEAR(with, without, 0.1 * way);
}

/// A wet block stands and sleeps; a zone dries its upper half, which touches no solid, and that comes down.
TEST(SphSleep, WhatAZoneDriesWakes) {
  Scene scene = test::under_sph(test::sand_tank({0.4, 0.4, 0.3}, 0.01, 30));
  test::add_sand(scene, {0.16, 0.16, 0}, {0.24, 0.24, 0.12});
  scene.fills[0].wetness = 0.3;
  scene.solver.sph.sleep = true;
  Zone sun;
  sun.name = "sun";
  sun.shape = test::box_shape({0.4, 0.4, 0.2}, {0.2, 0.2, 0.16});
  sun.wetness_rate = -10;
  sun.start = 2;
  scene.zones.push_back(sun);
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 2), "");
  ASSERT_TRUE(sleeps_as_a_whole(solver));
  const double before = test::mean_height(solver.state());
  ASSERT_EQ(test::advance(solver, 3), "");
  RecordProperty("height", test::figure(test::mean_height(solver.state()) / before));
  EXPECT_LT(test::mean_height(solver.state()), 0.9 * before);
}

/// A hole inside of a bed of which all sleep deeply: what stood over it goes. A lattice sleeps soon, and as a
/// whole; were a single particle awake, others would be stirred by it and not by the hole.
TEST(SphSleep, WhatIsUnderminedWakes) {
  Scene scene = test::under_sph(test::sand_tank({0.32, 0.32, 0.6}, 0.02, 35));
  test::add_sand(scene, {0, 0, 0}, {0.32, 0.32, 0.32});
  scene.fills[0].packing = Packing::lattice;
  scene.solver.sph.sleep = true;
  Sink hole;
  hole.name = "hole";
  hole.shape = test::box_shape(Vec3d(0.08), {0.16, 0.16, 0.16});
  hole.start = 0.8;
  scene.sinks.push_back(hole);
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.8), "");
  ASSERT_TRUE(all_sleep_deeply(solver));
  ASSERT_EQ(test::advance(solver, 1.3), "");
  RecordProperty("drained", std::to_string(solver.state().drained));
  EXPECT_GT(solver.state().drained, 90U) << "64 stood there";
}

}  // namespace
}  // namespace repose
