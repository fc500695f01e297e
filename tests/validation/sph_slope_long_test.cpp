// Slopes without end of more particles (sph_sand_test.cpp has small ones): 26 deep, 7 and 60 thousand.
// Reference: three degrees below friction_angle they stand, so in a second that begins 1.2 s after the ground
// was tilted they move by less than a tenth of a spacing; three above, they flow with the acceleration of an
// angle within one degree.
//
// So does one 60 particles deep. Those of few particles, tilted at once to two degrees below and above, as in
// support/sph_slopes.h: the angles that sph_slope_test.cpp leaves out of 26 deep, and all of 60 deep.

#include <cmath>
#include <string>

#include "support/figure.h"
#include "support/sph_slopes.h"

namespace repose {
namespace {

struct Case {
  double angle;  ///< [deg]
  int across;    ///< cells
};

class SphSlopeLong : public testing::TestWithParam<Case> {};

/// How far a layer on ground that is tilted at 0.2 s goes from 1.4 to 2.4 s [spacings].
double creep_after_tilt(int cells, int across, double angle, double tilt) {
  constexpr double kSpacing = 0.01;
  Threads threads(2);
  SphSolver solver(test::under_sph(test::sand_layer(cells, kSpacing, angle, 0, 10, across)), threads, {});
  EXPECT_EQ(test::advance(solver, 0.2), "");
  test::tilt_ground(solver, tilt);
  EXPECT_EQ(test::advance(solver, 1.4), "");
  double way = 0;
  constexpr int kPieces = 50;
  for (int k = 1; k <= kPieces; ++k) {
    EXPECT_EQ(test::advance(solver, 1.4 + 1.0 * k / kPieces), "");
    way += test::mean_speed(solver.state()) / kPieces;
  }
  return way / kSpacing;
}

TEST_P(SphSlopeLong, StandsAtItsFrictionAngle) {
  const auto [angle, across] = GetParam();
  const double creep = creep_after_tilt(13, across, angle, angle - 3);
  const test::SphSlide above = test::slide_after_tilt(
      test::under_sph(test::sand_layer(13, 0.01, angle, 0, 10, across)), angle + 3, 0.8, 0.8);
  const double moving = test::friction_angle_of(angle + 3, above.acceleration);
  RecordProperty("creep", test::figure(creep));
  RecordProperty("angle_while_moving", test::figure(moving));
  EXPECT_LT(std::abs(creep), 0.1);
  EXPECT_NEAR(moving, angle, 1);
}
INSTANTIATE_TEST_SUITE_P(Slope, SphSlopeLong,
                         testing::Values(Case{20, 8}, Case{30, 8}, Case{40, 8}, Case{20, 24}, Case{30, 24},
                                         Case{40, 24}),
                         [](const auto& test) {
                           return std::to_string(static_cast<int>(test.param.angle)) + "_of_" +
                                  (test.param.across == 8 ? "7000" : "60000");
                         });

TEST(SphDeepSlope, StopsBelowItsAngle) {
  const double creep = creep_after_tilt(30, 8, 30, 27);
  RecordProperty("creep", test::figure(creep));
  EXPECT_LT(std::abs(creep), 0.1);
}

class SphSlopeLongSweep : public test::SphSlopes {};

TEST_P(SphSlopeLongSweep, StandsBelowItsAngle) { stands_below(1.0); }
TEST_P(SphSlopeLongSweep, FlowsAboveItsAngle) { flows_above(0.8); }

INSTANTIATE_TEST_SUITE_P(Deep, SphSlopeLongSweep,
                         testing::Combine(testing::Values(26),
                                          testing::Values(20, 24, 26, 28, 30, 34, 38, 42)),
                         test::name_of);
INSTANTIATE_TEST_SUITE_P(Deepest, SphSlopeLongSweep,
                         testing::Combine(testing::Values(60), testing::Range(20, 46, 2)), test::name_of);

}  // namespace
}  // namespace repose
