// The flip solver as a whole: what it starts with, what comes and goes, and that the same scene gives the
// same bits for any number of threads, any order in memory and after any interruption.

#include "repose/solvers/flip/flip_solver.h"

#include <algorithm>
#include <cmath>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

Scene busy_scene() {
  Scene scene = test::tank_scene({0.32, 0.2, 0.4}, 0.0125);
  test::add_water(scene, {0, 0, 0}, {0.12, 0.2, 0.16});
  scene.fills[0].velocity_spread = 0.05;
  scene.solver.flip.cfl = 0.6;  // speeds limit the step, so that it goes by the state

  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "water";
  emitter.shape = test::box_shape({0.06, 0.06, 0.04}, {0.2, 0.1, 0.3});
  emitter.rate = 3;
  emitter.velocity = {0, 0, -1};
  scene.emitters.push_back(emitter);

  Sink sink;
  sink.name = "drain";
  sink.shape = test::box_shape({0.06, 0.06, 0.02}, {0.03, 0.03, 0.01});
  scene.sinks.push_back(sink);

  BodyDefinition paddle;
  paddle.name = "paddle";
  paddle.shape = test::box_shape({0.06, 0.1, 0.01}, {0.15, 0.1, 0.1});
  paddle.motion = Motion::moving;
  paddle.angular_velocity = {0, 5, 0};
  scene.bodies.push_back(paddle);

  test::add_ball(scene, 0.03, {0.05, 0.1, 0.14}, 400);
  return scene;
}

/// The same of sand.
Scene busy_sand(YieldLaw law) {
  Scene scene = busy_scene();
  scene.solver.flip.yield = law;
  scene.materials[0].kind = MaterialKind::granular;
  scene.materials[0].density = 1600;
  return scene;
}

void run_frames(Solver& solver, int first, int last) {
  for (int frame = first; frame < last; ++frame)
    ASSERT_EQ(test::advance(solver, 0.03 * (frame + 1)), "") << "frame " << frame;
}

std::uint64_t hash_of_run(const Scene& scene, int thread_count) {
  Threads threads(thread_count);
  FlipSolver solver(scene, threads, {});
  run_frames(solver, 0, 2);
  return test::state_hash(solver);
}

enum class Matter { water, sand, printed_sand };

class FlipMatter : public testing::TestWithParam<Matter> {
 protected:
  static Scene scene() {
    switch (GetParam()) {
      case Matter::water:
        break;
      case Matter::sand:
        return busy_sand(YieldLaw::coulomb);
      case Matter::printed_sand:
        return busy_sand(YieldLaw::paper);
    }
    return busy_scene();
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, FlipMatter,
                         testing::Values(Matter::water, Matter::sand, Matter::printed_sand));

TEST_P(FlipMatter, HasTheSameBitsForAnyNumberOfThreadsAndOrderInMemory) {
  const std::uint64_t expected = hash_of_run(scene(), 2);
  EXPECT_EQ(hash_of_run(scene(), 1), expected);
  EXPECT_EQ(hash_of_run(scene(), 4), expected);
  Threads threads(2);
  FlipSolver solver(scene(), threads, {});
  for (int frame = 0; frame < 2; ++frame) {
    solver.permute_memory(static_cast<std::uint64_t>(frame));
    run_frames(solver, frame, frame + 1);
  }
  EXPECT_EQ(test::state_hash(solver), expected);
  EXPECT_GT(solver.state().drained, 0U);
  EXPECT_GT(solver.state().emitters[0].emitted, 50U);
  EXPECT_EQ(solver.state().escaped, 0U);
}

TEST_P(FlipMatter, GoesOnFromASavedState) {
  Threads threads(2);
  FlipSolver first(scene(), threads, {});
  run_frames(first, 0, 1);
  first.step(0.007);
  ArchiveWriter saved;
  first.save(saved);
  FlipSolver second(scene(), threads, {});
  ArchiveReader reader(saved.bytes());
  second.load(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(test::state_hash(second), saved.hash());
  Frame a, b;
  first.fill_frame(a);
  second.fill_frame(b);
  EXPECT_EQ(a.scalars[1].values, b.scalars[1].values) << "frames are the same without another step";
  run_frames(first, 1, 2);
  run_frames(second, 1, 2);
  EXPECT_EQ(test::state_hash(first), test::state_hash(second));
}

TEST(Flip, EmitterGivesItsRateAndNothingIsCrowded) {
  Threads threads(2);
  Scene scene = busy_scene();
  scene.fills.clear();
  scene.sinks.clear();
  scene.bodies.clear();
  scene.emitters[0].stop = 0.1;
  FlipSolver solver(scene, threads, {});
  run_frames(solver, 0, 1);
  EXPECT_NEAR(solver.stats().mass, 0.09, 0.002);
  const FlipState& state = solver.state();
  EXPECT_LT(*std::max_element(state.density.begin(), state.density.end()), 1600);
  run_frames(solver, 1, 5);
  EXPECT_NEAR(solver.stats().mass, 0.3, 0.002);
}

TEST(Flip, SandTakesTheBlendItIsGiven) {
  // Also where it is what liquids have when none is given.
  Scene sand = busy_sand(YieldLaw::coulomb);
  const std::uint64_t by_default = hash_of_run(sand, 2);
  sand.solver.flip.blend = 0.95;
  EXPECT_NE(hash_of_run(sand, 2), by_default);
  sand.solver.flip.blend = 0.5;
  EXPECT_EQ(hash_of_run(sand, 2), by_default);
}

TEST(Flip, RefusesWhatItCannotDo) {
  Threads threads(1);
  const auto message = [&](const Scene& scene) {
    try {
      FlipSolver solver(scene, threads, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_scene);
      return std::string(error.what());
    }
    return std::string();
  };
  Scene scene = test::tank_scene({0.32, 0.32, 0.32}, 0.01);
  test::add_water(scene, {0, 0, 0}, {0.1, 0.1, 0.1});
  EXPECT_EQ(message(scene), "");
  Scene periodic = scene;
  periodic.domain.faces[0] = periodic.domain.faces[1] = FaceKind::periodic;
  EXPECT_EQ(message(periodic), "");
  periodic.domain.max.x = 0.35;
  EXPECT_NE(message(periodic).find("take 0.32 m, or a spacing of 0.0109375 m"), std::string::npos)
      << message(periodic);
  periodic.domain.faces[1] = FaceKind::open;
  EXPECT_NE(message(periodic).find("both faces must be periodic"), std::string::npos);
  Scene sand = scene;
  sand.materials[0].kind = MaterialKind::granular;
  EXPECT_EQ(message(sand), "");
  sand.materials.push_back(scene.materials[0]);
  sand.materials[1].name = "mud";
  sand.fills.push_back(sand.fills[0]);
  sand.fills[1].material = "mud";
  EXPECT_NE(message(sand).find("does not do sand and liquids in one scene"), std::string::npos);
  sand.materials[1].kind = MaterialKind::granular;
  sand.materials[1].friction_angle = 0.5;
  EXPECT_NE(message(sand).find("needs sand of one friction_angle"), std::string::npos);
  Scene snow = scene;
  snow.materials[0].kind = MaterialKind::snow;
  EXPECT_NE(message(snow).find("does not do snow"), std::string::npos);
  Scene held = scene;
  held.fills[0].fixed = true;
  EXPECT_NE(message(held).find("holds no particles"), std::string::npos);
  Scene oil = scene;
  oil.materials.push_back(oil.materials[0]);
  oil.materials[1].name = "oil";
  oil.materials[1].density = 900;
  oil.fills.push_back(oil.fills[0]);
  oil.fills[1].material = "oil";
  EXPECT_NE(message(oil).find("matter of one density"), std::string::npos);
  oil.materials[1].density = oil.materials[0].density;
  oil.materials[1].viscosity = 0.5;
  EXPECT_NE(message(oil).find("matter of one viscosity"), std::string::npos);
}

TEST(Flip, ThinWallsHold) {
  // A wall of one spacing across the tank, turned so that it lies along no axis of the grid.
  Threads threads(2);
  Scene scene = test::tank_scene({0.3, 0.12, 0.3}, 0.02);
  test::add_water(scene, {0, 0, 0}, {0.1, 0.12, 0.2});
  BodyDefinition wall;
  wall.name = "wall";
  wall.shape = test::box_shape({0.02, 0.6, 0.8}, {0.16, 0.06, 0.15});
  wall.shape.pose.rotation = rotation_from_degrees({0, 10, 12});
  scene.bodies.push_back(wall);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.4), "");
  std::size_t beyond = 0;
  for (const Vec3d& x : solver.state().position)
    if (solver.bodies()[0].pose.to_local(x).x > 0) ++beyond;
  EXPECT_EQ(beyond, 0U);
  EXPECT_GT(solver.stats().mass, 2.3);
}

TEST(Flip, NoLiquidAtABodyInTheAir) {
  Threads threads(1);
  Scene scene = test::tank_scene({0.32, 0.32, 0.32}, 0.01);
  test::add_water(scene, {0, 0, 0}, {0.32, 0.32, 0.08});
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.06;
  ball.shape.pose.position = {0.16, 0.16, 0.2};
  scene.bodies.push_back(ball);
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(solver.step(0.01).failure, "");
  const FlipScratch& scratch = solver.scratch();
  std::size_t liquid_above = 0;
  for (std::size_t i = 0; i < scratch.phi.size(); ++i) {
    const int z =
        8 * scratch.cells.tiles.coordinate(i / kTileCells).z + static_cast<int>(i % kTileCells / 64);
    if (z >= 5 && scratch.phi[i] < 0) ++liquid_above;
  }
  EXPECT_EQ(liquid_above, 0U);
}

TEST(Flip, LiquidCrossesAPeriodicFace) {
  Threads threads(2);
  Scene scene = test::tank_scene({0.32, 0.16, 0.32}, 0.01);
  for (const std::size_t face : {0, 1, 2, 3}) scene.domain.faces[face] = FaceKind::periodic;
  scene.info.gravity = Vec3d(0);
  test::add_water(scene, {0.2, 0, 0.1}, {0.3, 0.16, 0.2});
  scene.fills[0].velocity = {1, 0, 0};
  FlipSolver solver(scene, threads, {});
  const Vec3d before = solver.stats().momentum;
  ASSERT_EQ(test::advance(solver, 0.32), "");
  EXPECT_EQ(solver.state().escaped, 0U);
  EXPECT_NEAR(solver.stats().momentum.x, before.x, 1e-4 * before.x);
  for (const Vec3d& x : solver.state().position) {
    EXPECT_GE(x.x, 0);
    EXPECT_LT(x.x, 0.32);
  }
  // Once around: where it was.
  double mean = 0;
  for (const Vec3d& x : solver.state().position) mean += x.x;
  EXPECT_NEAR(mean / static_cast<double>(solver.state().size()), 0.25, 2e-3);
}

}  // namespace
}  // namespace repose
