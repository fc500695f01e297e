#pragma once
// The form of a pile: slope, height, foot and front.
//
//  - The *deposit* is the largest group of particles inside the shape that hang together by touching
//    (deposit.h).
//  - The *base* is its lowest point.
//  - The *surface* is made of the tops of the highest particles in a grid of columns, two mean diameters
//  wide.
//    Their heights above the base, averaged in rings (or strips) one diameter wide, are the *profile*: height
//    over distance from the vertical through the shape's position (or from there along x or y).
//  - The *height* is that of the profile's highest ring.
//  - The *angle* is that of the least-squares line through the profile, drawn from ring to ring, where it
//  first
//    falls from 80 % to 20 % of the height outside its highest ring; the *foot* is where this line meets the
//    base.
//  - The *front* is the distance that 99 % of the deposit's particles (their centres) do not reach beyond.

#include <cstddef>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/measure/grain_table.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// All but the count are not numbers where there is no deposit; angle and foot also where it is no pile:
/// lower than three mean diameters, or with a surface that does not come down to the base, as a bed between
/// walls.
struct PileReading {
  std::size_t count = 0;  ///< particles of the deposit
  double angle = 0;       ///< [rad]
  double height = 0;      ///< [m]
  double foot = 0;        ///< distance from the axis [m]
  double front = 0;       ///< distance from the axis [m]
};

PileReading read_pile(const Shape& shape, PileAxis along, const Frame& frame, const GrainTable& grains,
                      const DomainBox& box, Threads& threads);

}  // namespace repose
