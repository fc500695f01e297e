#include "repose/scene/grain_slopes.h"

#include <array>

#include "repose/math/vec.h"

namespace repose {
namespace {

// From build/tests/validation/slope_table: one heap a row for spheres and cubes, two for the
// others, of about a thousand grains. The slopes of two heaps of the same grains differ by two or three
// degrees. The last row of popcorn is of three heaps at 0.511, 41.3 degrees, and two at 0.8, 38.1.
constexpr std::array kSphere = std::to_array<GrainSlope>({
    {0.2, 0, 20.5},
    {0.5, 0, 21.9},
    {0.5, 0.1, 27.9},
    {0.5, 0.2, 31.0},
    {0.5, 0.4, 40.3},
});
constexpr std::array kRice = std::to_array<GrainSlope>({
    {0.1, 0, 23.4},
    {0.3, 0, 32.1},
});
constexpr std::array kTetrahedron = std::to_array<GrainSlope>({
    {0.1, 0, 23.7},
    {0.2, 0, 32.3},
    {0.4, 0, 37.6},
});
constexpr std::array kOctahedron = std::to_array<GrainSlope>({
    {0.1, 0, 22.2},
    {0.3, 0, 33.9},
    {0.8, 0, 40.8},
});
constexpr std::array kCube = std::to_array<GrainSlope>({
    {0.1, 0, 24.8},
    {0.3, 0, 36.0},
    {0.8, 0, 39.4},
});

constexpr std::array kPopcorn = std::to_array<GrainSlope>({
    {0.1, 0, 27.6},
    {0.3, 0, 36.2},
    {0.511, 0, 40.0},
});

}  // namespace

std::span<const GrainSlope> grain_slopes(std::string_view grain) {
  if (grain == "sphere") return kSphere;
  if (grain == "rice") return kRice;
  if (grain == "tetrahedron") return kTetrahedron;
  if (grain == "octahedron") return kOctahedron;
  if (grain == "cube") return kCube;
  if (grain == "popcorn") return kPopcorn;
  return {};
}

std::optional<GrainFriction> friction_for_slope(std::string_view grain, double angle) {
  const std::span<const GrainSlope> slopes = grain_slopes(grain);
  for (std::size_t i = 1; i < slopes.size(); ++i) {
    const GrainSlope &low = slopes[i - 1], &high = slopes[i];
    if (degrees(angle) < low.angle || degrees(angle) > high.angle) continue;
    const double share = (degrees(angle) - low.angle) / (high.angle - low.angle);
    return GrainFriction{low.friction + share * (high.friction - low.friction),
                         low.rolling_friction + share * (high.rolling_friction - low.rolling_friction)};
  }
  return std::nullopt;
}

}  // namespace repose
