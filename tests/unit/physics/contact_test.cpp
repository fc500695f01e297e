#include "repose/physics/contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Contact, EffectiveValuesOfEqualPartnersAreHalf) {
  EXPECT_DOUBLE_EQ(harmonic_sum(3.0, 3.0), 1.5);
  EXPECT_DOUBLE_EQ(effective_modulus(10e6, 0.3, 10e6, 0.3), 5e6 / (1 - 0.09));
}

TEST(Contact, AnInfinitePartnerLeavesTheOtherAlone) {
  EXPECT_DOUBLE_EQ(harmonic_sum(0.002, kInf), 0.002);
  EXPECT_DOUBLE_EQ(effective_modulus(10e6, 0.3, kInf, 0.3), 10e6 / (1 - 0.09));
}

TEST(Contact, ExchangeOfTheTwoGivesTheSameBits) {
  const double values[] = {0.1, 0.37, 1.0 / 3, 7.7e-4, 1e9, 2.2250738585072014e-3};
  for (double a : values)
    for (double b : values) {
      EXPECT_EQ(harmonic_sum(a, b), harmonic_sum(b, a));
      EXPECT_EQ(effective_modulus(a, 0.2, b, 0.31), effective_modulus(b, 0.31, a, 0.2));
    }
}

TEST(Contact, HertzStiffnessIsThatOfLandauLifshitz) {
  // 4/3 E_eff sqrt(R_eff): 1 Pa and 4 m give 8/3; it scales with E and with the root of R.
  EXPECT_DOUBLE_EQ(hertz_stiffness(1.0, 4.0), 8.0 / 3);
  EXPECT_DOUBLE_EQ(hertz_stiffness(6.0, 4.0), 16.0);
  EXPECT_DOUBLE_EQ(hertz_stiffness(1.0, 16.0), 16.0 / 3);
}

// Scaling tells the exponents apart: a wrong power of the overlap shows at once.
TEST(Contact, LawsFollowTheirExponents) {
  const double x = 0.25, v = 3.0;
  EXPECT_DOUBLE_EQ(HertzLaw{}.repulsion(8.0, 0.0, x, v), 8.0 * 0.125);
  EXPECT_DOUBLE_EQ(HertzLaw{}.repulsion(0.0, 2.0, 0.0625, v), 2.0 * 0.5 * v);
  EXPECT_DOUBLE_EQ(HertzViscoelasticLaw{}.repulsion(8.0, 0.0, x, v), 8.0 * 0.125);
  EXPECT_DOUBLE_EQ(HertzViscoelasticLaw{}.repulsion(0.0, 2.0, x, v), 2.0 * 0.5 * v);
  EXPECT_DOUBLE_EQ(LinearLaw{}.repulsion(8.0, 2.0, x, v), 8.0 * x + 2.0 * v);
}

TEST(Contact, GeneralLawHoldsTheOthersInIt) {
  const double k_r = 1e6, k_d = 250, x = 3.1e-4;
  for (double rate : {-0.7, 0.0, 0.4}) {
    const GeneralLaw hertz{0.25, 1.5}, viscoelastic{0.5, 1.5}, linear{0, 1};
    EXPECT_NEAR(hertz.repulsion(k_r, k_d, x, rate), HertzLaw{}.repulsion(k_r, k_d, x, rate), 1e-12 * k_d);
    EXPECT_NEAR(viscoelastic.repulsion(k_r, k_d, x, rate),
                HertzViscoelasticLaw{}.repulsion(k_r, k_d, x, rate), 1e-12 * k_d);
    EXPECT_NEAR(linear.repulsion(k_r, k_d, x, rate), LinearLaw{}.repulsion(k_r, k_d, x, rate), 1e-12 * k_r);
  }
}

TEST(Contact, ClosingSpheresRepelMoreThanPartingOnes) {
  const double k_r = 1e6, k_d = 250, x = 1e-4;
  EXPECT_GT(HertzLaw{}.repulsion(k_r, k_d, x, 0.1), HertzLaw{}.repulsion(k_r, k_d, x, 0.0));
  EXPECT_LT(HertzLaw{}.repulsion(k_r, k_d, x, -0.1), HertzLaw{}.repulsion(k_r, k_d, x, 0.0));
}

// Eq. 18: no spring. Slow: k_t |V_t|. Fast: mu |f_n|. They meet at 0.2 m/s.
TEST(Contact, FrictionIsTheLesserOfViscousAndCoulomb) {
  const double limit = 0.5 * 4.0, k_t = 10.0;
  for (const double speed : {0.1, 0.2, 50.0}) {
    const Traction<double> t = friction_traction(Vec3d(0), Vec3d(speed, 0, 0), 0.0, k_t, limit);
    EXPECT_DOUBLE_EQ(t.force.x, std::min(k_t * speed, limit));
    EXPECT_EQ(t.slip, Vec3d(0));
  }
}

TEST(Contact, WithoutALoadThereIsNoFriction) {
  EXPECT_EQ(friction_traction(Vec3d(1, 0, 0), Vec3d(1, 0, 0), 10.0, 10.0, 0.0).force, Vec3d(0));
  EXPECT_EQ(friction_traction(Vec3d(0), Vec3d(0), 10.0, 10.0, 0.0).force, Vec3d(0));
}

TEST(Contact, InfiniteFrictionNeverSlips) {
  EXPECT_EQ(friction_traction(Vec3d(0), Vec3d(1e6, 0, 0), 0.0, 10.0, kInf).force.x, 1e7);
  EXPECT_EQ(friction_traction(Vec3d(3, 0, 0), Vec3d(0), 2.0, 10.0, kInf).slip, Vec3d(3, 0, 0));
}

// Eq. 19: below the limit the slip is kept to the bit; beyond it the spring holds just the limit.
TEST(Contact, ASpringHoldsUpToTheLimitAndIsShortenedBeyond) {
  const Vec3d D(0.3, 0.4, 0);
  const Traction<double> held = friction_traction(D, Vec3d(0), 2.0, 0.0, 1.01);
  EXPECT_EQ(held.slip, D);
  EXPECT_EQ(held.force, 2.0 * D);
  const Traction<double> slides = friction_traction(D, Vec3d(0), 2.0, 0.0, 0.5);
  EXPECT_DOUBLE_EQ(slides.force.length(), 0.5);
  EXPECT_DOUBLE_EQ(slides.slip.length(), 0.25);
  EXPECT_DOUBLE_EQ(slides.slip.x / slides.slip.y, 0.75);
  // With a dashpot the sum of both is held to the limit, and the spring keeps what it has alone.
  const Traction<double> damped = friction_traction(D, Vec3d(0.1, 0, 0), 2.0, 3.0, 0.5);
  EXPECT_DOUBLE_EQ(damped.force.length(), 0.5);
  EXPECT_EQ(damped.slip, slides.slip);
  const Traction<double> fast = friction_traction(D, Vec3d(10, 0, 0), 2.0, 3.0, 1.01);
  EXPECT_DOUBLE_EQ(fast.force.length(), 1.01);
  EXPECT_EQ(fast.slip, D);
}

// A mass that slides on its friction while the load comes and goes: what it has in motion and in the spring
// never grows. With a spring that the dashpot loads too (Luding 2008, section 3.2) it grows by a third, for a
// damping ratio of 0.3, as the load begins.
TEST(Contact, FrictionTakesEnergyWhateverTheLoadDoes) {
  const double mass = 1, k_s = 1, dt = 1e-4, step_error = 1e-4;
  for (const double zeta : {0.0, 0.3, 1.0})
    for (const double friction : {0.03, 0.3, 3.0})
      for (const double frequency : {0.3, 1.0, 7.0}) {
        Vec3d D(0), V(1, 0, 0);
        double energy = 0.5 * mass;
        for (int step = 0; step < 100000; ++step) {
          const double limit = friction * std::abs(std::sin(frequency * step * dt));
          const Traction<double> t = friction_traction(D + dt * V, V, k_s, 2 * zeta, limit);
          D = t.slip;
          V -= dt / mass * t.force;
          const double now = 0.5 * mass * V.dot(V) + 0.5 * k_s * D.dot(D);
          ASSERT_LT(now, energy + step_error) << zeta << ' ' << friction << ' ' << frequency << ' ' << step;
          energy = std::min(energy, now);
        }
      }
}

// Equal spheres: G_eff = G / (2 (2 - nu)); Mindlin over Hertz' tangent stiffness is 2 (1 - nu) / (2 - nu).
TEST(Contact, MindlinIsAShareOfHertz) {
  const double E = 7e6, nu = 0.3, R = 0.01, x = 1e-5;
  const double tangential = mindlin_modulus(E, nu, E, nu) * std::sqrt(R * x);
  const double normal = 1.5 * hertz_stiffness(effective_modulus(E, nu, E, nu), R) * std::sqrt(x);
  EXPECT_NEAR(tangential / normal, 2 * (1 - nu) / (2 - nu), 1e-14);
  EXPECT_DOUBLE_EQ(mindlin_modulus(E, nu, kInf, nu), 2 * mindlin_modulus(E, nu, E, nu));
}

}  // namespace
}  // namespace repose
