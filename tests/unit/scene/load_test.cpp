#include "repose/scene/load.h"

#include <cmath>

#include "scene_text.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(LoadScene, ReadsTheFirstExample) {
  const Scene scene = load_scene(REPOSE_SOURCE_DIR "/examples/first-pile.toml");
  EXPECT_EQ(scene.info.title, "First pile");
  EXPECT_EQ(scene.frame_count(), 36);
  ASSERT_EQ(scene.materials.size(), 1U);
  EXPECT_EQ(scene.materials[0].grain_density, 2650);
  ASSERT_EQ(scene.fills.size(), 1U);
  EXPECT_EQ(scene.fills[0].shape->size, Vec3d(0.14, 0.14, 0.2));
  ASSERT_EQ(scene.bodies.size(), 1U);
  EXPECT_EQ(scene.bodies[0].shape.kind, ShapeKind::cylinder);
  EXPECT_EQ(scene.render.camera_target, Vec3d(0, 0, 0.06));
}

TEST(LoadScene, NamesAMissingFile) {
  try {
    load_scene("no-such-scene.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_TRUE(
        std::string(error.what()).starts_with("there is no scene file 'no-such-scene.toml' (in the folder '"))
        << error.what();
  }
}

TEST(LoadScene, AFolderIsNoScene) {
  try {
    load_scene(REPOSE_SOURCE_DIR);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_TRUE(std::string(error.what()).ends_with("is not a file")) << error.what();
  }
}

TEST(ParseScene, TurnsShapes) {
  const Scene scene = parse_with_needs("[body.b]\nshape = \"plane\"\nrotation = [0, 30, 90]\n");
  EXPECT_EQ(scene.bodies[0].shape.pose.rotation, rotation_from_degrees({0, 30, 90}));
}

TEST(ParseScene, TurnsTheShapeOfAFillAndItsGrainsOnlyIfAsked) {
  const std::string fill = "[material.m]\n[fill.f]\nmaterial = \"m\"\nrotation = [0, 0, 45]\n";
  const std::string box = "shape = \"box\"\nsize = [1, 1, 1]\n";
  const Scene scene = parse_with_needs(fill + box);
  const Fill& with_shape = scene.fills[0];
  EXPECT_EQ(with_shape.shape->pose.rotation, rotation_from_degrees({0, 0, 45}));
  EXPECT_FALSE(with_shape.grain_rotation);
  const Fill turned = parse_with_needs(fill + box + "grain_rotation = [10, 0, 0]\n").fills[0];
  EXPECT_EQ(turned.shape->pose.rotation, rotation_from_degrees({0, 0, 45}));
  EXPECT_EQ(turned.grain_rotation, Vec3d(10, 0, 0));
  const Fill with_points = parse_with_needs(fill + "points = [[0, 0, 1]]\n").fills[0];
  EXPECT_EQ(with_points.grain_rotation, Vec3d(0, 0, 45));
  EXPECT_FALSE(with_points.shape);
  for (const std::string& rest :
       {box, box + "grain_rotation = [10, 0, 0]\n", std::string("points = [[0, 0, 1]]\n")}) {
    const Scene first = parse_with_needs(fill + rest);
    const Scene again = parse_scene(resolved_scene_text(first), "again.toml", "");
    EXPECT_EQ(scene_hash(again), scene_hash(first)) << rest;
    EXPECT_EQ(again.fills[0].grain_rotation, first.fills[0].grain_rotation) << rest;
  }
}

TEST(ParseScene, KeyframesTakeTheBodysPoseWhereTheyLeaveItOut) {
  const Scene scene = parse_with_needs(
      "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nposition = [1, 2, 3]\nrotation = [4, 5, 6]\n"
      "keyframes = [{ t = 0 }, { t = 1, position = [7, 8, 9] }, { t = 2, rotation = [0, 0, 720] }]\n");
  const std::vector<Keyframe>& keys = scene.bodies[0].keyframes;
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(keys[0].position, Vec3d(1, 2, 3));
  EXPECT_EQ(keys[0].rotation, Vec3d(4, 5, 6));
  EXPECT_EQ(keys[1].position, Vec3d(7, 8, 9));
  EXPECT_EQ(keys[1].rotation, Vec3d(4, 5, 6));
  EXPECT_EQ(keys[2].position, Vec3d(1, 2, 3));
  EXPECT_EQ(keys[2].rotation, Vec3d(0, 0, 720));
}

TEST(ParseScene, FacesOfTheDomain) {
  const Domain domain =
      parse_with_needs(
          "x = \"periodic\"\ny = [\"wall\", \"open\"]\nfriction = { \"z-\" = inf, default = 0.25 }\n")
          .domain;
  using enum FaceKind;
  EXPECT_EQ(domain.faces, (std::array<FaceKind, 6>{periodic, periodic, wall, open, wall, open}));
  EXPECT_EQ(domain.friction,
            (std::array<double, 6>{0.25, 0.25, 0.25, 0.25, std::numeric_limits<double>::infinity(), 0.25}));
  EXPECT_TRUE(domain.given);
  EXPECT_EQ(parse_with_needs("friction = 2\n").domain.friction, (std::array<double, 6>{2, 2, 2, 2, 2, 2}));
}

TEST(ParseScene, AnglesAreRadiansInside) {
  EXPECT_DOUBLE_EQ(*parse_with_needs("[material.m]\nfriction_angle = 30\n").materials[0].friction_angle,
                   kPi / 6);
}

TEST(ParseScene, CountsFrames) {
  EXPECT_EQ(parse_with_needs("[scene]\nduration = 2.02\nfps = 25\n").frame_count(), 51);
  EXPECT_EQ(parse_with_needs("[scene]\nduration = 0.021\nfps = 24\n").frame_count(), 1);
  EXPECT_TRUE(test::refuses([] { parse_with_needs("[scene]\nduration = 0.0208\nfps = 24\n"); },
                            "less than half a frame"));
}

TEST(ParseScene, TablesKeepTheOrderOfTheFile) {
  const Scene scene = parse_with_needs(
      "[body.z]\nshape = \"plane\"\n[material.n]\n[body.a]\nshape = \"plane\"\n[material.m]\n");
  EXPECT_EQ(scene.bodies[0].name, "z");
  EXPECT_EQ(scene.bodies[1].name, "a");
  EXPECT_EQ(scene.materials[0].name, "n");
}

TEST(ParseScene, NamesTheSolver) { EXPECT_EQ(solver_name(parse_with_needs("").solver.type), "dem"); }

}  // namespace
}  // namespace repose
