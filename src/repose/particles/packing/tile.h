#pragma once
// A packing that fills space when it is laid side by side: a periodic cell of grains, packed at random until
// they carry each other.
//
// How it is made. Grains of all sizes are strewn at random, small, and grown in stages to their size, making
// room for each other at each stage (crowd.h). Then a pressure closes the cell until the grains carry it, and
// is lowered until overlaps are a small share of a per cent. What comes out is the random close packing of
// the shape without friction, as dense as it gets without order: 0.64 for spheres. Looser packings are made
// of it by taking grains out (thin_tile): those that carry nothing first. The rest still touch and hold each
// other, as with friction they do with fewer contacts.

#include <cstdint>
#include <optional>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/particles/packing/crowd.h"

namespace repose {

/// A share of the grains in one size.
struct TileSize {
  double radius;       ///< bounding radius [m]
  double probability;  ///< by number [-]
};

struct TileRequest {
  GrainShape shape;
  double solid = 0;  ///< volume of a grain of bounding radius one [-]
  std::vector<TileSize> sizes;
  std::size_t count = 2000;          ///< grains wanted; more where a rare size asks for them
  Vec3d lengths{0, 0, 0};            ///< that the cell must have; 0: free along this axis [m]
  double fraction = 0.6;             ///< solid volume over volume that a cell of three given lengths gets [-]
  std::optional<Quatd> orientation;  ///< of all grains; none: at random
  std::uint64_t seed = 1;
};

struct Tile {
  Vec3d lengths{0, 0, 0};               ///< of the cell, which starts at the origin [m]
  PackedGrains grains;                  ///< inside the cell
  std::vector<std::uint32_t> contacts;  ///< places where a grain touches others
  double fraction = 0;                  ///< solid volume over volume [-]
  double deepest_overlap = 0;           ///< in diameters of the smaller grain [-]
  int iterations = 0;                   ///< that it took
};

/// The densest random packing; where all three lengths are given, one of the given fraction, or less where
/// that does not fit. The same request gives the same tile.
Tile make_tile(const TileRequest& request, Threads& threads);

/// Moves grains by whole lengths of a cell at the origin, into it.
void wrap_into_cell(PackedGrains& grains, const Vec3d& lengths);

/// Takes grains out until no more than `fraction` is left: of each size its share, those with the fewest
/// contacts first, and no neighbours where that can be.
void thin_tile(Tile& tile, double fraction, double solid, std::uint64_t seed, Threads& threads);

}  // namespace repose
