#include "repose/render/camera.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

/// Picture coordinates of a point, in units of half the height and half the width.
Vec2d project(const Camera& camera, const Vec3d& p, double aspect) {
  const Vec3d ahead = (camera.target - camera.position).normalized();
  const Vec3d right = ahead.cross(Vec3d(0, 0, 1)).normalized(), up = right.cross(ahead);
  const Vec3d v = p - camera.position;
  const double scale = 1 / (std::tan(0.5 * camera.fov) * v.dot(ahead));
  return {v.dot(right) * scale / aspect, v.dot(up) * scale};
}

Scene heap_scene() {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = {-1, -1, 0};
  scene.domain.max = {1, 1, 3};
  Fill fill;
  Shape box;
  box.size = {0.4, 0.4, 0.4};
  box.pose.position = {0, 0, 1};
  fill.shape = box;
  scene.fills.push_back(fill);
  return scene;
}

std::vector<Vec3d> corners(const Vec3d& low, const Vec3d& size) {
  std::vector<Vec3d> points;
  for (int i = 0; i < 8; ++i)
    points.push_back(low +
                     Vec3d((i & 1) != 0 ? size.x : 0, (i & 2) != 0 ? size.y : 0, (i & 4) != 0 ? size.z : 0));
  return points;
}

TEST(Camera, FramesAllCornersAndFillsThePicture) {
  const double aspects[] = {16.0 / 9, 1, 0.5};
  const Vec3d sizes[] = {{1, 1, 1}, {10, 1, 0.2}, {0.1, 0.1, 5}, {2, 9, 1}};
  for (const double aspect : aspects)
    for (const Vec3d& size : sizes) {
      const std::vector<Vec3d> points = corners({100, -40, 3}, size);
      const Camera camera = frame_points(points, radians(35), aspect);
      double widest = 0;
      for (const Vec3d& point : points) {
        const Vec2d at = project(camera, point, aspect);
        widest = std::max({widest, std::fabs(at.x), std::fabs(at.y)});
      }
      EXPECT_LT(widest, 0.95);
      EXPECT_GT(widest, 0.85);
    }
}

TEST(Camera, LooksFromSlightlyAbove) {
  const Camera camera = frame_points(corners(Vec3d(-1), Vec3d(2)), radians(35), 1.5);
  const Vec3d back = (camera.position - camera.target).normalized();
  EXPECT_GT(degrees(std::asin(back.z)), 15);
  EXPECT_LT(degrees(std::asin(back.z)), 35);
}

TEST(Camera, AllContentOfASceneIsInThePicture) {
  Scene scene = heap_scene();
  const double aspect = static_cast<double>(scene.render.size[0]) / scene.render.size[1];
  for (const double time : {0.0, 1.0}) {
    const Camera camera = scene_camera(scene, time);
    for (const Vec3d& point : content_points(scene)) {
      const Vec2d at = project(camera, point, aspect);
      EXPECT_LT(std::max(std::fabs(at.x), std::fabs(at.y)), 0.95);
    }
  }
}

TEST(Camera, ContentHoldsFillHeapBodiesAndTheirPaths) {
  Scene scene = heap_scene();
  const Box3d heap = content_bounds(scene);
  EXPECT_EQ(heap.min.z, 0);
  EXPECT_NEAR(heap.max.z, 1.2, 1e-12);
  EXPECT_GT(heap.max.x, 0.25) << "the heap is wider than the fill";

  BodyDefinition body;
  body.shape.kind = ShapeKind::sphere;
  body.shape.radius = 0.1;
  body.motion = Motion::keyframed;
  body.keyframes = {{0, {0, 0, 1}, {0, 0, 0}}, {1, {2, 0, 1}, {0, 0, 0}}};
  scene.bodies.push_back(body);
  EXPECT_NEAR(content_bounds(scene).max.x, 2.1, 1e-9);
  scene.bodies[0].visible = false;
  EXPECT_EQ(content_bounds(scene), heap);
}

TEST(Camera, WallsBoundTheContent) {
  Scene scene = heap_scene();
  scene.domain.min = {-0.2, -0.2, 0};
  scene.domain.max = {0.2, 0.2, 3};
  scene.domain.faces.fill(FaceKind::wall);
  const Box3d box = content_bounds(scene);
  EXPECT_EQ(box.min.x, -0.2);
  EXPECT_EQ(box.max.y, 0.2);
}

TEST(Camera, FollowsKeysAndSceneSettings) {
  Scene scene = heap_scene();
  scene.render.camera_position = Vec3d(1, 2, 3);
  EXPECT_EQ(scene_camera(scene, 0).position, Vec3d(1, 2, 3));
  const CameraKey first{0, {0, -1, 0}, {0, 0, 0}}, second{2, {4, -1, 0}, {0, 0, 2}};
  scene.render.camera_keys.push_back(first);
  scene.render.camera_keys.push_back(second);
  EXPECT_EQ(scene_camera(scene, -1).position, Vec3d(0, -1, 0));
  EXPECT_EQ(scene_camera(scene, 1).position, Vec3d(2, -1, 0));
  EXPECT_EQ(scene_camera(scene, 1).target, Vec3d(0, 0, 1));
  EXPECT_EQ(scene_camera(scene, 9).position, Vec3d(4, -1, 0));
  // It goes through a key on its way without a halt.
  scene.render.camera_keys.push_back({4, {8, -1, 0}, {0, 0, 2}});
  const double step = scene_camera(scene, 2.01).position.x - scene_camera(scene, 1.99).position.x;
  EXPECT_NEAR(step / 0.02, 2, 0.05);
}

TEST(Camera, OpenFacesBoundTheContentToo) {
  Scene scene = heap_scene();
  scene.domain.min = {-0.2, -0.2, 0};
  scene.domain.max = {0.2, 0.2, 3};
  scene.domain.faces.fill(FaceKind::open);
  EXPECT_EQ(content_bounds(scene).min.x, -0.2) << "matter that leaves is removed";
}

TEST(Camera, WhatSinksTakeMakesNoHeap) {
  Scene scene = heap_scene();
  scene.domain.min = {-100, -100, 0};
  scene.domain.max = {100, 100, 3};
  Emitter emitter;
  emitter.shape.size = {0.1, 0.1, 0.1};
  emitter.shape.pose.position = {0, 0, 2};
  emitter.rate = 1e6;
  scene.emitters.push_back(emitter);
  const double with_heap = content_bounds(scene).max.x;
  scene.sinks.emplace_back();
  EXPECT_LT(content_bounds(scene).max.x, 0.2 * with_heap);
}

TEST(Camera, WallsThatAreDrawnAreInThePicture) {
  Scene scene = heap_scene();
  EXPECT_LT(content_bounds(scene).max.z, 1.5);
  scene.render.walls = true;
  EXPECT_EQ(content_bounds(scene).max, scene.domain.max);
}

/// A heap of n particles in the box of this size about a point.
void add_heap(Frame& frame, const Vec3d& middle, double size, int n) {
  for (int i = 0; i < n; ++i) {
    const double a = std::fmod(i * 0.7548776662, 1.0), b = std::fmod(i * 0.5698402910, 1.0),
                 c = std::fmod(i * 0.3819660113, 1.0);
    frame.position.push_back(middle + size * (Vec3d(a, b, c) - Vec3d(0.5)));
    frame.radius.push_back(0.01F);
  }
  frame.id.resize(frame.position.size());
}

TEST(Camera, StraysAreNotFollowed) {
  Scene scene = heap_scene();
  scene.fills.clear();
  SeenMatter seen;
  for (int k = 0; k < 20; ++k) {
    Frame frame;
    add_heap(frame, {0.3, 0.1, 0.2}, 0.4, 2000);
    // Ten that fly away, farther from frame to frame, and not one that is there all the time.
    for (int i = 0; i < 10; ++i) {
      frame.position.emplace_back(5 + k, -3 * i, 20);
      frame.radius.push_back(0.01F);
      frame.id.push_back(0);
    }
    seen.add(frame);
  }
  const Box3d box = seen.bounds();
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(box.size()[axis], 0.98 * 0.4, 0.02);
    EXPECT_NEAR(box.center()[axis], Vec3d(0.3, 0.1, 0.2)[axis], 0.02);
  }
  const double aspect = 1.5;
  const Camera camera = frame_points(seen_points(scene, seen), radians(35), aspect);
  for (const Vec3d& corner : corners({0.1, -0.1, 0}, Vec3d(0.4))) {
    const Vec2d at = project(camera, corner, aspect);
    EXPECT_LT(std::max(std::fabs(at.x), std::fabs(at.y)), 1);
  }
  EXPECT_LT((camera.position - camera.target).length(), 3);
}

/// A large floor does not push the heap out of sight, and a funnel beside it is shown.
TEST(Camera, ShowsBodiesNearTheMatter) {
  Scene scene = heap_scene();
  BodyDefinition floor;
  floor.name = "floor";
  floor.shape.size = {50, 50, 0.1};
  scene.bodies.push_back(floor);
  Frame frame;
  add_heap(frame, {0, 0, 0.2}, 0.4, 1000);
  SeenMatter seen;
  seen.add(frame);
  Box3d box;
  for (const Vec3d& p : seen_points(scene, seen)) box.extendBy(p);
  EXPECT_LT(box.size().x, 1.5);
  scene.bodies[0].shape.size = {0.1, 0.1, 0.5};
  scene.bodies[0].shape.pose.position = {0.35, 0, 0.25};
  Box3d with_funnel;
  for (const Vec3d& p : seen_points(scene, seen)) with_funnel.extendBy(p);
  EXPECT_NEAR(with_funnel.max.x, 0.4, 1e-9);
}

}  // namespace
}  // namespace repose
