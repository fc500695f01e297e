#pragma once

#include <algorithm>
#include <vector>

#include "repose/grid/tiles.h"

namespace repose {

/// The cells of a tile and kPad more on each side: what its particles read or write.
template <int kPad>
struct TileBlock {
  static constexpr int kEdge = kTileEdge + 2 * kPad;
  static constexpr std::size_t kCells = kEdge * kEdge * kEdge;

  /// Cells count from the tile's first, -kPad to 7 + kPad.
  static constexpr std::size_t place(int x, int y, int z) {
    return static_cast<std::size_t>((x + kPad) + kEdge * ((y + kPad) + kEdge * (z + kPad)));
  }

  /// Copies a field around a tile; zero where there is no tile.
  static void fill(const TileSet& tiles, std::size_t tile, const std::vector<float>& field, float* block) {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const std::uint32_t from = tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
          const auto low = [](int d) { return d < 0 ? -kPad : d == 0 ? 0 : kTileEdge; };
          const auto high = [](int d) { return d < 0 ? 0 : d == 0 ? kTileEdge : kTileEdge + kPad; };
          for (int z = low(dz); z < high(dz); ++z)
            for (int y = low(dy); y < high(dy); ++y) {
              float* to = block + place(low(dx), y, z);
              const int count = high(dx) - low(dx);
              if (from == kNoTile)
                std::fill_n(to, count, 0.0F);
              else
                std::copy_n(&field[from * kTileCells + cell_in_tile(low(dx) & 7, y & 7, z & 7)], count, to);
            }
        }
  }
};

}  // namespace repose
