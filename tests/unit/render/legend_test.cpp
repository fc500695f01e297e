// Words on pictures: the font, the numbers beside the bar, the bar itself.

#include "repose/render/legend.h"

#include <algorithm>
#include <set>

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/render/color_fields.h"
#include "repose/render/lettering.h"

namespace repose {
namespace {

Image8 black(int width, int height) {
  Image8 image{width, height, {}};
  image.pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), {0, 0, 0});
  return image;
}

TEST(Lettering, EveryCharacterLooksDifferent) {
  std::set<std::vector<Rgb8>> seen;
  const std::string_view text =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-+=/%_^()[]";
  // O and 0 are the same strokes.
  for (const char c : text) {
    Image8 image = black(40, 48);
    draw_text(image, std::string_view(&c, 1), 4, 8, 24, {255, 255, 255});
    EXPECT_TRUE(seen.insert(image.pixels).second || c == 'O') << c;
  }
  EXPECT_EQ(seen.size(), text.size() - 1);
}

TEST(Lettering, StaysWithinItsWidthAndIsCutAtTheEdge) {
  Image8 image = black(200, 40);
  draw_text(image, "speed 0.5", 10, 10, 16, {255, 255, 255});
  const double right = 10 + text_width("speed 0.5", 16);
  int last = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 200; ++x)
      if (image.pixels[static_cast<std::size_t>(200 * y + x)][0] > 0) last = std::max(last, x);
  EXPECT_NEAR(last, right, 3);
  draw_text(image, "out of the picture", -50, -8, 16, {255, 255, 255});
  draw_text(image, "out of the picture", 150, 35, 16, {255, 255, 255});
}

TEST(Legend, NumbersAreRoundAndWithinTheRange) {
  const auto labels = [](double low, double high) {
    std::string text;
    for (const Tick& tick : make_ticks(low, high)) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels(0, 1.23), "0.0 0.2 0.4 0.6 0.8 1.0 1.2 ");
  EXPECT_EQ(labels(-3, 5), "-2 0 2 4 ");
  EXPECT_EQ(labels(0, 22), "0 5 10 15 20 ");
  EXPECT_EQ(labels(0, 100), "0 20 40 60 80 100 ");
  EXPECT_EQ(labels(0.0051, 0.0062), "0.0052 0.0054 0.0056 0.0058 0.0060 0.0062 ");
  EXPECT_EQ(labels(0, 4e6), "0 1e+06 2e+06 3e+06 4e+06 ");
  EXPECT_EQ(labels(2, 2), "2 ");
}

TEST(Legend, ShowsTheColoursWhereTheyShowAValue) {
  Scene scene = plain_scene();
  scene.render.color_by = "speed";
  scene.render.range = {0, 1};
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.5F);
  Image8 image = black(320, 240);
  draw_legend(image, scene, frame);
  const Rgb8 top{static_cast<std::uint8_t>(251), 0, 0};  // yellow: much red, and dark blue at the lower end
  int reddest = 0, bluest = 0;
  for (const Rgb8& pixel : image.pixels) {
    if (pixel[0] > pixel[2] + 60) reddest = std::max(reddest, static_cast<int>(pixel[0]));
    if (pixel[2] > pixel[1] + 20) ++bluest;
  }
  EXPECT_NEAR(reddest, top[0], 4);
  EXPECT_GT(bluest, 20);
  for (const char* without : {"material", "id"}) {
    Image8 plain = black(320, 240);
    scene.render.color_by = without;
    draw_legend(plain, scene, frame);
    EXPECT_EQ(plain.pixels, black(320, 240).pixels) << without;
  }
  scene.render.color_by = "speed";
  scene.render.legend = false;
  Image8 unwanted = black(320, 240);
  draw_legend(unwanted, scene, frame);
  EXPECT_EQ(unwanted.pixels, black(320, 240).pixels);
}

TEST(Legend, LargeValuesStandAbove) {
  // Numbers at 0, 2, 4, 6, 8: the upper half of the bar is the upper half of the scale, and so are the marks.
  Scene scene = plain_scene();
  scene.render.color_by = "speed";
  scene.render.range = {0, 9};
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.5F);
  Image8 image = black(640, 480);
  draw_legend(image, scene, frame);
  const auto at = [&](int x, int y) {
    return image.pixels[static_cast<std::size_t>(y) * 640 + static_cast<std::size_t>(x)];
  };
  // The bar: the column with the most different colours.
  int bar = 0;
  std::size_t most = 0;
  for (int x = 0; x < 640; ++x) {
    std::set<Rgb8> colors;
    for (int y = 0; y < 480; ++y) colors.insert(at(x, y));
    if (colors.size() > most) most = colors.size(), bar = x;
  }
  int top = 480, bottom = 0;
  for (int y = 0; y < 480; ++y) {
    const Rgb8 pixel = at(bar, y);
    const auto [least, largest] = std::minmax({pixel[0], pixel[1], pixel[2]});
    if (largest - least > 30) top = std::min(top, y), bottom = std::max(bottom, y);  // words are grey
  }
  EXPECT_NEAR(bottom - top, 0.42 * 480, 40);
  EXPECT_GT(at(bar, top + 2)[0], 200) << "yellow above";
  EXPECT_GT(at(bar, bottom - 2)[2], at(bar, bottom - 2)[0]) << "blue below";
  // Marks to its right: from the lower end up, with room above, since 9 is no round number.
  int right = bar;
  while (at(right + 1, (top + bottom) / 2 + 3) == at(bar, (top + bottom) / 2 + 3)) ++right;
  std::vector<int> marks;
  for (int y = top - 1; y <= bottom + 1; ++y)
    if (at(right + 2, y)[0] > 200 && at(right + 2, y)[2] > 200) marks.push_back(y);
  ASSERT_EQ(marks.size(), 5U);
  EXPECT_NEAR(marks.back(), bottom, 3);
  EXPECT_NEAR(marks.front(), top + (bottom - top) / 9.0, 3);
}

TEST(Legend, OneStrayGrainDoesNotTakeTheColours) {
  Frame frame;
  for (int i = 0; i < 2000; ++i) {
    add_sphere(frame, {0, 0, 0.001 * i}, 0.5F);
    frame.velocity.back() = {0, 0, static_cast<float>(i) / 2000};
  }
  frame.velocity[7] = {1000, 0, 0};
  EXPECT_NEAR(spread_of(frame, "speed")->high, 1, 0.01);
  EXPECT_EQ(spread_of(frame, "speed")->low, 0);
  EXPECT_NEAR(spread_of(frame, "height")->low, 0, 0.01);
  EXPECT_NEAR(spread_of(frame, "vz")->high, 1, 0.01);
  EXPECT_FALSE(spread_of(frame, "pressure").has_value());
  EXPECT_FALSE(spread_of(Frame{}, "speed").has_value());
}

}  // namespace
}  // namespace repose
