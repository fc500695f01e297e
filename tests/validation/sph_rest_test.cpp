// Matter without friction at rest under sph.
//
// A-21, hydrostatics. Reference: p = rho g (H - z). The gradient of a line through the pressures of all
// particles but those at the floor and the surface is within 10 % of rho g; compression is below 5 % at most
// and below 1 % on average (validation of PCISPH with its three iterations). With the solver's own settings,
// and with three iterations in steps as long as the paper's: 1 ms for particles 0.1 m apart, sqrt(g /
// spacing) dt = 0.01; here 1.25 times that.
//
// It comes to rest: the lattice that it starts on falls in, and the motion of that dies down. Slower than 3 %
// of sqrt(g H) after a second, and its surface is level: no particle is further than a spacing above it.

#include <algorithm>
#include <cmath>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr int kLayers = 12;
constexpr double kSpacing = 0.01, kDepth = kLayers * kSpacing;

struct Rest {
  double gradient = 0;        ///< over rho g
  double most = 0, mean = 0;  ///< compression
  double speed = 0;           ///< root of the mean square, over sqrt(g H)
  double top = 0;             ///< the highest particle over the depth
};

Rest measure(const SphSolver& solver) {
  const SphState& state = solver.state();
  Rest rest;
  double sum_z = 0, sum_p = 0, sum_zz = 0, sum_zp = 0, count = 0;
  const auto n = static_cast<double>(state.size());
  for (std::size_t p = 0; p < state.size(); ++p) {
    const double z = state.position[p].z,
                 compression = std::max(0.0, static_cast<double>(state.density[p]) - 1);
    rest.most = std::max(rest.most, compression);
    rest.mean += compression / n;
    rest.speed += state.velocity[p].dot(state.velocity[p]) / n;
    rest.top = std::max(rest.top, z / kDepth);
    if (z < 2 * kSpacing || z > kDepth - 2 * kSpacing) continue;
    const auto pressure = static_cast<double>(state.stress[p].pressure);
    sum_z += z, sum_p += pressure, sum_zz += z * z, sum_zp += z * pressure, ++count;
  }
  rest.gradient = (sum_z * sum_p - count * sum_zp) / (count * sum_zz - sum_z * sum_z) /
                  (9.81 * solver.model().materials[0].density);
  rest.speed = std::sqrt(rest.speed / (9.81 * kDepth));
  return rest;
}

void expect_hydrostatic(const Rest& rest) {
  EXPECT_NEAR(rest.gradient, 1, 0.1);
  EXPECT_LT(rest.most, 0.05);
  EXPECT_LT(rest.mean, 0.01);
}

Scene still_scene() { return test::under_sph(test::sand_layer(kLayers / 2, kSpacing, 0, 0, 0)); }

TEST(SphRest, WithoutFrictionIsHydrostatic) {
  Threads threads(2);
  SphSolver solver(still_scene(), threads, {});
  for (const double t : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    ASSERT_EQ(test::advance(solver, t), "");
    expect_hydrostatic(measure(solver));
  }
  const Rest rest = measure(solver);
  RecordProperty("gradient", test::figure(rest.gradient));
  RecordProperty("compression", test::figure(rest.most));
  RecordProperty("mean_compression", test::figure(rest.mean));
  RecordProperty("speed", test::figure(rest.speed));
  EXPECT_LT(rest.speed, 0.03);
  EXPECT_LT(rest.top, 1 + 0.5 / kLayers);
}

TEST(SphRest, WithoutFrictionIsHydrostaticInThreeIterations) {
  Threads threads(2);
  Scene scene = still_scene();
  scene.solver.sph.iterations = 3;
  scene.solver.sph.dt = 4e-4;
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.6), "");
  const Rest rest = measure(solver);
  RecordProperty("gradient", test::figure(rest.gradient));
  RecordProperty("compression", test::figure(rest.most));
  RecordProperty("mean_compression", test::figure(rest.mean));
  expect_hydrostatic(rest);
}

}  // namespace
}  // namespace repose
