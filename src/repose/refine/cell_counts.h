#pragma once
// Counts of fine grains in the cells of a grid without bounds: tiles of 4 x 4 x 4 cells, which stand where
// there are grains, found by their coordinates.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace repose {

class CellCounts {
 public:
  /// Coordinates of a cell or a tile.
  using Cell = std::array<std::int32_t, 3>;
  static constexpr int kTileBits = 2;
  static constexpr std::size_t kTileCells = 64;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Tile {
    Cell coordinate{};
    std::array<std::uint32_t, kTileCells> count{};
  };

  static Cell tile_of(const Cell& cell) {
    return {cell[0] >> kTileBits, cell[1] >> kTileBits, cell[2] >> kTileBits};
  }
  static bool is_same(const Cell& a, const Cell& b) {  // operator== calls memcmp
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) == 0;
  }
  /// Where a cell stands in its tile; x runs fastest.
  static std::size_t cell_in_tile(const Cell& cell) {
    constexpr std::int32_t kMask = (1 << kTileBits) - 1;
    return static_cast<std::size_t>((cell[0] & kMask) + ((cell[1] & kMask) << kTileBits) +
                                    ((cell[2] & kMask) << (2 * kTileBits)));
  }

  /// The cell that stands there.
  static Cell cell_of(const Tile& tile, std::size_t in_tile) {
    constexpr std::int32_t kMask = (1 << kTileBits) - 1;
    const auto c = static_cast<std::int32_t>(in_tile);
    return {(tile.coordinate[0] << kTileBits) + (c & kMask),
            (tile.coordinate[1] << kTileBits) + ((c >> kTileBits) & kMask),
            (tile.coordinate[2] << kTileBits) + (c >> (2 * kTileBits))};
  }

  const std::vector<Tile>& tiles() const { return tiles_; }
  void clear() {
    tiles_.clear();
    slots_.clear();
  }
  /// Index of a tile, or kNone.
  std::uint32_t find(const Cell& tile) const { return slots_.empty() ? kNone : slots_[slot_of(tile)]; }
  /// The tile with these coordinates, with all counts zero where it was not there.
  Tile& at(const Cell& tile);
  std::uint32_t count(const Cell& cell) const {
    const std::uint32_t tile = find(tile_of(cell));
    return tile == kNone ? 0 : tiles_[tile].count[cell_in_tile(cell)];
  }
  void add(const CellCounts& other);

 private:
  /// Where a tile's index stands, or could stand.
  std::size_t slot_of(const Cell& tile) const;

  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> slots_;  ///< open addressing; a power of two, at most half of it taken
};

}  // namespace repose
