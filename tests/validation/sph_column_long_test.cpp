// Columns of sand that collapse under sph, in full.
//
// Planar. Runout over length: experiments have 1.2 a (Lube et al. 2005) to 1.8 a (Lajeunesse et al.
// 2005), continua with mu(I) 2.2 a (Lagree, Staron and Popinet 2011). Ours is between 1.2 a and 2.2 a. Its
// exponent in a, from 0.5 to 2, is within 0.15 of 1. Less friction runs further.
//
// Round. (r - R) / R of experiments is 1.24 a (Lube et al. 2004), within 25 %. Below a = 0.74 the
// middle is not reached and keeps its height, within 15 %.

#include <cmath>

#include "support/figure.h"
#include "support/sph_columns.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SphColumnLong, PlanarOnesRunAsFarAsSandDoes) {
  Threads threads(1);
  std::vector<double> runouts;
  for (const double aspect : {0.5, 1.0, 2.0}) {
    const double runout = test::collapse_of({.aspect = aspect}, threads).runout;
    RecordProperty("runout_at_" + test::figure(aspect), test::figure(runout));
    EXPECT_GT(runout, 1.2 * aspect);
    EXPECT_LT(runout, 2.2 * aspect);
    runouts.push_back(runout);
  }
  const double exponent = std::log(runouts[2] / runouts[0]) / std::log(4.0);
  RecordProperty("exponent", test::figure(exponent));
  EXPECT_NEAR(exponent, 1, 0.15);
}

TEST(SphColumnLong, LessFrictionRunsFurther) {
  Threads threads(1);
  const double at_20 = test::collapse_of({.angle = 20}, threads).runout,
               at_30 = test::collapse_of({.angle = 30}, threads).runout,
               at_40 = test::collapse_of({.angle = 40}, threads).runout;
  RecordProperty("at_20", test::figure(at_20));
  RecordProperty("at_40", test::figure(at_40));
  EXPECT_GT(at_20, 1.1 * at_30);
  EXPECT_GT(at_30, 1.1 * at_40);
}

class SphRoundColumn : public testing::TestWithParam<double> {};

TEST_P(SphRoundColumn, RunsAsFarAsSandDoes) {
  Threads threads(1);
  const double aspect = GetParam();
  const test::Spread found =
      test::collapse_of({.is_round = true, .aspect = aspect, .size = aspect < 1 ? 14 : 20}, threads);
  RecordProperty("runout", test::figure(found.runout));
  RecordProperty("height", test::figure(found.height));
  EXPECT_NEAR(found.runout, 1.24 * aspect, 0.25 * 1.24 * aspect);
  if (aspect < 0.74) {
    EXPECT_NEAR(found.height, aspect, 0.15 * aspect);
  }
}

INSTANTIATE_TEST_SUITE_P(Aspects, SphRoundColumn, testing::Values(0.5, 1.0));

}  // namespace
}  // namespace repose
