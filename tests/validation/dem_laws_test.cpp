// The contact laws beyond the default, run by the solver.
//
// Linear: Bell 2005, eq. 9 and 10, give the restitution and contact time asked for where contacts may pull;
// 0.01 of e, 2 % of the time. Viscoelastic: the restitution asked for at its speed, less above (Ramirez et
// al. 1999). General with Hertz' exponents is Hertz' law.
// Sticking: Chung and Ooi 2011, test 4, below the angle of gross sliding: e_t .687 at 10 degrees, .616 at 20,
// .684 at 30. A law with a tangential spring must reach it within 3 %; eq. 18 cannot (dem_impact_test.cpp).
// Rest: with a spring a block on a slope below its friction angle stays for good, and a sphere with rolling
// friction mu_r stays where tan(angle) < mu_r and rolls where it is more. Cohesion: a sphere hangs from
// another as long as it weighs less than the pull-off force.

#include <cmath>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/physics/contact.h"

namespace repose {
namespace {

constexpr double kGravity = 9.81;

struct Collision {
  double e;         ///< speed of parting over speed of meeting [-]
  double duration;  ///< [s]
};

/// Two equal spheres that meet head-on.
Collision collide(Scene scene, double speed, double dt_share) {
  const double r = 0.5 * scene.solver.spacing;
  test::add_point(scene, {-1.00001 * r, 0, 0}, {0.5 * speed, 0, 0});
  test::add_point(scene, {1.00001 * r, 0, 0}, {-0.5 * speed, 0, 0});
  scene.solver.dem.dt = dt_share * test::automatic_dt(scene);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  Collision out{0, 0};
  for (int n = 0; n < 100000; ++n) {
    const double dt = solver.step(1).dt;
    if (solver.stats().errors[1].value > 0)
      out.duration += dt;
    else if (out.duration > 0)
      break;
  }
  out.e = std::abs(solver.state().velocity[1].x - solver.state().velocity[0].x) / speed;
  return out;
}

TEST(DemLaws, LinearLawHasItsRestitutionAndContactTime) {
  for (const double e : {0.3, 0.5, 0.8, 0.9})
    for (const double share : {1.0, 0.5}) {
      Scene scene = test::void_scene("sphere", 0.01);
      scene.materials[0].restitution = e;
      scene.solver.dem.normal = NormalLaw::linear;
      scene.solver.dem.contact_time = 1e-3;
      scene.solver.dem.attraction = true;
      scene.materials[0].young = 1e6;
      const Collision pulls = collide(scene, 0.5, 0.25 * share);
      EXPECT_NEAR(pulls.e, e, 0.01) << "e " << e;
      EXPECT_NEAR(pulls.duration, 1e-3, 0.03e-3) << "e " << e;
      scene.solver.dem.attraction = false;
      scene.solver.dem.contact_time.reset();
      EXPECT_NEAR(collide(scene, 0.5, 0.5 * share).e, e, 0.01) << "without pull, e " << e;
    }
}

TEST(DemLaws, ViscoelasticSpheresLoseMoreAtHigherSpeed) {
  Scene scene = test::void_scene("sphere", 0.01);
  scene.materials[0].restitution = 0.8;
  scene.materials[0].young = 1e8;
  scene.solver.dem.normal = NormalLaw::hertz_viscoelastic;
  scene.solver.dem.restitution_speed = 0.5;
  for (const double share : {1.0, 0.5}) {
    EXPECT_NEAR(collide(scene, 0.5, share).e, 0.8, 0.01);
    const double slow = collide(scene, 0.05, share).e, fast = collide(scene, 2, share).e;
    EXPECT_GT(slow, 0.83);
    EXPECT_LT(fast, 0.77);
    // 1 - e goes with v^(1/5) as long as it is small.
    EXPECT_NEAR((1 - slow) / 0.2, std::pow(0.1, 0.2), 0.07);
  }
}

TEST(DemLaws, GeneralLawWithHertzExponentsIsHertz) {
  Scene hertz = test::void_scene("sphere", 0.01);
  hertz.materials[0].young = 1e7;
  hertz.materials[0].restitution = 0.6;
  Scene general = hertz;
  general.solver.dem.normal = NormalLaw::general;
  general.solver.dem.alpha = 0.25;
  general.solver.dem.beta = 1.5;
  general.solver.dem.stiffness = hertz_stiffness(effective_modulus(1e7, 0.3, 1e7, 0.3), 0.0025);
  general.materials[0].poisson = hertz.materials[0].poisson = 0.3;
  const Collision a = collide(hertz, 1, 0.5), b = collide(general, 1, 0.5);
  EXPECT_NEAR(a.e, b.e, 0.002);
  EXPECT_NEAR(a.duration, b.duration, 0.02 * a.duration);
  EXPECT_NEAR(a.e, 0.6, 0.01);
}

TEST(DemLaws, SteepImpactsReboundAsTheSpringDrivesThem) {
  struct Row {
    double angle, e_t;
  };
  for (const Row& row : {Row{10, 0.687}, Row{20, 0.616}, Row{30, 0.684}})
    for (const double share : {1.0, 0.5}) {
      Scene scene = test::floor_scene("sphere", 0.005);
      scene.info.gravity = Vec3d(0);
      scene.materials[0].young = 380e9;
      scene.materials[0].poisson = 0.23;
      scene.materials[0].grain_density = 4000;
      scene.materials[0].restitution = 0.98;
      scene.domain.friction.fill(0.092);
      scene.solver.dem.tangential = TangentialLaw::mindlin;
      const double v_t = 3.9 * std::sin(radians(row.angle)), v_n = 3.9 * std::cos(radians(row.angle));
      test::add_point(scene, {0, 0, 0.0025 * 1.0000001}, {v_t, 0, -v_n});
      scene.solver.dem.dt = 0.25 * share * test::automatic_dt(scene);
      Threads threads(1);
      DemSolver solver(scene, threads, {});
      do solver.step(1);
      while (solver.stats().errors[1].value > 0 || solver.state().velocity[0].z < 0);
      EXPECT_NEAR(solver.state().velocity[0].x / v_t, row.e_t, 0.03 * row.e_t) << "angle " << row.angle;
    }
}

Scene on_slope(const std::string& grain, double angle, double r) {
  Scene scene = test::floor_scene(grain, 2 * r);
  scene.info.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
  scene.materials[0].young = 1e7;
  return scene;
}

TEST(DemLaws, ABlockOnASlopeStaysForGood) {
  for (const TangentialLaw law : {TangentialLaw::spring, TangentialLaw::mindlin}) {
    Scene scene = on_slope("block", radians(10), 0.005);
    GrainDefinition block;
    block.name = "block";
    for (int i = -1; i <= 1; ++i)
      for (int k = -1; k <= 1; ++k) block.spheres.push_back({2.0 * i, 2.0 * k, 0, 1});
    scene.grains.push_back(block);
    scene.solver.spacing = 2 * 0.005 * (2 * std::sqrt(2.0) + 1);
    scene.domain.friction.fill(0.3);
    scene.solver.dem.tangential = law;
    test::add_point(scene, {0, 0, 0.005});
    scene.fills[0].grain_rotation = Vec3d(0);
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.3), "");
    const double x = solver.state().position[0].x;
    ASSERT_EQ(test::advance(solver, 0.6), "");
    EXPECT_NEAR(solver.state().position[0].x, x, 1e-9);
    EXPECT_LT(solver.state().velocity[0].length(), 1e-7);
    EXPECT_LT(x, 1e-4);
  }
}

TEST(DemLaws, RollingFrictionHoldsASphereUpToItsAngle) {
  const double mu_r = 0.1, r = 0.005;
  for (const double share : {0.9, 1.1}) {
    Scene scene = on_slope("sphere", std::atan(share * mu_r), r);
    scene.domain.friction.fill(0.5);
    scene.materials[0].rolling_friction = mu_r;
    test::add_point(scene, {0, 0, r});
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.5), "");
    const double moved = solver.state().position[0].x;
    // What is left to drive it: a = 5/7 g (sin - mu_r cos).
    const double angle = std::atan(share * mu_r);
    const double rolled = 0.5 * 5.0 / 7 * kGravity * (std::sin(angle) - mu_r * std::cos(angle)) * 0.5 * 0.5;
    if (share < 1)
      EXPECT_LT(std::abs(moved), 0.02 * r);
    else
      EXPECT_NEAR(moved, rolled, 0.03 * rolled);
  }
}

TEST(DemLaws, ADampSphereHangsWhileItIsLighterThanThePull) {
  const double r = 0.002;
  const double weight = 2600 * 4.0 / 3 * kPi * r * r * r * kGravity;
  const double cohesion = weight / (pull_off_factor(1.0) * 0.25 * r * r);  // R_eff = r / 2
  for (const double share : {0.8, 1.2}) {
    Scene scene = test::void_scene("sphere", 2 * r);
    scene.info.gravity = {0, 0, -kGravity};
    scene.materials[0].grain_density = 2600;
    scene.materials[0].young = 1e6;
    scene.materials[0].cohesion = share * cohesion;
    test::add_point(scene, {0, 0, 0});
    scene.fills[0].fixed = true;
    test::add_point(scene, {0, 0, -1.9999 * r});
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.1), "");
    const double fallen = -1.9999 * r - solver.state().position[order_by_id(solver.state())[1]].z;
    if (share > 1)
      EXPECT_LT(std::abs(fallen), 0.01 * r);
    else
      EXPECT_GT(fallen, 5 * r);
  }
}

}  // namespace
}  // namespace repose
