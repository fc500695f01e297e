// half-filled drums that turn, at the solver's own time step and at half of it.
//
// Reference: no hard number; trends that every experiment shows. Between Froude numbers w^2 R / g of 1e-4 and
// 1e-2 the surface is flat, at a dynamic angle of 20 to 40 degrees that rises with the Froude number, and
// angular grains stand steeper than spheres. Flat here: the mean surface leaves a line by less than a tenth
// of the radius over its middle 60 % (a grain is a twelfth of it). All contacts have springs (eq. 19), which
// hold at rest. Measured at dt: spheres 28.0 degrees at 1e-4 and 29.1 at 1e-2, tetrahedra 36.2 at 1e-2, all
// flat to 0.02 of the radius.

#include <string>

#include "support/drum.h"
#include "support/figure.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

class TurningDrum : public testing::TestWithParam<double> {
 protected:
  test::DrumFlow turn(test::Drum drum) {
    drum.dt_factor = GetParam();
    test::DrumFlow out = test::turn_drum(drum);
    EXPECT_EQ(out.failure, "");
    EXPECT_GT(out.angle, 20);
    EXPECT_LT(out.angle, 40);
    EXPECT_LT(out.curvature, 0.1);
    return out;
  }
};

TEST_P(TurningDrum, OfSpheresIsSteeperWhenItTurnsFaster) {
  const test::DrumFlow slow = turn({.froude = 1e-4}), fast = turn({.froude = 1e-2});
  RecordProperty("slow", test::figure(slow.angle));
  RecordProperty("slow_curvature", test::figure(slow.curvature));
  RecordProperty("fast", test::figure(fast.angle));
  RecordProperty("fast_curvature", test::figure(fast.curvature));
  EXPECT_GT(fast.angle, slow.angle);
}

TEST_P(TurningDrum, OfTetrahedraIsSteeperThanOfSpheres) {
  const test::DrumFlow spheres = turn({.froude = 1e-2}),
                       tetrahedra = turn({.grain = "tetrahedron", .froude = 1e-2});
  RecordProperty("spheres", test::figure(spheres.angle));
  RecordProperty("tetrahedra", test::figure(tetrahedra.angle));
  RecordProperty("tetrahedra_curvature", test::figure(tetrahedra.curvature));
  EXPECT_GT(tetrahedra.angle, spheres.angle);
}

INSTANTIATE_TEST_SUITE_P(TimeStep, TurningDrum, testing::Values(1.0, 0.5),
                         [](const auto& test) { return std::string(test.param == 1 ? "Whole" : "Half"); });

}  // namespace
}  // namespace repose
