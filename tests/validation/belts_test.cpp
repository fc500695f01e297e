// Conveyor belts: bodies that stand still while their surface runs (surface_velocity), under every solver.
//
// References. Coulomb's law: what lies on a belt of friction mu and slips on it is dragged with mu times its
// weight on the belt, so its mean acceleration is mu g on a level belt and g (mu cos b - sin b) up one that
// is tilted by b, whatever the belt's speed; from the belt's speed on it goes along. And a flat plate that
// moves along itself, which is the same to what lies on it. Tolerances: 1 % for one grain (dem) and for sph
// on a smooth belt; 2 % for layers of dem, some of whose contacts stick; 3 % for flip, whose wall friction is
// that much short of a layer's. Belt and moving plate agree to rounding, and to 1 % where the belt is made of
// particles, which stand still in one of them.

#include <cmath>
#include <memory>
#include <utility>

#include "support/body_scenes.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kG = 9.81;

BodyDefinition& add_belt(Scene& scene, double friction, const Vec3d& velocity) {
  scene.domain.min.z = -0.1;
  scene.domain.faces[4] = FaceKind::open;
  BodyDefinition belt;
  belt.name = "belt";
  belt.shape.kind = ShapeKind::plane;
  belt.friction = friction;
  belt.surface_velocity = velocity;
  return scene.bodies.emplace_back(belt);
}

/// In place of the plane: a plate below z = 0 whose surface is particles.
void cover(BodyDefinition& belt, const Vec3d& size) {
  belt.shape.kind = ShapeKind::box;
  belt.shape.size = size;
  belt.shape.pose.position = {0, 0, -0.5 * size.z};
  belt.surface = BodySurface::particles;
}

Vec3d mean_velocity(const Solver& solver) {
  Frame frame;
  solver.fill_frame(frame);
  Vec3d sum(0);
  for (const Vec3f& v : frame.velocity) sum += Vec3d(v);
  return sum / static_cast<double>(frame.velocity.size());
}

/// The same with a plate that moves as a whole, in place of a belt.
Scene with_moving_plate(Scene scene) {
  BodyDefinition& belt = scene.bodies[0];
  belt.motion = Motion::moving;
  belt.velocity = std::exchange(belt.surface_velocity, Vec3d(0));
  return scene;
}

struct Drag {
  double acceleration, end;  ///< from `from` to `to` [m/s2], and the speed in the end [m/s]
  Vec3d force;               ///< on the belt, mean over that time [N]
};
Drag drag(const Scene& scene, double from, double to, double end, const Vec3d& along = {1, 0, 0}) {
  Threads threads(2);
  const std::unique_ptr<Solver> solver = make_solver(scene, threads, {});
  EXPECT_EQ(test::advance(*solver, from), "");
  const double before = mean_velocity(*solver).dot(along);
  solver->begin_interval();
  EXPECT_EQ(test::advance(*solver, to), "");
  const double after = mean_velocity(*solver).dot(along);
  std::vector<BodyRow> rows;
  solver->fill_bodies(rows);
  EXPECT_EQ(test::advance(*solver, end), "");
  return {(after - before) / (to - from), mean_velocity(*solver).dot(along), rows[0].force};
}

/// Four spheres at the corners of a square, which lies flat and does not tip over.
Scene lone_grain(double friction, const Vec3d& velocity) {
  Scene scene = test::floor_scene("slab", 0.02);
  scene.grains.push_back({.name = "slab",
                          .spheres = {{0.55, 0.55, 0, 0.2},
                                      {-0.55, 0.55, 0, 0.2},
                                      {0.55, -0.55, 0, 0.2},
                                      {-0.55, -0.55, 0, 0.2}},
                          .file = {}});
  add_belt(scene, friction, velocity);
  test::add_point(scene, {0, 0, 0.002});
  scene.info.settle = 0.2;
  return scene;
}

TEST(Belts, DragAGrainUnderDem) {
  for (const double speed : {0.3, 0.9}) {
    const double reached = speed / (0.2 * kG);
    const Drag found = drag(lone_grain(0.2, {speed, 0, 0}), 0.1 * reached, 0.9 * reached, reached + 0.2);
    EXPECT_NEAR(found.acceleration, 0.2 * kG, 0.01 * 0.2 * kG) << speed;
    EXPECT_NEAR(found.end, speed, 1e-3 * speed);
  }
}

TEST(Belts, WaitWhileTheSceneSettles) {
  Threads threads(1);
  const std::unique_ptr<Solver> solver = make_solver(lone_grain(0.2, {0.5, 0, 0}), threads, {});
  EXPECT_EQ(test::advance(*solver, -0.001), "");
  EXPECT_LT(mean_velocity(*solver).length(), 1e-3);
  EXPECT_EQ(test::advance(*solver, 0.1), "");
  EXPECT_NEAR(mean_velocity(*solver).x, 0.1 * 0.2 * kG, 0.02 * 0.1 * 0.2 * kG);
}

/// The belt's velocity is that of its own frame.
TEST(Belts, DragUphillUnderDem) {
  constexpr double kTilt = 12, kFriction = 0.4;
  Scene scene = lone_grain(kFriction, {0.5, 0, 0});
  scene.domain.min = Vec3d(-1000);
  Shape& plane = scene.bodies[0].shape;
  plane.rotation_degrees = {0, -kTilt, 0};
  plane.pose.rotation = rotation_from_degrees(plane.rotation_degrees);
  const Vec3d up_slope = rotate(plane.pose.rotation, Vec3d(1, 0, 0)),
              normal = rotate(plane.pose.rotation, Vec3d(0, 0, 1));
  ASSERT_GT(up_slope.z, 0);
  scene.fills[0].points[0] = 0.002 * normal;
  scene.fills[0].grain_rotation = plane.rotation_degrees;
  const Drag found = drag(scene, 0.05, 0.2, 0.5, up_slope);
  const double b = radians(kTilt), expected = kG * (kFriction * std::cos(b) - std::sin(b));
  EXPECT_NEAR(found.acceleration, expected, 0.01 * expected);
  EXPECT_NEAR(found.end, 0.5, 1e-3);
}

Scene grain_layer(double friction, double speed) {
  Scene scene = test::box_scene("tetrahedron", {0.06, 0.06, 0.2}, 0.01);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::open,     FaceKind::open};
  scene.materials[0].young = 1e6;
  scene.materials[0].density = 0.58 * scene.materials[0].grain_density;
  add_belt(scene, friction, {speed, 0, 0});
  test::add_fill(scene, test::box_shape({0.06, 0.06, 0.03}, {0.03, 0.03, 0.015}));
  scene.info.settle = 0.3;
  return scene;
}

TEST(Belts, DragALayerUnderDem) {
  const Drag found = drag(grain_layer(0.2, 0.5), 0.05, 0.2, 0.6);
  EXPECT_NEAR(found.acceleration, 0.2 * kG, 0.02 * 0.2 * kG);
  EXPECT_NEAR(found.end, 0.5, 0.01 * 0.5);
}

/// Bumps that stand still and drag. A known limit: grains jolt over them, and some that sit between two of
/// them stay behind, so that on the mean they reach nine tenths of the belt's speed.
TEST(Belts, DragGrainsOverParticlesUnderDem) {
  Scene scene = test::floor_scene("tetrahedron", 0.01);
  scene.materials[0].young = 1e6;
  add_belt(scene, 0.5, {0.3, 0, 0});
  scene.domain.min = Vec3d(-1000);
  cover(scene.bodies[0], {0.5, 0.12, 0.02});
  test::add_fill(scene, test::box_shape({0.05, 0.05, 0.03}, {-0.1, 0, 0.02}));
  scene.info.settle = 0.2;
  const Drag found = drag(scene, 0.05, 0.1, 0.5);
  EXPECT_GT(found.acceleration, 0.3);
  EXPECT_GT(found.end, 0.8 * 0.3);
  EXPECT_LT(found.end, 1.02 * 0.3);
}

TEST(Belts, DragALayerUnderFlip) {
  Scene scene = test::sand_layer(5, 0.01, 35, 0, 0.2);
  add_belt(scene, 0.2, {0.8, 0, 0});
  const Drag found = drag(scene, 0.1, 0.3, 0.6);
  EXPECT_NEAR(found.acceleration, drag(with_moving_plate(scene), 0.1, 0.3, 0.6).acceleration, 1e-6);
  EXPECT_NEAR(found.acceleration, 0.2 * kG, 0.03 * 0.2 * kG);
  EXPECT_NEAR(found.end, 0.8, 0.01 * 0.8);
}

TEST(Belts, DragALayerUnderSph) {
  Scene scene = test::under_sph(test::sand_layer(5, 0.01, 35, 0, 0.2));
  add_belt(scene, 0.2, {0.8, 0, 0});
  const Drag found = drag(scene, 0.1, 0.3, 0.6);
  EXPECT_NEAR(found.acceleration, 0.2 * kG, 0.01 * 0.2 * kG);
  EXPECT_NEAR(found.end, 0.8, 0.01 * 0.8);
}

/// A low heap that stands on a belt made of particles.
TEST(Belts, DragAHeapOverParticlesUnderSph) {
  Scene scene = test::under_sph(test::sand_tank({2, 0.6, 0.3}, 0.01, 40));
  scene.domain.min = {-0.5, -0.3, 0};
  scene.domain.max = {0.5, 0.3, 0.3};
  scene.domain.faces.fill(FaceKind::open);
  cover(add_belt(scene, 0.2, {0.5, 0, 0}), {0.8, 0.5, 0.05});
  Shape cone;
  cone.kind = ShapeKind::cone;
  cone.radius = 0.15;
  cone.radius_top = 0.03;
  cone.height = (cone.radius - cone.radius_top) * std::tan(radians(20));
  cone.pose.position.z = 0.5 * cone.height;
  test::add_sand(scene, cone);
  const Drag found = drag(scene, 0.1, 0.22, 0.45), plate = drag(with_moving_plate(scene), 0.1, 0.22, 0.45);
  EXPECT_NEAR(found.acceleration, plate.acceleration, 0.01 * plate.acceleration);
  EXPECT_GT(found.acceleration, 0.15 * kG);
  EXPECT_NEAR(found.end, 0.5, 0.02 * 0.5);
}

TEST(Belts, DragALiquidThatSticks) {
  Scene scene = test::tank_scene({0.16, 0.16, 0.2}, 0.01);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::open,     FaceKind::open};
  add_belt(scene, 0.5, {0.2, 0, 0});
  scene.materials[0].viscosity = 2;
  test::add_water(scene, {0, 0, 0}, {0.16, 0.16, 0.08});
  const Drag thick = drag(scene, 0.5, 1, 1);
  EXPECT_GT(thick.end, 0.1);
  EXPECT_LT(thick.end, 0.2);
  EXPECT_NEAR(thick.end, drag(with_moving_plate(scene), 0.5, 1, 1).end, 1e-6);
  // Without viscosity nothing drags it.
  scene.materials[0].viscosity = 0;
  EXPECT_LT(std::abs(drag(scene, 0.1, 0.2, 0.2).end), 1e-5);
}

/// What the belt drags pulls it back by as much.
TEST(Belts, FeelWhatTheyDrag) {
  for (const bool is_sph : {false, true}) {
    Scene scene = test::sand_layer(5, 0.01, 35, 0, 0.2);
    if (is_sph) scene = test::under_sph(scene);
    add_belt(scene, 0.2, {0.4, 0, 0});
    const Drag found = drag(scene, 0.03, 0.15, 0.15);
    const double mass = 1600 * 0.16 * 0.16 * 0.1;
    EXPECT_NEAR(-found.force.x, mass * found.acceleration, 0.02 * mass * found.acceleration) << is_sph;
  }
}

TEST(Belts, CarryBodies) {
  for (const double tilt : {0.0, 10.0}) {
    Scene scene = test::body_scene(false);
    const Vec3d turn(0, -tilt, 0);
    const Quatd rotation = rotation_from_degrees(turn);
    BodyDefinition belt;
    belt.name = "belt";
    belt.shape.size = {40, 2, 0.2};
    belt.shape.pose.rotation = rotation;
    belt.friction = 0.4;
    belt.surface_velocity = {1, 0, 0};
    scene.bodies.push_back(belt);
    BodyDefinition box = test::dynamic_box("box", {0.4, 0.3, 0.2}, rotate(rotation, Vec3d(0, 0, 0.2)));
    box.shape.pose.rotation = rotation;
    box.friction = 0.4;
    scene.bodies.push_back(box);
    Bodies bodies(scene);
    const Vec3d along = rotate(rotation, Vec3d(1, 0, 0));
    test::advance(bodies, 0.2, 1e-3);
    const double b = radians(tilt), expected = kG * (0.4 * std::cos(b) - std::sin(b));
    EXPECT_NEAR(bodies[1].velocity.dot(along), 0.2 * expected, 0.01 * expected) << tilt;
    for (int k = 200; k < 2000; ++k) bodies.advance(1e-3, (k + 1) * 1e-3);
    EXPECT_NEAR(bodies[1].velocity.dot(along), 1, 1e-3) << tilt;
    EXPECT_EQ(bodies[0].velocity, Vec3d(0));
  }
}

}  // namespace
}  // namespace repose
