// Zones: wetness at their rate, and air that slows down, within their shape and time.

#include "repose/solvers/continuum/zones.h"

#include <cmath>

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

TEST(Zones, AreRefusedWhereASolverHasNone) {
  Scene scene = zone_scene();
  EXPECT_THROW(refuse_zones(scene, "flip"), Error);
  scene.zones.clear();
  EXPECT_NO_THROW(refuse_zones(scene, "flip"));
  test::add_sand(scene, {0, 0, 0}, {1, 1, 0.2});
  scene.fills[0].wetness = 0.3;
  EXPECT_THROW(refuse_zones(scene, "flip"), Error);
}

}  // namespace
}  // namespace repose
