#include "repose/scene/grain_slopes.h"

#include <gtest/gtest.h>

#include "repose/math/vec.h"
#include "repose/scene/grain_shapes.h"

namespace repose {
namespace {

TEST(GrainSlopes, Rise) {
  EXPECT_GE(grain_slopes("sphere").size(), 2U);
  EXPECT_GE(grain_slopes("tetrahedron").size(), 2U);
  EXPECT_GE(grain_slopes("octahedron").size(), 2U);
  EXPECT_GE(grain_slopes("cube").size(), 2U);
  for (const BuiltInGrain& grain : built_in_grains()) {
    const auto slopes = grain_slopes(grain.name);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      EXPECT_GT(slopes[i].friction, 0) << grain.name;
      EXPECT_GT(slopes[i].angle, 5) << grain.name;
      EXPECT_LT(slopes[i].angle, 60) << grain.name;
      if (i == 0) continue;
      EXPECT_GT(slopes[i].angle, slopes[i - 1].angle) << grain.name;
      EXPECT_GE(slopes[i].friction, slopes[i - 1].friction) << grain.name;
      EXPECT_GE(slopes[i].rolling_friction, slopes[i - 1].rolling_friction) << grain.name;
    }
  }
  EXPECT_TRUE(grain_slopes("pebble").empty());
}

TEST(GrainSlopes, AreMetAtTheirRowsAndHalfWayBetween) {
  for (const BuiltInGrain& grain : built_in_grains()) {
    const auto slopes = grain_slopes(grain.name);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const auto there = friction_for_slope(grain.name, radians(slopes[i].angle));
      ASSERT_TRUE(there) << grain.name << ' ' << i;
      EXPECT_NEAR(there->friction, slopes[i].friction, 1e-12);
      EXPECT_NEAR(there->rolling_friction, slopes[i].rolling_friction, 1e-12);
      if (i == 0) continue;
      const GrainSlope &low = slopes[i - 1], &high = slopes[i];
      const auto between = friction_for_slope(grain.name, radians(0.75 * low.angle + 0.25 * high.angle));
      ASSERT_TRUE(between);
      EXPECT_NEAR(between->friction, 0.75 * low.friction + 0.25 * high.friction, 1e-12);
      EXPECT_NEAR(between->rolling_friction, 0.75 * low.rolling_friction + 0.25 * high.rolling_friction,
                  1e-12);
    }
  }
}

TEST(GrainSlopes, EndWhereTheyWereMeasured) {
  for (const BuiltInGrain& grain : built_in_grains()) {
    const auto slopes = grain_slopes(grain.name);
    if (slopes.empty()) continue;
    EXPECT_FALSE(friction_for_slope(grain.name, radians(slopes.front().angle - 0.1))) << grain.name;
    EXPECT_FALSE(friction_for_slope(grain.name, radians(slopes.back().angle + 0.1))) << grain.name;
  }
  EXPECT_FALSE(friction_for_slope("pebble", radians(30.0)));
}

}  // namespace
}  // namespace repose
