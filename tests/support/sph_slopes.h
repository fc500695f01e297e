#pragma once
// Slopes without end in sph, by depth and friction_angle: what sph_slope_test.cpp and sph_slope_long_test.cpp
// hold them to.
//
// Layers are tilted at once, two degrees below their friction_angle and two above it, on a floor that is
// rougher than the sand. Reference: below they stand. They may slide by less than a spacing while stress
// turns from that of level ground, and by less than a twentieth of one in the last 0.4 of the time, 0.6 s, or
// 1 s where they are deep. What is left are slow waves of shear, 8 mm/s to and fro where they are 60 deep:
// there less than a tenth. Above they flow with g (sin b - tan(friction_angle) cos b), within 10 %, from 0.2
// s after the tilt until 0.5 s, or 0.8 s where they are deep. That is a small difference of large numbers:
// friction within 1 %.
//
// A known limit: a layer 60 deep of 44 degrees shears a little inside while it flows, and loses 1.5 % of its
// friction to that, a fifth of what is due: within 25 %.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose::test {

using SlopeCase = std::tuple<int, int>;  ///< particles deep; friction_angle [deg]

inline std::string name_of(const testing::TestParamInfo<SlopeCase>& test) {
  return std::to_string(std::get<0>(test.param)) + "_deep_" + std::to_string(std::get<1>(test.param));
}

/// Worst values of all cases in a process.
struct WorstSlopes {
  double all = 0, last = 0, least = 1, most = 1;
};

class SphSlopes : public testing::TestWithParam<SlopeCase> {
 protected:
  /// For so long after the tilt [s].
  void stands_below(double seconds) {
    const auto [depth, angle] = GetParam();
    const SphCreep creep = creep_after_tilt(slope_patch(angle, depth), angle - 2, seconds);
    RecordProperty("all", figure(creep.all));
    RecordProperty("last", figure(creep.last));
    worst_.all = std::max(worst_.all, std::abs(creep.all));
    worst_.last = std::max(worst_.last, std::abs(creep.last));
    EXPECT_LT(std::abs(creep.all), 1);
    EXPECT_LT(std::abs(creep.last), depth < 60 ? 0.05 : 0.1);
  }
  void flows_above(double seconds) {
    const auto [depth, angle] = GetParam();
    const double due = acceleration_due(angle, angle + 2);
    const double until = 0.2 + seconds;
    const double found = slide_after_tilt(slope_patch(angle, depth), angle + 2, until, until).acceleration;
    RecordProperty("of_due", figure(found / due));
    worst_.least = std::min(worst_.least, found / due);
    worst_.most = std::max(worst_.most, found / due);
    const bool is_beyond_limit = depth >= 60 && angle >= 44;
    EXPECT_NEAR(found, due, (is_beyond_limit ? 0.25 : 0.1) * due);
  }
  static void TearDownTestSuite() {
    std::printf("slid by %.3f spacings, %.4f of them in the end; flowed with %.3f to %.3f of what is due\n",
                worst_.all, worst_.last, worst_.least, worst_.most);
  }

 private:
  static inline WorstSlopes worst_;
};

}  // namespace repose::test
