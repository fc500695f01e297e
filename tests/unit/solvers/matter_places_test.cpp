// The particles that runs of continuum methods start with.

#include "repose/solvers/continuum/matter_places.h"

#include <algorithm>
#include <cmath>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/solvers/continuum/matter_plan.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01;

Scene empty_tank() { return test::tank_scene({0.6, 0.6, 0.6}, kSpacing); }

MatterSettings settings_of(const Scene& scene) {
  MatterSettings settings = make_matter_settings(scene, "flip");
  settings.jitter = 0.65;
  settings.clearance = 0.25;
  return settings;
}

NewMatter placed(const Scene& scene, const MatterSettings& settings, int thread_count = 2) {
  Threads threads(thread_count);
  return place_matter(scene, settings, Bodies(scene), threads);
}

double mass_of(const Scene& scene) {
  return static_cast<double>(placed(scene, settings_of(scene)).size()) * 1000 * std::pow(kSpacing, 3);
}

BodyDefinition block(const Vec3d& size, const Vec3d& position) {
  BodyDefinition body;
  body.name = "block";
  body.shape = test::box_shape(size, position);
  return body;
}

TEST(MatterPlaces, FillsHoldTheirMass) {
  const auto mass_in = [&](const Shape& shape, const std::vector<BodyDefinition>& bodies = {}) {
    Scene scene = empty_tank();
    test::add_fill(scene, shape);
    scene.bodies = bodies;
    return mass_of(scene);
  };
  EXPECT_NEAR(mass_in(test::box_shape({0.2, 0.3, 0.2}, {0.3, 0.3, 0.3})), 12, 0.02 * 12);
  EXPECT_NEAR(mass_in(test::box_shape({0.213, 0.307, 0.195}, {0.3, 0.3, 0.3})), 12.751, 0.02 * 12.751);
  Shape ball;
  ball.kind = ShapeKind::sphere;
  ball.radius = 0.15;
  ball.pose.position = {0.3, 0.3, 0.3};
  const double exact = 1000 * 4.0 / 3 * kPi * std::pow(0.15, 3);
  EXPECT_NEAR(mass_in(ball), exact, 0.02 * exact);
  // A body in the way takes its volume, and half the fill outside the domain is not there.
  EXPECT_NEAR(
      mass_in(test::box_shape({0.2, 0.3, 0.2}, {0.3, 0.3, 0.3}), {block({0.1, 0.3, 0.2}, {0.3, 0.3, 0.3})}),
      6, 0.06 * 6);
  EXPECT_NEAR(mass_in(test::box_shape({0.2, 0.3, 0.2}, {0, 0.3, 0.3})), 6, 0.02 * 6);
}

TEST(MatterPlaces, FillsDoNotDoubleWhereTheyOverlap) {
  Scene scene = empty_tank();
  test::add_water(scene, {0, 0, 0}, {0.2, 0.2, 0.2});
  test::add_water(scene, {0, 0, 0}, {0.2, 0.2, 0.3});
  EXPECT_NEAR(mass_of(scene), 12, 0.02 * 12);
  const NewMatter matter = placed(scene, settings_of(scene));
  for (std::size_t k = 0; k < matter.size(); ++k)
    EXPECT_EQ(matter.source[k], matter.position[k].z < 0.2 ? 0U : 1U);
}

TEST(MatterPlaces, JitterIsAShareOfThePlace) {
  Scene scene = empty_tank();
  test::add_water(scene, {0.1, 0.1, 0.1}, {0.2, 0.2, 0.2});
  const auto furthest = [&](Packing packing, double jitter) {
    scene.fills[0].packing = packing;
    MatterSettings settings = settings_of(scene);
    settings.jitter = jitter;
    const NewMatter matter = placed(scene, settings);
    EXPECT_EQ(matter.size(), 1000U);
    double most = 0;
    for (const Vec3d& x : matter.position)
      for (int axis = 0; axis < 3; ++axis)
        most = std::max(most, std::abs(x[axis] / kSpacing - std::floor(x[axis] / kSpacing) - 0.5));
    return most;
  };
  EXPECT_NEAR(furthest(Packing::lattice, 0.65), 0, 1e-9);
  EXPECT_NEAR(furthest(Packing::jittered, 0.65), 0.325, 0.002);
  EXPECT_NEAR(furthest(Packing::jittered, 0.2), 0.1, 0.001);
  EXPECT_NEAR(furthest(Packing::settled, 1), 0.5, 0.003);
}

TEST(MatterPlaces, FreeSurfaceIsFlatWhereAskedFor) {
  Scene scene = empty_tank();
  test::add_water(scene, {0, 0, 0}, {0.2, 0.6, 0.1});
  const auto spread = [&](bool is_flat, bool at_top) {
    MatterSettings settings = settings_of(scene);
    settings.has_flat_surface = is_flat;
    double most = 0;
    for (const Vec3d& x : placed(scene, settings).position)
      if (std::max(std::abs(x.x - 0.1) / 0.1, std::abs(x.y - 0.3) / 0.3) < 0.9 &&
          (at_top ? x.z > 0.09 : x.z < 0.01))
        most = std::max(most, std::abs(x.z - (at_top ? 0.095 : 0.005)));
    return most;
  };
  EXPECT_LT(spread(true, true), 1e-12);
  EXPECT_NEAR(spread(true, false), 0.325 * kSpacing, 0.01 * kSpacing) << "the floor is no free surface";
  EXPECT_NEAR(spread(false, true), 0.325 * kSpacing, 0.01 * kSpacing);
}

TEST(MatterPlaces, BodiesKeepTheirClearance) {
  Scene scene = empty_tank();
  test::add_water(scene, {0.1, 0.1, 0.1}, {0.3, 0.3, 0.3});
  scene.bodies.push_back(block({0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}));
  for (const double clearance : {0.0, 0.5}) {
    MatterSettings settings = settings_of(scene);
    settings.clearance = clearance;
    double nearest = 1;
    for (const Vec3d& x : placed(scene, settings).position)
      nearest = std::min(nearest, signed_distance(scene.bodies[0].shape, x));
    EXPECT_GE(nearest, clearance * kSpacing);
    EXPECT_LT(nearest, (clearance + 0.25) * kSpacing);
  }
}

TEST(MatterPlaces, PointsAreTakenAsTheyAre) {
  Scene scene = empty_tank();
  Fill& fill = scene.fills.emplace_back();
  fill.name = "points";
  fill.material = "water";
  fill.points = {{0.1, 0.1, 0.1}, {0.1001, 0.1, 0.1}, {0.1, 0.1, 0.9}, {0.5, 0.1, 0.1}};
  fill.velocity = {1, 2, 3};
  scene.bodies.push_back(block({0.1, 0.1, 0.1}, {0.5, 0.1, 0.1}));
  const NewMatter matter = placed(scene, settings_of(scene));
  ASSERT_EQ(matter.size(), 2U) << "the others are outside, and in a body";
  EXPECT_EQ(matter.position[1], Vec3d(0.1001, 0.1, 0.1));
  EXPECT_EQ(matter.velocity[1], Vec3d(1, 2, 3));
}

TEST(MatterPlaces, AreTheSameForAnyNumberOfThreads) {
  Scene scene = empty_tank();
  test::add_water(scene, {0.1, 0.1, 0.1}, {0.23, 0.31, 0.22});
  scene.fills[0].velocity_spread = 0.1;
  const NewMatter one = placed(scene, settings_of(scene), 1), four = placed(scene, settings_of(scene), 4);
  EXPECT_EQ(one.position, four.position);
  EXPECT_EQ(one.velocity, four.velocity);
}

TEST(MatterPlaces, RefusesHeldParticlesInTheNameOfTheSolver) {
  Scene scene = empty_tank();
  test::add_water(scene, {0, 0, 0}, {0.1, 0.1, 0.1});
  scene.fills[0].fixed = true;
  MatterSettings settings = settings_of(scene);
  settings.solver = "sph";
  try {
    placed(scene, settings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_scene);
    EXPECT_NE(std::string(error.what()).find("the sph solver holds no particles"), std::string::npos);
  }
}

TEST(MatterPlan, ListsFillsAndEmittersWithTheirMass) {
  Scene scene = empty_tank();
  Material heavy = scene.materials[0];
  heavy.name = "heavy";
  heavy.density = 2000;
  scene.materials.push_back(heavy);
  test::add_water(scene, {0, 0, 0}, {0.1, 0.1, 0.1});
  test::add_water(scene, {0.2, 0, 0}, {0.3, 0.1, 0.1});
  test::add_water(scene, {0, 0, 0}, {0.05, 0.1, 0.1});
  scene.fills[1].material = "heavy";
  scene.fills[2].name = "lost";
  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "heavy";
  emitter.shape = test::box_shape({0.1, 0.1, 0.1}, {0.3, 0.3, 0.3});
  emitter.rate = 3;
  emitter.velocity = {0, 0, -7};
  emitter.start = 0.5;
  scene.emitters.push_back(emitter);
  scene.info.duration = 1;
  const MatterSettings settings = settings_of(scene);
  SolverPlan plan;
  plan.dt = 0.01;
  plan_matter(scene, settings, count_placed(scene, placed(scene, settings)), 0.02, plan);
  EXPECT_EQ(plan.particles(), 2750);
  EXPECT_EQ(plan.elements, 2750);
  // The emitter gives 1500 a second from half a second on: 750 in the end, 187.5 in the mean.
  EXPECT_NEAR(plan.mean_elements, 2000 + 187.5, 0.1);
  // Frames of a 24th of a second in 5 steps where matter is fast and in 3 where it is at rest.
  EXPECT_EQ(plan.steps, 24 * 4);
  ASSERT_EQ(plan.fills.size(), 4U);
  EXPECT_NEAR(plan.fills[0].mass, 1, 1e-12);
  EXPECT_NEAR(plan.fills[1].mass, 2, 1e-12);
  EXPECT_EQ(plan.fills[2].particles, 0);
  EXPECT_EQ(plan.fills[3].particles, 750);
  EXPECT_NEAR(plan.fills[3].mass, 1.5, 1e-12);
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_NE(plan.notes[0].find("'lost' has no particles"), std::string::npos);
  scene.info.gravity = {0, 0, -10};
  EXPECT_NEAR(expected_speed(scene), std::sqrt(49 + 2 * 10 * 0.3), 1e-12);
}

}  // namespace
}  // namespace repose
