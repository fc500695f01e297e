#pragma once
// A sparse grid of cubic cells: tiles of 8 x 8 x 8 cells that stand only where there is something. The grid
// solvers keep every field as one flat array, tile by tile, so that a field is a vector and a loop over it is
// a loop over tiles. Empty space costs nothing and there are no bounds: tile (i, j, k) may be anywhere.
//
// Tiles stand along a Morton curve, and each knows its 26 neighbours. The order depends on the set of tiles
// alone, not on how it came about, so it may order sums. Along a periodic axis the domain is a whole number
// of tiles, and tiles beyond its end are those at its start.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

inline constexpr int kTileEdge = 8;
inline constexpr std::size_t kTileCells = 512;
inline constexpr std::uint32_t kNoTile = 0xffffffffU;

/// Where a cell of a tile stands in the tile's part of a field; x runs fastest.
constexpr std::size_t cell_in_tile(int x, int y, int z) {
  return static_cast<std::size_t>(x + kTileEdge * (y + kTileEdge * z));
}

/// Which of the 27 tiles around and including one lies at this offset, each -1, 0 or 1.
constexpr std::size_t neighbor_slot(int dx, int dy, int dz) {
  return static_cast<std::size_t>((dx + 1) + 3 * (dy + 1) + 9 * (dz + 1));
}

/// To the next cell or tile along each axis.
inline constexpr std::array<std::array<int, 3>, 3> kAxisStep{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Tiles along each axis after which the grid repeats; 0 where it does not.
using TilePeriod = std::array<int, 3>;

class TileSet {
 public:
  TileSet() = default;
  /// Of these tiles, which may be given more than once. Coordinates are less than 2^17 from the origin.
  explicit TileSet(std::span<const Vec3i> tiles, TilePeriod period = {0, 0, 0});

  std::size_t size() const { return coordinate_.size(); }
  std::size_t cell_count() const { return size() * kTileCells; }
  /// In tiles; cell (x, y, z) of the tile is cell 8 * coordinate + (x, y, z) of the grid.
  const Vec3i& coordinate(std::size_t tile) const { return coordinate_[tile]; }
  TilePeriod period() const { return period_; }

  /// Index of the tile with this coordinate, or kNoTile.
  std::uint32_t find(const Vec3i& coordinate) const;
  /// Index of the neighbour at neighbor_slot(...), or kNoTile.
  std::uint32_t neighbor(std::size_t tile, std::size_t slot) const { return neighbors_[tile][slot]; }

 private:
  Vec3i wrapped(Vec3i coordinate) const;

  TilePeriod period_{0, 0, 0};
  std::vector<Vec3i> coordinate_;
  std::vector<std::uint64_t> key_;  ///< Morton keys, rising
  std::vector<std::array<std::uint32_t, 27>> neighbors_;
};

inline constexpr std::size_t kNoCell = ~std::size_t{0};

/// The cell at this offset from another, up to a tile away, or kNoCell.
inline std::size_t cell_near(const TileSet& tiles, std::size_t cell, const Vec3i& offset) {
  const auto in = static_cast<int>(cell % kTileCells);
  const Vec3i at = Vec3i(in % 8, in / 8 % 8, in / 64) + offset;
  const auto tile_of = [](int i) { return i < 0 ? -1 : i < kTileEdge ? 0 : 1; };
  const std::uint32_t tile =
      tiles.neighbor(cell / kTileCells, neighbor_slot(tile_of(at.x), tile_of(at.y), tile_of(at.z)));
  if (tile == kNoTile) return kNoCell;
  return tile * kTileCells + cell_in_tile(at.x & 7, at.y & 7, at.z & 7);
}

}  // namespace repose
