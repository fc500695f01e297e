// Columns of grains that are let go, in full: three seeds, at the solver's own time step and at half of it.
//
// A-16, planar, between periodic sides: (L - L0) / L0 within [0.85 x Lube 2005, 1.15 x 2.2 a], Lube: 1.2 a
// for a < 1.8 and 1.9 a^(2/3) for a > 2.8; 2.2 a is the continuum with mu(I) (Lagree, Staron and Popinet
// 2011): a = 1: 1.0 to 2.5, a = 2: 2.0 to 5.1, a = 4: 4.1 to 10.1. The bands are wide, since experiments
// disagree by half; so also: the exponent of a fit over a = 0.5, 1, 2 is 1.0 +- 0.15, and the runout falls
// when friction rises.
//
// A-15, round: (r - R) / R is 1.24 a for a < 1.7 and 1.6 sqrt(a) above (Lube et al. 2004, as recalled, not
// opened). Band as above: 0.85 to 1.15 of it, with r the distance that holds 99 % of the grains. Columns of
// tetrahedra eight diameters wide do not reach it: one seed gave 0.91 at a = 1 (Lube: 1.24) and 0.41 at a =
// 0.5 (Lube: 0.62). An expected failure, and only a part of it is understood: a cone has a hundredth of its
// volume outside of 94 % of its radius, so this measure stays behind where the slope of the deposit meets the
// floor by 0.06 (1 + runout), and by more where the foot is hollow; there it is 1.18 at a = 1, but 0.76 at a
// = 0.5, where the column is four diameters high. Spheres, which run out flat, gave 1.23 at a = 1.
//
// Planar columns are 20 diameters long where the exponent is taken. Shorter ones stay behind when they are
// low: one seed gave a runout of 0.435 at a = 0.5 with 10 diameters and 0.535 with 20 (Lube: 0.6).

#include <cmath>
#include <map>
#include <string>

#include "support/collapse.h"
#include "support/figure.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

class ColumnCollapse : public testing::TestWithParam<double> {
 protected:
  /// Mean over three seeds.
  test::Deposit mean(test::Column column) {
    test::Deposit out;
    column.dt_factor = GetParam();
    column.tangential = TangentialLaw::spring;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      column.seed = seed;
      const test::Deposit one = test::collapse(column);
      EXPECT_EQ(one.failure, "");
      out.runout += one.runout / 3;
      out.toe += one.toe / 3;
      out.height += one.height / 3;
      out.angle += one.angle / 3;
    }
    return out;
  }
};

TEST_P(ColumnCollapse, Planar) {
  std::map<double, double> runout;
  for (const double a : {0.5, 1.0, 2.0, 4.0}) {
    runout[a] = mean({.aspect = a, .length = a > 2 ? 10.0 : 20.0}).runout;
    RecordProperty("runout_" + std::to_string(static_cast<int>(10 * a)), test::figure(runout[a]));
  }
  EXPECT_GT(runout[1], 1.0);
  EXPECT_LT(runout[1], 2.5);
  EXPECT_GT(runout[2], 2.0);
  EXPECT_LT(runout[2], 5.1);
  EXPECT_GT(runout[4], 4.1);
  EXPECT_LT(runout[4], 10.1);
  // Least squares of log runout over log a at three places that are evenly spaced: the outer two decide.
  const double exponent = std::log(runout[2] / runout[0.5]) / std::log(4.0);
  RecordProperty("exponent", test::figure(exponent));
  EXPECT_NEAR(exponent, 1.0, 0.15);
}

TEST_P(ColumnCollapse, Round) {
  for (const double a : {0.5, 1.0}) {
    const test::Deposit deposit = mean({.round = true, .aspect = a, .length = 8});
    RecordProperty("toe_" + std::to_string(static_cast<int>(10 * a)), test::figure(deposit.toe));
    RecordProperty("front_" + std::to_string(static_cast<int>(10 * a)), test::figure(deposit.runout));
    EXPECT_LT(deposit.runout, 0.85 * 1.24 * a) << "an expected failure came right: gate it by the band";
    EXPECT_GT(deposit.runout, 0.6 * 1.24 * a);
    EXPECT_GT(deposit.toe, 0.85 * 1.24 * a);
  }
}

TEST_P(ColumnCollapse, RunsLessFarWithMoreFriction) {
  const double slippery = mean({.friction = 0.2}).runout, common = mean({.friction = 0.5}).runout,
               rough = mean({.friction = 0.8}).runout;
  RecordProperty("runout_friction_02", test::figure(slippery));
  RecordProperty("runout_friction_05", test::figure(common));
  RecordProperty("runout_friction_08", test::figure(rough));
  EXPECT_GT(slippery, common);
  EXPECT_GT(common, rough);
}

INSTANTIATE_TEST_SUITE_P(TimeStep, ColumnCollapse, testing::Values(1.0, 0.5),
                         [](const auto& test) { return std::string(test.param == 1 ? "Whole" : "Half"); });

}  // namespace
}  // namespace repose
