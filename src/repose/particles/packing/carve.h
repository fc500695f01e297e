#pragma once
// From a periodic tile to the grains of a fill: the tile is laid side by side over the fill's shape, and
// those grains are kept whose centres are inside and not in a wall.
//
// Which ones exactly is decided by mass. Beside a wall a packing is looser, since no grain reaches into the
// wall: about kWallGap of a diameter is missing there, so centres keep that distance. To hold the mass that
// the fill's volume asks for, the fill reaches that much further out where nothing bounds it (its top, as a
// rule). Grains are then taken in the order of their depth in the fill until the mass is there, which makes
// it right to half a grain. What sticks out into walls is moved in afterwards (crowd.h).

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/particles/packing/tile.h"

namespace repose {

/// What is missing beside a flat wall, in diameters of a ball as large as the grain. From the mean porosity
/// of beds of balls in tubes, 0.375 + 0.34 d / D (Dixon 1988, "Correlations for wall and particle shape
/// effects on fixed bed bulk voidage", Canadian Journal of Chemical Engineering 66, for D > 2 d).
inline constexpr double kWallGap = 0.136;

struct CarveRegion {
  const Shape& shape;             ///< in the world
  std::span<const Shape> walls;   ///< solids that grains keep out of, in the world
  std::span<const Shape> others;  ///< that the fill does not reach out into: those of other fills
  DomainBox box;                  ///< along periodic axes the tile is laid from box.min
  Box3d bounds;                   ///< that centres keep within [m]; the shape's own bounds where it has any
  double wall_gap = kWallGap;     ///< see above [-]
};

/// Volume of the shape within the bounds and outside of walls [m3]: exact where nothing cuts the shape, else
/// within about 0.1 %.
double region_volume(const CarveRegion& region, Threads& threads);

struct Carved {
  PackedGrains grains;
  double wanted = 0;  ///< solid volume asked for [m3]
  double solid = 0;   ///< and held [m3]
};

/// The grains of a fill of solid volume `fraction` x region_volume, in an order that does not depend on
/// threads. `solid`: volume of a grain of bounding radius one.
Carved carve(const Tile& tile, const CarveRegion& region, double fraction, double solid, Threads& threads);

}  // namespace repose
