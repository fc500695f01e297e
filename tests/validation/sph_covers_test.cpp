// Sand on bodies that are covered with boundary particles (Ihmsen 2013, eq. 16 to 19).
//
// A-26, a block that slides over a covered plate. Reference: a = g (sin b - mu cos b), 4.055 m/s2 for mu =
// 0.1 on 30 degrees; with mu = 0.7 it stands: it goes on by less than a tenth of a spacing. Particles of the
// cover stand out by some hundredths of a spacing, which adds to friction: within 10 %.
//
// A-25, forces. Reference: the plate bears the weight, within 2 %; a covered ball thrown into a block of sand
// in space keeps the sum of momenta to 1e-12.

#include <cmath>
#include <string>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// A block of sand that holds together on a covered plate.
Scene plate_scene(double friction, double radius) {
  constexpr double kSpacing = 0.02;
  Scene scene = test::under_sph(test::sand_tank({2, 0.6, 0.6}, kSpacing, 60));
  scene.materials[0].cohesion = 5000;
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape = test::box_shape({1.9, 0.5, 0.08}, {1, 0.3, 0.06});
  plate.surface = BodySurface::particles;
  plate.particle_radius = radius * kSpacing;
  plate.friction = friction;
  scene.bodies.push_back(plate);
  test::add_sand(scene, {0.2, 0.2, 0.1}, {0.4, 0.4, 0.2});
  return scene;
}

struct Slide {
  double acceleration = 0;  ///< from 0.1 s after the plate was tilted, over 0.2 s [m/s2]
  double way = 0;           ///< over the same time [m]
};

Slide slide(double friction) {
  Threads threads(2);
  SphSolver solver(plate_scene(friction, 0.5), threads, {});
  EXPECT_EQ(test::advance(solver, 0.2), "");
  test::tilt_ground(solver, 30);
  const auto place = [&] {
    double sum = 0;
    for (const Vec3d& x : solver.state().position) sum += x.x;
    return sum / static_cast<double>(solver.state().size());
  };
  EXPECT_EQ(test::advance(solver, 0.3), "");
  const double speed = test::mean_speed(solver.state()), start = place();
  EXPECT_EQ(test::advance(solver, 0.5), "");
  return {(test::mean_speed(solver.state()) - speed) / 0.2, place() - start};
}

TEST(SphCovered, BlockSlidesAsCoulombSays) {
  const Slide smooth = slide(0.1), rough = slide(0.7);
  const double b = radians(30), due = 9.81 * (std::sin(b) - 0.1 * std::cos(b));
  RecordProperty("acceleration", test::figure(smooth.acceleration));
  RecordProperty("way", test::figure(rough.way));
  EXPECT_NEAR(smooth.acceleration, due, 0.1 * due);
  EXPECT_LT(std::abs(rough.way), 0.1 * 0.02) << "a tenth of a spacing";
}

TEST(SphCovered, APlateBearsTheWeight) {
  for (const double radius : {0.25, 0.5}) {
    Threads threads(2);
    SphSolver solver(plate_scene(0.5, radius), threads, {});
    ASSERT_EQ(test::advance(solver, 0.5), "");
    solver.begin_interval();
    ASSERT_EQ(test::advance(solver, 0.7), "");
    std::vector<BodyRow> rows;
    solver.fill_bodies(rows);
    const double weight = 9.81 * solver.stats().mass;
    EXPECT_NEAR(-rows[0].force.z, weight, 0.02 * weight) << radius;
    double lowest = 1;
    for (const Vec3d& x : solver.state().position) lowest = std::min(lowest, x.z);
    EXPECT_GT(lowest, 0.1) << "half a spacing above the plate, not in it";
  }
}

TEST(SphCovered, KeepsMomentum) {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, {0.52, 0.52, 0.52}, 0.01);
  BodyDefinition& ball = test::add_ball(scene, 0.04, {0.35, 0.46, 0.46}, 2500);
  ball.velocity = {1, 0, 0};
  ball.surface = BodySurface::particles;
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  const auto all = [&] {
    const Body& body = solver.bodies()[0];
    return solver.stats().momentum + body.mass.mass * body.velocity;
  };
  const Vec3d start = all();
  ASSERT_EQ(test::advance(solver, 0.1), "");
  EXPECT_LT((all() - start).length(), 1e-12 * start.length());
  EXPECT_LT(solver.bodies()[0].velocity.x, 0.95);
}

}  // namespace
}  // namespace repose
