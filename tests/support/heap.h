#pragma once
// Heaps poured on a rough disc until it overflows, for validation.

#include <string>

#include "support/dem_scenes.h"

namespace repose::test {

inline constexpr double kHeapGrain = 0.005;  ///< bounding diameter of a grain [m]

struct Pouring {
  std::string grain = "tetrahedron";
  TangentialLaw tangential = TangentialLaw::coulomb_viscous;
  double friction = 0.5;
  double disc = 8;    ///< radius of the disc, in grain diameters
  int grains = 1500;  ///< poured
  double rate = 500;  ///< grains a second
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct Heap {
  std::string failure;
  double angle = 0;        ///< after a second of rest [deg]
  double height = 0;       ///< in grain diameters
  std::size_t grains = 0;  ///< that lie on the disc
};

Heap pour(const Pouring& pouring);

}  // namespace repose::test
