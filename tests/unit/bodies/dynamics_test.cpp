#include "repose/bodies/dynamics.h"

#include <string>

#include "support/body_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/scene/copies.h"

namespace repose {
namespace {

using test::body_scene;
using test::dynamic_ball;
using test::dynamic_box;

std::string refusal(const Scene& scene) {
  try {
    const Bodies bodies(scene);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_scene);
    return error.what();
  }
  return "";
}

TEST(Dynamics, RefusesBodiesThatStartInsideOthers) {
  Scene scene = body_scene(true);
  scene.bodies = {dynamic_box("box", Vec3d(0.2), {0, 0, 0.1}), dynamic_ball("ball", 0.1, {0, 0, 0.28})};
  EXPECT_EQ(refusal(scene), "body 'box' starts inside body 'ball', 0.02 m deep: move one of them");
  scene.bodies[1].shape.pose.position.z = 0.3;
  EXPECT_EQ(refusal(scene), "");
  scene.bodies[0].shape.pose.position.z = 0.09;
  EXPECT_EQ(refusal(scene), "body 'box' starts inside the wall 'domain.z-', 0.01 m deep: move one of them");
}

TEST(Dynamics, JoinedBodiesMayOverlap) {
  Scene scene = body_scene(false);
  scene.bodies = {dynamic_box("box", Vec3d(0.2), {0, 0, 0}), dynamic_ball("ball", 0.1, {0, 0, 0.1})};
  EXPECT_NE(refusal(scene), "");
  JointDefinition joint;
  joint.name = "glue";
  joint.bodies = {"box", "ball"};
  joint.type = JointKind::fixed;
  scene.joints.push_back(joint);
  EXPECT_EQ(refusal(scene), "");
  scene.joints[0].bodies = {"box", "bell"};
  EXPECT_EQ(refusal(scene),
            "joint 'glue': there is no body 'bell' (copies are called 'bell.0', 'bell.1', ...)");
}

TEST(Dynamics, HeldBodiesWaitForTheirRelease) {
  Scene scene = body_scene(false);
  scene.info.settle = 0.5;
  BodyDefinition held = dynamic_ball("held", 0.1, {0, 0, 0}), thrown = dynamic_ball("thrown", 0.1, {1, 0, 0}),
                 put = dynamic_ball("put", 0.1, {2, 0, 0});
  held.release = 0.2;
  thrown.velocity = {0, 0, 2};
  scene.bodies = {held, thrown, put};
  Bodies bodies(scene);
  EXPECT_FALSE(bodies[1].is_free);
  for (int k = 0; k < 100; ++k) bodies.advance(0.005, -0.5 + (k + 1) * 0.005);
  EXPECT_EQ(bodies[0].pose.position, Vec3d(0));
  EXPECT_EQ(bodies[1].pose.position, Vec3d(1, 0, 0));
  EXPECT_NEAR(bodies[2].pose.position.z, -0.5 * 9.81 * 0.25, 1e-9);
  EXPECT_TRUE(bodies[1].is_free);
  for (int k = 0; k < 20; ++k) bodies.advance(0.005, (k + 1) * 0.005);
  EXPECT_NEAR(bodies[1].pose.position.z, 0.2 - 0.5 * 9.81 * 0.01, 1e-9);
  EXPECT_EQ(bodies[0].pose.position, Vec3d(0));
}

TEST(Dynamics, ARemovedBodyIsGone) {
  Scene scene = body_scene(false);
  BodyDefinition table;
  table.name = "table";
  table.shape.size = {1, 1, 0.1};
  table.remove = 0.1;
  scene.bodies = {table, dynamic_box("box", Vec3d(0.1), {0, 0, 0.1})};
  Bodies bodies(scene);
  test::advance(bodies, 0.095, 0.005);
  EXPECT_NEAR(bodies[1].pose.position.z, 0.1, 1e-6);
  for (int k = 19; k < 60; ++k) bodies.advance(0.005, (k + 1) * 0.005);
  EXPECT_LT(bodies[1].pose.position.z, 0.0);
  EXPECT_FALSE(bodies[0].present);
  EXPECT_EQ(bodies.distance_bound(0, Vec3d(0)), std::numeric_limits<double>::infinity());
  std::vector<BodyRow> rows;
  bodies.fill_rows(rows, 0.3);
  EXPECT_FALSE(rows[0].present);
  EXPECT_TRUE(rows[1].present);
}

TEST(Dynamics, ImpulsesOfMatterMoveTheCentreOfMass) {
  Scene scene = body_scene(false);
  scene.info.gravity = Vec3d(0);
  BodyDefinition cone = test::dynamic_body("cone", {0.2, 0, 0});
  cone.shape.kind = ShapeKind::cone;
  cone.shape.radius = 0.1;
  cone.shape.height = 0.4;
  scene.bodies = {cone};
  Bodies bodies(scene);
  const Vec3d impulse(0.3, -0.2, 0.5), at(0.25, 0.03, 0.1);
  bodies.add_impulse(0, impulse, at);
  const Vec3d center = bodies[0].state.center;
  bodies.kick(0.001);
  EXPECT_LT((bodies[0].mass.mass * bodies[0].state.velocity - impulse).length(), 1e-12);
  EXPECT_LT((bodies[0].state.angular_momentum - (at - center).cross(impulse)).length(), 1e-14);
  // A cone's centre of mass is a quarter of its height above its base.
  EXPECT_NEAR(center.z, -0.1, 1e-9);
}

TEST(Dynamics, LongStepsSpreadTheImpulses) {
  Scene scene = body_scene(false);
  scene.bodies = {dynamic_ball("ball", 0.1, {0, 0, 0})};
  Bodies bodies(scene);
  const double weight = bodies[0].mass.mass * 9.81;
  for (int k = 0; k < 100; ++k) {
    bodies.add_impulse(0, {0, 0, weight * 0.005}, bodies[0].pose.position);
    bodies.advance(0.005, (k + 1) * 0.005);
  }
  EXPECT_LT(bodies[0].velocity.length(), 1e-12);
  EXPECT_LT(bodies[0].pose.position.length(), 1e-12);
}

TEST(Dynamics, GoesOnAfterSaveAndLoad) {
  Scene scene = body_scene(true);
  scene.bodies = {dynamic_box("box", Vec3d(0.1), {0, 0, 0.05}),
                  dynamic_box("top", Vec3d(0.1), {0.02, 0, 0.15}),
                  dynamic_ball("ball", 0.05, {0, 0.01, 0.4})};
  JointDefinition joint;
  joint.name = "string";
  joint.bodies = {"world", "ball"};
  joint.position = {0.3, 0, 0.4};
  joint.release = 0.2;
  scene.joints.push_back(joint);
  Bodies bodies(scene), other(scene);
  test::advance(bodies, 0.15, 0.005);
  ArchiveWriter saved;
  bodies.save(saved);
  ArchiveReader in(saved.bytes());
  other.load(in);
  for (int k = 30; k < 100; ++k) {
    bodies.advance(0.005, (k + 1) * 0.005);
    other.advance(0.005, (k + 1) * 0.005);
  }
  ArchiveWriter one, two;
  bodies.save(one);
  other.save(two);
  EXPECT_EQ(one.hash(), two.hash());
}

TEST(Copies, StandAlongXThenYThenZ) {
  Scene scene;
  BodyDefinition body = dynamic_box("brick", Vec3d(0.1), {1, 2, 3});
  body.copies = {2, 3, 2};
  body.step = {0.1, 0.2, 0.3};
  body.pivot = Vec3d(1, 0, 0);
  scene.bodies = {dynamic_ball("ball", 0.1, {0, 0, 0}), body};
  const std::vector<BodyDefinition> all = lay_out_bodies(scene);
  ASSERT_EQ(all.size(), 13U);
  EXPECT_EQ(all[0].name, "ball");
  EXPECT_EQ(all[0].family, "ball");
  EXPECT_EQ(all[1].name, "brick.0");
  EXPECT_EQ(all[12].name, "brick.11");
  EXPECT_EQ(all[12].family, "brick");
  EXPECT_LT((all[2].shape.pose.position - Vec3d(1.1, 2, 3)).length(), 1e-12);
  EXPECT_LT((all[3].shape.pose.position - Vec3d(1, 2.2, 3)).length(), 1e-12);
  EXPECT_LT((all[7].shape.pose.position - Vec3d(1, 2, 3.3)).length(), 1e-12);
  EXPECT_LT((*all[7].pivot - Vec3d(1, 0, 0.3)).length(), 1e-12);
}

TEST(Copies, JitterIsSmallAndTheSameEveryTime) {
  Scene scene;
  BodyDefinition body = dynamic_box("brick", Vec3d(0.1), {0, 0, 0});
  body.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  body.jitter = 0.01;
  scene.bodies = {body};
  const auto first = lay_out_bodies(scene), again = lay_out_bodies(scene);
  scene.info.seed = 2;
  const auto other = lay_out_bodies(scene);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3d shift = first[i].shape.pose.position - body.positions[i];
    for (int axis = 0; axis < 3; ++axis) EXPECT_LE(std::fabs(shift[axis]), 0.01);
    EXPECT_NE(shift, Vec3d(0));
    EXPECT_EQ(first[i].shape.pose.position, again[i].shape.pose.position);
    EXPECT_NE(first[i].shape.pose.position, other[i].shape.pose.position);
  }
}

}  // namespace
}  // namespace repose
