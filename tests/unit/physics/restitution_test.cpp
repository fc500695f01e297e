#include "repose/physics/restitution.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "repose/physics/contact.h"

namespace repose {
namespace {

struct Impact {
  double restitution;  ///< [-]
  double duration;     ///< [s]
};

/// Integrates m x'' = -repulsion from first touch to the end of the contact with RK4 in steps of dt [s].
template <class Law>
Impact integrate_impact(Law law, double m, double k_r, double k_d, double v, bool pull, double dt) {
  auto acceleration = [&](double x, double rate) {
    const double f = x > 0 ? law.repulsion(k_r, k_d, x, rate) : 0.0;
    return -(pull ? f : std::max(0.0, f)) / m;
  };
  double x = 0, t = 0;
  while (true) {
    const double k1x = v, k1v = acceleration(x, v);
    const double k2x = v + 0.5 * dt * k1v, k2v = acceleration(x + 0.5 * dt * k1x, k2x);
    const double k3x = v + 0.5 * dt * k2v, k3v = acceleration(x + 0.5 * dt * k2x, k3x);
    const double k4x = v + dt * k3v, k4v = acceleration(x + dt * k3x, k4x);
    x += dt / 6 * (k1x + 2 * k2x + 2 * k3x + k4x);
    v += dt / 6 * (k1v + 2 * k2v + 2 * k3v + k4v);
    t += dt;
    const bool parted = x <= 0 && v < 0;
    const bool let_go = !pull && v < 0 && law.repulsion(k_r, k_d, x, v) <= 0;
    if (parted || let_go) return {-v, t};
  }
}

TEST(Restitution, WithoutPullAgreesWithIntegrationOfTheHertzContact) {
  for (double zeta : {0.02, 0.1, 0.3, 0.6, 0.95, 1.0, 1.2, 2.5}) {
    const double A = hertz_damping_factor(zeta);
    const double e = integrate_impact(HertzLaw{}, 1, 1, A, 1, false, 2e-5).restitution;
    EXPECT_NEAR(e, restitution_without_pull(zeta), 2e-5) << "zeta " << zeta;
  }
}

TEST(Restitution, WithPullAgreesWithIntegrationOfTheHertzContact) {
  for (double zeta : {0.02, 0.1, 0.3}) {
    const double A = hertz_damping_factor(zeta);
    const double e = integrate_impact(HertzLaw{}, 1, 1, A, 1, true, 2e-5).restitution;
    EXPECT_NEAR(e, restitution_with_pull(zeta), 2e-5) << "zeta " << zeta;
  }
}

TEST(Restitution, ServesTheLinearLawToo) {
  for (double zeta : {0.05, 0.3, 1.1}) {
    const double k_d = linear_damping(zeta, 2.0, 50.0);
    const double e = integrate_impact(LinearLaw{}, 2.0, 50.0, k_d, 0.3, false, 2e-6).restitution / 0.3;
    EXPECT_NEAR(e, restitution_without_pull(zeta), 1e-4) << "zeta " << zeta;
  }
}

TEST(Restitution, DampingFactorsAreThePublishedOnes) {
  // A = k_d / sqrt(m_eff k_r) for contacts that cannot pull.
  const double table[][2] = {{0.2, 1.635}, {0.3, 1.112}, {0.5, 0.571}, {0.8, 0.166}, {0.9, 0.077}};
  for (const auto& [e, A] : table)
    EXPECT_NEAR(hertz_damping_factor(damping_ratio_without_pull(e)), A, 6e-4) << "e " << e;
}

TEST(Restitution, InverseReturnsWhatWasAsked) {
  for (double e : {0.05, 0.1, 0.13533528, 0.14, 0.3, 0.5, 0.77, 0.99, 0.9999})
    EXPECT_NEAR(restitution_without_pull(damping_ratio_without_pull(e)), e, 1e-9);
  EXPECT_EQ(damping_ratio_without_pull(1.0), 0.0);
  EXPECT_EQ(damping_ratio_without_pull(0.0), damping_ratio_without_pull(kLeastRestitution));
}

}  // namespace
}  // namespace repose
