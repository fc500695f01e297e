// How fine grains are drawn: shapes and colours by id, no light gained or lost, no sparkle where they are
// smaller than a pixel.

#include <algorithm>
#include <cmath>
#include <map>

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/render/facets.h"
#include "repose/render/fine_spheres.h"
#include "repose/render/grain_colors.h"

namespace repose {
namespace {

/// A sky of radiance 1 from everywhere, no sun.
Lighting furnace() {
  Lighting light;
  light.sun = {0, 0, 0};
  make_basis(light.sun_direction, light.sun_s, light.sun_t);
  light.zenith = light.horizon = light.below = {1, 1, 1};
  return light;
}

Layers trace(const Scene& scene, const FineGrains& fine, const Camera& camera) {
  Threads pool(2);
  Stage stage(scene, {}, pool);
  stage.set(guide(), nullptr, &fine);
  Layers layers;
  const TraceSettings settings{.width = scene.render.size[0],
                               .height = scene.render.size[1],
                               .samples = scene.render.samples,
                               .bounces = scene.render.bounces,
                               .watch = {}};
  trace_paths(stage, furnace(), camera, settings, pool, layers);
  return layers;
}

float radiance(const Layers& layers, std::size_t i) {
  return layers.emitted[i].y + layers.albedo[i].y * (layers.direct[i].y + layers.indirect[i].y);
}

double mean_radiance(const Layers& layers) {
  double mean = 0;
  for (std::size_t i = 0; i < layers.footprint.size(); ++i)
    mean += radiance(layers, i) / static_cast<double>(layers.footprint.size());
  return mean;
}

TEST(FineGrains, EachShapeInAFurnaceShowsItsAlbedo) {
  // Facets are convex: light that meets one again, or gets in, would show as a darker spot. The same far from
  // the middle of the scene, where single precision is coarser.
  Scene scene = plain_scene(0.5F);
  scene.refine.color_by_guide = true;  // no glint
  const float albedo = unpack_color(pack_color({0.5F, 0.5F, 0.5F})).y;
  for (const double place : {0.0, 0.9}) {
    for (std::uint32_t id = 0; id < 40; ++id) {
      const double radius = place > 0 ? 1e-4 : 0.3;
      FineGrains fine = no_fine_grains(radius);
      fine.place.origin = {place, place, 1};
      add_fine(fine, fine.place.origin);
      fine.id[0] = id;
      const Vec3d eye = fine.place.origin - Vec3d(0, 4 * radius, 0);
      const Layers layers = trace(scene, fine, {eye, fine.place.origin, radians(35)});
      double covered_area = 0;
      for (std::size_t i = 0; i < layers.footprint.size(); ++i) {
        const float covered = layers.albedo[i].y / albedo;
        covered_area += static_cast<double>(covered);
        ASSERT_NEAR(radiance(layers, i), covered * albedo + (1 - covered), 3e-3) << id << " at " << place;
      }
      EXPECT_GT(covered_area, 200);
    }
  }
}

TEST(FineGrains, WhiteBedInAFurnaceLosesAndGainsNothing) {
  Scene scene = plain_scene(1);
  scene.materials[0].color = {1, 1, 1};
  scene.render.ground = true;
  scene.render.ground_color = {1, 1, 1};
  scene.render.bounces = 40;
  scene.refine.color_by_guide = true;
  const double mean =
      mean_radiance(trace(scene, bed_of_fine_grains(6, 0.1), {{0.5, -1, 1.4}, {0, 0, 0}, radians(35)}));
  // Grains have an albedo of at most 0.97: a few percent stay in the gaps.
  EXPECT_LT(mean, 1.0005);
  EXPECT_GT(mean, 0.95);
}

TEST(FineGrains, BrightGrainsGetMoreBounces) {
  Scene scene = plain_scene(1);
  scene.render.ground = true;
  scene.refine.color_by_guide = true;
  const FineGrains fine = bed_of_fine_grains(6, 0.1);
  const Camera camera{{0.5, -1, 1.4}, {0, 0, 0}, radians(35)};
  for (const float grey : {0.95F, 0.2F}) {
    scene.materials[0].color = scene.render.ground_color = {grey, grey, grey};
    const auto mean = [&](int bounces) {
      scene.render.bounces = bounces;
      return mean_radiance(trace(scene, fine, camera));
    };
    const double all = mean(40), few = mean(2);
    EXPECT_NEAR(few / all, 1, 0.02) << grey;
    EXPECT_LT(mean(0), few) << "none stay none";
  }
}

TEST(FineGrains, PictureDependsOnIdsAndNeitherOnThreadsNorOnTheOrderInMemory) {
  Scene scene = plain_scene();
  scene.render.ground = true;
  scene.render.samples = 4;
  scene.render.denoise = true;
  scene.render.color_variation = 0.25;
  scene.render.motion_blur = 0.5;
  FineGrains fine = bed_of_fine_grains(20, 0.03);
  for (std::size_t i = 0; i < fine.size(); ++i) fine.vx[i] = 0.1F * static_cast<float>(i % 7);
  const auto picture = [&](int count) {
    Threads threads(count);
    return Renderer(scene, {}, threads).render(guide(), {nullptr, &fine}).pixels;
  };
  const std::vector<Vec3f> one = picture(1);
  EXPECT_EQ(one, picture(2));
  EXPECT_EQ(one, picture(4));
  for (auto* part : {&fine.x, &fine.y, &fine.z}) std::reverse(part->begin(), part->end());
  std::reverse(fine.vx.begin(), fine.vx.end());
  std::reverse(fine.id.begin(), fine.id.end());
  EXPECT_EQ(one, picture(2));
  for (std::uint32_t& id : fine.id) ++id;
  EXPECT_NE(one, picture(2));
}

/// Mean and standard deviation of the colours of many grains at this distance [m].
struct Shades {
  double mean = 0, deviation = 0;
  std::size_t with_facets = 0;
};

Shades shades_at(double distance) {
  Scene scene = plain_scene();
  scene.render.color_variation = 0.25;
  FineGrains fine = no_fine_grains(0.001);
  for (int i = 0; i < 20000; ++i) add_fine(fine, {0, distance, 0});
  Threads threads(2);
  GrainSpheres spheres;
  const Viewpoint viewpoint{{0, 0, 0}, 1e-3};  // a pixel is 1 mm wide 1 m away
  make_fine_spheres(scene, guide(), fine, {0, 0, 0}, 0, viewpoint, threads, spheres);
  Shades shades;
  double squares = 0;
  for (const std::uint32_t word : spheres.colors) {
    const double y = static_cast<double>(unpack_color(word).y) / static_cast<double>(spheres.colors.size());
    shades.mean += y;
    squares += y * y * static_cast<double>(spheres.colors.size());
    shades.with_facets += word >> 24 != kBallShape ? 1 : 0;
  }
  shades.deviation = std::sqrt(std::max(0.0, squares - shades.mean * shades.mean));
  return shades;
}

TEST(FineGrains, WhatIsAGrainsOwnFadesBelowAPixel) {
  const Shades near = shades_at(1), middle = shades_at(3), far = shades_at(10);
  EXPECT_GT(near.deviation, 0.05);
  EXPECT_LT(middle.deviation, 0.8 * near.deviation);
  EXPECT_GT(middle.deviation, 0.1 * near.deviation);
  EXPECT_NEAR(far.deviation, 0, 1e-6);
  EXPECT_EQ(near.with_facets, 20000U);
  EXPECT_EQ(far.with_facets, 0U);
  // A pile keeps its brightness when the camera goes away from it.
  EXPECT_NEAR(middle.mean / near.mean, 1, 0.01);
  EXPECT_NEAR(far.mean / near.mean, 1, 0.01);
}

}  // namespace
}  // namespace repose
