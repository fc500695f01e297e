#pragma once
// The slope of a free surface that is no pile: the bed of a drum, of a chute, of a tilted box.
//
//  - The *deposit* is that of a pile (deposit.h).
//  - The *surface* is made of the tops of the highest particles in a grid of columns, two mean diameters
//  wide.
//  - Its *middle part* is the middle 60 % of its extent along the slope: beds bend up where a wall lifts them
//    and flatten at their foot, the more the faster a drum turns (by its Froude number w^2 R / g), and end in
//    walls.
//  - The *plane* is that of least squares through the middle part; its *angle* is that with the horizontal.
//  With
//    `along` = x or y it is a line over that axis, and what lies beside is averaged.

#include <cstddef>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// All but the count are not numbers where the surface is too small to have a slope.
struct SlopeReading {
  std::size_t count = 0;  ///< particles of the deposit
  double angle = 0;       ///< [rad]
  double direction = 0;   ///< in which it goes down, from x towards y [rad]
  double height = 0;      ///< of the middle, above the deposit's lowest point [m]
  double roughness = 0;   ///< root mean square of the distance from the plane [m]
};

SlopeReading read_slope(const Shape& shape, PileAxis along, const Frame& frame, const GrainTable& grains,
                        const DomainBox& box, Threads& threads);

}  // namespace repose
