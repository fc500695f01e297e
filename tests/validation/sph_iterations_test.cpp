// What the iteration of sph gains over the paper's (Ihmsen 2013, section 3.2): a layer 20 particles deep,
// without end, five degrees below what its law can bear, in steps of 1 ms. Reference: it stands, so below 1
// mm/s. It does with five iterations a step, since they start from the stress of the last one; without that
// it creeps at 92 mm/s. Under `yield = "paper"` a step begins without stress, each iteration brings it one
// neighbour further, and the layer creeps: at 222 mm/s with 3 iterations, 67 with 10, 23 with 30, 7 with 100.
// That is as the square of the depth (61 mm/s with 3 for half of it) over the iterations.

#include <cmath>
#include <string>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// Of a layer so many cells of two particles deep, five degrees below its limit, after a second [m/s].
double creep(YieldLaw law, int cells, int iterations) {
  constexpr double kAngle = 30;
  const double limit = law == YieldLaw::paper
                           ? degrees(std::atan(std::sqrt(2.0 / 3) * std::sin(radians(kAngle))))  // eq. 13
                           : kAngle;
  Scene scene = test::under_sph(test::sand_layer(cells, 0.01, kAngle, limit - 5, 10));
  scene.solver.sph.yield = law;
  scene.solver.sph.iterations = iterations;
  scene.solver.sph.dt = 0.001;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 1), "");
  return std::abs(test::mean_speed(solver.state()));
}

TEST(SphIterations, FiveHoldADeepLayerAndThirtyOfThePapersDoNot) {
  const double five = creep(YieldLaw::coulomb, 10, 5), thirty_of_paper = creep(YieldLaw::paper, 10, 30);
  RecordProperty("creep", test::figure(five));
  RecordProperty("creep_of_paper", test::figure(thirty_of_paper));
  EXPECT_LT(five, 1e-3);
  EXPECT_GT(thirty_of_paper, 1e-2);
}

/// A step brings stress as many neighbours further as it has iterations.
TEST(SphIterations, ThePapersCreepGrowsAsDepthSquared) {
  const double shallow = creep(YieldLaw::paper, 5, 3), deep = creep(YieldLaw::paper, 10, 3);
  RecordProperty("exponent", test::figure(std::log2(deep / shallow)));
  EXPECT_NEAR(std::log2(deep / shallow), 2, 0.25);
}

}  // namespace
}  // namespace repose
