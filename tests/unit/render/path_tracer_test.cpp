#include "repose/render/path_tracer.h"

#include <cmath>

#include "render_fixture.h"
#include <gtest/gtest.h>

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

Layers trace(const Scene& scene, const Frame& frame, const Lighting& light, const Camera& camera,
             int threads = 2) {
  Threads pool(threads);
  Stage stage(scene, {}, pool);
  stage.set(frame);
  Layers layers;
  const TraceSettings settings{.width = scene.render.size[0],
                               .height = scene.render.size[1],
                               .samples = scene.render.samples,
                               .bounces = scene.render.bounces,
                               .watch = {}};
  trace_paths(stage, light, camera, settings, pool, layers);
  return layers;
}

float radiance(const Layers& layers, std::size_t i) {
  return layers.emitted[i].y + layers.albedo[i].y * (layers.direct[i].y + layers.indirect[i].y);
}

TEST(PathTracer, ConvexBodyInAFurnaceShowsItsAlbedo) {
  const Scene scene = plain_scene(0.5F);
  const float albedo = unpack_color(pack_color({0.5F, 0.5F, 0.5F})).y;
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.5F);
  const Layers layers = trace(scene, frame, furnace(), {{0, -2, 1}, {0, 0, 1}, radians(35)});
  for (std::size_t i = 0; i < layers.footprint.size(); ++i) {
    const float covered = layers.albedo[i].y / albedo;
    EXPECT_NEAR(radiance(layers, i), covered * albedo + (1 - covered), 2e-3);
  }
}

TEST(PathTracer, WhiteBedInAFurnaceLosesAndGainsNothing) {
  Scene scene = plain_scene(1);
  scene.materials[0].color = {1, 1, 1};
  scene.render.ground = true;
  scene.render.ground_color = {1, 1, 1};
  scene.render.bounces = 40;
  const Frame frame = bed_of_spheres(6, 0.1);
  const Layers layers = trace(scene, frame, furnace(), {{0.5, -1, 1.4}, {0, 0, 0}, radians(35)});
  double mean = 0;
  for (std::size_t i = 0; i < layers.footprint.size(); ++i) mean += radiance(layers, i);
  mean /= static_cast<double>(layers.footprint.size());
  // Grains have an albedo of at most 0.97: a few percent stay in the gaps.
  EXPECT_LT(mean, 1.0005);
  EXPECT_GT(mean, 0.96);
}

TEST(PathTracer, SphereCoversItsProjection) {
  // Far from zero, where single precision alone has steps of an eighth of a metre.
  Scene scene = plain_scene();
  scene.domain.min = {1999999.2, -1, 0};
  scene.domain.max = {2000001.2, 1, 2};
  const double r = 0.3, distance = 2, fov = radians(35);
  Frame frame;
  add_sphere(frame, {2000000.3, 0, 1}, static_cast<float>(r));
  const Layers layers = trace(scene, frame, furnace(), {{2000000.3, -distance, 1}, {2000000.3, 0, 1}, fov});
  double covered = 0, across = 0;
  for (std::size_t i = 0; i < layers.albedo.size(); ++i) {
    const double share = layers.albedo[i].y / unpack_color(pack_color({0.5F, 0.5F, 0.5F})).y;
    covered += share;
    across += share * (static_cast<double>(i % 64) - 31.5);
  }
  EXPECT_NEAR(across / covered, 0, 0.05);
  const double edge = std::tan(std::asin(r / distance)) / std::tan(0.5 * fov) * 32;
  EXPECT_NEAR(covered / (kPi * edge * edge), 1, 5e-3);
}

TEST(PathTracer, ShadowFallsAwayFromTheSun) {
  Scene scene = plain_scene();
  scene.render.ground = true;
  scene.render.bounces = 0;
  scene.render.sun = {-1, -0.5, 1};
  scene.render.sun_size = 0.1;
  Frame frame;
  add_sphere(frame, {-0.5, -0.25, 0.5}, 0.1F);
  // From straight above; the sphere's shadow lies about the origin.
  const Camera camera{{0, 0, 4}, {0, 0, 0}, radians(35)};
  const Layers layers = trace(scene, frame, make_lighting(scene.render), camera);
  double shade = 0, x = 0, y = 0;
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 64; ++column) {
      const std::size_t i = static_cast<std::size_t>(row * 64 + column);
      const double px = (column - 31.5) / 32 * 4 * std::tan(radians(17.5)),
                   py = (31.5 - row) / 32 * 4 * std::tan(radians(17.5));
      if (px < -0.3) continue;  // the sphere itself
      const double lit = layers.direct[i].y / (3 * scene.render.sun.normalized().z);
      EXPECT_LT(lit, 1.01);
      shade += 1 - lit;
      x += px * (1 - lit);
      y += py * (1 - lit);
    }
  EXPECT_NEAR(x / shade, 0, 0.01);
  EXPECT_NEAR(y / shade, 0, 0.01);
  const double pixel = 8 * std::tan(radians(17.5)) / 64;
  // A sphere's shadow is an ellipse of area pi r^2 / sin(elevation).
  EXPECT_NEAR(shade * pixel * pixel / (kPi * 0.01 / scene.render.sun.normalized().z), 1, 0.03);
}

TEST(PathTracer, SamePictureForAnyNumberOfThreads) {
  Scene scene = plain_scene();
  scene.render.ground = true;
  scene.render.samples = 4;
  scene.render.denoise = true;
  Frame frame = bed_of_spheres(20, 0.03);
  // Overlapping spheres, a solid ring and a clear box: meshes and ties of equal distance too.
  for (int i = 0; i < 50; ++i) add_sphere(frame, frame.position[static_cast<std::size_t>(3 * i)], 0.03F);
  for (const ShapeKind kind : {ShapeKind::torus, ShapeKind::box}) {
    BodyDefinition body;
    body.name = kind == ShapeKind::torus ? "ring" : "case";
    body.shape.kind = kind;
    body.shape.size = {0.4, 0.4, 0.4};
    body.shape.radius = 0.3;
    body.opacity = kind == ShapeKind::torus ? 1 : 0.3;
    BodyRow row;
    row.name = body.name;
    row.pose.position.z = 0.1;
    scene.bodies.push_back(body);
    frame.bodies.push_back(row);
  }
  const auto picture = [&](int count) {
    Threads threads(count);
    return Renderer(scene, {}, threads).render(frame).pixels;
  };
  const std::vector<Vec3f> one = picture(1);
  EXPECT_EQ(one, picture(2));
  EXPECT_EQ(one, picture(4));
}

}  // namespace
}  // namespace repose
