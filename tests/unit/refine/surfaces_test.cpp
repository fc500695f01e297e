// Obstacles that are left out because they are too far away: a grain ends as if it had looked at all of them.

#include "repose/refine/surfaces.h"

#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

#include "repose/physics/upsampling.h"
#include "repose/refine/advect.h"

namespace repose {
namespace {

constexpr double kStep = 0.01;  // [s]

void add_body(Scene& scene, const Shape& shape, const Vec3d& at, double friction) {
  BodyDefinition body;
  body.name = "body" + std::to_string(scene.bodies.size());
  body.shape = shape;
  body.shape.pose.position = at;
  body.friction = friction;
  scene.bodies.push_back(body);
}

Shape turned(ShapeKind kind, double thickness = 0) {
  Shape shape;
  shape.kind = kind;
  shape.size = {0.3, 0.2, 0.1};
  shape.radius = 0.12;
  shape.tube = 0.04;
  shape.height = 0.2;
  shape.profile = {{0, 0}, {0.15, 0.02}, {0.1, 0.05}, {0.02, 0.06}, {0.02, 0.2}, {0.1, 0.22}, {0, 0.23}};
  shape.thickness = thickness;
  return shape;
}

/// A room of 1 m with bodies of each kind in it. Radius of influence 6 cm, grains of 2 mm.
Scene crowded_room() {
  Scene scene = refined_scene(8, 0.04);
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {1, 1, 1}};
  scene.domain.faces.fill(FaceKind::wall);
  scene.refine.radius = 0.002;
  scene.info.gravity = {0, 0, -9.81};
  add_body(scene, turned(ShapeKind::box), {0.25, 0.25, 0.2}, 0.5);
  add_body(scene, turned(ShapeKind::sphere), {0.75, 0.25, 0.2}, INFINITY);
  add_body(scene, turned(ShapeKind::lathe), {0.25, 0.75, 0.1}, 0.3);
  add_body(scene, turned(ShapeKind::lathe, 0.01), {0.75, 0.75, 0.1}, 0.3);
  add_body(scene, turned(ShapeKind::torus), {0.25, 0.25, 0.7}, 0);
  add_body(scene, turned(ShapeKind::capsule), {0.75, 0.25, 0.7}, 0.8);
  add_body(scene, turned(ShapeKind::cylinder), {0.25, 0.75, 0.7}, 0.2);
  add_body(scene, turned(ShapeKind::cone), {0.75, 0.75, 0.7}, 0.2);
  return scene;
}

/// Every second body flies and turns.
std::vector<Obstacle> obstacles_of(const RefineModel& model) {
  Frame from;
  model.bodies.fill_rows(from.bodies, 0);
  Frame to = from;
  to.time = kStep;
  for (std::size_t b = 0; b < 8; b += 2) {
    const Vec3d velocity(1.5, -1, 0.5 * static_cast<double>(b)), spin(3, 5, -8);
    BodyRow &first = from.bodies[b], &last = to.bodies[b];
    first.velocity = last.velocity = velocity;
    first.angular_velocity = last.angular_velocity = spin;
    last.pose.position += kStep * velocity;
    last.pose.rotation = exp_rotation(kStep * spin) * last.pose.rotation;
  }
  return obstacles_over_step(model, from, to, 0, 1);
}

/// Grains in a cube somewhere in the room, the ends of their flights anywhere.
FineGrains swarm(const RefineModel& model, std::uint64_t number, double edge, double speed,
                 std::size_t count) {
  FineGrains grains;
  grains.place = model.place;
  grains.radius = model.radius;
  grains.resize(count);
  Random place(3, Stream::test, 0, number);
  const auto somewhere = [&] {
    const double x = place.uniform(0, 1), y = place.uniform(0, 1), z = place.uniform(0, 1);
    return Vec3d(x, y, z);
  };
  const Vec3d corner = somewhere(), flight = speed * (2.0 * somewhere() - Vec3d(1));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d at = corner + edge * somewhere(), v = flight + 0.1 * speed * (somewhere() - Vec3d(0.5));
    grains.x[i] = model.place.from_world(at.x, 0);
    grains.y[i] = model.place.from_world(at.y, 1);
    grains.z[i] = model.place.from_world(at.z, 2);
    grains.vx[i] = static_cast<float>(v.x);
    grains.vy[i] = static_cast<float>(v.y);
    grains.vz[i] = static_cast<float>(v.z);
    grains.id[i] = static_cast<std::uint32_t>(i);
  }
  return grains;
}

/// A step of flight of each grain, put out of all obstacles one after the other. Returns how many were.
std::size_t fly_among_all(const RefineModel& model, const std::vector<Obstacle>& obstacles,
                          FineGrains& grains) {
  std::size_t met = 0;
  const auto go = [&](std::int32_t& c, float& v, double g) {
    v = flown_velocity(v, static_cast<float>(g), 0.0F, 0.0F, static_cast<float>(kStep));
    const float way = v * static_cast<float>(kStep / model.place.unit);
    c += static_cast<std::int32_t>(way + (way < 0 ? -0.5F : 0.5F));
  };
  for (std::size_t i = 0; i < grains.size(); ++i) {
    go(grains.x[i], grains.vx[i], model.gravity.x);
    go(grains.y[i], grains.vy[i], model.gravity.y);
    go(grains.z[i], grains.vz[i], model.gravity.z);
    FineMotion grain{model.place.to_world(grains.x[i], grains.y[i], grains.z[i]),
                     Vec3d(grains.vx[i], grains.vy[i], grains.vz[i])};
    std::vector<MetObstacle> all;
    for (const Obstacle& obstacle : obstacles) all.push_back({&obstacle});
    if (!(collide(all, model.radius, kStep, grain) > 0)) continue;
    ++met;
    grains.x[i] = model.place.from_world(grain.position.x, 0);
    grains.y[i] = model.place.from_world(grain.position.y, 1);
    grains.z[i] = model.place.from_world(grain.position.z, 2);
    grains.vx[i] = static_cast<float>(grain.velocity.x);
    grains.vy[i] = static_cast<float>(grain.velocity.y);
    grains.vz[i] = static_cast<float>(grain.velocity.z);
  }
  return met;
}

TEST(Surfaces, GrainsMeetWhatTheyWouldIfTheyLookedAtAll) {
  Threads threads(1);
  const RefineModel model = make_refine_model(crowded_room(), ParticleKind::grains);
  GuidePaths none;
  none.duration = kStep;
  const LeadingStep step{
      .dt = kStep, .guides = guides_over_step(model, none, 0, 1, threads), .obstacles = obstacles_of(model)};
  ASSERT_EQ(step.obstacles.size(), 14U);
  std::size_t met = 0, free = 0;
  std::uint64_t number = 0;
  // Sixteen grains, a part of that, several blocks; from at rest to five radii of influence a step.
  for (const std::size_t count : {16U, 5U, 150U})
    for (const double edge : {0.002, 0.02, 0.1, 0.3})
      for (const double speed : {0.0, 0.3, 3.0, 10.0, 30.0})
        for (int turn = 0; turn < 12; ++turn) {
          FineGrains grains = swarm(model, number++, edge, speed, count), due = grains;
          const std::size_t some = fly_among_all(model, step.obstacles, due);
          met += some, free += count - some;
          const std::vector<std::uint32_t> runs{0, static_cast<std::uint32_t>(count)};
          advect(model, std::span(&step, 1), nullptr, runs, threads, grains);
          ASSERT_EQ(grains.x, due.x) << count << ' ' << edge << ' ' << speed << ' ' << turn;
          ASSERT_EQ(grains.y, due.y);
          ASSERT_EQ(grains.z, due.z);
          ASSERT_EQ(grains.vx, due.vx);
          ASSERT_EQ(grains.vy, due.vy);
          ASSERT_EQ(grains.vz, due.vz);
        }
  EXPECT_GT(met, 1000U);
  EXPECT_GT(free, 1000U);
}

/// What every obstacle within the radius of influence makes of a velocity, one after the other.
Vec3d led_by_all(const RefineModel& model, const std::vector<Obstacle>& obstacles, const Vec3d& at,
                 float weight, Vec3d v) {
  const double h = model.influence, spacing = model.guide_spacing / h;
  for (const Obstacle& obstacle : obstacles) {
    const SurfacePoint wall = obstacle.nearest(at);
    if (wall.distance >= h || !(weight > 0)) continue;
    const double s = std::max(0.0, wall.distance) / h, w = wall_weight(s * s, spacing);
    const Vec3d apart = obstacle.velocity_at(at, kStep) - v;
    const double share = w / (w + static_cast<double>(weight));
    v += share * (std::isinf(obstacle.body->friction) ? apart : apart.dot(wall.normal) * wall.normal);
  }
  return v;
}

TEST(Surfaces, LeadAsIfGrainsLookedAtAll) {
  const RefineModel model = make_refine_model(crowded_room(), ParticleKind::grains);
  const std::vector<Obstacle> obstacles = obstacles_of(model);
  std::size_t turned_aside = 0, left_alone = 0;
  std::uint64_t number = 5000;
  for (const double edge : {0.002, 0.02, 0.1}) {
    for (int turn = 0; turn < 200; ++turn) {
      const FineGrains grains = swarm(model, number++, edge, 2, Lanes::kCount);
      LaneVectors<std::int32_t> places;
      LaneVectors<float> velocity;
      LaneArray<float> weight;
      for (std::size_t l = 0; l < Lanes::kCount; ++l) {
        places.x[l] = grains.x[l], places.y[l] = grains.y[l], places.z[l] = grains.z[l];
        velocity.x[l] = grains.vx[l], velocity.y[l] = grains.vy[l], velocity.z[l] = grains.vz[l];
        weight[l] = 0.3F * static_cast<float>(l);  // no guide leads the first
      }
      const PlaceBox box = box_of(grains, 0, Lanes::kCount);
      PlaceBox run = box;
      for (std::size_t axis = 0; axis < 3; ++axis) run.high[axis] += turn * 1000;
      Surfaces surfaces(model);
      surfaces.enter_run(obstacles, kStep, run);
      surfaces.enter_block(box);
      surfaces.lead(Lanes::kCount, places, weight, velocity);
      for (std::size_t l = 0; l < Lanes::kCount; ++l) {
        const Vec3d before(grains.vx[l], grains.vy[l], grains.vz[l]);
        const Vec3d due = led_by_all(
            model, obstacles, model.place.to_world(places.x[l], places.y[l], places.z[l]), weight[l], before);
        ASSERT_EQ(velocity.x[l], static_cast<float>(due.x)) << edge << ' ' << turn << ' ' << l;
        ASSERT_EQ(velocity.y[l], static_cast<float>(due.y));
        ASSERT_EQ(velocity.z[l], static_cast<float>(due.z));
        (due == before ? left_alone : turned_aside) += 1;
      }
    }
  }
  EXPECT_GT(turned_aside, 1000U);
  EXPECT_GT(left_alone, 1000U);
}

}  // namespace
}  // namespace repose
