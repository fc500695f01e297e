// Slopes without end of few particles, that are tilted at once to two degrees below friction_angle.
// Reference: they stand. They may slide by less than a spacing while stress turns from that of level ground,
// and by less than a twentieth of one from 0.6 to 1 s after that: what is left there is a particle at the
// surface that rolls. Without a limit of friction that is held over a step, layers 26 deep of 32 to 38
// degrees and of 44 set out and went 7 to 16 spacings in that second.

#include <string>
#include <tuple>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

class SphSlopePatch : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(SphSlopePatch, StandsTwoDegreesBelowItsAngle) {
  const auto [depth, angle] = GetParam();
  const test::SphCreep creep = test::creep_after_tilt(test::slope_patch(angle, depth), angle - 2);
  RecordProperty("all", test::figure(creep.all));
  RecordProperty("last", test::figure(creep.last));
  EXPECT_LT(std::abs(creep.all), 1);
  EXPECT_LT(std::abs(creep.last), 0.05);
}
INSTANTIATE_TEST_SUITE_P(Depth, SphSlopePatch,
                         testing::Values(std::tuple{5, 20}, std::tuple{5, 34}, std::tuple{10, 44},
                                         std::tuple{26, 34}),
                         [](const auto& test) {
                           return std::to_string(std::get<0>(test.param)) + "_deep_" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace repose
