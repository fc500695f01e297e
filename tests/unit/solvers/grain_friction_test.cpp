#include "repose/solvers/dem/grain_friction.h"

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

Scene scene_of(const std::string& grain) {
  Scene scene = test::floor_scene(grain, 0.01);
  scene.materials[0].friction.reset();
  test::add_point(scene, {0, 0, 0.1});
  return scene;
}

/// The middle of what was measured [rad].
double middle_angle(const std::string& grain) {
  const auto slopes = grain_slopes(grain);
  return radians(0.5 * (slopes.front().angle + slopes.back().angle));
}

std::string refusal(const Scene& scene) {
  Threads threads(1);
  try {
    make_dem_setup(scene, threads);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_scene);
    return error.what();
  }
  return {};
}

TEST(GrainFriction, IsTheGivenOneOrAHalf) {
  Scene scene = scene_of("tetrahedron");
  std::vector<std::string> notes;
  EXPECT_EQ(grain_friction(scene, scene.materials[0], notes).friction, 0.5);
  EXPECT_EQ(notes.size(), 1U);
  scene.materials[0].friction = 0.3;
  scene.materials[0].friction_angle = radians(80.0);
  scene.materials[0].rolling_friction = 0.1;
  EXPECT_EQ(grain_friction(scene, scene.materials[0], notes).friction, 0.3);
  EXPECT_EQ(grain_friction(scene, scene.materials[0], notes).rolling_friction, 0.1);
}

TEST(GrainFriction, FollowsTheSlope) {
  Threads threads(1);
  for (const char* grain : {"sphere", "tetrahedron"}) {
    Scene scene = scene_of(grain);
    scene.materials[0].friction_angle = middle_angle(grain);
    const DemModel model = make_dem_setup(scene, threads).model;
    const GrainFriction expected = *friction_for_slope(grain, middle_angle(grain));
    EXPECT_EQ(model.materials[0].friction, expected.friction);
    EXPECT_EQ(model.materials[0].rolling_friction, expected.rolling_friction);
    EXPECT_DOUBLE_EQ(model.laws[0].friction, expected.friction);
  }
  Scene scene = scene_of("tetrahedron");
  scene.materials[0].friction_angle = middle_angle("tetrahedron");
  scene.solver.dem.tangential = TangentialLaw::coulomb_viscous;
  const DemModel model = make_dem_setup(scene, threads).model;
  EXPECT_TRUE(std::any_of(model.notes.begin(), model.notes.end(),
                          [](const std::string& note) { return note.find("creep") != std::string::npos; }));
}

TEST(GrainFriction, NamesTheReachableSlopes) {
  Scene scene = scene_of("tetrahedron");
  scene.materials[0].friction_angle = radians(70.0);
  const auto slopes = grain_slopes("tetrahedron");
  EXPECT_NE(refusal(scene).find(std::to_string(std::lround(slopes.front().angle)) + " to " +
                                std::to_string(std::lround(slopes.back().angle)) + " [deg], not at 70"),
            std::string::npos)
      << refusal(scene);
  scene.materials[0].friction_angle = 0;
  EXPECT_NE(refusal(scene).find("not at 0"), std::string::npos);
}

TEST(GrainFriction, RefusesWhatItCannotKnow) {
  Scene scene = scene_of("pebble");
  scene.grains.push_back({.name = "pebble", .spheres = {{0, 0, 0, 1}, {1, 0, 0, 1}}, .file = ""});
  EXPECT_EQ(refusal(scene), "");
  scene.materials[0].friction_angle = radians(30.0);
  EXPECT_NE(refusal(scene).find("'pebble'"), std::string::npos);

  scene = scene_of("sphere");
  scene.materials[0].friction_angle = middle_angle("sphere");
  scene.materials[0].rolling_friction = 0.1;
  EXPECT_NE(refusal(scene).find("rolling_friction"), std::string::npos);
  scene.materials[0].rolling_friction.reset();
  scene.solver.dem.integrator = Integrator::rkf45;
  EXPECT_NE(refusal(scene).find("rkf45"), std::string::npos);
}

}  // namespace
}  // namespace repose
