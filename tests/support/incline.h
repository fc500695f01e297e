#pragma once
// Layers of spheres that flow down a rough plane without end, for validation.

#include <string>
#include <vector>

#include "support/dem_scenes.h"

namespace repose::test {

struct Incline {
  double angle = 23;              ///< of the plane [deg]
  double height = 10;             ///< of the layer at rest, about, in diameters
  double length = 15, width = 8;  ///< of the periodic cell, in diameters
  double stiffness = 2e3;         ///< of contacts, in m g / d
  double start = 1;               ///< speed along the plane at first, in sqrt(g d)
  double time = 300;              ///< to run, in sqrt(d / g)
  double window = 100;            ///< at the end, that means are taken over, likewise
  std::uint64_t seed = 1;
  double dt_factor = 1;  ///< times the step that the solver would choose
};

struct LayerFlow {
  std::string failure;
  double height = 0;             ///< of the flowing layer: twice that of its centre of mass over the base [d]
  double surface = 0;            ///< speed of the topmost two diameters [sqrt(g d)]
  double first = 0, second = 0;  ///< mean speed over the halves of the window [sqrt(g d)]
  double energy = 0;             ///< of motion, a grain, at the end [m g d]
  std::vector<double> solid;     ///< solid fraction by slices two diameters thick, from the base upwards
  std::vector<double> speed;     ///< likewise [sqrt(g d)]
};

LayerFlow flow_down(const Incline& incline);

}  // namespace repose::test
