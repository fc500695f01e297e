#pragma once
// Heaps poured on a rough disc until it overflows, for validation.

#include <optional>
#include <string>
#include <vector>

#include "support/dem_scenes.h"

namespace repose::test {

inline constexpr double kHeapGrain = 0.005;  ///< bounding diameter of a grain [m]

struct Pouring {
  std::string grain = "tetrahedron";
  std::optional<TangentialLaw> tangential = TangentialLaw::coulomb_viscous;  ///< none: the solver's default
  double friction = 0.5;
  double rolling_friction = 0;
  double restitution = 0.3;
  std::optional<double> slope = std::nullopt;  ///< [deg]; the material gives it, and no friction
  double young = 1e6;                          ///< [Pa]
  double disc = 8;                             ///< radius of the disc, in grain diameters
  int grains = 1500;                           ///< poured
  double rate = 500;                           ///< grains a second
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
  double rest = 1;       ///< after the last grain was poured [s]
  double watch = 0;      ///< from then on [s]
};

struct Heap {
  std::string failure;
  double angle = 0;        ///< after the rest [deg]
  double height = 0;       ///< in grain diameters
  double energy = 0;       ///< of motion of the grain in the middle of the order, after the rest [m g d]
  double creep = 0;        ///< how much the angle falls while it is watched [deg/s]
  std::size_t grains = 0;  ///< that lie on the disc
};

Heap pour(const Pouring& pouring);

}  // namespace repose::test
