#pragma once
// Particles and the grid they live on. The grid has no bounds of its own: each step it is laid where the
// particles are, with a margin of empty cells around them for what flows out of the surface, and particles
// are sorted into its cells. Within a cell they stand in the order of their ids, so that sums over a cell do
// not depend on where the particles came from.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/algorithms.h"
#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"
#include "repose/math/vec.h"

namespace repose {

/// How the grid's cells lie in space.
struct GridPlace {
  double cell = 1;        ///< edge of a cell [m]
  Vec3d origin{0, 0, 0};  ///< lower corner of cell (0, 0, 0) [m]
  TilePeriod period{0, 0, 0};

  /// In cells from the origin.
  Vec3d to_cells(const Vec3d& position) const { return (position - origin) / cell; }
};

struct ParticleCells {
  TileSet tiles;                          ///< those with particles, and the margin around them
  std::vector<std::uint32_t> cell_first;  ///< row of a cell's first particle; one more entry than cells
  std::vector<std::uint32_t> occupied;    ///< tiles that hold particles, rising

  std::uint32_t tile_first(std::size_t tile) const { return cell_first[tile * kTileCells]; }
  std::uint32_t tile_end(std::size_t tile) const { return cell_first[(tile + 1) * kTileCells]; }
};

/// Calls f(first row, end row, tile offset) for the particles in a box of cells, run by run along x. Cells
/// count from the first of `tile` and lie in it or in the tiles around it: -8 to 15.
template <class F>
void for_each_run(const ParticleCells& cells, std::size_t tile, const Vec3i& low, const Vec3i& high, F&& f) {
  for (int z = low.z; z <= high.z; ++z)
    for (int y = low.y; y <= high.y; ++y)
      for (int dx = low.x >> 3; dx <= high.x >> 3; ++dx) {
        const Vec3i offset(dx, y >> 3, z >> 3);
        const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(offset.x, offset.y, offset.z));
        if (from == kNoTile) continue;
        const std::size_t row = from * kTileCells + cell_in_tile(0, y & 7, z & 7);
        const int first = std::max(low.x, 8 * dx) - 8 * dx, last = std::min(high.x, 8 * dx + 7) - 8 * dx;
        const std::uint32_t begin = cells.cell_first[row + static_cast<std::size_t>(first)],
                            end = cells.cell_first[row + static_cast<std::size_t>(last) + 1];
        if (begin < end) f(begin, end, offset);
      }
}

/// Lower corner of a tile [m].
inline Vec3d tile_corner(const GridPlace& place, const Vec3i& tile) {
  return place.origin + (place.cell * kTileEdge) * Vec3d(tile);
}

/// Position in cells from the corner of the particle's own tile, 0 up to but not including 8: the difference
/// is taken in double, and rounding does not carry it out of the tile.
inline Vec3f in_tile(const GridPlace& place, const Vec3d& corner, const Vec3d& position) {
  static constexpr float kBelowEight = 7.9999995F;
  const Vec3d d = (position - corner) * (1 / place.cell);
  const auto held = [](double x) { return std::clamp(static_cast<float>(x), 0.0F, kBelowEight); };
  return {held(d.x), held(d.y), held(d.z)};
}

/// Lays the grid with `margin` cells, 0 to 8, around every particle's cell, and finds the order in which the
/// particles stand cell by cell: order[k] is the row that becomes row k. Positions are finite and within 2^20
/// cells of the origin.
ParticleCells find_cells(std::span<const Vec3d> positions, std::span<const std::uint32_t> ids,
                         const GridPlace& place, int margin, Threads& threads,
                         std::vector<std::uint32_t>& order);

}  // namespace repose
