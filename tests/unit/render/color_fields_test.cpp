#include "repose/render/color_fields.h"

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/render/grain_colors.h"
#include "repose/render/legend.h"

namespace repose {
namespace {

/// Grains with a channel of these values.
Frame frame_with(const std::string& name, std::vector<float> values) {
  Frame frame;
  for (std::size_t i = 0; i < values.size(); ++i) add_sphere(frame, {static_cast<double>(i), 0, 0}, 0.5F);
  frame.scalars.push_back({name, std::move(values)});
  return frame;
}

/// Sand of 1600 kg/m3 in a box 2 m high.
Scene sand_scene(const std::string& color_by) {
  Scene scene = plain_scene();
  scene.materials[0].density = 1600;
  Fill fill;
  fill.name = "heap";
  fill.material = "sand";
  fill.shape.emplace();
  fill.shape->kind = ShapeKind::box;
  fill.shape->size = {1, 1, 2};
  fill.shape->pose.position = {0, 0, 1};
  scene.fills.push_back(fill);
  scene.render.color_by = color_by;
  return scene;
}

TEST(ColorFields, ShowWhatAFrameKeeps) {
  Threads threads(1);
  for (const char* name : {"pressure", "density", "wetness", "asleep"}) {
    const Scene scene = sand_scene(name);
    const ValueRange range = value_range(scene);
    const Frame frame = frame_with(name, {range.low, 0.5F * (range.low + range.high), range.high});
    const std::vector<std::uint32_t> colors = grain_colors(scene, frame, threads);
    EXPECT_EQ(colors[0], pack_color(scale_color(0))) << name;
    EXPECT_EQ(colors[1], pack_color(scale_color(0.5F))) << name;
    EXPECT_EQ(colors[2], pack_color(scale_color(1))) << name;
  }
}

TEST(ColorFields, SpanWhatTheSceneLetsExpect) {
  // The weight of the whole box on its floor, and a little more than the density at rest.
  const ValueRange pressure = value_range(sand_scene("pressure")),
                   density = value_range(sand_scene("density"));
  EXPECT_EQ(pressure.low, 0);
  EXPECT_NEAR(pressure.high, 1600 * 9.81 * 2, 100);
  EXPECT_EQ(density.low, 0);
  EXPECT_NEAR(density.high, 1920, 1);
  EXPECT_EQ(color_title("pressure"), "pressure [Pa]");
  EXPECT_EQ(color_title("density"), "density [kg/m3]");
  EXPECT_EQ(color_title("wetness"), "wetness [-]");
}

TEST(ColorFields, SharesAlwaysSpanZeroToOne) {
  for (const char* name : {"wetness", "asleep"}) {
    EXPECT_EQ(value_range(sand_scene(name)).high, 1) << name;
    const std::optional<ValueRange> spread = spread_of(frame_with(name, {0.2F, 0.3F}), name);
    EXPECT_EQ(spread->low, 0) << name;
    EXPECT_EQ(spread->high, 1) << name;
  }
}

TEST(ColorFields, SpreadOfPressureBeginsAtZero) {
  const std::optional<ValueRange> spread = spread_of(frame_with("pressure", {100, 300}), "pressure");
  EXPECT_EQ(spread->low, 0);
  EXPECT_EQ(spread->high, 300);
}

TEST(ColorFields, DensitiesFromBeforeTheFirstStepDoNotCount) {
  EXPECT_FALSE(spread_of(frame_with("density", {0, 0}), "density").has_value());
  const std::optional<ValueRange> spread = spread_of(frame_with("density", {0, 1500, 1600}), "density");
  EXPECT_EQ(spread->low, 1500);
  EXPECT_EQ(spread->high, 1600);
}

TEST(ColorFields, WithoutTheValuesThereIsNoRange) {
  Scene scene = sand_scene("wetness");
  scene.render.range = {0, 1};
  const Frame frame = frame_with("pressure", {1, 2});
  EXPECT_TRUE(lacks_color_values(scene, frame));
  EXPECT_FALSE(color_range(scene, frame).has_value()) << "the legend would be of colours that are not there";
  // Before anything is poured the legend is there already: it does not jump into the film.
  EXPECT_FALSE(lacks_color_values(scene, Frame{}));
  EXPECT_TRUE(color_range(scene, Frame{}).has_value());
  scene.render.color_by = "material";
  EXPECT_FALSE(lacks_color_values(scene, frame));
  EXPECT_FALSE(color_range(scene, frame).has_value());
}

/// A splash of one frame, in which a hundredth of the grains are fast, does not darken a whole film.
TEST(ColorFields, ASplashDoesNotTakeTheColors) {
  std::vector<float> pool;
  for (int k = 0; k < 20; ++k) {
    std::vector<float> values(1000, 100.0F);
    for (int i = 0; i < 1000; ++i) values[static_cast<std::size_t>(i)] = 0.1F * static_cast<float>(i);
    if (k == 3) std::fill(values.begin(), values.begin() + 50, 1e6F);
    add_color_values(frame_with("pressure", values), "pressure", pool);
  }
  EXPECT_NEAR(spread_of(pool, "pressure")->high, 100, 1);
}

}  // namespace
}  // namespace repose
