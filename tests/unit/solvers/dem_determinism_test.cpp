// The same bits for any number of threads, any skin, any order in memory and after any interruption, on a
// scene with all that moves: grains of two sizes, an emitter, a sink, a paddle that turns.

#include <memory>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

Scene busy_scene() {
  Scene scene = test::box_scene("tetrahedron", {0.06, 0.06, 0.12}, 0.006);
  scene.materials[0].sizes = {{1.0, 0.5}, {0.7, 0.5}};
  scene.materials[0].young = 5e5;
  test::add_fill(scene, test::box_shape({0.06, 0.06, 0.03}, {0.03, 0.03, 0.016}));
  scene.fills[0].velocity = {0.2, 0.1, -0.6};
  scene.fills[0].velocity_spread = 0.1;

  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "sand";
  emitter.shape = test::box_shape({0.03, 0.03, 0.02}, {0.03, 0.03, 0.075});
  emitter.rate = 0.3;
  emitter.velocity = {0, 0, -1.5};
  scene.emitters.push_back(emitter);

  Sink sink;
  sink.name = "drain";
  sink.shape = test::box_shape({0.02, 0.02, 0.008}, {0.01, 0.01, 0.004});
  scene.sinks.push_back(sink);

  BodyDefinition paddle;
  paddle.name = "paddle";
  paddle.shape = test::box_shape({0.04, 0.004, 0.02}, {0.03, 0.03, 0.05});
  paddle.motion = Motion::keyframed;
  paddle.keyframes.resize(2);
  paddle.keyframes[0].position = {0.03, 0.03, 0.05};
  paddle.keyframes[1].t = 0.02;
  paddle.keyframes[1].position = {0.03, 0.03, 0.015};
  paddle.keyframes[1].rotation = {0, 0, 90};
  scene.bodies.push_back(paddle);
  return scene;
}

/// The same with contacts that remember, of grains of two kinds, and a paddle covered with particles.
Scene sticky_scene() {
  Scene scene = busy_scene();
  scene.solver.dem.tangential = TangentialLaw::mindlin;
  scene.materials[0].rolling_friction = 0.1;
  scene.materials[0].cohesion = 50;
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].name = "shot";
  scene.materials[1].grain = "sphere";
  scene.materials[1].sizes = {{0.8, 1}};
  scene.emitters[0].material = "shot";
  scene.bodies[0].surface = BodySurface::particles;
  scene.bodies[0].particle_radius = 0.0012;
  return scene;
}

void run_frames(Solver& solver, int first, int last) {
  for (int frame = first; frame < last; ++frame)
    ASSERT_EQ(test::advance(solver, 0.0031 * (frame + 1)), "") << "frame " << frame;
}

std::uint64_t hash_of_run(const Scene& scene, int threads_count) {
  Threads threads(threads_count);
  DemSolver solver(scene, threads, {});
  run_frames(solver, 0, 6);
  return test::state_hash(solver);
}

TEST(DemDeterminism, SceneHasAllThatMoves) {
  Threads threads(2);
  DemSolver solver(busy_scene(), threads, {});
  const std::uint64_t before = solver.stats().particles;
  solver.begin_interval();
  run_frames(solver, 0, 6);
  Frame frame;
  solver.fill_frame(frame);
  EXPECT_GT(solver.state().next_id, before);      // emitted
  EXPECT_GT(solver.state().drained, 0U);          // drained
  EXPECT_GT(solver.stats().errors[1].value, 50);  // contacts
  EXPECT_GT(frame.bodies[0].force.length(), 0);   // the paddle pushes
}

TEST(DemDeterminism, MemoryOfContactsChangesNothingOfThis) {
  const Scene scene = sticky_scene();
  const std::uint64_t one = hash_of_run(scene, 1);
  EXPECT_EQ(one, hash_of_run(scene, 2));
  EXPECT_EQ(one, hash_of_run(scene, 5));
  Scene without_skin = scene;
  without_skin.solver.dem.skin = 0;
  EXPECT_EQ(one, hash_of_run(without_skin, 2)) << "skin";

  Threads threads(2);
  DemSolver whole(scene, threads, {});
  DemSolver broken(scene, threads, {});
  std::unique_ptr<DemSolver> part;
  for (int frame = 0; frame < 6; ++frame) {
    run_frames(whole, frame, frame + 1);
    Solver& other = part ? *part : broken;
    run_frames(other, frame, frame + 1);
    ArchiveWriter saved;
    other.save(saved);
    part = std::make_unique<DemSolver>(scene, threads, LogSink{});
    ArchiveReader reader(saved.bytes());
    part->load(reader);
    part->permute_memory(static_cast<std::uint64_t>(frame));
    EXPECT_EQ(test::state_hash(whole), test::state_hash(*part)) << "frame " << frame;
  }
  EXPECT_EQ(test::state_hash(whole), one);
}

TEST(DemDeterminism, ThreadsDoNotMatter) {
  const std::uint64_t one = hash_of_run(busy_scene(), 1);
  EXPECT_EQ(one, hash_of_run(busy_scene(), 2));
  EXPECT_EQ(one, hash_of_run(busy_scene(), 4));
}

TEST(DemDeterminism, SkinDoesNotMatter) {
  Scene scene = busy_scene();
  const std::uint64_t usual = hash_of_run(scene, 2);
  scene.solver.dem.skin = 0;
  EXPECT_EQ(usual, hash_of_run(scene, 2));
  scene.solver.dem.skin = 0.7;
  EXPECT_EQ(usual, hash_of_run(scene, 2));
}

// Chunks of grains keep account of their own travel: one at rest must notice another that comes along.
TEST(DemDeterminism, SkinDoesNotMatterWhereFastGrainsMeetSlowOnes) {
  Scene scene = test::box_scene("sphere", {0.1, 0.04, 0.04}, 0.003);
  scene.materials[0].young = 5e5;
  scene.info.gravity = {0, 0, 0};
  test::add_fill(scene, test::box_shape({0.036, 0.036, 0.036}, {0.02, 0.02, 0.02}));
  test::add_fill(scene, test::box_shape({0.036, 0.036, 0.036}, {0.06, 0.02, 0.02}));
  scene.fills[1].name = "at rest";
  scene.fills[0].velocity = {2, 0, 0};
  const std::uint64_t usual = hash_of_run(scene, 2);
  scene.solver.dem.skin = 0;
  EXPECT_EQ(usual, hash_of_run(scene, 2));
}

// In the busy scene what the paddle does would hide lists that are kept too long for the grains, and the
// other way round; so each alone as well.
TEST(DemDeterminism, SkinDoesNotMatterToGrainsAlone) {
  Scene scene = test::box_scene("tetrahedron", {0.06, 0.06, 0.12}, 0.006);
  scene.materials[0].young = 5e5;
  test::add_fill(scene, test::box_shape({0.06, 0.06, 0.03}, {0.03, 0.03, 0.02}));
  scene.fills[0].velocity = {0.3, 0.2, -1};
  const std::uint64_t usual = hash_of_run(scene, 2);
  scene.solver.dem.skin = 0;
  EXPECT_EQ(usual, hash_of_run(scene, 2));
}

TEST(DemDeterminism, SkinDoesNotMatterToABodyThatComesFast) {
  Scene scene = test::void_scene("sphere", 0.006);
  scene.materials[0].young = 5e5;
  test::add_point(scene, Vec3d(0));
  BodyDefinition hammer;
  hammer.name = "hammer";
  hammer.shape = test::box_shape(Vec3d(0.02), Vec3d(0));
  hammer.motion = Motion::keyframed;
  for (const double side : {-1.0, 1.0})
    hammer.keyframes.push_back({.t = 0.01 * (1 + side), .position = {0.02 * side, 0, 0}});
  scene.bodies.push_back(hammer);
  const std::uint64_t usual = hash_of_run(scene, 1);
  scene.solver.dem.skin = 0;
  EXPECT_EQ(usual, hash_of_run(scene, 1));
}

TEST(DemDeterminism, InterruptionDoesNotMatter) {
  const Scene scene = busy_scene();
  Threads threads(2);
  DemSolver first(scene, threads, {});
  run_frames(first, 0, 4);
  for (int extra = 0; extra < 7; ++extra) first.step(1);  // stop between frames
  ArchiveWriter saved;
  first.save(saved);

  DemSolver second(scene, threads, {});
  ArchiveReader reader(saved.bytes());
  second.load(reader);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(test::state_hash(second), saved.hash());
  run_frames(first, 4, 6);
  run_frames(second, 4, 6);
  EXPECT_EQ(test::state_hash(first), test::state_hash(second));
  EXPECT_EQ(first.stats().kinetic, second.stats().kinetic);
}

TEST(DemDeterminism, OrderInMemoryDoesNotMatter) {
  const Scene scene = busy_scene();
  Threads threads(2);
  DemSolver usual(scene, threads, {}), permuted(scene, threads, {});
  for (int frame = 0; frame < 6; ++frame) {
    run_frames(usual, frame, frame + 1);
    run_frames(permuted, frame, frame + 1);
    EXPECT_EQ(test::state_hash(usual), test::state_hash(permuted)) << "frame " << frame;
    permuted.permute_memory(static_cast<std::uint64_t>(frame));
    EXPECT_EQ(test::state_hash(usual), test::state_hash(permuted)) << "frame " << frame;
  }
}

TEST(DemDeterminism, SeedMatters) {
  Scene scene = busy_scene();
  const std::uint64_t one = hash_of_run(scene, 2);
  scene.info.seed = 2;
  EXPECT_NE(one, hash_of_run(scene, 2));
}

}  // namespace
}  // namespace repose
