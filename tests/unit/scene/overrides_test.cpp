// `--set key.path=value`.

#include "scene_text.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

Scene set(std::vector<std::string> overrides, std::string_view text = "") {
  return parse_with_needs(text, overrides);
}
std::string errors(std::vector<std::string> overrides, std::string_view text = "") {
  return errors_of(text, overrides);
}

TEST(SetArguments, ChangeAndAddKeys) {
  EXPECT_EQ(set({"scene.duration=2.5"}).info.duration, 2.5);
  EXPECT_EQ(set({"scene.duration=2.5"}, "[scene]\nduration = 1").info.duration, 2.5);
  EXPECT_EQ(set({"scene.duration = 3"}).info.duration, 3);
  EXPECT_EQ(set({"solver.dem.skin=0"}).solver.dem.skin, 0);
  EXPECT_EQ(set({"scene.gravity=[0, 0, -1.62]"}).info.gravity, Vec3d(0, 0, -1.62));
  EXPECT_EQ(
      set({"material.sand.friction=0.1"}, "[material.sand]\npreset = \"dry sand\"").materials[0].friction,
      0.1);
  EXPECT_EQ(set({"domain.friction.\"z+\"=2"}).domain.friction[5], 2);
  EXPECT_EQ(set({"render.camera={ fov = 50 }"}).render.camera_fov, 50);
}

TEST(SetArguments, TheLastOneWins) { EXPECT_EQ(set({"scene.seed=2", "scene.seed=3"}).info.seed, 3U); }

TEST(SetArguments, TakeBareWordsAsText) {
  EXPECT_EQ(set({"material.sand.preset=dry sand"}).materials[0].grain_density, 2650);
  EXPECT_EQ(set({"scene.title=\"= 'x'\""}).info.title, "= 'x'");
  EXPECT_EQ(set({"scene.title=a-b/c.d"}).info.title, "a-b/c.d");
  EXPECT_TRUE(set({"body.b.shape=plane", "body.b.visible=false"}).bodies[0].visible == false);
}

TEST(SetArguments, AddTablesAfterThoseOfTheFile) {
  const Scene scene = set({"material.a.friction=1"}, "[material.b]\n");
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_EQ(scene.materials[1].name, "a");
}

TEST(SetArguments, AreChecked) {
  EXPECT_EQ(errors({"scene.duration"}), "--set scene.duration: write key=value, as in scene.duration=2");
  EXPECT_EQ(errors({"=3"}), "--set =3: '' is not a key (write table.key=value, as in scene.duration=2)");
  EXPECT_EQ(errors({"a b=3"}),
            "--set a b=3: 'a b' is not a key (write table.key=value, as in scene.duration=2)");
  EXPECT_EQ(errors({"scene.duration="}),
            "--set scene.duration=: '' is not a TOML value (text goes in quotes)");
  EXPECT_EQ(errors({"scene.duration=2s"}),
            "--set scene.duration=2s: '2s' is not a TOML value (text goes in quotes)");
  EXPECT_EQ(errors({"scene.duration=1\nx = 2"}),
            "--set scene.duration=1\\x0ax = 2: '1\\x0ax = 2' is not a TOML value (text goes in quotes)");
  EXPECT_EQ(errors({"scene.duration=-2"}),
            "--set scene.duration=-2: 'duration' must be a number > 0 [s], not -2");
  EXPECT_EQ(errors({"scene.duraton=2"}),
            "--set scene.duraton=2: unknown key 'duraton' in [scene]: did you mean 'duration'?");
  EXPECT_EQ(errors({"duration=2"}), "--set duration=2: unknown table 'duration'");
  EXPECT_EQ(errors({"solver.spacing.x=1"}), "--set solver.spacing.x=1: 'spacing' is not a table");
  EXPECT_EQ(errors({"fill.f.material=nothing", "fill.f.points=[[0, 0, 0]]"}),
            "--set fill.f.material=nothing: there is no material 'nothing'");
}

TEST(SetArguments, AreToldAfterTheFile) {
  EXPECT_EQ(errors({"scene.fps=0", "scene.seed=-1"}, "[render]\nsamples = 0\n"),
            "s.toml:7:11: 'samples' must be a whole number from 1 to 65536, not 0\n"
            "--set scene.fps=0: 'fps' must be a number > 0 and at most 1000000 [1/s], not 0\n"
            "--set scene.seed=-1: 'seed' must be a whole number >= 0, not -1");
}

}  // namespace
}  // namespace repose
