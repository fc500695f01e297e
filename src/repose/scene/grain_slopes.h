#pragma once
// The slope at which heaps of grains stand, measured: what `friction_angle` means to a solver that works with
// grains.
//
// A discrete solver knows friction, resistance to rolling and shapes, no angle of repose. So heaps of each
// shape were poured with many frictions and their slopes kept here; a material that gives only its slope gets
// the friction that goes with it. tests/validation/slope_table.cpp pours the heaps and prints the table.
// Compounds stand by shape and friction. Spheres roll, and above a low slope need resistance to rolling as
// well: their friction grows first, then that resistance.
//
// The slopes are those of small heaps of equal grains, dry, whose contacts hold by springs (Bell 2005,
// eq. 19). Under eq. 18 nothing stands for good.

#include <optional>
#include <span>
#include <string_view>

namespace repose {

struct GrainSlope {
  double friction;          ///< [-]
  double rolling_friction;  ///< [-]
  double angle;             ///< of the heap [deg]
};

struct GrainFriction {
  double friction;          ///< [-]
  double rolling_friction;  ///< [-]
};

/// What was measured for a shape that comes with Repose, by rising angle; empty for other shapes.
std::span<const GrainSlope> grain_slopes(std::string_view grain);

/// Frictions with which grains stand at an angle [rad], between the measured ones; none outside of them.
std::optional<GrainFriction> friction_for_slope(std::string_view grain, double angle);

}  // namespace repose
