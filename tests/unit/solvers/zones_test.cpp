// Zones: wetness at their rate, and air that slows down, within their shape and time.

#include "repose/solvers/continuum/zones.h"

#include <cmath>

#include "support/refuses.h"
#include "support/sand_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

Scene zone_scene() {
  Scene scene = test::sand_tank({1, 1, 1}, 0.1, 30);
  Zone zone;
  zone.name = "rain";
  zone.shape = test::box_shape({0.4, 0.4, 0.4}, {0.5, 0.5, 0.5});
  zone.wetness_rate = 0.5;
  zone.drag = 2;
  zone.wind = {1, 0, 0};
  zone.start = 1;
  zone.stop = 3;
  scene.zones.push_back(zone);
  return scene;
}

TEST(Zones, WetAndBlowWithinTheirShapeAndTime) {
  const std::vector<ZoneShape> zones = make_zones(zone_scene());
  const auto after = [&](const Vec3d& x, double time, double dt, float start) {
    float wetness = start;
    Vec3d velocity(0, 0, -1);
    pass_zones(zones, time, dt, x, wetness, velocity);
    return std::pair(wetness, velocity);
  };
  const Vec3d inside(0.6, 0.4, 0.5), outside(0.8, 0.4, 0.5);
  EXPECT_FLOAT_EQ(after(inside, 1.5, 0.2, 0.1F).first, 0.2F);
  EXPECT_FLOAT_EQ(after(inside, 0.9, 0.2, 0.1F).first, 0.15F);
  EXPECT_FLOAT_EQ(after(inside, 2.9, 0.2, 0.1F).first, 0.15F);
  EXPECT_FLOAT_EQ(after(inside, 1.5, 1, 0.9F).first, 1);
  EXPECT_EQ(after(inside, 3, 0.2, 0.1F).first, 0.1F);
  EXPECT_EQ(after(inside, 0.5, 0.2, 0.1F).first, 0.1F);
  EXPECT_EQ(after(outside, 1.5, 0.2, 0.1F).first, 0.1F);
  const Vec3d v = after(inside, 1.5, 0.2, 0).second;
  EXPECT_NEAR(v.x, 1 - std::exp(-0.4), 1e-12);
  EXPECT_NEAR(v.z, -std::exp(-0.4), 1e-12);
  EXPECT_EQ(after(outside, 1.5, 0.2, 0).second, Vec3d(0, 0, -1));
}

TEST(Zones, DryDownToNothing) {
  Scene scene = zone_scene();
  scene.zones[0].wetness_rate = -0.5;
  float wetness = 0.2F;
  Vec3d velocity(0);
  pass_zones(make_zones(scene), 1.5, 0.2, Vec3d(0.5), wetness, velocity);
  EXPECT_FLOAT_EQ(wetness, 0.1F);
  pass_zones(make_zones(scene), 1.5, 1, Vec3d(0.5), wetness, velocity);
  EXPECT_EQ(wetness, 0);
}

/// In the corner of a sphere's bounds there is nothing of it.
TEST(Zones, TellWhoIsIn) {
  Scene scene = zone_scene();
  scene.zones[0].shape.kind = ShapeKind::sphere;
  scene.zones[0].shape.radius = 0.2;
  const std::vector<ZoneShape> zones = make_zones(scene);
  const auto is_in = [&](const Vec3d& x, double time) {
    float wetness = 0;
    Vec3d velocity(0);
    const bool found = pass_zones(zones, time, 0.1, x, wetness, velocity);
    EXPECT_EQ(wetness > 0, found);
    return found;
  };
  EXPECT_TRUE(is_in({0.6, 0.6, 0.5}, 1.5));
  EXPECT_FALSE(is_in({0.65, 0.65, 0.65}, 1.5));
  EXPECT_FALSE(is_in({0.6, 0.6, 0.5}, 0.5)) << "before it starts";
  EXPECT_FALSE(is_in({0.6, 0.6, 0.5}, 3.5)) << "after it stops";
}

TEST(Zones, WorkOnlyInTheirTime) {
  const Zone zone = zone_scene().zones[0];
  EXPECT_EQ(time_in(zone, 0, 0.5), 0);
  EXPECT_EQ(time_in(zone, 0.5, 1), 0.5);
  EXPECT_EQ(time_in(zone, 1.5, 0.25), 0.25);
  EXPECT_EQ(time_in(zone, 2.5, 2), 0.5);
  EXPECT_EQ(time_in(zone, 4, 1), 0);
}

TEST(Zones, AreRefusedWhereASolverHasNone) {
  Scene scene = zone_scene();
  EXPECT_TRUE(test::refuses([&] { refuse_zones(scene, "flip"); }, "the flip solver has no zones"));
  scene.zones.clear();
  EXPECT_NO_THROW(refuse_zones(scene, "flip"));
  test::add_sand(scene, {0, 0, 0}, {1, 1, 0.2});
  scene.fills[0].wetness = 0.3;
  EXPECT_TRUE(
      test::refuses([&] { refuse_zones(scene, "flip"); }, "the flip solver knows wetness by material only"));
}

}  // namespace
}  // namespace repose
