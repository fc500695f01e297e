#pragma once
// Columns of grains that are let go and spread, for validation: planar ones between periodic sides, and round
// ones.

#include <string>

#include "support/dem_scenes.h"

namespace repose::test {

inline constexpr double kColumnGrain = 0.005;  ///< bounding diameter of a grain [m]

/// With which tetrahedra stand at 29.5 degrees (scene/grain_slopes.cpp), as the sand of Lube et al. 2005
/// does.
inline constexpr double kFrictionOfSand = 0.167;

struct Column {
  bool round = false;
  std::string grain = "tetrahedron";
  double aspect = 1;   ///< height over length (planar) or radius (round)
  double length = 10;  ///< or radius, in grain diameters
  double friction = kFrictionOfSand;
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct Deposit {
  std::string failure;
  double runout = 0;  ///< (front - length) / length, both measured alike
  double toe = 0;     ///< the same by where the line of the slope meets the floor
  /// The same by the tip of the wedge that a planar deposit ends in: with a share s of the matter beyond it,
  /// a place is sqrt(s) times a length from the tip, so the tip lies as far beyond the place of 99 % as that
  /// lies beyond the place of 96 %.
  double edge = 0;
  double height = 0;  ///< over the length
};

/// Lets the column go at t = 0 and reads what lies there after 6 sqrt(height / g) + 0.2 s.
Deposit collapse(const Column& column);

}  // namespace repose::test
