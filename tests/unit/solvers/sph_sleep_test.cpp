// Who wakes under sph where others have left.

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
  int awake = 0;
  for (std::size_t p = 0; p < state.size(); ++p) {
    const Vec3d d = setup.model.matter.box.minimum_image(state.position[p] - place);
    const double far = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    if (d.length() < 2 * kSpacing) {
      EXPECT_EQ(state.calm[p], 0) << d;
    }
    if (far > 4 * kSpacing) {
      EXPECT_EQ(state.calm[p], 100) << d;
    }
    awake += state.calm[p] == 0 ? 1 : 0;
  }
  EXPECT_GT(awake, 100);
}

TEST(SphSleepers, WakeWhereOthersLeave) { expect_awake_around({0.07, 0.075, 0.07}); }

TEST(SphSleepers, WakeThroughPeriodicFaces) {
  expect_awake_around({0.003, 0.075, 0.07});
  expect_awake_around({0.157, 0.158, 0.07});
}

}  // namespace
}  // namespace repose
