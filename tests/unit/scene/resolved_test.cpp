#include <filesystem>
#include <fstream>
#include <iterator>

#include "scene_text.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// A folder of its own for the files of a test.
class ResolvedScene : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("repose_scene_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

std::string whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A scene that uses a bit of everything.
std::string rich_scene() {
  return whole_file(REPOSE_SOURCE_DIR "/tests/fuzz/seeds/scene_fuzz/many_tables.toml");
}

TEST_F(ResolvedScene, ResolvesToItself) {
  write("grains.csv", "x,y,z,d\n0,0,1,0.01\n0.1,0,1,0.012\n");
  const Scene scene = load_scene(write("scene.toml", rich_scene()));
  const std::string text = resolved_scene_text(scene);
  const Scene again = parse_scene(text, "again.toml", "/elsewhere");
  EXPECT_EQ(resolved_scene_text(again), text);
  EXPECT_EQ(scene_hash(again), scene_hash(scene));
  EXPECT_EQ(again.fills[2].rows.diameter, (std::vector<double>{0.01, 0.012}));
}

TEST_F(ResolvedScene, KeepsTheBitsOfNumbers) {
  const Scene scene = parse_with_needs(
      "[material.m]\nfriction_angle = 31.123456789012345\ndensity = 0.1\nyoung = 123456789.12345678\n"
      "color = [0.1, 0.123456789, 1e-7]\n[body.b]\nshape = \"plane\"\nrotation = [0.1, 270, "
      "33.333333333333336]\n");
  const Scene again = parse_scene(resolved_scene_text(scene), "again.toml", "");
  EXPECT_EQ(again.materials[0].friction_angle, scene.materials[0].friction_angle);
  EXPECT_EQ(again.materials[0].density, 0.1);
  EXPECT_EQ(again.materials[0].young, 123456789.12345678);
  EXPECT_EQ(again.materials[0].color, scene.materials[0].color);
  EXPECT_EQ(again.bodies[0].shape.pose.rotation, scene.bodies[0].shape.pose.rotation);
}

TEST_F(ResolvedScene, KeepsTheSignOfZero) {
  const Scene scene =
      parse_with_needs("[body.b]\nshape = \"plane\"\nposition = [-0.0, 0.0, 1]\nrotation = [-0.0, 0, 1]\n");
  const std::string text = resolved_scene_text(scene);
  EXPECT_NE(text.find("position = [-0.0, 0, 1]"), std::string::npos);
  EXPECT_EQ(resolved_scene_text(parse_scene(text, "again.toml", "")), text);
}

TEST_F(ResolvedScene, AnglesComeBackFromAnyRadians) {
  for (int i = 1; i < 2000; ++i) {
    const double angle = 89.0 * i / 2000.0;
    const Scene scene = parse_with_needs("[material.m]\nfriction_angle = " + std::to_string(angle) + "\n");
    const Scene again = parse_scene(resolved_scene_text(scene), "again.toml", "");
    ASSERT_EQ(again.materials[0].friction_angle, scene.materials[0].friction_angle) << angle;
  }
}

TEST_F(ResolvedScene, HoldsEveryAvailableKeyOfATable) {
  const std::string text =
      resolved_scene_text(parse_with_needs("[body.b]\nshape = \"sphere\"\nradius = 2\n"));
  EXPECT_NE(
      text.find("\n[body.b]\nshape = \"sphere\"\nradius = 2  # [m]\nposition = [0, 0, 0]  # [m]\n"
                "rotation = [0, 0, 0]  # [deg]\nscale = 1\ninvert = false\nthickness = 0  # [m]\n"
                "motion = \"static\"\nfriction = 0.5\nsurface_velocity = [0, 0, 0]  # [m/s]\nrestitution = "
                "0.4\n# young: rigid\npoisson = 0.3\n"
                "surface = \"smooth\"\n# particle_radius: a quarter of solver.spacing, half of it under "
                "sph\nroughness = 0\n# "
                "remove: stays\ncopies = [1, 1, 1]\nstep = [0, 0, 0]  # [m]\n"
                "jitter = 0  # [m]\n# positions: from copies\ncolor = [0.55, 0.56, 0.58]\nopacity = "
                "1\nvisible = true\n"),
      std::string::npos)
      << text;
}

/// [surface] turns surfaces on by being there: a run without must not resolve to one with.
TEST_F(ResolvedScene, HasASurfaceOnlyWhereTheSceneHas) {
  const Scene without = parse_scene(resolved_scene_text(parse_with_needs("")), "a.toml", ".");
  const Scene with = parse_scene(resolved_scene_text(parse_with_needs("[surface]")), "b.toml", ".");
  EXPECT_FALSE(without.surface.given);
  EXPECT_TRUE(with.surface.given);
}

TEST_F(ResolvedScene, RunsFromAnyFolder) {
  std::filesystem::create_directories(folder_ / "sub");
  write("path.csv", "t,x,y,z,rx,ry,rz\n0,0,0,0,0,0,0\n1,0,0,1,0,0,90\n");
  const std::string path =
      write("sub/scene.toml",
            std::string(kNeededLines) +
                "[body.b]\nshape = \"plane\"\nmotion = \"keyframed\"\nkeyframes_file = \"../path.csv\"\n");
  const Scene scene = load_scene(path);
  EXPECT_EQ(scene.bodies[0].keyframes_file, (folder_ / "path.csv").lexically_normal().string());
  const Scene again = parse_scene(resolved_scene_text(scene), "again.toml", "/elsewhere");
  ASSERT_EQ(again.bodies[0].keyframes.size(), 2U);
  EXPECT_EQ(again.bodies[0].keyframes[1].rotation, Vec3d(0, 0, 90));
}

TEST_F(ResolvedScene, HashIsOfContentsNotOfPlaces) {
  std::filesystem::create_directories(folder_ / "a");
  std::filesystem::create_directories(folder_ / "b");
  const std::string text = std::string(kNeededLines) + "[grain.g]\nfile = \"g.txt\"\n";
  write("a/g.txt", "0 0 0 1\n");
  write("b/g.txt", "0 0 0 1\n");
  const Scene first = load_scene(write("a/s.toml", text)),
              second = load_scene(write("b/other.toml", text + "# note\n"));
  EXPECT_EQ(scene_hash(first), scene_hash(second));
  write("b/g.txt", "0 0 0 2\n");
  EXPECT_NE(scene_hash(first), scene_hash(second));
  EXPECT_EQ(changed_physics_keys(first, second), std::vector<std::string>{"grain.g.file"});
}

TEST_F(ResolvedScene, PhysicsHashIsFreeOfWhatAResumeMayChange) {
  std::string text = rich_scene();
  text.erase(text.find("[fill.c]"), text.find("[emitter.e]") - text.find("[fill.c]"));  // it names a file
  const Scene before = parse_scene(text, "s", "");
  const auto with = [&](std::vector<std::string> overrides) {
    return parse_scene(resolved_scene_text(before), "s", "", overrides);
  };
  const Scene allowed =
      with({"scene.duration=3", "output.every=7", "render.samples=3", "render.camera.fov=20"});
  EXPECT_EQ(physics_hash(allowed), physics_hash(before));
  EXPECT_NE(scene_hash(allowed), scene_hash(before));
  EXPECT_EQ(changed_physics_keys(before, allowed), std::vector<std::string>{});
  const Scene changed = with({"material.sand.friction=0.9", "scene.seed=2", "sink.other.shape=plane"});
  EXPECT_NE(physics_hash(changed), physics_hash(before));
  EXPECT_EQ(changed_physics_keys(before, changed),
            (std::vector<std::string>{"material.sand.friction", "scene.seed", "sink.other"}));
}

TEST_F(ResolvedScene, OrderOfTablesIsPhysics) {
  const Scene a = parse_with_needs("[material.a]\n[material.b]\n"),
              b = parse_with_needs("[material.b]\n[material.a]\n");
  EXPECT_EQ(a.materials[0].name, "a");
  EXPECT_EQ(b.materials[0].name, "b");
  EXPECT_NE(physics_hash(a), physics_hash(b));
  EXPECT_EQ(changed_physics_keys(a, b), std::vector<std::string>{"the order of the tables"});
}

}  // namespace
}  // namespace repose
