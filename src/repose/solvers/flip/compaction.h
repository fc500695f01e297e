#pragma once
// What sets snow apart from sand where pressure and friction are found: it can be packed. Of each cell the
// density and how dense it may become (physics/snow.h); below that limit snow gives way freely, at it the
// pressure is anything up to the strength of the snow, and beyond it the density follows the pressure. Who
// fills it in knows particles of snow (solvers/snow/snow_fields.h); for sand all is empty.

#include <vector>

#include "repose/grid/projection.h"
#include "repose/physics/snow.h"

namespace repose {

struct Compaction {
  SnowCompaction<double> law;
  std::vector<float> damage;    ///< by cell: durability lost [-]
  std::vector<float> density;   ///< by cell, over that of snow as it fell [-]
  std::vector<float> limit;     ///< likewise: the densest without further damage [-]
  std::vector<float> cohesion;  ///< by cell; also the tension that it bears [Pa]
  std::vector<float> transfer;  ///< by cell: share of a solid's velocity that is passed on [-]
  std::vector<float> shear;   ///< by cell: what friction adds to the largest stress, as the solve has x [m/s]
  std::vector<float> volume;  ///< by cell: share that solids leave to the snow, a little at least [-]
  FaceDensity face_density;   ///< over that of snow as it fell [-]

  bool is_on() const { return !density.empty(); }
  const FaceDensity* faces() const { return is_on() ? &face_density : nullptr; }
};

}  // namespace repose
