#include "repose/render/stage.h"

#include <cmath>

#include "render_fixture.h"
#include <gtest/gtest.h>

#include "repose/render/clip.h"
#include "repose/render/grain_colors.h"
#include "repose/render/path_tracer.h"

namespace repose {
namespace {

/// Looks along +y at the point (0, 0, 1).
const Camera kFront{{0, -4, 1}, {0, 0, 1}, radians(35)};

Layers trace(const Scene& scene, const std::vector<GrainShape>& shapes, const Frame& frame) {
  Threads threads(2);
  Stage stage(scene, shapes, threads);
  stage.set(frame);
  Layers layers;
  const TraceSettings settings{.width = scene.render.size[0],
                               .height = scene.render.size[1],
                               .samples = scene.render.samples,
                               .bounces = scene.render.bounces,
                               .watch = {}};
  trace_paths(stage, make_lighting(scene.render), kFront, settings, threads, layers);
  return layers;
}

/// How much of the picture surfaces cover, and where, in metres at distance 4.
struct Coverage {
  double area = 0, x = 0, z = 0, width = 0;
};

Coverage coverage(const Layers& layers, float albedo) {
  Coverage c;
  const double pixel = 8 * std::tan(radians(17.5)) / layers.height;
  double squares = 0;
  for (int row = 0; row < layers.height; ++row)
    for (int column = 0; column < layers.width; ++column) {
      const auto i = static_cast<std::size_t>(row * layers.width + column);
      const double share = layers.albedo[i].y / albedo * pixel * pixel;
      const double x = (column + 0.5 - 0.5 * layers.width) * pixel,
                   z = (0.5 * layers.height - row - 0.5) * pixel;
      c.area += share;
      c.x += share * x;
      c.z += share * z;
      squares += share * x * x;
    }
  c.x /= c.area;
  c.z /= c.area;
  c.width = std::sqrt(squares / c.area - c.x * c.x);
  return c;
}

BodyDefinition box_body(const Vec3d& size, const Vec3d& position) {
  BodyDefinition body;
  body.name = "box";
  body.shape.size = size;
  body.shape.pose.position = position;
  body.color = {0.5F, 0.5F, 0.5F};
  return body;
}

BodyRow row_of(const BodyDefinition& body) {
  BodyRow row;
  row.name = body.name;
  row.pose = body.shape.pose;
  return row;
}

TEST(Stage, NoRayEndsOnAGroundThatIsNotThere) {
  const Scene scene = plain_scene();
  Threads threads(1);
  const Stage stage(scene, {}, threads);
  // Rounding may make a unit vector straight down a little longer than 1.
  for (const float slope : {-1.0F, std::nextafter(-1.0F, -2.0F), -0.5F})
    EXPECT_EQ(reach(stage.ground(), 0.5F, slope), Stage::kFar) << slope;
}

TEST(Stage, BodiesStandWhereTheFrameHasThem) {
  Scene scene = plain_scene();
  scene.bodies.push_back(box_body({1, 0.01, 0.5}, {0, 0, 1}));
  Frame frame;
  frame.bodies.push_back(row_of(scene.bodies[0]));
  Coverage c = coverage(trace(scene, {}, frame), 0.5F);
  EXPECT_NEAR(c.area, 0.5, 0.01);
  EXPECT_NEAR(c.x, 0, 0.01);

  frame.bodies[0].pose.position = {0.4, 0, 1.2};
  c = coverage(trace(scene, {}, frame), 0.5F);
  EXPECT_NEAR(c.x, 0.4, 0.01);
  EXPECT_NEAR(c.z, 0.2, 0.01);

  frame.bodies[0].pose = {{0, 0, 1}, rotation_from_degrees({0, 90, 0})};
  c = coverage(trace(scene, {}, frame), 0.5F);
  EXPECT_NEAR(c.width, 0.5 / std::sqrt(12.0), 0.01) << "turned about y, it is as wide as it was high";

  frame.bodies[0].present = false;
  EXPECT_EQ(coverage(trace(scene, {}, frame), 0.5F).area, 0);
}

TEST(Stage, CompoundsAreTheirSpheres) {
  const Scene scene = plain_scene();
  const float albedo = unpack_color(pack_color({0.5F, 0.5F, 0.5F})).y;
  GrainShape pair;
  pair.spheres.push_back({{0.5, 0, 0}, 0.5});
  pair.spheres.push_back({{-0.5, 0, 0}, 0.5});
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.4F);
  frame.shape.push_back(0);
  frame.orientation.emplace_back(1.0F, 0.0F, 0.0F, 0.0F);
  Coverage c = coverage(trace(scene, {pair}, frame), albedo);
  EXPECT_NEAR(c.area, 2 * kPi * 0.04, 0.01);
  EXPECT_NEAR(c.width, std::sqrt(0.04 + 0.01), 0.01);
  frame.orientation[0] = Quatf(exp_rotation({0, kPi / 2, 0}));
  c = coverage(trace(scene, {pair}, frame), albedo);
  EXPECT_NEAR(c.width, 0.1, 0.01) << "the two stand on top of each other";
}

TEST(Stage, MotionBlurSpreadsAGrainAlongItsWay) {
  Scene scene = plain_scene();
  scene.render.samples = 64;
  const float albedo = unpack_color(pack_color({0.5F, 0.5F, 0.5F})).y;
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.1F);
  frame.velocity[0] = {24, 0, 0};
  EXPECT_NEAR(coverage(trace(scene, {}, frame), albedo).width, 0.05, 0.01) << "no shutter, no blur";
  scene.render.motion_blur = 0.5;
  const Coverage c = coverage(trace(scene, {}, frame), albedo);
  EXPECT_NEAR(c.x, 0, 0.02) << "the frame's time is the middle of the shutter's";
  EXPECT_NEAR(c.width, 0.5 / std::sqrt(12.0), 0.02) << "24 m/s for half of 1/24 s";
  EXPECT_NEAR(c.area, kPi * 0.01, 0.002);
}

TEST(Stage, ClipLeavesOutWhatLiesBeyond) {
  Scene scene = plain_scene();
  scene.bodies.push_back(box_body({1, 0.01, 0.5}, {0, 0, 1}));
  scene.render.clip = {{2, 0, 0, 0.5}};  // x <= 1/4
  Frame frame;
  frame.bodies.push_back(row_of(scene.bodies[0]));
  Coverage c = coverage(trace(scene, {}, frame), 0.5F);
  EXPECT_NEAR(c.area, 0.375, 0.01);
  EXPECT_NEAR(c.x, -0.125, 0.01);
  add_sphere(frame, {0.4, 0, 1}, 0.1F);
  EXPECT_NEAR(coverage(trace(scene, {}, frame), 0.5F).area, c.area, 1e-6);
}

TEST(Stage, ClearBodiesDimWhatLiesBehind) {
  Scene scene = plain_scene();
  scene.render.sun_strength = 0;
  Frame frame;
  add_sphere(frame, {0, 0, 1}, 0.3F);
  const double alone = coverage(trace(scene, {}, frame), 0.5F).area;
  scene.bodies.push_back(box_body({1, 0.01, 1}, {0, -1, 1}));
  scene.bodies[0].opacity = 0.2;
  frame.bodies.push_back(row_of(scene.bodies[0]));
  const double behind = coverage(trace(scene, {}, frame), 0.5F).area;
  // Its two faces cover a fifth together, and each mirrors 4 %.
  EXPECT_NEAR(behind / alone, 0.8 * 0.96 * 0.96, 0.01);
  frame.bodies[0].pose.position.y = 1;
  EXPECT_NEAR(coverage(trace(scene, {}, frame), 0.5F).area / alone, 1, 1e-3) << "behind the grain";
}

TEST(Stage, ASurfaceIsDrawnInPlaceOfTheGrains) {
  const Scene scene = plain_scene();
  Frame frame;
  add_sphere(frame, {0.4, 0, 1}, 0.1F);
  TriangleMesh mesh;  // a square of edge 0.4 that faces the camera, on the left
  mesh.positions = {{-0.6F, 0, 0.8F}, {-0.2F, 0, 0.8F}, {-0.2F, 0, 1.2F}, {-0.6F, 0, 1.2F}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  Threads threads(1);
  Stage stage(scene, {}, threads);
  stage.set(frame, &mesh);
  RayBatch rays;
  rays.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3f from(Vec3d(i == 0 ? -0.4 : 0.4, -3, 1) - stage.origin());
    rays.ox[i] = from.x;
    rays.oy[i] = from.y;
    rays.oz[i] = from.z;
    rays.dx[i] = rays.dz[i] = rays.time[i] = 0;
    rays.dy[i] = 1;
    rays.tmax[i] = Stage::kFar;
  }
  HitBatch hits;
  stage.rays().intersect(rays, hits);
  ASSERT_TRUE(stage.meets_surface(rays, hits, 0));
  EXPECT_NEAR(hits.t[0], 3, 1e-5);
  EXPECT_EQ(stage.surface(rays, hits, 0).albedo, scene.materials[0].color);
  EXPECT_EQ(stage.surface(rays, hits, 0).coat, 0);
  EXPECT_FALSE(stage.meets_surface(rays, hits, 1)) << "the grain";
}

TEST(Clip, CutsTrianglesAtThePlane) {
  TriangleMesh mesh;
  mesh.positions.assign(3, Vec3f(0, 0, 0));
  mesh.positions[1].x = mesh.positions[2].y = 2;
  mesh.normals.assign(3, Vec3f(0, 0, 1));
  mesh.triangles = {{0, 1, 2}};
  const auto area = [](const TriangleMesh& m) {
    float sum = 0;
    for (const auto& t : m.triangles)
      sum += 0.5F * (m.positions[t[1]] - m.positions[t[0]]).cross(m.positions[t[2]] - m.positions[t[0]]).z;
    return sum;
  };
  EXPECT_NEAR(area(clip_mesh(mesh, ClipPlane({1, 0, 0, 1}), Vec3d(0))), 1.5, 1e-6);
  EXPECT_NEAR(area(clip_mesh(mesh, ClipPlane({-1, 0, 0, -1}), Vec3d(0))), 0.5, 1e-6);
  EXPECT_NEAR(area(clip_mesh(mesh, ClipPlane({1, 0, 0, 11}), Vec3d(10, 0, 0))), 1.5, 1e-6);
  EXPECT_TRUE(clip_mesh(mesh, ClipPlane({1, 0, 0, -1}), Vec3d(0)).triangles.empty());
  EXPECT_EQ(clip_mesh(mesh, ClipPlane({1, 0, 0, 5}), Vec3d(0)).triangles.size(), 1U);
}

}  // namespace
}  // namespace repose
