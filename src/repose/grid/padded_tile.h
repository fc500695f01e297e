#pragma once

#include <algorithm>
#include <array>

#include "repose/grid/tiles.h"

namespace repose {

/// A tile with the layer of cells around it, less edges and corners.
template <class T>
class PaddedTile {
 public:
  static constexpr int kRow = 10, kLayer = 100;

  T* row(int y, int z) { return &values_[static_cast<std::size_t>(1 + kRow * (y + 1) + kLayer * (z + 1))]; }

  /// Values are value(i), i a place in the whole field; `outside` where there is no tile.
  template <class Value>
  void fill(const TileSet& tiles, std::size_t tile, const Value& value, T outside) {
    const auto copy_row = [&](std::size_t from, T* to) {
      for (std::size_t x = 0; x < 8; ++x) to[x] = value(from + x);
    };
    const std::size_t base = tile * kTileCells;
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y) copy_row(base + cell_in_tile(0, y, z), row(y, z));
    for (const int side : {-1, 1}) {
      const int beyond = side < 0 ? -1 : 8, inside = side < 0 ? 7 : 0;
      const std::uint32_t in_x = tiles.neighbor(tile, neighbor_slot(side, 0, 0));
      const std::uint32_t in_y = tiles.neighbor(tile, neighbor_slot(0, side, 0));
      const std::uint32_t in_z = tiles.neighbor(tile, neighbor_slot(0, 0, side));
      for (int k = 0; k < 8; ++k) {
        for (int y = 0; y < 8; ++y)
          row(y, k)[beyond] =
              in_x == kNoTile ? outside : value(in_x * kTileCells + cell_in_tile(inside, y, k));
        if (in_y == kNoTile)
          std::fill_n(row(beyond, k), 8, outside);
        else
          copy_row(in_y * kTileCells + cell_in_tile(0, inside, k), row(beyond, k));
        if (in_z == kNoTile)
          std::fill_n(row(k, beyond), 8, outside);
        else
          copy_row(in_z * kTileCells + cell_in_tile(0, k, inside), row(k, beyond));
      }
    }
  }

 private:
  std::array<T, 1000> values_;
};

}  // namespace repose
