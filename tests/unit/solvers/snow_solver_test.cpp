// The snow solver as a whole: the same bits for any number of threads and after any interruption, zones, and
// what it refuses.

#include "repose/solvers/snow/snow_solver.h"

#include <algorithm>
#include <cmath>

#include "support/snow_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

/// Snow that a piston packs and a ball falls on, with more of it falling in and some of it taken away.
Scene busy_snow() {
  Scene scene = test::snow_tank({0.32, 0.2, 0.4}, 0.0125);
  test::add_snow(scene, {0, 0, 0}, {0.32, 0.2, 0.1});
  scene.materials[0].k_c = 3e4;
  scene.solver.snow.cfl = 0.6;  // speeds limit the step, so that it goes by the state
  test::add_piston(scene, test::box_shape({0.08, 0.08, 0.06}, {0.08, 0.1, 0.13}), {{0, 0.13}, {0.06, 0.1}});

  Emitter emitter;
  emitter.name = "cloud";
  emitter.material = "snow";
  emitter.shape = test::box_shape({0.06, 0.06, 0.04}, {0.24, 0.1, 0.3});
  emitter.rate = 0.3;
  emitter.velocity = {0, 0, -1};
  scene.emitters.push_back(emitter);

  Sink sink;
  sink.name = "thaw";
  sink.shape = test::box_shape({0.06, 0.06, 0.02}, {0.29, 0.03, 0.01});
  scene.sinks.push_back(sink);

  Zone wind;
  wind.name = "wind";
  wind.shape = test::box_shape({0.32, 0.2, 0.4}, {0.16, 0.1, 0.2});
  wind.drag = 5;
  wind.wind = {-1, 0, 0};
  scene.zones.push_back(wind);

  BodyDefinition ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.03;
  ball.shape.pose.position = {0.2, 0.1, 0.14};
  ball.motion = Motion::dynamic;
  ball.density = 400;
  scene.bodies.push_back(ball);
  return scene;
}

void run_frames(Solver& solver, int first, int last) {
  for (int frame = first; frame < last; ++frame)
    ASSERT_EQ(test::advance(solver, 0.03 * (frame + 1)), "") << "frame " << frame;
}

std::uint64_t hash_of_run(int thread_count) {
  Threads threads(thread_count);
  SnowSolver solver(busy_snow(), threads, {});
  run_frames(solver, 0, 2);
  return test::state_hash(solver);
}

TEST(SnowSolver, HasTheSameBitsForAnyNumberOfThreads) {
  const std::uint64_t expected = hash_of_run(2);
  EXPECT_EQ(hash_of_run(1), expected);
  EXPECT_EQ(hash_of_run(4), expected);
}

TEST(SnowSolver, GoesOnFromASavedState) {
  Threads threads(2);
  SnowSolver first(busy_snow(), threads, {});
  run_frames(first, 0, 1);
  first.step(0.007);
  EXPECT_GT(first.state().emitters[0].emitted, 0U);
  EXPECT_LT(test::mean_of(first.state().durability), 1);
  ArchiveWriter saved;
  first.save(saved);
  SnowSolver second(busy_snow(), threads, {});
  ArchiveReader reader(saved.bytes());
  second.load(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(test::state_hash(second), saved.hash());
  run_frames(first, 1, 2);
  run_frames(second, 1, 2);
  EXPECT_EQ(test::state_hash(first), test::state_hash(second));
}

/// Wind carries a flake along and lets it fall at g / drag; a bed does not move.
TEST(SnowSolver, AirCarriesPowderAndLeavesBeds) {
  Threads threads(2);
  Scene scene = test::snow_tank({2, 0.16, 2}, 0.01);
  scene.domain.friction.fill(0.5);
  test::add_snow(scene, {0, 0, 0}, {2, 0.16, 0.06});
  test::add_point(scene, {0.2, 0.08, 1.8});
  Zone wind;
  wind.name = "wind";
  wind.shape = test::box_shape({2, 1, 2}, {1, 0.08, 1});
  wind.drag = 10;
  wind.wind = {2, 0, 0};
  scene.zones.push_back(wind);
  SnowSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.6), "");
  double bed = 0;
  std::size_t flakes = 0;
  for (std::size_t p = 0; p < solver.state().size(); ++p) {
    const Vec3d v(solver.state().velocity[p]);
    if (solver.state().position[p].z > 0.2) {
      ++flakes;
      EXPECT_NEAR(v.x, 2, 0.05);
      EXPECT_NEAR(v.z, -0.981, 0.05);
    } else {
      bed = std::max(bed, v.length());
    }
  }
  EXPECT_GT(flakes, 0U);
  EXPECT_LT(bed, 5e-3);
}

/// Whatever the direction of its velocity, an emitter lets snow fall from all of its shape.
TEST(SnowSolver, SnowFallsFromAllOfACloud) {
  Threads threads(2);
  Scene scene = test::snow_tank({1, 0.4, 1}, 0.0125);
  Emitter cloud;
  cloud.name = "cloud";
  cloud.material = "snow";
  cloud.shape = test::box_shape({0.8, 0.2, 0.05}, {0.5, 0.2, 0.9});
  cloud.rate = 0.2;
  cloud.velocity = {0.3, 0, -0.8};
  scene.emitters.push_back(cloud);
  SnowSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.2), "");
  double sum = 0, square = 0;
  for (const Vec3d& x : solver.state().position) sum += x.x, square += x.x * x.x;
  const auto n = static_cast<double>(solver.state().size());
  ASSERT_GT(n, 100);
  EXPECT_NEAR(sum / n, 0.53, 0.04);
  EXPECT_NEAR(std::sqrt(square / n - sum * sum / (n * n)), 0.8 / std::sqrt(12.0), 0.03);
}

TEST(SnowSolver, RefusesWhatItCannotDo) {
  Threads threads(1);
  const auto message = [&](const Scene& scene) {
    try {
      make_solver(scene, threads, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_scene);
      return std::string(error.what());
    }
    return std::string();
  };
  Scene scene = busy_snow();
  EXPECT_EQ(message(scene), "");
  Scene sand = scene;
  sand.materials[0].kind = MaterialKind::granular;
  EXPECT_NE(message(sand).find("does snow alone"), std::string::npos);
  Scene two = scene;
  two.materials.push_back(two.materials[0]);
  two.materials[1].name = "other";
  two.fills[0].material = "other";
  EXPECT_NE(message(two).find("takes one material"), std::string::npos);
  Scene dense = scene;
  dense.materials[0].density = 700;
  EXPECT_NE(message(dense).find("must be above density"), std::string::npos);
  Scene wet = scene;
  wet.zones[0].wetness_rate = 0.1;
  EXPECT_NE(message(wet).find("knows no wetness"), std::string::npos);
}

}  // namespace
}  // namespace repose
