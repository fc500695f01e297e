#include "repose/refine/cell_counts.h"

namespace repose {

std::size_t CellCounts::slot_of(const Cell& tile) const {
  const auto part = [&](std::size_t axis) { return std::uint64_t{static_cast<std::uint32_t>(tile[axis])}; };
  const std::uint64_t key = part(0) ^ (part(1) << 21U) ^ (part(2) << 42U);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (key * 0x9E3779B97F4A7C15U >> 20U) & mask;
  while (slots_[at] != kNone && !is_same(tiles_[slots_[at]].coordinate, tile)) at = (at + 1) & mask;
  return at;
}

CellCounts::Tile& CellCounts::at(const Cell& tile) {
  if (2 * (tiles_.size() + 1) > slots_.size()) {
    slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), kNone);
    for (std::uint32_t t = 0; t < tiles_.size(); ++t) slots_[slot_of(tiles_[t].coordinate)] = t;
  }
  std::uint32_t& index = slots_[slot_of(tile)];
  if (index == kNone) {
    index = static_cast<std::uint32_t>(tiles_.size());
    tiles_.push_back({.coordinate = tile});
  }
  return tiles_[index];
}

void CellCounts::add(const CellCounts& other) {
  for (const Tile& tile : other.tiles_) {
    Tile& sum = at(tile.coordinate);
    for (std::size_t c = 0; c < kTileCells; ++c) sum.count[c] += tile.count[c];
  }
}

}  // namespace repose
