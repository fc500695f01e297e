// Fine grains against bodies.

#include "repose/refine/obstacles.h"

#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// A scene with one body.
Scene with_body(const Shape& shape, double friction) {
  Scene scene = refined_scene(1);
  BodyDefinition body;
  body.name = "body";
  body.shape = shape;
  body.friction = friction;
  scene.bodies.push_back(body);
  return scene;
}

Frame frame_of(const RefineModel& model, double time) {
  Frame frame;
  frame.time = time;
  model.bodies.fill_rows(frame.bodies, 0);
  return frame;
}

double collide_with_all(const std::vector<Obstacle>& obstacles, double radius, FineMotion& grain) {
  std::vector<MetObstacle> all;
  for (const Obstacle& obstacle : obstacles) all.push_back({&obstacle});
  return collide(all, radius, 0.01, grain);
}

TEST(FineCollision, LosesSpeedAlongAFloorByFriction) {
  Shape plane;
  plane.kind = ShapeKind::plane;
  const RefineModel model = make_refine_model(with_body(plane, 0.5), ParticleKind::grains);
  const Frame from = frame_of(model, 0), to = frame_of(model, 0.01);
  const std::vector<Obstacle> obstacles = obstacles_over_step(model, from, to, 0, 1);
  FineMotion grain{{0, 0, -0.002}, {3, 0, -2}};
  collide_with_all(obstacles, 0.001, grain);
  EXPECT_NEAR(grain.position.z, 0.001, 1e-12);
  EXPECT_NEAR(grain.velocity.z, 0, 1e-12);
  EXPECT_NEAR(grain.velocity.x, 3 - 0.5 * 2, 1e-12);
  grain = {{0, 0, -0.002}, {0.5, 0, -2}};
  collide_with_all(obstacles, 0.001, grain);
  EXPECT_EQ(grain.velocity.x, 0);
}

TEST(FineCollision, TakesOnTheVelocityOfAMovingBody) {
  Shape box;
  box.size = {0.2, 0.2, 0.2};
  const RefineModel model = make_refine_model(with_body(box, INFINITY), ParticleKind::grains);
  Frame from = frame_of(model, 0), to = frame_of(model, 0.1);
  from.bodies[0].velocity = to.bodies[0].velocity = {1, 0, 0};
  to.bodies[0].pose.position.x += 0.1;
  // Halfway: the box stands at 0.05 and its side at 0.15.
  const std::vector<Obstacle> obstacles = obstacles_over_step(model, from, to, 0.4, 0.5);
  FineMotion grain{{0.149, 0, 0}, {0, 0, 0}};
  collide_with_all(obstacles, 0.002, grain);
  EXPECT_NEAR(grain.position.x, 0.152, 1e-12);
  EXPECT_NEAR(grain.velocity.x, 1, 1e-9);
}

TEST(FineCollision, BodyThatTurnsMoreThanHalfATurnAFrameTurnsTheWayItSpins) {
  Shape box;
  box.size = {1, 0.1, 0.1};
  const RefineModel model = make_refine_model(with_body(box, 0), ParticleKind::grains);
  Frame from = frame_of(model, 0), to = frame_of(model, 0.1);
  const double angle = 1.5 * kPi;
  from.bodies[0].angular_velocity = to.bodies[0].angular_velocity = {0, 0, angle / 0.1};
  to.bodies[0].pose.rotation = exp_rotation({0, 0, angle});
  const std::vector<Obstacle> obstacles = obstacles_over_step(model, from, to, 0, 1.0 / 3);
  // After a third of it the box stands along y.
  EXPECT_LT(obstacles[0].nearest({0, 0.4, 0}).distance, 0);
  EXPECT_GT(obstacles[0].nearest({0.4, 0, 0}).distance, 0);
}

TEST(FineCollision, GrainInACornerEndsOutsideOfBothBodies) {
  Scene scene = refined_scene(1);
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {1, 1, 1}};
  scene.domain.faces.fill(FaceKind::wall);
  const RefineModel model = make_refine_model(scene, ParticleKind::grains);
  const Frame from = frame_of(model, 0), to = frame_of(model, 0.01);
  const std::vector<Obstacle> obstacles = obstacles_over_step(model, from, to, 0, 1);
  ASSERT_EQ(obstacles.size(), 6U);
  FineMotion grain{{-0.01, -0.02, -0.03}, {-1, -1, -1}};
  collide_with_all(obstacles, 0.001, grain);
  for (const Obstacle& obstacle : obstacles)
    EXPECT_GE(obstacle.nearest(grain.position).distance, 0.001 - 1e-12);
}

}  // namespace
}  // namespace repose
