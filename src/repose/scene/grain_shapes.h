#pragma once
// The grain shapes that come with Repose: spheres that move together as one rigid grain (Bell 2005,
// section 3.1 and figure 4, which shows the tetrahedron and the cube). Units of the bounding radius: the
// smallest ball about the centre of mass that holds all spheres has radius 1.

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace repose {

struct BuiltInGrain {
  std::string_view name;
  std::string_view description;
  std::vector<std::array<double, 4>> spheres;  ///< x y z r
};

/// sphere, tetrahedron, octahedron, cube, popcorn, rice.
std::span<const BuiltInGrain> built_in_grains();

/// The shape of this name, or null.
const BuiltInGrain* find_built_in_grain(std::string_view name);

}  // namespace repose
