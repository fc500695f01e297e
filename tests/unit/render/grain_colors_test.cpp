#include "repose/render/grain_colors.h"

#include <algorithm>
#include <set>

#include "render_fixture.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

Frame row_of_grains(int n) {
  Frame frame;
  for (int i = 0; i < n; ++i) {
    add_sphere(frame, Vec3d(i, 0, 0.1 * i), 0.5F);
    frame.velocity.back() = {static_cast<float>(i), 0, 0};
  }
  return frame;
}

TEST(GrainColors, PackingKeepsEightBits) {
  for (const float v : {0.0F, 0.01F, 0.2F, 0.5F, 1.0F})
    EXPECT_NEAR(unpack_color(pack_color({v, v, v})).x, v, 0.005);
}

TEST(GrainColors, VaryAboutTheMaterialAndStayWithTheId) {
  Threads threads(2);
  Scene scene = plain_scene(0.4F);
  Frame frame = row_of_grains(2000);
  const std::vector<std::uint32_t> plain = grain_colors(scene, frame, threads);
  EXPECT_EQ(std::set<std::uint32_t>(plain.begin(), plain.end()).size(), 1U);

  scene.render.color_variation = 0.25;
  const std::vector<std::uint32_t> varied = grain_colors(scene, frame, threads);
  EXPECT_GT(std::set<std::uint32_t>(varied.begin(), varied.end()).size(), 500U);
  double mean = 0;
  for (const std::uint32_t c : varied) mean += unpack_color(c).y / 2000;
  EXPECT_NEAR(mean, 0.4, 0.02);

  // The colour goes with the id, whatever row the grain is in.
  std::reverse(frame.id.begin(), frame.id.end());
  std::vector<std::uint32_t> reversed = grain_colors(scene, frame, threads);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, varied);
}

TEST(GrainColors, ShowAChannelFromDarkToBright) {
  Threads threads(2);
  Scene scene = plain_scene();
  const Frame frame = row_of_grains(10);
  scene.render.color_by = "speed";
  scene.render.range = {{0, 9}};
  const auto brightness = [&](std::size_t i) {
    const Color c = unpack_color(grain_colors(scene, frame, threads)[i]);
    return 0.2126F * c.x + 0.7152F * c.y + 0.0722F * c.z;
  };
  for (std::size_t i = 1; i < 10; ++i) EXPECT_GT(brightness(i), brightness(i - 1));
  scene.render.range = {{20, 30}};
  EXPECT_EQ(grain_colors(scene, frame, threads)[3], grain_colors(scene, frame, threads)[7])
      << "below the range";
  scene.render.color_by = "pressure";
  EXPECT_NEAR(unpack_color(grain_colors(scene, frame, threads)[0]).x, 0.5, 0.01) << "no such channel here";
}

TEST(GrainColors, WetGrainsAreDarker) {
  Threads threads(1);
  const Scene scene = plain_scene();
  Frame frame = row_of_grains(2);
  frame.scalars.push_back({"wetness", {0, 1}});
  const std::vector<std::uint32_t> colors = grain_colors(scene, frame, threads);
  EXPECT_LT(unpack_color(colors[1]).y, 0.7F * unpack_color(colors[0]).y);
}

}  // namespace
}  // namespace repose
