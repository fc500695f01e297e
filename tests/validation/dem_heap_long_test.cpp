// heaps of 1500 grains poured on a rough disc, three seeds, at the solver's own time step and at half
// of it.
//
// Reference: Bell 2005, sections 2.2 and 4 (shape makes static friction; rough grounds of spheres); Alduan
// 2009, section 5.3 (steepest near a cube); frictionless spheres have a bulk friction angle of 5.8 degrees
// (Peyneau and Roux 2008, as recalled, not opened); dry sand stands at 29 to 35 degrees. No one has a sharp
// number for few grains, so order comes first. Expected of the mean over three seeds, all under eq. 18:
// tetrahedra at least 5 degrees steeper than spheres; cubes no more than a degree less steep than tetrahedra;
// frictionless spheres at most 10 degrees; tetrahedra within 22 to 40 degrees. A heap lower than three
// diameters has no angle that could be measured; that counts as flat. (One seed: tetrahedra 33.5, cubes 35.0;
// spheres 2.6 diameters high, without friction one.)
//
// Rest: after a second the kinetic energy of a grain is below 1e-6 m g d and the slope changes by less than
// 0.5 degrees a second. Heaps whose contacts have springs (eq. 19) do. Under eq. 18 they cannot, an expected
// failure: it holds by a viscosity of 0.1 m / dt, never for good (Bell 2005, section 2.2, says so), and these
// soft grains with their long steps creep at millimetres a second (2.3e-5 m g d; slopes of single heaps fell
// by 1.9 and 5.6 degrees in a second). Without friction, where eq. 18 leads in the end, the same tetrahedra
// lie 2.1 diameters high. Stiffer grains creep less, as dem_pile_test.cpp gates.
//
// The presets dry sand, gravel, soil, rice and popcorn stand at their friction_angle, as dry sand does under
// every other solver (flip_sand_test.cpp, sph_pile_long_test.cpp): within 3 degrees in the mean of three
// seeds.
//
// A material that gives only friction_angle stands there: within 4 degrees in the mean of three seeds (single
// heaps differ by two or three, and the table is made from one or two).

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "support/figure.h"
#include "support/heap.h"
#include <gtest/gtest.h>

#include "repose/scene/presets.h"

namespace repose {
namespace {

class HeapOfGrains : public testing::TestWithParam<double> {
 protected:
  test::Heap mean(const std::string& grain, double friction) {
    test::Heap out;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const test::Heap one =
          test::pour({.grain = grain, .friction = friction, .seed = seed, .dt_factor = GetParam()});
      EXPECT_EQ(one.failure, "");
      out.angle += std::isnan(one.angle) ? 0 : one.angle / 3;
    }
    RecordProperty(grain + (friction > 0 ? "" : "_frictionless"), test::figure(out.angle));
    return out;
  }
};

TEST_P(HeapOfGrains, IsAsSteepAsItsShapeSays) {
  const test::Heap tetrahedra = mean("tetrahedron", 0.5), spheres = mean("sphere", 0.5),
                   cubes = mean("cube", 0.5), slippery = mean("sphere", 0);
  EXPECT_GE(tetrahedra.angle, spheres.angle + 5);
  EXPECT_GE(cubes.angle, tetrahedra.angle - 1);
  EXPECT_LE(slippery.angle, 10);
  EXPECT_GE(tetrahedra.angle, 22);
  EXPECT_LE(tetrahedra.angle, 40);
}

TEST_P(HeapOfGrains, RestsWhereContactsHaveSprings) {
  test::Pouring pouring{.tangential = TangentialLaw::spring, .dt_factor = GetParam(), .watch = 1};
  const test::Heap held = test::pour(pouring);
  EXPECT_EQ(held.failure, "");
  RecordProperty("creep_of_springs", test::figure(held.creep));
  RecordProperty("energy_of_springs", test::figure(held.energy));
  EXPECT_LT(held.energy, 1e-6);
  EXPECT_LT(std::abs(held.creep), 0.5);
  pouring.tangential = TangentialLaw::coulomb_viscous;
  const test::Heap creeping = test::pour(pouring);
  RecordProperty("creep_of_eq_18", test::figure(creeping.creep));
  RecordProperty("energy_of_eq_18", test::figure(creeping.energy));
  EXPECT_GT(creeping.energy, 1e-6) << "eq. 18 holds: no longer an expected failure";
}

TEST_P(HeapOfGrains, StandsAtItsFrictionAngle) {
  for (const auto& [grain, slope] :
       {std::pair{"tetrahedron", 30.0}, std::pair{"cube", 32.0}, std::pair{"sphere", 28.0}}) {
    double mean = 0;
    for (const std::uint64_t seed : {4U, 5U, 6U}) {
      test::Pouring pouring{.grain = grain, .tangential = std::nullopt, .seed = seed};
      pouring.slope = slope;
      pouring.rest = 0.5;
      pouring.dt_factor = GetParam();
      const test::Heap heap = test::pour(pouring);
      EXPECT_EQ(heap.failure, "");
      mean += heap.angle / 3;
    }
    RecordProperty(std::string("slope_of_") + grain, test::figure(mean));
    EXPECT_NEAR(mean, slope, 4) << grain;
  }
}

class HeapOfPreset : public testing::TestWithParam<const char*> {};

TEST_P(HeapOfPreset, StandsAtItsFrictionAngle) {
  const Material& preset = find_material_preset(GetParam())->values;
  double mean = 0;
  for (const std::uint64_t seed : {4U, 5U, 6U}) {
    test::Pouring pouring{.grain = preset.grain, .tangential = std::nullopt, .friction = *preset.friction};
    pouring.rolling_friction = preset.rolling_friction.value_or(0);
    pouring.restitution = preset.restitution;
    pouring.grains = 1300;
    pouring.seed = seed;
    pouring.rest = 0.5;
    const test::Heap heap = test::pour(pouring);
    EXPECT_EQ(heap.failure, "");
    RecordProperty("slope_" + std::to_string(seed), test::figure(heap.angle));
    mean += heap.angle / 3;
  }
  RecordProperty("slope", test::figure(mean));
  EXPECT_NEAR(mean, degrees(*preset.friction_angle), 3);
}

INSTANTIATE_TEST_SUITE_P(Presets, HeapOfPreset,
                         testing::Values("dry sand", "gravel", "soil", "rice", "popcorn"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(TimeStep, HeapOfGrains, testing::Values(1.0, 0.5),
                         [](const auto& test) { return std::string(test.param == 1 ? "Whole" : "Half"); });

}  // namespace
}  // namespace repose
