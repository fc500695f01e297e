#include "repose/scene/grain_shapes.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

using Spheres = std::vector<std::array<double, 4>>;

/// Scales spheres that lie evenly about the origin to the bounding radius 1.
Spheres to_unit_ball(Spheres spheres) {
  double reach = 0;
  for (const auto& [x, y, z, r] : spheres) reach = std::max(reach, std::sqrt(x * x + y * y + z * z) + r);
  for (auto& sphere : spheres)
    for (double& value : sphere) value /= reach;
  return spheres;
}

/// One sphere at each corner; neighbours overlap by a tenth of their diameter, so that nothing gets stuck in
/// a gap between them.
constexpr double kRadiusByDistance = 0.55;

Spheres tetrahedron() {
  // Corners of a cube, every second one: distance sqrt(8).
  const double r = kRadiusByDistance * std::sqrt(8.0);
  return to_unit_ball({{1, 1, 1, r}, {1, -1, -1, r}, {-1, 1, -1, r}, {-1, -1, 1, r}});
}

Spheres octahedron() {
  const double r = kRadiusByDistance * std::sqrt(2.0);
  return to_unit_ball(
      {{1, 0, 0, r}, {-1, 0, 0, r}, {0, 1, 0, r}, {0, -1, 0, r}, {0, 0, 1, r}, {0, 0, -1, r}});
}

Spheres cube(double radius) {
  Spheres spheres;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) spheres.push_back({x, y, z, radius});
  return spheres;
}

/// A kernel with eight bulges, smaller than it, all around.
Spheres popcorn() {
  Spheres spheres = cube(1.05);
  spheres.push_back({0, 0, 0, 1.35});
  return to_unit_ball(std::move(spheres));
}

/// Long and blunt: length to width is 2.3, the ends a little thinner than the middle.
Spheres rice() { return to_unit_ball({{-1.3, 0, 0, 0.9}, {0, 0, 0, 1}, {1.3, 0, 0, 0.9}}); }

}  // namespace

std::span<const BuiltInGrain> built_in_grains() {
  static const std::vector<BuiltInGrain> grains = {
      {"sphere", "1 sphere", {{0, 0, 0, 1}}},
      {"tetrahedron", "4 spheres: a good default, piles without a static friction force", tetrahedron()},
      {"octahedron", "6 spheres: rounder than the tetrahedron", octahedron()},
      {"cube", "8 spheres", to_unit_ball(cube(2 * kRadiusByDistance))},
      {"popcorn", "9 spheres: a kernel with eight bulges", popcorn()},
      {"rice", "3 spheres in line", rice()},
  };
  return grains;
}

const BuiltInGrain* find_built_in_grain(std::string_view name) {
  for (const BuiltInGrain& grain : built_in_grains())
    if (grain.name == name) return &grain;
  return nullptr;
}

}  // namespace repose
