// How deep a ball falls into sand under sph.
//
// Reference: Uehara, Ambroso, Ojha and Durian 2003, "Low-speed impact craters in loose granular media":
// d = (0.14 / mu) (rho_b / rho_g)^(1/2) D_b^(2/3) H^(1/3), with the total drop H = fall + d (exponents as in
// arXiv cond-mat/0411231; the prefactor as recalled, not opened). A ball of 8 cm, eight particles wide, falls
// into a bed four balls wide and two and a half deep, of sand of 24 degrees: mu = 0.45, as that of their
// beads. Expected: exponent of the density 0.5 +- 0.15, of the drop 0.33 +- 0.1; the depth within a factor of
// two.

#include <algorithm>
#include <cmath>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kRadius = 0.04, kBed = 0.2, kWidth = 0.32;

/// How deep its lowest point is below the surface in the end [m].
double depth_of(double density, double fall) {
  Scene scene = test::under_sph(test::sand_tank({kWidth, kWidth, 1.5}, 0.01, 24.2));
  test::add_sand(scene, {0, 0, 0}, {kWidth, kWidth, kBed});
  BodyDefinition& ball =
      test::add_ball(scene, kRadius, {0.5 * kWidth, 0.5 * kWidth, kBed + kRadius + 0.01}, density);
  ball.velocity = {0, 0, -std::sqrt(2 * 9.81 * (fall - 0.01))};
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 0.5), "");
  EXPECT_LT(solver.bodies()[0].velocity.length(), 0.05) << "at rest";
  return kBed - (solver.bodies()[0].pose.position.z - kRadius);
}

TEST(SphImpact, BallGoesAsDeepAsMeasured) {
  const double light = depth_of(2000, 0.2), steel = depth_of(7800, 0.2), low = depth_of(7800, 0.05);
  // H contains the depth.
  const double drop_exponent = std::log(steel / low) / std::log((0.2 + steel) / (0.05 + low));
  const double density_exponent =
      std::log(steel / light * std::cbrt((0.2 + light) / (0.2 + steel))) / std::log(7800.0 / 2000);
  const double expected =
      0.14 / 0.45 * std::sqrt(7800.0 / 1600) * std::pow(2 * kRadius, 2.0 / 3) * std::cbrt(0.2 + steel);
  RecordProperty("depth", test::figure(steel));
  RecordProperty("depth_light", test::figure(light));
  RecordProperty("depth_low", test::figure(low));
  RecordProperty("expected", test::figure(expected));
  RecordProperty("drop_exponent", test::figure(drop_exponent));
  RecordProperty("density_exponent", test::figure(density_exponent));
  EXPECT_NEAR(drop_exponent, 0.33, 0.1);
  EXPECT_NEAR(density_exponent, 0.5, 0.15);
  EXPECT_GT(steel, 0.5 * expected);
  EXPECT_LT(steel, 2 * expected);
}

}  // namespace
}  // namespace repose
