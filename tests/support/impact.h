#pragma once
// Balls that fall into a bed of grains, for validation.

#include <string>

#include "support/dem_scenes.h"

namespace repose::test {

struct BallDrop {
  double diameter = 0.0254;  ///< of the ball [m]
  double density = 7800;     ///< of the ball [kg/m3]
  double fall = 0.2;         ///< of its lowest point to the surface of the bed [m]
  double grain = 0.005;      ///< diameter of the spheres of the bed [m]
  double width = 0.11;       ///< of the bed, which is square [m]
  double depth = 0.075;      ///< of the bed [m]
  double friction = 0.5;
  double packing = 0.57;  ///< solid fraction of the bed: loose, as poured spheres lie
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct Crater {
  std::string failure;
  double depth = 0;        ///< of the ball's lowest point below where it first touched the bed, at rest [m]
  double deepest = 0;      ///< on the way [m]
  double bed_density = 0;  ///< [kg/m3]
  double speed = 0;        ///< of the ball at the end [m/s]
  std::size_t grains = 0;
};

Crater drop(const BallDrop& ball);

}  // namespace repose::test
