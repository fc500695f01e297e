// Sand under flip as Zhu 2005 prints it: `yield = "paper"` (eq. 2.4) and "paper-2.3". These tests hold the
// law as it is, with what comes of it; the law that obeys Coulomb is tested in flip_sand_test.cpp.
//
// Wall friction. Eq. 2.8 by its numbers. A block slides as one piece, but only its lowest layer of
// cells feels the wall: N layers feel mu / N, and on 30 degrees with mu = 0.1 they accelerate at g (sin b -
// mu / N cos b): 4.055, 4.69 and 4.82 m/s2 for 1, 4 and 10 layers. Within 1 %.
//
// Infinite slope, an expected failure: sand of 30 degrees on a plane of 10 degrees with mu = 0.6
// should stand. Eq. 2.5 looks at one cell, so that all but the uppermost layers are rigid at any slope, and
// the slab slides off with g (sin b - mu / N cos b): 1.12 m/s2 for 10 layers. Within 10 %.

#include <cmath>
#include <string>
#include <vector>

#include "support/sand_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.005, kGravity = 9.81;

Scene printed(Scene scene, YieldLaw law = YieldLaw::paper) {
  scene.solver.flip.yield = law;
  return scene;
}

TEST(PrintedSand, RubsAtWallsByEquation28) {
  EXPECT_NEAR(rub_at_wall({2, 0, 0}, 1, 0.6).x, 1.4, 1e-15);
  EXPECT_EQ(rub_at_wall({2, 0, 0}, 1, 2.5).x, 0);
  EXPECT_EQ(rub_at_wall({0, 0, 0}, 1, 0.6).x, 0);
  EXPECT_EQ(rub_at_wall({2, 0, 0}, 1, INFINITY).x, 0);
}

class PrintedBlock : public testing::TestWithParam<int> {};

TEST_P(PrintedBlock, FeelsTheWallInItsLowestLayerOnly) {
  const double b = radians(30.0), expected = kGravity * (std::sin(b) - 0.1 / GetParam() * std::cos(b));
  const double found = test::slide(printed(test::sand_layer(GetParam(), kSpacing, 45, 30, 0.1))).acceleration;
  RecordProperty("acceleration", std::to_string(found));
  EXPECT_NEAR(found, expected, 0.01 * expected);
}
INSTANTIATE_TEST_SUITE_P(Heights, PrintedBlock, testing::Values(1, 4, 10));

TEST(PrintedSand, SlidesOnEverySlope) {
  const double b = radians(10.0), expected = kGravity * (std::sin(b) - 0.6 / 10 * std::cos(b));
  const double found = test::slide(printed(test::sand_layer(10, kSpacing, 30, 10, 0.6))).acceleration;
  RecordProperty("acceleration", std::to_string(found));
  EXPECT_NEAR(found, expected, 0.1 * expected);
}

}  // namespace
}  // namespace repose
