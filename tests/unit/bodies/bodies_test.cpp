#include "repose/bodies/bodies.h"

#include <array>
#include <cmath>
#include <limits>

#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Scene closed_box() {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = {-1, -2, 0};
  scene.domain.max = {1, 2, 3};
  scene.domain.faces.fill(FaceKind::wall);
  return scene;
}

BodyDefinition spinning(ShapeKind kind, const std::vector<Keyframe>& keys, Interpolation interpolation) {
  BodyDefinition body;
  body.name = "spinner";
  body.shape.kind = kind;
  body.shape.size = {0.4, 0.6, 0.2};
  body.shape.radius = 0.3;
  body.motion = Motion::keyframed;
  body.keyframes = keys;
  body.interpolation = interpolation;
  return body;
}

TEST(Bodies, WallsFaceInwardsExactlyInTheOrderOfTheFaces) {
  Scene scene = closed_box();
  scene.domain.faces[5] = FaceKind::open;
  scene.domain.faces[2] = scene.domain.faces[3] = FaceKind::periodic;
  scene.domain.friction[4] = kInfinity;
  const Bodies bodies(scene);
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(bodies.first_wall(), 0U);
  EXPECT_EQ(bodies[0].name, "domain.x-");
  EXPECT_EQ(bodies[1].name, "domain.x+");
  EXPECT_EQ(bodies[2].name, "domain.z-");
  EXPECT_EQ(bodies[2].friction, kInfinity);
  const Vec3d p(0.25, 0.5, 0.125);
  EXPECT_EQ(bodies.nearest(0, p).distance, 1.25);
  EXPECT_EQ(bodies.nearest(0, p).normal, Vec3d(1, 0, 0));
  EXPECT_EQ(bodies.nearest(1, p).distance, 0.75);
  EXPECT_EQ(bodies.nearest(1, p).normal, Vec3d(-1, 0, 0));
  EXPECT_EQ(bodies.nearest(2, p).distance, 0.125);
}

TEST(Bodies, WallPosesAgreeWithTheirNormals) {
  const Bodies bodies(closed_box());
  ASSERT_EQ(bodies.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3d up = rotate(bodies[i].pose.rotation, Vec3d(0, 0, 1));
    EXPECT_LT((up - bodies[i].up).length(), 1e-15) << bodies[i].name;
    EXPECT_GT(bodies.nearest(i, {0, 0, 1}).distance, 0) << bodies[i].name;
  }
}

TEST(Bodies, StandWhereTheirShapeIs) {
  Scene scene = closed_box();
  BodyDefinition body;
  body.name = "tilted";
  body.shape.size = {0.4, 0.6, 0.2};
  body.shape.pose = {{0.3, -0.2, 1}, rotation_from_degrees({20, 30, 40})};
  body.young = 5e6;
  scene.bodies.push_back(body);
  const Bodies bodies(scene);
  EXPECT_EQ(bodies.first_wall(), 1U);
  EXPECT_EQ(bodies[0].young, 5e6);
  for (const Vec3d& p : {Vec3d(0, 0, 0), Vec3d(0.31, -0.2, 1.05), Vec3d(2, 1, -1)}) {
    const SurfacePoint got = bodies.nearest(0, p), want = distance_and_normal(body.shape, p);
    EXPECT_NEAR(got.distance, want.distance, 1e-15);
    EXPECT_EQ(signed_distance(bodies.world_shape(0), p), want.distance);
    EXPECT_LT((got.normal - want.normal).length(), 1e-14);
    EXPECT_LE(bodies.distance_bound(0, p), got.distance + 1e-15);
    for (std::size_t b = bodies.first_wall(); b < bodies.size(); ++b)
      EXPECT_EQ(bodies.distance_bound(b, p), bodies.nearest(b, p).distance);
  }
}

TEST(Bodies, TouchesAreThoseOfTheShapeInTheWorld) {
  Scene scene = closed_box();
  BodyDefinition body;
  body.name = "container";
  body.shape.invert = true;
  body.shape.pose = {{0.3, -0.2, 1}, rotation_from_degrees({20, 30, 40})};
  scene.bodies.push_back(body);
  const Bodies bodies(scene);
  const Vec3d corner = body.shape.pose.to_world({0.45, 0.46, -0.47});
  Touches touches;
  bodies.find_touches(0, corner, 0.1, touches);
  ASSERT_EQ(touches.size(), 3U);
  for (const Touch& t : touches) {
    EXPECT_NEAR(bodies.nearest(0, corner - t.distance * t.normal).distance, 0, 1e-14);
    EXPECT_GT(bodies.nearest(0, corner + 0.01 * t.normal).distance, 0);
  }
  bodies.find_touches(5, {0, 0, 0.05}, 0.1, touches);
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_EQ(touches[0].distance, 0.05);
  bodies.find_touches(5, {0, 0, 0.1}, 0.1, touches);
  EXPECT_EQ(touches.size(), 0U);
}

TEST(Bodies, VelocityAtAPointIsThatOfTheMovingMatter) {
  Scene scene;
  scene.bodies.push_back(
      spinning(ShapeKind::box,
               {{0, {0, 0, 0}, {0, 0, 0}}, {1, {1, 0.5, 2}, {80, 200, -500}}, {3, {0, 1, 1}, {10, 20, 30}}},
               Interpolation::smooth));
  Bodies bodies(scene);
  const double h = 1e-6;
  for (const double t : {-0.5, 0.3, 0.8, 1.7, 2.9, 3.5}) {
    bodies.move_to(t);
    const Vec3d local(0.3, -0.2, 0.1), world = bodies[0].pose.to_world(local);
    const Vec3d got = bodies.velocity_at(0, world);
    bodies.move_to(t + h);
    const Vec3d after = bodies[0].pose.to_world(local);
    bodies.move_to(t - h);
    const Vec3d before = bodies[0].pose.to_world(local);
    EXPECT_LT((got - (after - before) / (2 * h)).length(), 1e-7) << t;
  }
}

TEST(Bodies, RateOverAStepLeadsToWhereTheBodyWillBe) {
  Scene scene = closed_box();
  scene.bodies.push_back(spinning(
      ShapeKind::box,
      {{0, {0, 0, 1}, {0, 0, 0}}, {0.5, {0.3, 0.1, 1}, {200, 30, 10}}, {1, {0.5, 0, 2}, {270, 0, 400}}},
      Interpolation::smooth));
  Bodies bodies(scene);
  for (const double t : {0.0, 0.2, 0.45, 0.9}) {
    bodies.move_to(t);
    const Pose start = bodies[0].pose;
    const BodyRate rate = bodies.rate_over(0, 0.1);
    bodies.move_to(t + 0.1);
    EXPECT_LT((start.position + 0.1 * rate.velocity - bodies[0].pose.position).length(), 1e-14) << t;
    const Vec3d there = rotate(exp_rotation(0.1 * rate.spin) * start.rotation, Vec3d(1, 2, 3));
    EXPECT_LT((there - rotate(bodies[0].pose.rotation, Vec3d(1, 2, 3))).length(), 1e-13) << t;
  }
  EXPECT_EQ(bodies.rate_over(1, 0.1).velocity, Vec3d(0));
}

TEST(Bodies, ShiftBoundsTheChangeOfDistance) {
  // Angles at the first, second and last key: turning about one axis at a time, and about all.
  const std::vector<std::array<Vec3d, 3>> turns{{{{90, 0, 0}, {90, 360, 0}, {90, 400, 0}}},
                                                {{{30, 0, 0}, {30, 200, 0}, {30, 400, 0}}},
                                                {{{30, 50, 0}, {30, 50, 200}, {30, 50, -90}}},
                                                {{{0, 20, 10}, {90, 20, 10}, {200, 20, 10}}},
                                                {{{0, 20, 10}, {90, 50, 100}, {200, -20, 180}}}};
  for (const auto& turn : turns)
    for (const ShapeKind kind : {ShapeKind::box, ShapeKind::cylinder, ShapeKind::sphere, ShapeKind::torus}) {
      Scene scene;
      scene.bodies.push_back(
          spinning(kind, {{0, {0, 0, 0}, turn[0]}, {1, {0.01, 0, 0}, turn[1]}, {2, {0, 0, 0}, turn[2]}},
                   Interpolation::smooth));
      Bodies bodies(scene);
      for (double t = -0.2; t < 2.2; t += 0.05) {
        for (const Vec3d& p : {Vec3d(0.4, 0.1, 0), Vec3d(0.05, 0, 0.7), Vec3d(-0.2, 0.4, -0.6)}) {
          bodies.move_to(t);
          const double before = bodies.nearest(0, p).distance;
          const Pose then = bodies[0].pose;
          bodies.move_to(t + 0.05);
          EXPECT_LE(std::abs(bodies.nearest(0, p).distance - before), bodies.shift_since(0, then) + 1e-12);
        }
      }
    }
}

TEST(Bodies, ASolidTurningAboutItsOwnAxisDoesNotShift) {
  Scene scene;
  scene.bodies.push_back(spinning(ShapeKind::cylinder,
                                  {{0, {0, 0, 0}, {90, 0, 0}}, {1, {0, 0, 0}, {90, 3600, 0}}},
                                  Interpolation::linear));
  scene.bodies.back().shape.invert = true;
  Bodies bodies(scene);
  const Pose then = bodies[0].pose;
  bodies.move_to(0.53);
  EXPECT_LT(bodies.shift_since(0, then), 1e-12);
  EXPECT_GT(angle_between(bodies[0].pose.rotation, then.rotation), 1);
  EXPECT_NEAR(bodies.velocity_at(0, {0.3, 0, 0}).z, -0.3 * 20 * kPi, 1e-12);
}

TEST(Bodies, ForcesAreMeansOverTheInterval) {
  Scene scene = closed_box();
  Bodies bodies(scene);
  std::vector<BodyRow> rows;
  ASSERT_EQ(bodies[1].pose.position, Vec3d(1, 0, 1.5));
  bodies.begin_interval(0.5);
  bodies.fill_rows(rows, 0.5);
  EXPECT_EQ(rows[1].force, Vec3d(0, 0, 0));
  bodies.add_impulse(1, {0, 0, -2}, {1, 0.5, 1.5});
  BodyImpulse sum;
  sum.add({1, 0, 0}, {0, 0, 2});
  bodies.add_impulse(1, sum);
  bodies.fill_rows(rows, 0.75);
  EXPECT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[1].name, "domain.x+");
  EXPECT_EQ(rows[1].force, Vec3d(4, 0, -8));
  EXPECT_EQ(rows[1].torque, Vec3d(-4, 8, 0));
  bodies.begin_interval(0.75);
  bodies.fill_rows(rows, 1);
  EXPECT_EQ(rows[1].force, Vec3d(0, 0, 0));
}

TEST(Bodies, SetOffMovesWithTheNewVelocityOverTheWholeStep) {
  Scene scene = closed_box();
  scene.info.gravity = {0, 0, -10};
  BodyDefinition box;
  box.name = "box";
  box.shape.kind = ShapeKind::box;
  box.shape.size = {0.4, 0.6, 0.2};
  box.shape.pose.position = {0, 0, 1.5};
  box.motion = Motion::dynamic;
  box.density = 100;
  scene.bodies.push_back(box);
  Bodies bodies(scene);
  const double mass = bodies[0].mass.mass, dt = 0.02;
  const Vec3d velocity(0.5, -0.25, 1), spin(0, 0, 2);
  // Matter holds its weight, pushes it off, and turns it about z.
  BodyImpulse sum;
  sum.linear = mass * velocity + Vec3d(0, 0, 10 * mass * dt);
  sum.angular = {0, 0, mass * (0.4 * 0.4 + 0.6 * 0.6) / 12 * 2};
  bodies.add_impulse(0, sum);
  bodies.set_off(0, velocity, spin);
  bodies.advance(dt, dt);
  const Vec3d way = bodies[0].pose.position - Vec3d(0, 0, 1.5);
  EXPECT_LT((way - dt * velocity).length(), 1e-4);
  EXPECT_LT((bodies[0].velocity - velocity).length(), 1e-12);
  EXPECT_LT((bodies[0].angular_velocity - spin).length(), 1e-12);
  EXPECT_NEAR(angle_between(bodies[0].pose.rotation, Quatd()), 2 * dt, 1e-12);
}

TEST(Bodies, GoOnAfterSaveAndLoad) {
  Scene scene = closed_box();
  scene.bodies.push_back(spinning(ShapeKind::box, {{0, {0, 0, 0}, {0, 0, 0}}, {2, {1, 1, 1}, {0, 0, 90}}},
                                  Interpolation::smooth));
  Bodies bodies(scene);
  bodies.begin_interval(0.5);
  bodies.move_to(0.7);
  bodies.add_impulse(0, {1, 2, 3}, {4, 5, 6});
  ArchiveWriter out;
  bodies.save(out);
  Bodies other(scene);
  ArchiveReader in(out.bytes());
  other.load(in);
  ArchiveWriter again;
  other.save(again);
  EXPECT_EQ(out.hash(), again.hash());
  EXPECT_EQ(other[0].pose.position, bodies[0].pose.position);
  Bodies smaller(Scene{});
  ArchiveReader wrong(out.bytes());
  EXPECT_TRUE(test::refuses([&] { smaller.load(wrong); }, "it belongs to another scene"));
}

TEST(Bodies, StandStillWhereTheyStartWhileMatterSettles) {
  Scene scene = closed_box();
  scene.bodies.push_back(spinning(ShapeKind::box, {{-1, {0, 0, 0}, {0, 0, 0}}, {1, {1, 0, 0}, {0, 0, 90}}},
                                  Interpolation::linear));
  Bodies bodies(scene);
  bodies.move_to(0);
  const Pose start = bodies[0].pose;
  EXPECT_NEAR(bodies[0].velocity.x, 0.5, 1e-12);
  for (const double t : {-0.5, -1e-9}) {
    bodies.move_to(t);
    EXPECT_EQ(bodies[0].pose.position, start.position);
    EXPECT_EQ(bodies[0].pose.rotation, start.rotation);
    EXPECT_EQ(bodies[0].velocity, Vec3d(0));
    EXPECT_EQ(bodies[0].angular_velocity, Vec3d(0));
  }
  EXPECT_EQ(bodies.shift_since(0, start), 0);
}

}  // namespace
}  // namespace repose
