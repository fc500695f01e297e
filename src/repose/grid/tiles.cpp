#include "repose/grid/tiles.h"

#include <algorithm>
#include <cassert>

#include "repose/particles/morton.h"

namespace repose {
namespace {

constexpr int kOffset = 1 << (kMortonBits - 1);  ///< makes coordinates positive

std::uint64_t tile_key(const Vec3i& c) {
  assert(c.x > -kOffset && c.x < kOffset && c.y > -kOffset && c.y < kOffset && c.z > -kOffset &&
         c.z < kOffset);
  return morton_code(static_cast<std::uint64_t>(c.x + kOffset), static_cast<std::uint64_t>(c.y + kOffset),
                     static_cast<std::uint64_t>(c.z + kOffset));
}

}  // namespace

TileSet::TileSet(std::span<const Vec3i> tiles, TilePeriod period) : period_(period) {
  std::vector<std::pair<std::uint64_t, Vec3i>> found;
  found.reserve(tiles.size());
  for (const Vec3i& tile : tiles) {
    const Vec3i inside = wrapped(tile);
    found.emplace_back(tile_key(inside), inside);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  found.erase(std::unique(found.begin(), found.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              found.end());
  key_.reserve(found.size());
  coordinate_.reserve(found.size());
  for (const auto& [key, coordinate] : found) {
    key_.push_back(key);
    coordinate_.push_back(coordinate);
  }
  neighbors_.resize(size());
  for (std::size_t tile = 0; tile < size(); ++tile)
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          neighbors_[tile][neighbor_slot(dx, dy, dz)] = find(coordinate_[tile] + Vec3i(dx, dy, dz));
}

Vec3i TileSet::wrapped(Vec3i coordinate) const {
  for (int axis = 0; axis < 3; ++axis) {
    const int period = period_[static_cast<std::size_t>(axis)];
    if (period == 0) continue;
    coordinate[axis] %= period;
    if (coordinate[axis] < 0) coordinate[axis] += period;
  }
  return coordinate;
}

std::uint32_t TileSet::find(const Vec3i& coordinate) const {
  const std::uint64_t key = tile_key(wrapped(coordinate));
  const auto place = std::lower_bound(key_.begin(), key_.end(), key);
  return place != key_.end() && *place == key ? static_cast<std::uint32_t>(place - key_.begin()) : kNoTile;
}

}  // namespace repose
