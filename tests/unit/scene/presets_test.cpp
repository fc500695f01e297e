#include "repose/scene/presets.h"

#include <cmath>
#include <set>

#include "scene_text.h"
#include <gtest/gtest.h>

#include "repose/scene/grain_slopes.h"

namespace repose {
namespace {

TEST(MaterialPresets, AreTheNamedOnes) {
  std::vector<std::string_view> names;
  for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"dry sand", "wet sand", "gravel", "soil", "rice", "popcorn",
                                                  "fresh snow", "settled snow", "wet snow", "coarse snow",
                                                  "packed snow", "water"}));
}

TEST(MaterialPresets, EachReadsAndResolves) {
  for (const MaterialPreset& preset : material_presets()) {
    const Scene scene = parse_with_needs("[material.m]\npreset = \"" + std::string(preset.name) + "\"\n");
    const Material& m = scene.materials[0];
    EXPECT_EQ(m.name, "m");
    EXPECT_EQ(m.preset, preset.name);
    EXPECT_EQ(m.density, preset.values.density);
    EXPECT_EQ(m.friction, preset.values.friction);
    EXPECT_EQ(m.grain, preset.values.grain);
    EXPECT_EQ(m.color, preset.values.color);
    const Scene again = parse_scene(resolved_scene_text(scene), "again.toml", "");
    EXPECT_EQ(scene_hash(again), scene_hash(scene)) << preset.name;
  }
}

TEST(MaterialPresets, AreComplete) {
  for (const MaterialPreset& preset : material_presets()) {
    EXPECT_TRUE(preset.values.friction_angle) << preset.name;
    EXPECT_TRUE(preset.values.friction) << preset.name;
    EXPECT_GT(preset.source.size(), 40U) << preset.name;
    EXPECT_FALSE(preset.description.empty()) << preset.name;
    EXPECT_FALSE(preset.values.young) << "the solver chooses it";
    EXPECT_FALSE(preset.values.rolling_friction) << preset.name;
    // Packings of grains fill about half to two thirds of space; snow is airy, water has no pores.
    const double solid_share = preset.values.density / preset.values.grain_density;
    if (preset.values.kind == MaterialKind::granular) {
      EXPECT_GT(solid_share, 0.45) << preset.name;
      EXPECT_LT(solid_share, 0.70) << preset.name;
    }
  }
}

/// The slope [deg] at which heaps of these grains stand, by the measured ones.
double measured_slope(const std::string& grain, double friction) {
  const auto slopes = grain_slopes(grain);
  for (std::size_t i = 1; i < slopes.size(); ++i) {
    const GrainSlope &low = slopes[i - 1], &high = slopes[i];
    if (friction < low.friction || friction > high.friction) continue;
    return low.angle + (friction - low.friction) / (high.friction - low.friction) * (high.angle - low.angle);
  }
  return 0;
}

TEST(MaterialPresets, StandAtOneSlopeUnderEverySolver) {
  int granular = 0;
  for (const MaterialPreset& preset : material_presets()) {
    const Material& m = preset.values;
    if (m.kind != MaterialKind::granular) continue;
    ++granular;
    EXPECT_NEAR(measured_slope(m.grain, *m.friction), degrees(*m.friction_angle), 1) << preset.name;
  }
  EXPECT_EQ(granular, 6);
}

TEST(MaterialPresets, OtherGrainsStandAtTheirSlopeToo) {
  const auto with_grain = [](const std::string& grain) {
    return parse_with_needs("[material.m]\npreset = \"dry sand\"\n" + grain).materials[0];
  };
  EXPECT_TRUE(with_grain("grain = \"tetrahedron\"\n").friction);
  // dem looks up what spheres need.
  EXPECT_FALSE(with_grain("grain = \"sphere\"\n").friction);
  EXPECT_EQ(with_grain("grain = \"sphere\"\n").friction_angle, radians(33.0));
  EXPECT_EQ(with_grain("grain = \"sphere\"\nfriction = 0.3\n").friction, 0.3);
  // Nobody measured heaps of these.
  EXPECT_EQ(with_grain("grain = \"pebble\"\n[grain.pebble]\nspheres = [[0, 0, 0, 1]]\n").friction, 0.5);
}

TEST(MaterialPresets, KeysOfTheSceneWin) {
  const Scene scene =
      parse_with_needs("[material.m]\nfriction = 0.1\npreset = \"dry sand\"\ndensity = 1500\n");
  EXPECT_EQ(scene.materials[0].friction, 0.1);
  EXPECT_EQ(scene.materials[0].density, 1500);
  EXPECT_EQ(scene.materials[0].grain_density, 2650);
}

TEST(MaterialPresets, AnAngleStandsForThePresetsFriction) {
  const Scene scene = parse_with_needs("[material.m]\npreset = \"dry sand\"\nfriction_angle = 20\n");
  EXPECT_EQ(scene.materials[0].friction_angle, radians(20.0));
  EXPECT_FALSE(scene.materials[0].friction);
  const Scene both =
      parse_with_needs("[material.m]\npreset = \"dry sand\"\nfriction_angle = 20\nfriction = 0.3\n");
  EXPECT_EQ(both.materials[0].friction, 0.3);
}

TEST(GrainShapes, FillTheUnitBallAboutTheirCentre) {
  std::set<std::size_t> counts;
  for (const BuiltInGrain& grain : built_in_grains()) {
    double reach = 0, mass = 0;
    Vec3d centre(0, 0, 0);
    for (const auto& [x, y, z, r] : grain.spheres) {
      reach = std::max(reach, Vec3d(x, y, z).length() + r);
      mass += r * r * r;
      centre += r * r * r * Vec3d(x, y, z);
    }
    EXPECT_NEAR(reach, 1, 1e-15) << grain.name;
    EXPECT_NEAR((centre / mass).length(), 0, 1e-15) << grain.name;
    counts.insert(grain.spheres.size());
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 3, 4, 6, 8, 9}));
}

TEST(GrainShapes, SpheresHoldTogether) {
  for (const BuiltInGrain& grain : built_in_grains()) {
    // Spread from the first sphere over all that overlap.
    std::vector<bool> reached(grain.spheres.size(), false);
    std::vector<std::size_t> open{0};
    reached[0] = true;
    while (!open.empty()) {
      const auto [x, y, z, r] = grain.spheres[open.back()];
      open.pop_back();
      for (std::size_t j = 0; j < grain.spheres.size(); ++j) {
        const auto& other = grain.spheres[j];
        const double distance = Vec3d(x - other[0], y - other[1], z - other[2]).length();
        if (reached[j] || distance >= r + other[3]) continue;
        reached[j] = true;
        open.push_back(j);
      }
    }
    EXPECT_EQ(std::count(reached.begin(), reached.end(), false), 0) << grain.name;
  }
}

}  // namespace
}  // namespace repose
