// Glass: formulas against known values, and pictures of it against what must come out.

#include "repose/render/glass.h"

#include <cmath>

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/render/path_tracer.h"

namespace repose {
namespace {

TEST(Glass, ReflectsFourPercentStraightOnAndAllAtGrazing) {
  EXPECT_NEAR(fresnel_reflectance(1, 1.5F), 0.04, 1e-6);      // ((n - 1) / (n + 1))^2
  EXPECT_NEAR(fresnel_reflectance(1, 1 / 1.5F), 0.04, 1e-6);  // the same from inside
  EXPECT_NEAR(fresnel_reflectance(0, 1.5F), 1, 1e-6);
  EXPECT_EQ(fresnel_reflectance(0.7F, 1 / 1.5F), 1);  // cos 45 deg: past the critical angle of 41.8
  // Brewster's angle, tan = 1.5: half of the light across the plane, none along it.
  const float c = 1 / std::sqrt(1 + 2.25F);
  EXPECT_NEAR(fresnel_reflectance(c, 1.5F), 0.5 * std::pow((2.25 - 1) / (2.25 + 1), 2), 1e-5);
}

TEST(Glass, BendsBySnellsLaw) {
  const float angle = 0.6F;
  const Vec3f in(std::sin(angle), 0, -std::cos(angle)), normal(0, 0, 1);
  const Vec3f inside = refracted(in, normal, kGlassIndex);
  EXPECT_NEAR(inside.x, std::sin(angle) / kGlassIndex, 1e-6);
  EXPECT_LT(inside.z, 0);
  const Vec3f out = refracted(inside, normal, 1 / kGlassIndex);
  EXPECT_LT((out - in).length(), 1e-5);
}

Lighting even_sky() {
  Lighting light;
  light.sun = {0, 0, 0};
  light.backdrop = 1;
  make_basis(light.sun_direction, light.sun_s, light.sun_t);
  light.zenith = light.horizon = light.below = {1, 1, 1};
  return light;
}

BodyDefinition glass_body(ShapeKind kind, const Vec3d& position) {
  BodyDefinition body;
  body.name = "glass";
  body.shape.kind = kind;
  body.shape.radius = 0.5;
  body.shape.size = {1, 1, 0.1};
  body.shape.height = 1;
  body.shape.pose.position = position;
  body.opacity = 0.1;
  body.color = {1, 1, 1};
  return body;
}

Layers trace(const Scene& scene, Frame frame, const Lighting& light, const Camera& camera,
             const TriangleMesh* surface = nullptr) {
  for (const BodyDefinition& body : scene.bodies) {
    BodyRow row;
    row.name = body.name;
    row.pose = body.shape.pose;
    frame.bodies.push_back(row);
  }
  Threads threads(2);
  Stage stage(scene, {}, threads);
  stage.set(frame, surface);
  Layers layers;
  trace_paths(stage, light, camera, {.width = 64, .height = 64, .samples = 16, .bounces = 1, .watch = {}},
              threads, layers);
  return layers;
}

class GlassInAFurnace : public testing::TestWithParam<ShapeKind> {};

TEST_P(GlassInAFurnace, NeitherTakesNorGivesLight) {
  for (const double thickness : {0.0, 0.02}) {
    Scene scene = plain_scene();
    scene.bodies.push_back(glass_body(GetParam(), {0, 0, 1}));
    scene.bodies[0].shape.thickness = thickness;
    const Layers layers = trace(scene, {}, even_sky(), {{0.5, -2, 1.4}, {0, 0, 1}, radians(40)});
    for (const Vec3f& light : layers.emitted) ASSERT_NEAR(light.y, 1, 2e-3) << thickness;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, GlassInAFurnace,
                         testing::Values(ShapeKind::sphere, ShapeKind::box, ShapeKind::cylinder));

/// Where the grains are in the picture, -1 (left) to 1 (right), weighted by how well they are seen.
double middle_of_grains(const Layers& layers) {
  double sum = 0, moment = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const auto seen = static_cast<double>(layers.albedo[static_cast<std::size_t>(64 * y + x)].y);
      sum += seen;
      moment += seen * (x - 31.5) / 32;
    }
  return moment / sum;
}

TEST(Glass, ABallTurnsWhatIsBehindItAround) {
  Scene scene = plain_scene();
  Frame frame;
  add_sphere(frame, {0.3, 3, 1}, 0.15F);
  const Camera camera{{0, -3, 1}, {0, 0, 1}, radians(20)};
  EXPECT_GT(middle_of_grains(trace(scene, frame, even_sky(), camera)), 0.05);
  scene.bodies.push_back(glass_body(ShapeKind::sphere, {0, 0, 1}));
  EXPECT_LT(middle_of_grains(trace(scene, frame, even_sky(), camera)), -0.02);
  scene.bodies[0].shape.thickness = 0.01;  // a bubble hardly bends light
  EXPECT_GT(middle_of_grains(trace(scene, frame, even_sky(), camera)), 0.05);
}

TEST(Glass, ThrowsALightShadow) {
  Scene scene = plain_scene();
  scene.render.ground = true;
  Lighting light = even_sky();
  light.zenith = light.horizon = light.below = {0.01F, 0.01F, 0.01F};
  light.sun = {1, 1, 1};
  // Seen from the side, below the plate: the shadow on the ground with the sun in the zenith.
  const Camera camera{{0, -3, 0.6}, {0, 0, 0}, radians(8)};
  const auto brightness = [&] {
    const Layers layers = trace(scene, {}, light, camera);
    return static_cast<double>(layers.direct[32 * 64 + 32].y);
  };
  scene.bodies.push_back(glass_body(ShapeKind::box, {0, 0, 5}));
  const double in_glass_shadow = [&] {
    scene.bodies[0].shape.pose.position = {0, 0, 1.2};
    return brightness();
  }();
  scene.bodies[0].opacity = 1;
  EXPECT_LT(brightness(), 0.01);
  scene.bodies.clear();
  EXPECT_NEAR(brightness(), 1, 1e-3);
  EXPECT_NEAR(in_glass_shadow, 0.9 * 0.96 * 0.96, 0.02);
}

/// A box whose faces look outwards.
TriangleMesh box_mesh(const Vec3f& min, const Vec3f& max) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.positions.emplace_back((k & 1) != 0 ? max.x : min.x, (k & 2) != 0 ? max.y : min.y,
                                (k & 4) != 0 ? max.z : min.z);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TEST(ClearLiquid, WithoutColorNeitherTakesNorGivesLight) {
  Scene scene = plain_scene(1);
  scene.materials[0].clarity = 1;
  const TriangleMesh box = box_mesh({-0.5F, -0.5F, 0.5F}, {0.5F, 0.5F, 1.5F});
  const Layers layers = trace(scene, {}, even_sky(), {{0.5, -2, 1.4}, {0, 0, 1}, radians(40)}, &box);
  for (const Vec3f& light : layers.emitted) ASSERT_NEAR(light.y, 1, 2e-3);
}

// A pool as deep as its clarity, on the ground and seen from above: what is seen of the ground, and the sun's
// light on it, are each what the water's face lets through, 98 %, times the water's colour.
TEST(ClearLiquid, KeepsItsColorOverItsClarity) {
  Scene scene = plain_scene();
  scene.render.ground = true;
  scene.render.ground_color = {1, 1, 1};
  scene.materials[0].color = {0.2F, 0.5F, 0.9F};
  scene.materials[0].clarity = 0.5;
  Lighting light = even_sky();
  light.sun = {1, 1, 1};
  const TriangleMesh pool = box_mesh({-1, -1, 0}, {1, 1, 0.5F});
  const Layers layers = trace(scene, {}, light, {{0, 0, 4}, {0, 0, 0}, radians(2)}, &pool);
  const Vec3f expected = scene.materials[0].color * (1 - fresnel_reflectance(1, kWaterIndex));
  const std::size_t middle = 32 * 64 + 32;
  EXPECT_LT((layers.albedo[middle] - expected).length(), 2e-3);
  EXPECT_LT((layers.direct[middle] - expected).length(), 2e-3);
}

}  // namespace
}  // namespace repose
