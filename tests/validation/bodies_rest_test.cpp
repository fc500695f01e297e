// Bodies at rest: stacks, chains, slopes.
//
// Reference: what stands still stays where it is; a block on a slope holds below the friction angle and
// slides above it with g (sin - mu cos). Tolerances: the stack may move by 1e-6 of an edge in 10 s at steps
// of 5 ms, where 1 % is asked for (measured: 2e-9); the friction angle is found within half a degree of
// atan(mu), where one degree is asked for, and the way of the sliding block within 0.5 %, what a body that
// slides on the edges of its patch takes to find its balance in the first steps.

#include <cmath>

#include "support/body_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

using test::advance;
using test::body_scene;
using test::dynamic_ball;
using test::dynamic_box;
using test::largest_shift;
using test::numbered;

constexpr double kStep = 0.005;  // [s]
constexpr double kGravity = 9.81;

/// Ten boxes on top of each other; the last one may be heavier.
Scene stack_of_ten(double edge, double last_density = 1000) {
  Scene scene = body_scene(true);
  for (int i = 0; i < 10; ++i)
    scene.bodies.push_back(
        dynamic_box(numbered("box", i), Vec3d(edge), {0, 0, edge * (i + 0.5)}, i == 9 ? last_density : 1000));
  return scene;
}

TEST(BodiesAtRest, TenStackedBoxesStandForTenSeconds) {
  for (const double edge : {1.0, 0.02}) {
    const Scene scene = stack_of_ten(edge);
    Bodies bodies(scene);
    advance(bodies, 10, kStep);
    EXPECT_LT(largest_shift(bodies, scene), 1e-6 * edge) << edge;
    for (std::size_t i = 0; i < 10; ++i) EXPECT_LT(bodies[i].velocity.length(), 1e-6);
  }
}

TEST(BodiesAtRest, LightBoxesCarryAHeavyOne) {
  const Scene scene = stack_of_ten(0.05, 100 * 1000);
  Bodies bodies(scene);
  advance(bodies, 2, kStep);
  EXPECT_LT(largest_shift(bodies, scene), 1e-4 * 0.05);
}

TEST(BodiesAtRest, AStackStandsAtTheStepsOfDemToo) {
  const Scene scene = stack_of_ten(0.02);
  Bodies bodies(scene);
  advance(bodies, 0.25, 2e-5);
  EXPECT_LT(largest_shift(bodies, scene), 1e-4 * 0.02);
}

/// Boxes that hang below each other on hinges about x and y in turn, the last one heavy.
Scene hanging_chain(double last_density) {
  Scene scene = body_scene(false);
  for (int i = 0; i < 10; ++i) {
    const BodyDefinition box = dynamic_box(numbered("link", i), {0.02, 0.02, 0.1}, {0, 0, -0.05 - 0.1 * i},
                                           i == 9 ? last_density : 1000);
    scene.bodies.push_back(box);
    JointDefinition joint;
    joint.name = numbered("joint", i);
    joint.bodies = {i == 0 ? "world" : numbered("link", i - 1), box.name};
    joint.type = JointKind::hinge;
    joint.axis = i % 2 == 0 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
    joint.position = {0, 0, -0.1 * i};
    scene.joints.push_back(joint);
  }
  return scene;
}

TEST(BodiesAtRest, AChainOfHingedBoxesHangsStill) {
  for (const double density : {1000.0, 100000.0}) {
    const Scene scene = hanging_chain(density);
    Bodies bodies(scene);
    advance(bodies, 10, kStep);
    EXPECT_LT(largest_shift(bodies, scene), 1e-9) << density;
    // The topmost joint carries the whole chain.
    double weight = 0;
    for (std::size_t i = 0; i < 10; ++i) weight += bodies[i].mass.mass * kGravity;
    const double small_step = 1.25e-3;
    EXPECT_NEAR(std::fabs(bodies.dynamics().joints()[0].impulse.z), weight * small_step,
                1e-6 * weight * small_step);
  }
}

/// How far a box goes along a floor that gravity is tilted against, in one second [m].
double way_on_slope(double degrees_of_slope, double mu) {
  Scene scene = body_scene(true, mu);
  const double angle = radians(degrees_of_slope);
  scene.info.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
  BodyDefinition box = dynamic_box("box", {0.2, 0.2, 0.1}, {0, 0, 0.05});
  box.friction = mu;
  scene.bodies.push_back(box);
  Bodies bodies(scene);
  advance(bodies, 1, kStep);
  return bodies[0].pose.position.x;
}

TEST(BodiesAtRest, ABoxHoldsBelowTheFrictionAngleAndSlidesAboveIt) {
  for (const double mu : {0.2, 0.5, 0.9}) {
    const double threshold = degrees(std::atan(mu));
    EXPECT_LT(way_on_slope(threshold - 0.5, mu), 1e-5) << mu;
    EXPECT_GT(way_on_slope(threshold + 0.5, mu), 0.02) << mu;
    for (const double above : {2.0, 10.0}) {
      const double angle = radians(threshold + above);
      const double expected = 0.5 * kGravity * (std::sin(angle) - mu * std::cos(angle));
      EXPECT_NEAR(way_on_slope(threshold + above, mu), expected, 0.005 * expected) << mu << " " << above;
    }
  }
}

TEST(BodiesAtRest, AContactTableDecidesTheFrictionOfAPair) {
  // On a static slab: without the table the geometric mean of 0.5 and 0.5 would hold at 15 degrees.
  Scene scene = body_scene(false);
  const double angle = radians(15);
  scene.info.gravity = {kGravity * std::sin(angle), 0, -kGravity * std::cos(angle)};
  BodyDefinition slab;
  slab.name = "slab";
  slab.shape.size = {10, 1, 0.1};
  slab.shape.pose.position = {0, 0, -0.05};
  scene.bodies = {slab, dynamic_box("box", {0.2, 0.2, 0.1}, {0, 0, 0.05})};
  Bodies held(scene);
  advance(held, 0.5, kStep);
  EXPECT_LT(held[1].pose.position.x, 1e-5);
  ContactPair ice;
  ice.between = {"box", "slab"};
  ice.friction = 0.1;
  scene.contacts.push_back(ice);
  Bodies sliding(scene);
  advance(sliding, 0.5, kStep);
  const double expected = 0.5 * kGravity * (std::sin(angle) - 0.1 * std::cos(angle)) * 0.25;
  EXPECT_NEAR(sliding[1].pose.position.x, expected, 0.01 * expected);
}

TEST(BodiesAtRest, ARollingBallKeepsItsSpeed) {
  Scene scene = body_scene(true);
  BodyDefinition ball = dynamic_ball("ball", 0.1, {0, 0, 0.1});
  ball.velocity = {1, 0, 0};
  ball.angular_velocity = {0, 10, 0};
  scene.bodies.push_back(ball);
  Bodies bodies(scene);
  advance(bodies, 5, kStep);
  EXPECT_NEAR(bodies[0].pose.position.x, 5, 0.005);
  EXPECT_NEAR(bodies[0].pose.position.z, 0.1, 2e-4);
  EXPECT_NEAR(bodies[0].angular_velocity.y, 10, 0.01);
}

TEST(BodiesAtRest, EveryShapeComesToRestOnTheFloor) {
  for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::cone,
                               ShapeKind::capsule, ShapeKind::torus, ShapeKind::lathe}) {
    Scene scene = body_scene(true, 0.6);
    BodyDefinition body = dynamic_box("body", {0.3, 0.2, 0.1}, {0, 0, 0.35});
    body.shape.kind = kind;
    body.shape.radius = 0.12;
    body.shape.tube = 0.04;
    body.shape.height = 0.2;
    body.shape.profile = {{0, -0.1}, {0.1, -0.1}, {0.06, 0.05}, {0, 0.1}};
    body.shape.pose.rotation = rotation_from_degrees({30, 40, 0});
    body.friction = 0.6;
    scene.bodies.push_back(body);
    Bodies bodies(scene);
    advance(bodies, 4, kStep);
    const double lowest_speed = bodies[0].velocity.length();
    const double before = bodies[0].pose.position.z;
    advance(bodies, 1, kStep);
    // Round ones may roll on, but none sinks, jumps or shakes.
    EXPECT_NEAR(bodies[0].pose.position.z, before, 2e-3) << static_cast<int>(kind);
    EXPECT_LT(std::fabs(bodies[0].velocity.z), 0.02) << static_cast<int>(kind);
    EXPECT_LT(lowest_speed, 2) << static_cast<int>(kind);
    EXPECT_GT(bodies[0].pose.position.z, 0.03) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace repose
