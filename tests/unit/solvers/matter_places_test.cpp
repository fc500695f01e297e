// The particles that runs of continuum methods start with.

#include "repose/solvers/continuum/matter_places.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/geometry/mesh/mesh_solid.h"
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
      6, 0.01 * 6);
  EXPECT_NEAR(mass_in(test::box_shape({0.2, 0.3, 0.2}, {0, 0.3, 0.3})), 6, 0.02 * 6);
}

/// Settings of fills as the solvers choose them.
class FillsBesideBodies : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double kFill = 0.2;  ///< edge of the cube that is filled [m]

  /// The particles of a cube of 20 an edge around these bodies.
  static std::vector<Vec3d> fill_around(const std::vector<BodyDefinition>& bodies) {
    Scene scene = empty_tank();
    test::add_fill(scene, test::box_shape(Vec3d(kFill), Vec3d(0.3)));
    scene.bodies = bodies;
    MatterSettings settings = settings_of(scene);
    if (std::string(GetParam()) == "sph")
      settings.jitter = 0.15, settings.clearance = 0.45;
    else
      settings.has_flat_surface = true;
    const NewMatter matter = placed(scene, settings);
    int inside = 0;
    for (const Vec3d& x : matter.position)
      for (const BodyDefinition& body : bodies) inside += signed_distance(body.shape, x) < 0 ? 1 : 0;
    EXPECT_EQ(inside, 0);
    return matter.position;
  }
  /// Share by which so many particles differ from what this volume [m3] holds.
  static double error_of(std::size_t count, double volume) {
    return std::abs(static_cast<double>(count) * std::pow(kSpacing, 3) / volume - 1);
  }
  /// The same of the whole fill around a body that takes so much of it [m3].
  static double mass_error(const BodyDefinition& body, double taken) {
    return error_of(fill_around({body}).size(), std::pow(kFill, 3) - taken);
  }
};
INSTANTIATE_TEST_SUITE_P(Solver, FillsBesideBodies, testing::Values("sph", "flip"),
                         [](const auto& test) { return std::string(test.param); });

/// Plates that part the fill or end it, from a third of a spacing thick, in tenths of a spacing: all of it,
/// and what is on the lower side.
TEST_P(FillsBesideBodies, HoldTheirMassBesidePlates) {
  double worst = 0, worst_of_side = 0;
  for (const int axis : {0, 2})
    for (const double thickness : {0.3, 1.0, 1.7})
      for (int tenth = 0; tenth < 10; ++tenth)
        for (const double at : {0.3, 0.4}) {
          Vec3d size(0.5), position(0.3);
          size[axis] = thickness * kSpacing;
          position[axis] = at + 0.1 * tenth * kSpacing;
          const double low = std::min(0.4, position[axis] - 0.5 * size[axis]),
                       high = std::min(0.4, position[axis] + 0.5 * size[axis]);
          const std::vector<Vec3d> points = fill_around({block(size, position)});
          const auto below = std::count_if(points.begin(), points.end(),
                                           [&](const Vec3d& x) { return x[axis] < position[axis]; });
          const double error = error_of(points.size(), kFill * kFill * (kFill - high + low)),
                       of_side = error_of(static_cast<std::size_t>(below), kFill * kFill * (low - 0.2));
          EXPECT_LT(std::max(error, of_side), 0.01)
              << "axis " << axis << ", " << thickness << " thick at " << at << " + " << tenth << " tenths";
          worst = std::max(worst, error), worst_of_side = std::max(worst_of_side, of_side);
        }
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("worst_of_side", std::to_string(worst_of_side));
}

/// A plate through the middle, turned about y: the part of the fill's square that it takes is found by
/// counting on a finer grid.
TEST_P(FillsBesideBodies, HoldTheirMassBesideTiltedPlates) {
  double worst = 0;
  for (const double thickness : {0.3, 1.2})
    for (int angle = 5; angle < 180; angle += 10) {
      BodyDefinition plate = block({thickness * kSpacing, 0.5, 0.5}, {0.3, 0.3, 0.3});
      plate.shape.pose.rotation = rotation_from_degrees({0, static_cast<double>(angle), 0});
      constexpr int kAcross = 500;
      int inside = 0;
      for (int i = 0; i < kAcross; ++i)
        for (int k = 0; k < kAcross; ++k) {
          const Vec3d x(0.2 + kFill * (i + 0.5) / kAcross, 0.3, 0.2 + kFill * (k + 0.5) / kAcross);
          if (signed_distance(plate.shape, x) < 0) ++inside;
        }
      const double error = mass_error(plate, std::pow(kFill, 3) * inside / (kAcross * kAcross));
      EXPECT_LT(error, 0.01) << thickness << " thick, " << angle << " degrees";
      worst = std::max(worst, error);
    }
  RecordProperty("worst", std::to_string(worst));
}

/// Spheres, and a mesh of eight triangles, wholly inside the fill.
TEST_P(FillsBesideBodies, HoldTheirMassAroundSpheresAndMeshes) {
  MeshData octahedron;
  octahedron.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  octahedron.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  const auto mesh = std::make_shared<const MeshSolid>(octahedron);
  double worst = 0;
  for (const double radius : {1.2, 2.5, 4.0, 7.3})
    for (int place = 0; place < 4; ++place) {
      const Vec3d position(0.3 + 0.00037 * place, 0.3 - 0.00021 * place, 0.3 + 0.00013 * place);
      BodyDefinition ball;
      ball.name = "ball";
      ball.shape.kind = ShapeKind::sphere;
      ball.shape.radius = radius * kSpacing;
      ball.shape.pose.position = position;
      BodyDefinition jack = ball;
      jack.shape.kind = ShapeKind::mesh;
      jack.shape.mesh = mesh;
      jack.shape.scale = radius * kSpacing;
      jack.shape.pose.rotation = rotation_from_degrees({11.0 * place, 7.0 * place, 0});
      for (const BodyDefinition& body : {ball, jack}) {
        const double error = mass_error(body, volume(body.shape));
        EXPECT_LT(error, 0.01) << radius << " spacings, place " << place;
        worst = std::max(worst, error);
      }
    }
  RecordProperty("worst", std::to_string(worst));
}

/// The end of the domain need not lie on the lattice of the spacing.
TEST(MatterPlaces, FillsHoldTheirMassAtTheEndOfTheDomain) {
  for (int tenth = 0; tenth < 10; ++tenth) {
    Scene scene = test::tank_scene(Vec3d(0.2 + 0.1 * tenth * kSpacing), kSpacing);
    test::add_fill(scene, test::box_shape({0.4, 0.4, 0.1}, {0.2, 0.2, 0.05}));
    const double due = 0.1 * std::pow(0.2 + 0.1 * tenth * kSpacing, 2) / std::pow(kSpacing, 3);
    EXPECT_NEAR(static_cast<double>(placed(scene, settings_of(scene)).size()), due, 0.01 * due) << tenth;
  }
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
  fill.points = {{0.1, 0.1, 0.1}, {0.1001, 0.1, 0.1}, {0.1, 0.1, 0.9}, {0.5, 0.1, 0.1}, {0.4499, 0.1, 0.1}};
  fill.velocity = {1, 2, 3};
  scene.bodies.push_back(block({0.1, 0.1, 0.1}, {0.5, 0.1, 0.1}));
  const NewMatter matter = placed(scene, settings_of(scene));
  ASSERT_EQ(matter.size(), 3U) << "the others are outside, and in a body";
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
  // Frames of a 24th of a second in 5 steps where water is fast, four fifths of the time, and in 3 where it
  // is at rest.
  EXPECT_NEAR(plan.steps, 24 * 4.6, 1e-9);
  ASSERT_EQ(plan.fills.size(), 4U);
  EXPECT_NEAR(plan.fills[0].mass, 1, 1e-12);
  EXPECT_NEAR(plan.fills[1].mass, 2, 1e-12);
  EXPECT_EQ(plan.fills[2].particles, 0);
  EXPECT_EQ(plan.fills[3].particles, 750);
  EXPECT_NEAR(plan.fills[3].mass, 1.5, 1e-12);
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_NE(plan.notes[0].find("'lost' has no particles"), std::string::npos);
  scene.info.gravity = {0, 0, -10};
  // The top of the emitter, 0.1 m high about z = 0.3, is what falls furthest.
  EXPECT_NEAR(expected_speed(scene), std::sqrt(49 + 2 * 10 * 0.35), 1e-12);
}

}  // namespace
}  // namespace repose
