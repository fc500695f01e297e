// Snow, the longer cases.
//
// Under a wheel: as in snow_test.cpp, for the other densities of the measurements.
//
// Natural slopes. Fluffy snow lies at 50 degrees and coarse granular snow, of 4 to 5 mm, at 39 (University of
// Utah, table of natural slopes of snow), within 3, by the presets alone. A layer of 1 m without end, with
// the cohesion of the preset: it stands 3 degrees below and flows 3 degrees above.

#include <cmath>
#include <string>

#include "support/snow_scenes.h"
#include <gtest/gtest.h>

#include "repose/scene/presets.h"

namespace repose {
namespace {

class SnowUnderAWheelLong : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Densities, SnowUnderAWheelLong, testing::Values(110.0, 250.0));

TEST_P(SnowUnderAWheelLong, IsAsDenseAsMeasured) {
  Material snow = find_material_preset("fresh snow")->values;
  snow.density = GetParam();
  const double low = test::packed_at(snow, 210e3) * GetParam(),
               high = test::packed_at(snow, 700e3) * GetParam();
  RecordProperty("at_210_kPa", std::to_string(low));
  RecordProperty("at_700_kPa", std::to_string(high));
  EXPECT_NEAR(low, 500, 50);
  EXPECT_NEAR(high, 650, 65);
}

struct NaturalSlope {
  const char* preset;
  double angle;  ///< [deg]
};
class SnowPresetSlope : public testing::TestWithParam<NaturalSlope> {};
INSTANTIATE_TEST_SUITE_P(Presets, SnowPresetSlope,
                         testing::Values(NaturalSlope{"fresh snow", 50}, NaturalSlope{"coarse snow", 39}));

test::Slide slide(const NaturalSlope& slope, double tilt) {
  Scene scene = test::snow_layer(0.05, tilt);
  const std::string name = scene.materials[0].name;
  scene.materials[0] = find_material_preset(slope.preset)->values;
  scene.materials[0].name = name;
  return test::slide_of(scene, 1, 2);
}

TEST_P(SnowPresetSlope, IsAsInNature) {
  const test::Slide below = slide(GetParam(), GetParam().angle - 3),
                    above = slide(GetParam(), GetParam().angle + 3);
  RecordProperty("speed_below", std::to_string(below.speed));
  RecordProperty("acceleration_above", std::to_string(above.acceleration));
  EXPECT_LT(std::abs(below.speed), 5e-3);
  EXPECT_GT(above.acceleration, 0.1);
}

}  // namespace
}  // namespace repose
