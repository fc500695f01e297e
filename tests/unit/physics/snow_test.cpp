#include "repose/physics/snow.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

SnowCompaction<double> fresh() {
  SnowCompaction<double> snow{.d_0 = 1, .k_q = 1 / 699e3, .p_0 = 1e3};
  snow.exponent = snow_exponent(snow.d_0, snow.k_q, snow.p_0, 200.0, 650.0);
  return snow;
}

TEST(Snow, TheExponentJoinsBothEnds) {
  // ln 700 / ln 3.25
  EXPECT_NEAR(fresh().exponent, 5.5581, 1e-4);
  EXPECT_NEAR(snow_strength(fresh(), 1.0), 1e3, 1e-9);
  EXPECT_NEAR(snow_strength(fresh(), 650.0 / 200), 700e3, 1e-6);
}

TEST(Snow, DurabilityAndDensityLimitAreInverse) {
  for (const double density : {1.0, 1.3, 2.0, 2.7, 3.2}) {
    const double d = snow_durability(fresh(), snow_strength(fresh(), density));
    EXPECT_NEAR(snow_density_limit(fresh(), d), density, 1e-12);
  }
}

TEST(Snow, NothingBreaksBelowTheStrengthOfFallenSnow) {
  EXPECT_EQ(snow_durability(fresh(), 0.0), 1);
  EXPECT_EQ(snow_durability(fresh(), 1e3), 1);
  EXPECT_LT(snow_durability(fresh(), 1.1e3), 1);
  EXPECT_EQ(snow_durability(fresh(), 1e9), 0);
  EXPECT_EQ(snow_density_limit(fresh(), 1.0), 1);
}

TEST(Snow, DamagedSnowPassesOnMoreAndHoldsBetter) {
  EXPECT_DOUBLE_EQ(snow_velocity_transfer(0.2, 0.5, 1.0, 1.0), 0.2);
  EXPECT_DOUBLE_EQ(snow_velocity_transfer(0.2, 0.5, 1.0, 0.2), 0.6);
  EXPECT_DOUBLE_EQ(snow_velocity_transfer(0.2, 5.0, 1.0, 0.2), 1);
  EXPECT_DOUBLE_EQ(snow_cohesion(20.0, 100.0, 1.0, 0.4), 80);
}

TEST(Snow, LooseSnowHasNoBonds) {
  EXPECT_EQ(snow_bond(0.5), 0);
  EXPECT_EQ(snow_bond(0.8), 0);
  EXPECT_NEAR(snow_bond(0.9), 0.5, 1e-12);
  EXPECT_EQ(snow_bond(1.0), 1);
  EXPECT_EQ(snow_bond(1.2), 1);
}

}  // namespace
}  // namespace repose
