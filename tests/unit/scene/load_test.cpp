#include "repose/scene/load.h"

#include <gtest/gtest.h>

#include "repose/core/error.h"

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

}  // namespace
}  // namespace repose
