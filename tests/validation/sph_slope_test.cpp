// Slopes without end of few particles, tilted at once to two degrees below and above friction_angle,
// on a floor that is rougher than the sand. sph_slope_long_test.cpp has the whole sweep of angles and depths.
//
// Reference: below they stand. They may slide by less than a spacing while stress turns from that of level
// ground, and by less than a twentieth of one from 0.6 to 1 s after that: what is left there is a particle at
// the surface that rolls. Above they flow with g (sin b - tan(friction_angle) cos b), within 10 %. That is a
// small difference of large numbers: friction within 1 %.

#include <cmath>
#include <string>
#include <tuple>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// What a layer without end on a slope of `tilt` has due, of sand that stands at `angle` [deg] [m/s2].
double acceleration_due(double angle, double tilt) {
  const double b = radians(tilt);
  return 9.81 * (std::sin(b) - std::tan(radians(angle)) * std::cos(b));
}

using SlopeCase = std::tuple<int, int>;  ///< particles deep; angle [deg]

std::string name_of(const testing::TestParamInfo<SlopeCase>& test) {
  return std::to_string(std::get<0>(test.param)) + "_deep_" + std::to_string(std::get<1>(test.param));
}

class SphSlopeBelow : public testing::TestWithParam<SlopeCase> {};

TEST_P(SphSlopeBelow, Stands) {
  const auto [depth, angle] = GetParam();
  const test::SphCreep creep = test::creep_after_tilt(test::slope_patch(angle, depth), angle - 2);
  RecordProperty("all", test::figure(creep.all));
  RecordProperty("last", test::figure(creep.last));
  EXPECT_LT(std::abs(creep.all), 1);
  EXPECT_LT(std::abs(creep.last), 0.05);
}
INSTANTIATE_TEST_SUITE_P(Patch, SphSlopeBelow,
                         testing::Values(SlopeCase{5, 20}, SlopeCase{10, 44}, SlopeCase{26, 34}), name_of);

class SphSlopeAbove : public testing::TestWithParam<SlopeCase> {};

TEST_P(SphSlopeAbove, FlowsWithWhatGravityLeaves) {
  const auto [depth, angle] = GetParam();
  const double due = acceleration_due(angle, angle + 2);
  const double found =
      test::slide_after_tilt(test::slope_patch(angle, depth), angle + 2, 0.7, 0.7).acceleration;
  RecordProperty("of_due", test::figure(found / due));
  EXPECT_NEAR(found, due, 0.1 * due);
}
INSTANTIATE_TEST_SUITE_P(Patch, SphSlopeAbove,
                         testing::Values(SlopeCase{5, 20}, SlopeCase{5, 30}, SlopeCase{10, 38},
                                         SlopeCase{26, 34}),
                         name_of);

}  // namespace
}  // namespace repose
