#include "repose/solvers/flip/free_matter.h"

#include <algorithm>

#include "repose/core/joined_places.h"
#include "repose/grid/tiles.h"

namespace repose {
namespace {

constexpr std::size_t kTileChunk = 4;

bool is_reached(const FlipScratch& scratch, std::size_t cell) {
  const auto& weight = scratch.weight.u;
  return weight[0][cell] > 0 || weight[1][cell] > 0 || weight[2][cell] > 0;
}

/// Joins each reached cell of a tile to those before it, within the tile or in the tiles before.
void join_cells(const FlipScratch& scratch, std::size_t tile, bool across, JoinedPlaces& places) {
  const TileSet& tiles = scratch.cells.tiles;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [sx, sy, sz] = kAxisStep[axis];
    const std::size_t from = across ? tiles.neighbor(tile, neighbor_slot(-sx, -sy, -sz)) : tile;
    if (from == kNoTile) continue;
    for (int z = 0; z < (across && sz == 1 ? 1 : kTileEdge); ++z)
      for (int y = 0; y < (across && sy == 1 ? 1 : kTileEdge); ++y)
        for (int x = 0; x < (across && sx == 1 ? 1 : kTileEdge); ++x) {
          const int lx = x - sx, ly = y - sy, lz = z - sz;
          if (!across && (lx < 0 || ly < 0 || lz < 0)) continue;
          const std::size_t cell = tile * kTileCells + cell_in_tile(x, y, z),
                            low = from * kTileCells + cell_in_tile(lx & 7, ly & 7, lz & 7);
          if (is_reached(scratch, cell) && is_reached(scratch, low)) places.join(cell, low);
        }
  }
}

/// Tiles that hang together, also by bodies, with none that meets a wall or a body that is not free: all
/// others are left out at once, so that a tank costs next to nothing.
std::vector<char> find_free_tiles(const Bodies& bodies, const FlipScratch& scratch, Threads& threads) {
  const TileSet& tiles = scratch.cells.tiles;
  std::vector<char> is_reached_at(tiles.size()), is_held(tiles.size());
  std::vector<std::vector<std::uint16_t>> met(tiles.size());  // free bodies
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const std::size_t first = tile * kTileCells;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const float* weight = &scratch.weight.u[axis][first];
          is_reached_at[tile] |= std::any_of(weight, weight + kTileCells, [](float w) { return w > 0; });
          std::uint16_t last = kNoSolid;
          for (std::size_t i = first; i < first + kTileCells; ++i) {
            const std::uint16_t body = scratch.solids.owner[axis][i];
            if (body == last || body == kNoSolid) continue;
            last = body;
            if (bodies[body].is_free)
              met[tile].push_back(body);
            else
              is_held[tile] = 1;
          }
        }
      },
      kTileChunk);
  JoinedPlaces places(tiles.size());
  std::vector<std::uint32_t> tile_of_body(bodies.size(), kNoTile);
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) places.start(tile, is_reached_at[tile] != 0);
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    if (is_reached_at[tile] == 0) continue;
    for (std::size_t slot = 0; slot < 27; ++slot)
      if (const std::uint32_t other = tiles.neighbor(tile, slot);
          other != kNoTile && is_reached_at[other] != 0)
        places.join(tile, other);
    for (const std::uint16_t body : met[tile]) {
      if (tile_of_body[body] == kNoTile) tile_of_body[body] = static_cast<std::uint32_t>(tile);
      places.join(tile, tile_of_body[body]);
    }
  }
  const std::vector<std::uint32_t> root = places.take_roots();
  std::vector<char> is_root_held(tiles.size(), 0), is_free(tiles.size(), 0);
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    if (root[tile] != kNoPart && is_held[tile] != 0) is_root_held[root[tile]] = 1;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    is_free[tile] = root[tile] != kNoPart && is_root_held[root[tile]] == 0 ? 1 : 0;
  return is_free;
}

/// The root of each cell's group, of those that are reached in these tiles.
std::vector<std::uint32_t> label_matter(const FlipScratch& scratch, const std::vector<char>& is_free,
                                        Threads& threads) {
  JoinedPlaces places(scratch.cells.tiles.cell_count());
  threads.for_each(
      is_free.size(),
      [&](std::size_t tile) {
        const std::size_t first = tile * kTileCells;
        for (std::size_t i = first; i < first + kTileCells; ++i)
          places.start(i, is_free[tile] != 0 && is_reached(scratch, i));
        if (is_free[tile] != 0) join_cells(scratch, tile, false, places);
      },
      kTileChunk);
  for (std::size_t tile = 0; tile < is_free.size(); ++tile)
    if (is_free[tile] != 0) join_cells(scratch, tile, true, places);
  return places.take_roots();
}

}  // namespace

FreeMatter::FreeMatter(const Bodies& bodies, const FlipState& state, const FlipScratch& scratch,
                       Threads& threads)
    : group_of_body_(bodies.size(), kNoPart) {
  const std::vector<char> is_free = find_free_tiles(bodies, scratch, threads);
  if (std::find(is_free.begin(), is_free.end(), 1) == is_free.end()) return;
  const std::vector<std::uint32_t> label = label_matter(scratch, is_free, threads);
  // Groups by number, then those that a body joins, by the smallest number.
  std::vector<std::uint32_t> number(label.size(), kNoPart);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < label.size(); ++i)
    if (label[i] == i) number[i] = count++;
  JoinedPlaces joined(count);
  for (std::uint32_t g = 0; g < count; ++g) joined.start(g, true);
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == kNoPart) continue;
    const std::uint32_t g = number[label[i]];
    for (const std::vector<std::uint16_t>& owner : scratch.solids.owner)
      if (owner[i] != kNoSolid) {
        std::uint32_t& met = group_of_body_[owner[i]];
        if (met == kNoPart) met = g;
        joined.join(g, met);
      }
  }
  const std::vector<std::uint32_t> root = joined.take_roots();
  groups_.resize(count);
  for (std::uint32_t& g : group_of_body_)
    if (g != kNoPart) g = root[g];
  for (std::uint32_t i = 0; i < label.size(); ++i) {
    const std::uint32_t held = scratch.cells.cell_first[i + 1] - scratch.cells.cell_first[i];
    if (held == 0 || label[i] == kNoPart) continue;
    const std::uint32_t g = root[number[label[i]]];
    groups_[g].count += held;
    cells_.push_back({i, g});
  }
  const std::vector<Vec3d> sums = sum_by_group(state, scratch, threads);
  for (std::uint32_t g = 0; g < count; ++g) groups_[g].velocity = sums[g];
}

std::vector<Vec3d> FreeMatter::sum_by_group(const FlipState& state, const FlipScratch& scratch,
                                            Threads& threads) const {
  std::vector<Vec3d> by_cell(cells_.size(), Vec3d(0)), by_group(groups_.size(), Vec3d(0));
  threads.for_each(cells_.size(), [&](std::size_t k) {
    const std::uint32_t i = cells_[k].cell;
    for (std::uint32_t p = scratch.cells.cell_first[i]; p < scratch.cells.cell_first[i + 1]; ++p)
      by_cell[k] += Vec3d(state.velocity[p]);
  });
  for (std::size_t k = 0; k < cells_.size(); ++k) by_group[cells_[k].group] += by_cell[k];
  return by_group;
}

void FreeMatter::settle(const FlipModel& model, const Bodies& bodies, const FlipScratch& scratch, double dt,
                        Threads& threads, FlipState& state) const {
  if (cells_.empty()) return;
  const std::vector<Vec3d> now = sum_by_group(state, scratch, threads);
  std::vector<Vec3d> missing(groups_.size(), Vec3d(0));  // of the velocity, by particle
  for (std::size_t g = 0; g < groups_.size(); ++g)
    missing[g] = groups_[g].velocity + groups_[g].count * dt * model.gravity - now[g];
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (group_of_body_[b] != kNoPart)
      missing[group_of_body_[b]] -=
          (bodies.impulse(b).linear - scratch.impulse_before[b]) / model.particle_mass;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].count > 0) missing[g] /= groups_[g].count;
  threads.for_each(cells_.size(), [&](std::size_t k) {
    const Vec3f change = to_float(missing[cells_[k].group]);
    const std::uint32_t i = cells_[k].cell;
    for (std::uint32_t p = scratch.cells.cell_first[i]; p < scratch.cells.cell_first[i + 1]; ++p)
      state.velocity[p] += change;
  });
}

}  // namespace repose
