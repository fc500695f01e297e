#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "repose/grid/tiles.h"

namespace repose {

/// The cells of a tile and kPad more on each side: what its particles read or write.
template <int kPad>
struct TileBlock {
  static constexpr int kEdge = kTileEdge + 2 * kPad;
  static constexpr std::size_t kCells = kEdge * kEdge * kEdge;
  static constexpr std::array<float, kTileCells> kNothing{};

  /// Cells count from the tile's first, -kPad to 7 + kPad.
  static constexpr std::size_t place(int x, int y, int z) {
    return static_cast<std::size_t>((x + kPad) + kEdge * ((y + kPad) + kEdge * (z + kPad)));
  }

  /// Copies a field around a tile; zero where there is no tile.
  static void fill(const TileSet& tiles, std::size_t tile, const std::vector<float>& field, float* block) {
    const auto low = [](int d) { return d < 0 ? -kPad : d == 0 ? 0 : kTileEdge; };
    const auto high = [](int d) { return d < 0 ? 0 : d == 0 ? kTileEdge : kTileEdge + kPad; };
    const auto cells_of = [&](int dx, int dy, int dz) {
      const std::uint32_t from = tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
      return from == kNoTile ? kNothing.data() : &field[from * kTileCells];
    };
    // Whole rows, of three tiles each.
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy) {
        const float *before = cells_of(-1, dy, dz), *here = cells_of(0, dy, dz), *after = cells_of(1, dy, dz);
        for (int z = low(dz); z < high(dz); ++z)
          for (int y = low(dy); y < high(dy); ++y) {
            const std::size_t row = cell_in_tile(0, y & 7, z & 7);
            float* to = block + place(-kPad, y, z);
            std::copy_n(before + row + kTileEdge - kPad, kPad, to);
            std::copy_n(here + row, kTileEdge, to + kPad);
            std::copy_n(after + row, kPad, to + kPad + kTileEdge);
          }
      }
  }

  /// Adds to a tile the part of `from`, the block of the tile at offset (dx, dy, dz) from it, that lies in
  /// it.
  static void add_overlap(const float* from, int dx, int dy, int dz, float* to) {
    const auto low = [](int d) { return d > 0 ? kTileEdge - kPad : 0; };
    const auto high = [](int d) { return d < 0 ? kPad : kTileEdge; };
    for (int z = low(dz); z < high(dz); ++z)
      for (int y = low(dy); y < high(dy); ++y) {
        const float* row = from + place(low(dx) - kTileEdge * dx, y - kTileEdge * dy, z - kTileEdge * dz);
        float* sum = to + cell_in_tile(low(dx), y, z);
        for (int x = 0; x < high(dx) - low(dx); ++x) sum[x] += row[x];
      }
  }
};

/// Which of the tiles that hold particles a tile is, by its index; kNoTile where it holds none.
inline std::vector<std::uint32_t> rank_of_tiles(std::size_t tile_count,
                                                const std::vector<std::uint32_t>& occupied) {
  std::vector<std::uint32_t> rank(tile_count, kNoTile);
  for (std::size_t k = 0; k < occupied.size(); ++k) rank[occupied[k]] = static_cast<std::uint32_t>(k);
  return rank;
}

/// Calls f(rank, dx, dy, dz) for the tiles with particles around a tile and itself, in the order of
/// neighbor_slot.
template <class F>
void for_each_block_near(const TileSet& tiles, std::size_t tile, const std::vector<std::uint32_t>& rank,
                         F&& f) {
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::uint32_t from = tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
        if (from != kNoTile && rank[from] != kNoTile) f(rank[from], dx, dy, dz);
      }
}

}  // namespace repose
