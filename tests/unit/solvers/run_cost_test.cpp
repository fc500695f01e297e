#include "repose/solvers/run_cost.h"

#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/scene/load.h"

namespace repose {
namespace {

/// Sand in a box that a ball stands in, with a spout above.
Scene sand(const std::string& solver, const std::vector<std::string>& set = {}) {
  const std::string text = R"([scene]
duration = 0.2
[domain]
min = [-0.5, -0.5, 0]
max = [0.5, 0.5, 1]
x = "wall"
y = "wall"
[solver]
type = ")" + solver + R"("
spacing = 0.05
[material.sand]
density = 1500
grain_density = 2600
grain = "sphere"
friction = 0.5
friction_angle = 30
young = 1e7
[fill.bed]
material = "sand"
shape = "box"
size = [2, 1, 0.5]
position = [0, 0, 0.25]
[fill.top]
material = "sand"
shape = "box"
size = [0.4, 0.4, 0.4]
position = [0, 0, 0.6]
packing = "jittered"
[body.ball]
shape = "sphere"
radius = 0.2
position = [0, 0, 0.3]
)";
  return parse_scene(text, "s.toml", "", set);
}

class RunCost : public testing::TestWithParam<std::string> {};

TEST_P(RunCost, CountsByVolumeWhatIsMade) {
  Threads threads(1);
  const Scene scene = sand(GetParam(), {GetParam() == "dem" ? "solver.spacing=0.1" : "solver.spacing=0.025"});
  const std::vector<double> expected = expected_fill_counts(scene, threads);
  const SolverPlan made = make_solver(scene, threads, {})->plan();
  ASSERT_EQ(expected.size(), 2U);
  // What reaches into the clearance of the ball is made or not; grains in 'top' stand in whole layers.
  EXPECT_NEAR(expected[0] / made.fills[0].particles, 1, 0.06);
  EXPECT_GT(expected[1], 0);
}

TEST_P(RunCost, PlansLargeScenesWithoutMakingThem) {
  Threads threads(1);
  const SolverPlan small = plan_run(sand(GetParam()), threads);
  EXPECT_FALSE(small.is_estimated);
  // 500 times finer: 125 million times as many, and more steps; nothing of that size is made.
  const SolverPlan large = plan_run(sand(GetParam(), {"solver.spacing=1e-4"}), threads);
  EXPECT_TRUE(large.is_estimated);
  EXPECT_NEAR(large.particles() / small.particles(), 1.25e8, 0.25 * 1.25e8);
  EXPECT_GT(large.memory_bytes, 1e11);
  EXPECT_GT(large.steps, 10 * small.steps);
  EXPECT_GT(large.seconds, 1e9 * small.seconds);
}

TEST_P(RunCost, RefusesARunBeforeItMakesAnything) {
  Threads threads(1);
  const auto refusal = [&](const char* spacing) -> std::string {
    try {
      make_solver(sand(GetParam(), {spacing}), threads, {});
      return "made";
    } catch (const Error& error) {
      return std::to_string(static_cast<int>(error.code())) + " " + error.what();
    }
  };
  const std::string many = refusal("solver.spacing=2e-4");
  EXPECT_EQ(many.find("3 --set solver.spacing=2e-4: the scene has about "), 0U) << many;
  EXPECT_NE(many.find("no more than 4.29 billion can be told apart: raise solver.spacing to "),
            std::string::npos)
      << many;
}

TEST_P(RunCost, ExpectsTheStepsOfAShortRun) {
  Threads threads(1);
  const Scene scene = sand(GetParam(), {"solver.spacing=0.1"});
  const auto solver = make_solver(scene, threads, {});
  const SolverPlan plan = solver->plan();
  EXPECT_EQ(plan.particles(), static_cast<double>(solver->stats().particles));
  EXPECT_EQ(plan.elements, static_cast<double>(solver->stats().elements));
  double steps = 0;
  for (int frame = 1; frame <= scene.frame_count(); ++frame)
    while (solver->time() < frame / scene.info.fps - 1e-9) {
      ASSERT_EQ(solver->step(frame / scene.info.fps - solver->time()).failure, "");
      ++steps;
    }
  EXPECT_GT(steps / plan.steps, 0.5);
  EXPECT_LT(steps / plan.steps, 2);
}

TEST_P(RunCost, TimeGrowsWithDurationParticlesAndBodies) {
  Threads threads(1);
  const SolverPlan once = plan_run(sand(GetParam()), threads);
  const SolverPlan twice = plan_run(sand(GetParam(), {"scene.duration=0.4"}), threads);
  EXPECT_GT(once.seconds, 0);
  EXPECT_NEAR(twice.steps / once.steps, 2, 0.25) << "a frame more or less";
  EXPECT_NEAR(twice.seconds / once.seconds, twice.steps / once.steps, 1e-6);
  const SolverPlan finer = plan_run(sand(GetParam(), {"solver.spacing=0.04"}), threads);
  EXPECT_GT(finer.seconds, once.seconds);
  const SolverPlan with_body = plan_run(
      sand(GetParam(), {"body.ball.motion=\"dynamic\"", "body.ball.density=2000", "body.ball.radius=0.2"}),
      threads);
  EXPECT_GT(with_body.seconds / with_body.steps, once.seconds / once.steps);
}

TEST(RunCostSteps, AreLongerOnceSandHasComeToRest) {
  const Scene bed = sand("sph");
  Scene poured = bed, water = bed;
  poured.emitters.emplace_back();
  poured.emitters[0].material = "sand";
  water.materials[0].kind = MaterialKind::fluid;
  EXPECT_LT(fast_share(bed), fast_share(poured));
  EXPECT_LT(fast_share(poured), fast_share(water));
  EXPECT_LE(fast_share(water), 1);
  EXPECT_GT(fast_share(bed), 0);
}

INSTANTIATE_TEST_SUITE_P(Solvers, RunCost, testing::Values("dem", "flip", "sph"),
                         [](const auto& solver) { return solver.param; });

TEST(RunCostEmitters, CountInTheMeanWhatTheyGive) {
  const Pouring pouring{.rate = 2, .start = 1, .stop = 3};
  EXPECT_NEAR(mean_poured_mass(pouring, 4), (0 + 2 * 2.0 + 4) / 4, 1e-3);
  EXPECT_NEAR(mean_poured_mass(pouring, 1), 0, 1e-12);
}

}  // namespace
}  // namespace repose
