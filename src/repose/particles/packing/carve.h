#pragma once
// From a periodic tile to the grains of a fill: the tile is laid side by side over the fill's shape, and
// those grains are kept whose centres are inside and not in a wall.
//
// Which ones exactly is decided by mass. Beside a wall a packing is looser, since no grain reaches into the
// wall: about kWallGap of a diameter is missing there, so centres keep that distance. To hold the mass that
// the fill's volume asks for, the fill reaches that much further out where nothing bounds it (its top, as a
// rule). Grains are then taken in the order of their depth in the fill until the mass is there, which makes
// it right to half a grain. What sticks out into walls is moved in afterwards (crowd.h).
//
// A wide mixture (mixture.h) is carved group by group, from large to small: a smaller group keeps off the
// grains of the larger ones as it does off walls, and each size has its own count (carve_between).

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/geometry/shape.h"
#include "repose/particles/neighbors.h"
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

/// Grains that stand already, whose voids are filled.
class LargerGrains {
 public:
  LargerGrains() = default;
  LargerGrains(const PackedGrains& grains, std::span<const GrainShape> shapes, const DomainBox& box,
               Threads& threads);
  /// How deep a place is in the nearest of them; negative outside [m]. Those further than `reach` do not
  /// count.
  double depth(const Vec3d& x, double reach) const;

 private:
  std::vector<double> radii_;  ///< by sphere [m]
  NeighborSearch search_;
};

/// How many grains of a size a fill gets.
struct SizeCount {
  double radius;  ///< bounding radius [m]
  std::size_t count;
};

/// What a group of a mixture is carved with.
struct CarveBetween {
  const LargerGrains& larger;
  double reach;     ///< beyond the shape that still counts as inside: where larger grains stick out [m]
  double furthest;  ///< beyond the shape where grains may be at all [m]
  double solid;     ///< volume of a grain of bounding radius one [-]
  std::uint64_t seed;
};

/// Solid volume [m3] of the tile inside the shape, clear of walls and of larger grains.
double solid_between(const Tile& tile, const CarveRegion& region, const CarveBetween& between,
                     Threads& threads);

/// Grains of one group of a mixture: of each size its count, or as many as there are. Those inside the shape
/// and clear of walls and larger grains go first, at random; then those beyond the shape, nearest first; then
/// those that have to be moved out of walls and larger grains.
PackedGrains carve_between(const Tile& tile, const CarveRegion& region, std::span<const SizeCount> wanted,
                           const CarveBetween& between, Threads& threads);

/// How far a fill of these grains reaches beyond its shape, at most [m].
double furthest_out(const PackedGrains& grains);

}  // namespace repose
