#include "repose/grid/drift.h"

#include <algorithm>

namespace repose {
namespace {

/// Whether solids close a face across the axis, in part or wholly, among those of a tile's cells.
bool any_closed(const TileSet& tiles, const SolidCells& solids, std::size_t tile, std::size_t axis) {
  const float* open = &solids.open[axis][tile * kTileCells];
  if (std::any_of(open, open + kTileCells, [](float o) { return o < 1; })) return true;
  // The last faces belong to the next tile.
  const auto [sx, sy, sz] = kAxisStep[axis];
  const std::uint32_t next = tiles.neighbor(tile, neighbor_slot(sx, sy, sz));
  if (next == kNoTile) return false;
  for (int b = 0; b < 8; ++b)
    for (int a = 0; a < 8; ++a) {
      const std::size_t cell = axis == 0   ? cell_in_tile(0, a, b)
                               : axis == 1 ? cell_in_tile(a, 0, b)
                                           : cell_in_tile(a, b, 0);
      if (solids.open[axis][next * kTileCells + cell] < 1) return true;
    }
  return false;
}

}  // namespace

std::vector<Vec3f> find_drift(std::span<const Vec3f> velocities, const ParticleCells& cells,
                              const SolidCells& solids, Threads& threads) {
  std::vector<Vec3f> drift(cells.tiles.size(), Vec3f(0));
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        Vec3d sum(0);
        for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p)
          sum += Vec3d(velocities[p]);
        drift[tile] = Vec3f(sum / static_cast<double>(cells.tile_end(tile) - cells.tile_first(tile)));
        for (int axis = 0; axis < 3; ++axis)
          if (any_closed(cells.tiles, solids, tile, static_cast<std::size_t>(axis))) drift[tile][axis] = 0;
      },
      4);
  return drift;
}

TileDrift::TileDrift(const std::vector<Vec3f>& drift, const ParticleCells& cells, std::size_t tile) {
  for (std::size_t slot = 0; slot < around_.size(); ++slot) {
    const std::uint32_t from = cells.tiles.neighbor(tile, slot);
    const bool is_occupied = from != kNoTile && cells.tile_first(from) < cells.tile_end(from);
    around_[slot] = drift[is_occupied ? from : tile];
  }
}

}  // namespace repose
