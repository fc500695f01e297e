#pragma once
// Half-filled drums that turn about a level axis, for validation.

#include <string>

#include "support/dem_scenes.h"

namespace repose::test {

struct Drum {
  std::string grain = "sphere";
  double froude = 1e-3;  ///< w^2 R / g
  double radius = 12;    ///< in grain diameters
  double width = 6;      ///< of the periodic cell along the axis, in grain diameters
  double turn = 1.2;     ///< before readings start [rad]
  double watch = 0.5;    ///< while they are taken [rad]
  double friction = 0.5;
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct DrumFlow {
  std::string failure;
  double angle = 0;      ///< of the surface, mean [deg]
  double spread = 0;     ///< standard deviation of the angle over time [deg]
  double curvature = 0;  ///< largest distance of the mean surface from a line over its middle 60 %, in radii
  double by_mass = 0;    ///< angle by the centre of mass [deg]
  std::size_t grains = 0;
};

/// About y, with its middle at z = 0.
Scene drum_scene(const Drum& drum);
DrumFlow turn_drum(const Drum& drum);

}  // namespace repose::test
