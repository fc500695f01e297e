// Who sleeps under sph, and who wakes where others have left.

#include "repose/solvers/sph/sph_sleep.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kSpacing = 0.01;

/// All within the kernel's reach of the place, also through periodic faces, and none further than two cells.
void expect_awake_around(const Vec3d& place) {
  Threads threads(2);
  SphSetup setup = make_sph_setup(test::under_sph(test::sand_layer(8, kSpacing, 30, 0, 0.5)), threads);
  SphState& state = setup.state;
  std::fill(state.calm.begin(), state.calm.end(), 100.0F);
  wake_around(setup.model, std::array{place}, threads, state);
  int awake = 0, near = 0, away = 0;
  for (std::size_t p = 0; p < state.size(); ++p) {
    const Vec3d d = setup.model.matter.box.minimum_image(state.position[p] - place);
    const double far = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    if (d.length() < 2 * kSpacing) {
      EXPECT_EQ(state.calm[p], 0) << d;
      ++near;
    }
    if (far > 4 * kSpacing) {
      EXPECT_EQ(state.calm[p], 100) << d;
      ++away;
    }
    awake += state.calm[p] == 0 ? 1 : 0;
  }
  EXPECT_GT(awake, 100);
  EXPECT_GT(near, 10);
  EXPECT_GT(away, 100);
}

TEST(SphSleepers, WakeWhereOthersLeave) { expect_awake_around({0.07, 0.075, 0.07}); }

TEST(SphSleepers, WakeThroughPeriodicFaces) {
  expect_awake_around({0.003, 0.075, 0.07});
  expect_awake_around({0.157, 0.158, 0.07});
}

TEST(SphSleepers, AreSlowerThanTheSceneSays) {
  Threads threads(1);
  Scene scene = test::under_sph(test::sand_layer(8, kSpacing, 30, 0, 0.5));
  EXPECT_NEAR(sleep_speed(make_sph_setup(scene, threads).model), 0.02 * std::sqrt(9.81 * kSpacing), 1e-6);
  scene.solver.sph.sleep_speed = 0.3;
  EXPECT_EQ(sleep_speed(make_sph_setup(scene, threads).model), 0.3);
}

constexpr double kFast = 1;  ///< that all is slower than [m/s]

/// A particle that is slow all the time flies on where it turns.
TEST(SphSleepers, UnderThePapersLawAreNotInTheAir) {
  constexpr double kUp = 0.2, kTime = 0.05;
  Scene scene = test::as_printed(test::under_sph(test::sand_tank({0.1, 0.1, 0.2}, kSpacing, 30)), kFast);
  test::add_point(scene, {0.05, 0.05, 0.06}, {0.02, 0, kUp});
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, kTime), "");
  EXPECT_EQ(solver.stats().asleep, 0U);
  const double fall = 0.5 * 9.81 * kTime * (kTime + scene.solver.sph.dt);
  EXPECT_NEAR(solver.state().position[0].z, 0.06 + kUp * kTime - fall, 1e-5);
}

TEST(SphSleepers, UnderThePapersLawAreAllThatIsBorne) {
  Threads threads(2);
  const Scene layer = test::under_sph(test::sand_layer(8, kSpacing, 30, 0, 0.5));
  SphSolver solver(test::as_printed(layer, kFast), threads, {});
  ASSERT_EQ(test::advance(solver, 0.5), "");
  const SolverStats stats = solver.stats();
  EXPECT_GT(static_cast<double>(stats.asleep), 0.95 * static_cast<double>(solver.state().size()));
  EXPECT_GT(solver.state().slept_energy, 0);
}

}  // namespace
}  // namespace repose
