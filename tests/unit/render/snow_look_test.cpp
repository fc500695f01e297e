// Snow: a bed in even light is as bright as its colour says, and makes no light; the facet of a grain goes by
// its id, and a glint needs the sun in it.

#include "repose/render/snow_look.h"

#include <algorithm>
#include <cmath>

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/render/grain_colors.h"

namespace repose {
namespace {

Scene snow_scene(const Color& color) {
  Scene scene = plain_scene();
  scene.materials[0].kind = MaterialKind::snow;
  scene.materials[0].color = color;
  return scene;
}

/// Grains at random in a box from z = -depth to 0, as close as refinement lays them.
FineGrains deep_bed(double radius, double half_width, double depth) {
  FineGrains fine = no_fine_grains(radius);
  const double one = std::pow(2 * radius, 3);
  const auto count = static_cast<std::size_t>(4 * half_width * half_width * depth / one);
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(7, Stream::test, 0, i);
    const double x = random.uniform(-half_width, half_width), y = random.uniform(-half_width, half_width);
    add_fine(fine, {x, y, random.uniform(-depth, 0)});
  }
  return fine;
}

/// What is seen of the middle of a bed under a sky of radiance 1.
Color seen_in_furnace(const Scene& scene, const FineGrains& fine) {
  Lighting light;
  light.sun = {0, 0, 0};
  make_basis(light.sun_direction, light.sun_s, light.sun_t);
  light.zenith = light.horizon = light.below = {1, 1, 1};
  Threads pool(2);
  Stage stage(scene, {}, pool);
  stage.set(guide(), nullptr, &fine);
  Layers layers;
  const TraceSettings settings{.width = 32, .height = 32, .samples = 32, .bounces = 2, .watch = {}};
  trace_paths(stage, light, {{0, 0, 8}, {0, 0, 0}, radians(3)}, settings, pool, layers);
  Color mean(0, 0, 0);
  const Image image = compose(layers, pool);
  for (const Vec3f& pixel : image.pixels) mean += pixel * (1 / static_cast<float>(image.pixels.size()));
  return mean;
}

TEST(SnowLook, BedInAFurnaceShowsItsColor) {
  const FineGrains fine = deep_bed(0.05, 1.5, 1.5);
  for (const Color& color : {Color(0.6F, 0.7F, 0.8F), Color(0.88F, 0.91F, 0.95F), Color(1, 1, 1)}) {
    const Color seen = seen_in_furnace(snow_scene(color), fine);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(seen[c], std::min(color[c], kBrightestSnow), 0.025F);
    }
  }
}

TEST(SnowLook, FacetsGoByIdAndMirrorTheSun) {
  EXPECT_EQ(ice_facet(7), ice_facet(7));
  EXPECT_NE(ice_facet(7), ice_facet(8));
  EXPECT_NEAR(ice_facet(7).length(), 1, 1e-5F);
  // Seen from above with the sun above, a level facet mirrors it; an upright one does not.
  EXPECT_GT(ice_glint({0, 0, -1}, {0, 0, 1}, {0, 0, 1}), 0);
  EXPECT_EQ(ice_glint({0, 0, -1}, {1, 0, 0}, {0, 0, 1}), 0);
}

}  // namespace
}  // namespace repose
