#include "repose/physics/time_scales.h"

#include <gtest/gtest.h>

#include "repose/physics/contact.h"

namespace repose {
namespace {

TEST(TimeScales, ImpactOverlapTurnsMotionIntoElasticEnergy) {
  const double m = 0.003, k_r = 4e6, v = 1.7;
  const double x = hertz_impact_overlap(m, k_r, v);
  EXPECT_NEAR(0.4 * k_r * std::pow(x, 2.5), 0.5 * m * v * v, 1e-12);
  EXPECT_NEAR(hertz_stiffness_for_impact(m, v, x), k_r, 1e-6 * k_r);
}

TEST(TimeScales, StaticOverlapBalancesTheForce) {
  const double k_r = 4e6, x = hertz_static_overlap(2.5, k_r);
  EXPECT_NEAR(HertzLaw{}.repulsion(k_r, 0.0, x, 0.0), 2.5, 1e-12);
  EXPECT_NEAR(hertz_stiffness_for_force(2.5, x), k_r, 1e-6 * k_r);
}

TEST(TimeScales, ContactTimeAgreesWithIntegration) {
  const double m = 0.5, k_r = 3e5, v = 0.8, dt = 1e-7;
  double x = 0, speed = v, t = 0;
  do {  // position Verlet
    x += 0.5 * dt * speed;
    if (x > 0) speed -= dt / m * HertzLaw{}.repulsion(k_r, 0.0, x, 0.0);
    x += 0.5 * dt * speed;
    t += dt;
  } while (x > 0);
  EXPECT_NEAR(t, hertz_contact_time(m, k_r, v), 1e-4 * t);
}

TEST(TimeScales, FrequencyTimesDurationIsANumber) {
  const double m = 0.01, k_r = 7e5, v = 2.2;
  const double product =
      hertz_frequency(m, k_r, hertz_impact_overlap(m, k_r, v)) * hertz_contact_time(m, k_r, v);
  EXPECT_NEAR(product, kHertzFrequencyTimesDuration, 1e-5);
}

// Steps a damped spring just inside and just outside the limit.
TEST(TimeScales, StablePhaseIsTheEdgeOfStability) {
  for (double zeta : {0.0, 0.2, 0.9, 1.8}) {
    for (double share : {0.98, 1.02}) {
      const double h = share * stable_phase(zeta);
      double x = 1, v = 0;
      for (int i = 0; i < 800 && std::abs(x) < 1e9; ++i) {
        x += 0.5 * h * v;
        v -= h * (x + 2 * zeta * v);
        x += 0.5 * h * v;
      }
      if (share < 1)
        EXPECT_LT(std::abs(x), 50) << "zeta " << zeta;
      else
        EXPECT_GT(std::abs(x), 1e6) << "zeta " << zeta;
    }
  }
}

}  // namespace
}  // namespace repose
