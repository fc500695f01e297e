// layers of spheres that flow down a rough plane, at the solver's own time step and at half of it.
//
// Reference: Silbert et al. 2001, "Granular flow down an inclined plane: Bagnold scaling and rheology": mu
// 0.5, e 0.88, linear spring and dashpot, k_t = 2/7 k_n; at rest below about 19.4 degrees, steady from about
// 20 to 26, faster and faster above (angles as recalled, not opened). Bagnold: the speed goes as u_s - c
// (h - z)^1.5 over the height z, so that of the surface goes with h^1.5, and the solid fraction is the same
// at all depths. k_n is 2e3 m g / d where Silbert took 2e5, so that runs take minutes.
//
// Expected at 23 degrees: the profile of 20 diameters follows Bagnold's within 3 % of the surface speed, and
// solid fractions of slices two diameters thick are flat to 0.02, both but for the slices next to base and
// surface (measured at dt: 1.8 %, 0.005). At 17 degrees a layer that starts to flow comes to rest (kinetic
// energy a grain below 1e-6 m g d; measured: 3e-7, at dt / 2 5e-8). At 30 degrees there is no steady state:
// faster by a tenth from one half of the last time to the other (measured: 17 %, 18 %).
//
// Steady: the speeds of the two halves of the window agree within a tenth. That of the thin layer comes and
// goes: means over 50 sqrt(d / g) lay between 0.94 and 1.08, without a trend. So its window is 800 long;
// there the halves agree within 2 %.
//
// The exponent over layers of 10 and 20 diameters is an expected failure: 1.5 +- 0.2 is due, 1.98 was
// measured at dt (surface speeds 1.88 and 7.28 sqrt(g d)). Ten diameters are too thin for Bagnold's law at
// this angle: the base holds the layer back, and its profile is nearly straight (0.15 0.55 1.03 1.49 1.90 by
// slices). Silbert, Landry and Grest 2003, "Granular flow down a rough inclined plane: transition between
// thin and thick piles", describe it (recalled, not opened).

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/figure.h"
#include "support/incline.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// Largest distance of the speeds from u = a + c (h - z)^1.5 by least squares, in surface speeds.
double bagnold_misfit(const test::LayerFlow& layer) {
  std::vector<double> x, u;
  for (std::size_t s = 1; s + 1 < layer.speed.size(); ++s) {
    x.push_back(std::pow(layer.height - 2 * static_cast<double>(s) - 1, 1.5));
    u.push_back(layer.speed[s]);
  }
  const auto n = static_cast<double>(x.size());
  double mx = 0, mu = 0, xx = 0, xu = 0, most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, mu += u[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) xx += (x[i] - mx) * (x[i] - mx), xu += (x[i] - mx) * (u[i] - mu);
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::max(most, std::abs(u[i] - mu - xu / xx * (x[i] - mx)));
  return most / layer.surface;
}

class LayerOnAnIncline : public testing::TestWithParam<double> {
 protected:
  test::LayerFlow flow(test::Incline incline) {
    incline.dt_factor = GetParam();
    test::LayerFlow out = test::flow_down(incline);
    EXPECT_EQ(out.failure, "");
    return out;
  }
};

TEST_P(LayerOnAnIncline, FlowsAsBagnoldSays) {
  const test::LayerFlow thin = flow({.angle = 23, .height = 10, .time = 1000, .window = 800}),
                        thick = flow({.angle = 23, .height = 20, .time = 400});
  const double exponent = std::log(thick.surface / thin.surface) / std::log(thick.height / thin.height);
  RecordProperty("surface_thin", test::figure(thin.surface));
  RecordProperty("surface_thick", test::figure(thick.surface));
  RecordProperty("exponent", test::figure(exponent));
  EXPECT_GT(exponent, 1.7) << "within 1.5 +- 0.2: no longer an expected failure";
  EXPECT_LT(exponent, 2.1);
  const double misfit = bagnold_misfit(thick);
  RecordProperty("misfit", test::figure(misfit));
  EXPECT_LT(misfit, 0.03);
  for (const test::LayerFlow& layer : {thin, thick}) {
    EXPECT_NEAR(layer.second / layer.first, 1, 0.1) << "steady";
    const auto [least, most] = std::minmax_element(layer.solid.begin() + 1, layer.solid.end() - 1);
    RecordProperty("solid_spread_" + std::to_string(layer.solid.size()), test::figure(*most - *least));
    EXPECT_LT(*most - *least, 0.02);
    EXPECT_GT(*least, 0.5);
    EXPECT_LT(*most, 0.62);
  }
}

TEST_P(LayerOnAnIncline, ComesToRestWhereItIsFlat) {
  const test::LayerFlow layer = flow({.angle = 17, .height = 10, .time = 300, .window = 20});
  RecordProperty("energy", test::figure(layer.energy));
  EXPECT_LT(layer.energy, 1e-6);
}

TEST_P(LayerOnAnIncline, GoesFasterAndFasterWhereItIsSteep) {
  const test::LayerFlow layer = flow({.angle = 30, .height = 10, .time = 200, .window = 100});
  RecordProperty("growth", test::figure(layer.second / layer.first));
  EXPECT_GT(layer.second, 1.1 * layer.first);
}

INSTANTIATE_TEST_SUITE_P(TimeStep, LayerOnAnIncline, testing::Values(1.0, 0.5),
                         [](const auto& test) { return std::string(test.param == 1 ? "Whole" : "Half"); });

}  // namespace
}  // namespace repose
