#include "repose/grid/particle_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace repose {
namespace {

constexpr std::size_t kChunk = 4096;

/// The cell that a position lies in.
Vec3i cell_of(const GridPlace& place, const Vec3d& position) {
  const Vec3d c = place.to_cells(position);
  return {static_cast<int>(std::floor(c.x)), static_cast<int>(std::floor(c.y)),
          static_cast<int>(std::floor(c.z))};
}

Vec3i tile_of(const Vec3i& cell) { return {cell.x >> 3, cell.y >> 3, cell.z >> 3}; }

/// A tile that particles stand in, and the box of their cells within it.
struct Stand {
  Vec3i tile;
  std::array<int, 3> low, high;

  void include(const Vec3i& cell) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      low[a] = std::min(low[a], cell[axis] & 7);
      high[a] = std::max(high[a], cell[axis] & 7);
    }
  }
  void include(const Stand& other) {
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], other.low[a]);
      high[a] = std::max(high[a], other.high[a]);
    }
  }
};

/// One for each tile with particles.
std::vector<Stand> find_stands(std::span<const Vec3d> positions, const GridPlace& place, Threads& threads) {
  std::vector<std::vector<Stand>> parts((positions.size() + kChunk - 1) / kChunk);
  threads.for_chunks(positions.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::vector<Stand>& part = parts[chunk];
    for (std::size_t p = begin; p < end; ++p) {
      const Vec3i cell = cell_of(place, positions[p]), tile = tile_of(cell);
      if (part.empty() || part.back().tile != tile) part.push_back({tile, {7, 7, 7}, {0, 0, 0}});
      part.back().include(cell);
    }
  });
  std::vector<Stand> all;
  for (const std::vector<Stand>& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), [](const Stand& a, const Stand& b) {
    return std::tie(a.tile.x, a.tile.y, a.tile.z) < std::tie(b.tile.x, b.tile.y, b.tile.z);
  });
  std::vector<Stand> merged;
  for (const Stand& stand : all) {
    if (merged.empty() || merged.back().tile != stand.tile) merged.push_back(stand);
    merged.back().include(stand);
  }
  return merged;
}

/// The tiles of the stands, and those that the margin around the particles reaches into.
TileSet lay_tiles(const std::vector<Stand>& stands, const GridPlace& place, int margin) {
  std::vector<Vec3i> tiles;
  for (const Stand& stand : stands) {
    const auto reaches = [&](std::size_t axis, int side) {
      return side == 0 || (side < 0 ? stand.low[axis] < margin : stand.high[axis] > 7 - margin);
    };
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (reaches(0, dx) && reaches(1, dy) && reaches(2, dz))
            tiles.push_back(stand.tile + Vec3i(dx, dy, dz));
  }
  return TileSet(tiles, place.period);
}

/// Particles of a cell in the order of ids: few, and mostly in order already.
void order_cells_by_id(std::span<const std::uint32_t> ids, const std::vector<std::uint32_t>& cell_first,
                       std::vector<std::uint32_t>& order, Threads& threads) {
  threads.for_each(
      cell_first.size() - 1,
      [&](std::size_t cell) {
        std::sort(order.begin() + cell_first[cell], order.begin() + cell_first[cell + 1],
                  [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
      },
      kTileCells);
}

}  // namespace

ParticleCells find_cells(std::span<const Vec3d> positions, std::span<const std::uint32_t> ids,
                         const GridPlace& place, int margin, Threads& threads,
                         std::vector<std::uint32_t>& order) {
  ParticleCells cells;
  cells.tiles = lay_tiles(find_stands(positions, place, threads), place, margin);

  SortablePairs<std::uint32_t> pairs;
  pairs.keys.resize(positions.size());
  pairs.values.resize(positions.size());
  threads.for_chunks(positions.size(), kChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    Vec3i last_tile(0);
    std::uint32_t last_index = kNoTile;
    for (std::size_t p = begin; p < end; ++p) {
      const Vec3i cell = cell_of(place, positions[p]), tile = tile_of(cell);
      if (last_index == kNoTile || tile != last_tile) {
        last_tile = tile;
        last_index = cells.tiles.find(tile);
      }
      pairs.keys[p] = static_cast<std::uint32_t>(last_index * kTileCells +
                                                 cell_in_tile(cell.x & 7, cell.y & 7, cell.z & 7));
      pairs.values[p] = static_cast<std::uint32_t>(p);
    }
  });
  sort_pairs(threads, pairs);

  // Each cell begins where the first key stands that is not smaller.
  cells.cell_first.resize(cells.tiles.cell_count() + 1);
  const std::size_t n = positions.size();
  threads.for_each(n + 1, [&](std::size_t k) {
    const std::size_t from = k == 0 ? 0 : pairs.keys[k - 1] + std::size_t{1};
    const std::size_t to = k == n ? cells.cell_first.size() : pairs.keys[k] + std::size_t{1};
    for (std::size_t cell = from; cell < to; ++cell) cells.cell_first[cell] = static_cast<std::uint32_t>(k);
  });
  order = std::move(pairs.values);
  order_cells_by_id(ids, cells.cell_first, order, threads);
  for (std::uint32_t tile = 0; tile < cells.tiles.size(); ++tile)
    if (cells.tile_end(tile) > cells.tile_first(tile)) cells.occupied.push_back(tile);
  return cells;
}

}  // namespace repose
