// Silos in full: three openings, two kinds of grain, three seeds, at the solver's own time step and at half
// of it.
//
// A-13, discharge. Reference: Beverloo, Leniger and van de Velde 1961: W = C rho sqrt(g) (D - k d)^2.5, C =
// 0.58, k = 1.4 to 1.5; C is the same for virtually any material, k differs by up to a factor of two with the
// grain (arXiv 1611.05277). Expected for the mean of three seeds: over the middle half of the discharge the
// mass that has left grows along a line (R^2 > 0.995), and the rates of the two halves of it agree within 8
// %; W^(2/5) is linear in D; k in [0.8, 2.2]; and rates within 20 % of Beverloo's with 0.58 and 1.4. rho is
// what the bed has at the start, well inside.
//
// C in [0.5, 0.7] holds for tetrahedra (0.58). For spheres it is an expected failure with openings of five to
// seven grains: the rate of small openings grows slower than the law (Mankoc et al. 2007, "The flow rate of
// granular materials through an orifice"), which makes the slope of the line small and C with its power of
// 2.5. Grains have the friction 0.2, that of
// glass beads; tetrahedra stand with it as sand does. More friction makes rates smaller (spheres, one seed,
// W / (rho sqrt(g) d^2.5) at D = 5 and 7: 11.8 and 34.7 with 0.5, 14.1 and 39.4 with 0.2; Beverloo 14.3 and
// 43.0), and tetrahedra with 0.5 block an opening of five.
//
// A-12, load on the bottom. Reference: Janssen 1895: p(H) = rho g L (1 - exp(-H / L)), L = D / (4 K mu), for
// a cylinder of diameter D whose wall has the friction mu. How the silo was filled matters; here the bottom
// goes down by a tenth of a grain, so that grains have slid along the wall everywhere. Expected of the mean
// over three seeds for D = 10 grains, H = D to 4 D, mu = 0.4: one L fits all heights within 10 %, K in
// [0.3, 1.1], and the bottom carries less than half of the weight at 4 D. Friction needs a memory for this:
// under eq. 18 nothing rubs on a wall that nothing slides along.

#include <cmath>
#include <string>
#include <vector>

#include "support/figure.h"
#include "support/silo.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

struct Case {
  const char* name;
  const char* grain;
  double dt_factor;
  double least, most;  ///< of C
};

class BeverlooLaw : public testing::TestWithParam<Case> {};

TEST_P(BeverlooLaw, HoldsForThreeOpenings) {
  std::vector<double> openings, rates;
  double density = 0;
  for (const double D : {5.0, 6.0, 7.0}) {
    double rate = 0, first = 0, second = 0, straight = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const test::Discharge run = test::discharge(
          {.grain = GetParam().grain, .diameter = D, .seed = seed, .dt_factor = GetParam().dt_factor}, 6);
      ASSERT_EQ(run.failure, "");
      rate += run.rate / 3;
      first += run.first_half / 3;
      second += run.second_half / 3;
      straight += run.r_squared / 3;
      density += run.bed_density / 9;
    }
    RecordProperty("rate_" + std::to_string(static_cast<int>(D)), test::figure(rate));
    RecordProperty("halves_" + std::to_string(static_cast<int>(D)), test::figure(second / first));
    EXPECT_GT(straight, 0.995) << D;
    EXPECT_NEAR(second / first, 1, 0.08) << D;
    openings.push_back(D * test::kSiloGrain);
    rates.push_back(rate);
  }
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double law = 0.58 * density * std::sqrt(9.81) * std::pow(openings[i] - 1.4 * test::kSiloGrain, 2.5);
    EXPECT_NEAR(rates[i], law, 0.2 * law) << openings[i];
  }
  const test::BeverlooFit fit = test::fit_beverloo(openings, rates, density);
  RecordProperty("C", test::figure(fit.C));
  RecordProperty("k", test::figure(fit.k));
  EXPECT_LT(fit.largest_deviation, 0.03);
  EXPECT_LT(fit.C, GetParam().most) << "of spheres: an expected failure came right, gate it by 0.5 to 0.7";
  EXPECT_GT(fit.C, GetParam().least);
  EXPECT_GT(fit.k, 0.8);
  EXPECT_LT(fit.k, 2.2);
}
INSTANTIATE_TEST_SUITE_P(Grains, BeverlooLaw,
                         testing::Values(Case{"Spheres", "sphere", 1, 0.38, 0.5},
                                         Case{"SpheresHalfStep", "sphere", 0.5, 0.38, 0.5},
                                         Case{"Tetrahedra", "tetrahedron", 1, 0.5, 0.7},
                                         Case{"TetrahedraHalfStep", "tetrahedron", 0.5, 0.5, 0.7}),
                         [](const auto& test) { return std::string(test.param.name); });

class JanssenLaw : public testing::TestWithParam<double> {};

TEST_P(JanssenLaw, HoldsForFourHeights) {
  constexpr double kWallFriction = 0.4, kWidth = 10 * test::kSiloGrain;
  std::vector<double> heights;
  std::vector<test::BottomLoad> loads;
  for (const double H : {1.0, 2.0, 3.0, 4.0}) {
    test::BottomLoad load;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const test::BottomLoad one =
          test::bottom_load({.height = H, .friction = kWallFriction, .seed = seed, .dt_factor = GetParam()});
      ASSERT_EQ(one.failure, "");
      EXPECT_NEAR(one.force + one.wall, one.weight, 0.02 * one.weight) << "at rest";
      load.weight += one.weight / 3;
      load.force += one.force / 3;
      load.area = one.area;
    }
    RecordProperty("share_" + std::to_string(static_cast<int>(H)), test::figure(load.force / load.weight));
    heights.push_back(H * kWidth);
    loads.push_back(load);
  }
  const test::JanssenFit fit = test::fit_janssen(heights, loads);
  const double K = kWidth / (4 * kWallFriction * fit.L);
  RecordProperty("K", test::figure(K));
  RecordProperty("residual", test::figure(fit.largest_residual));
  EXPECT_LT(fit.largest_residual, 0.1);
  EXPECT_GT(K, 0.3);
  EXPECT_LT(K, 1.1);
  EXPECT_LT(loads.back().force, 0.5 * loads.back().weight);
}
INSTANTIATE_TEST_SUITE_P(TimeStep, JanssenLaw, testing::Values(1.0, 0.5),
                         [](const auto& test) { return std::string(test.param == 1 ? "Whole" : "Half"); });

}  // namespace
}  // namespace repose
