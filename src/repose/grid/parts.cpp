#include "repose/grid/parts.h"

#include <algorithm>
#include <cmath>

#include "repose/core/joined_places.h"

namespace repose {
namespace {

constexpr std::size_t kTileChunk = 4;

struct TileView {
  const float *a_x, *a_y, *a_z, *extra;

  TileView(const PoissonSystem& system, std::size_t tile)
      : a_x(&system.a_x[tile * kTileFaces]),
        a_y(&system.a_y[tile * kTileFaces]),
        a_z(&system.a_z[tile * kTileFaces]),
        extra(&system.extra[tile * kTileCells]) {}

  float diagonal(int x, int y, int z) const {
    return extra[cell_in_tile(x, y, z)] + a_x[x_face_in_tile(x, y, z)] + a_x[x_face_in_tile(x + 1, y, z)] +
           a_y[y_face_in_tile(x, y, z)] + a_y[y_face_in_tile(x, y + 1, z)] + a_z[z_face_in_tile(x, y, z)] +
           a_z[z_face_in_tile(x, y, z + 1)];
  }
};

/// Joins the cells of one tile to each other.
void join_within(const PoissonSystem& system, std::size_t tile, JoinedPlaces& places) {
  const TileView view(system, tile);
  const std::size_t base = tile * kTileCells;
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) places.start(base + cell_in_tile(x, y, z), view.diagonal(x, y, z) > 0);
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        const std::size_t cell = base + cell_in_tile(x, y, z);
        if (x > 0 && view.a_x[x_face_in_tile(x, y, z)] > 0) places.join(cell, cell - 1);
        if (y > 0 && view.a_y[y_face_in_tile(x, y, z)] > 0) places.join(cell, cell - 8);
        if (z > 0 && view.a_z[z_face_in_tile(x, y, z)] > 0) places.join(cell, cell - 64);
      }
}

/// Joins the cells of one tile to those of the tiles before it along each axis.
void join_across(const PoissonSystem& system, std::size_t tile, JoinedPlaces& places) {
  const TileView view(system, tile);
  const std::size_t base = tile * kTileCells;
  const std::size_t west = system.tiles.neighbor(tile, neighbor_slot(-1, 0, 0)) * kTileCells;
  const std::size_t south = system.tiles.neighbor(tile, neighbor_slot(0, -1, 0)) * kTileCells;
  const std::size_t below = system.tiles.neighbor(tile, neighbor_slot(0, 0, -1)) * kTileCells;
  for (int q = 0; q < 8; ++q)
    for (int p = 0; p < 8; ++p) {
      if (view.a_x[x_face_in_tile(0, p, q)] > 0)
        places.join(base + cell_in_tile(0, p, q), west + cell_in_tile(7, p, q));
      if (view.a_y[y_face_in_tile(p, 0, q)] > 0)
        places.join(base + cell_in_tile(p, 0, q), south + cell_in_tile(p, 7, q));
      if (view.a_z[z_face_in_tile(p, q, 0)] > 0)
        places.join(base + cell_in_tile(p, q, 0), below + cell_in_tile(p, q, 7));
    }
}

}  // namespace

std::vector<std::uint32_t> label_parts(const PoissonSystem& system, Threads& threads) {
  const std::size_t tile_count = system.tiles.size();
  JoinedPlaces places(system.extra.size());
  threads.for_each(
      tile_count, [&](std::size_t tile) { join_within(system, tile, places); }, kTileChunk);
  for (std::size_t tile = 0; tile < tile_count; ++tile) join_across(system, tile, places);
  return places.take_roots();
}

ClosedParts close_parts(PoissonSystem& system, std::vector<float>& b, Threads& threads) {
  const std::vector<std::uint32_t> label = label_parts(system, threads);
  struct Part {
    bool tied = false;
    std::size_t closed = 0;  // place among the closed ones
    std::size_t cells = 0;
    double sum = 0;
  };
  std::vector<std::uint32_t> number(label.size(), kNoPart);  // of a part, at its first cell
  std::vector<Part> parts;
  double scale = 0;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] == kNoPart) continue;
    if (label[i] == i) {
      number[i] = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    Part& part = parts[number[label[i]]];
    part.tied = part.tied || system.extra[i] > 0;
    ++part.cells;
    part.sum += b[i];
    scale = std::max(scale, std::abs(static_cast<double>(b[i])));
  }
  ClosedParts closed;
  for (Part& part : parts)
    if (!part.tied) {
      part.closed = closed.cells.size();
      closed.cells.emplace_back();
      ++closed.count;
      if (scale > 0)
        closed.imbalance =
            std::max(closed.imbalance, std::abs(part.sum) / static_cast<double>(part.cells) / scale);
    }
  if (closed.count == 0) return closed;
  threads.for_each(label.size(), [&](std::size_t i) {
    if (label[i] == kNoPart) return;
    const Part& part = parts[number[label[i]]];
    if (part.tied) return;
    b[i] = static_cast<float>(b[i] - part.sum / static_cast<double>(part.cells));
  });
  for (std::uint32_t i = 0; i < label.size(); ++i)
    if (label[i] != kNoPart && !parts[number[label[i]]].tied)
      closed.cells[parts[number[label[i]]].closed].push_back(i);
  for (std::size_t i = 0; i < label.size(); ++i)
    if (label[i] == i && !parts[number[i]].tied) {
      const int cell = static_cast<int>(i % kTileCells);
      system.extra[i] = TileView(system, i / kTileCells).diagonal(cell % 8, cell / 8 % 8, cell / 64);
    }
  return closed;
}

void balance_parts(const ClosedParts& closed, std::vector<float>& b) {
  for (const std::vector<std::uint32_t>& cells : closed.cells) {
    double sum = 0;
    for (const std::uint32_t i : cells) sum += b[i];
    const double mean = sum / static_cast<double>(cells.size());
    for (const std::uint32_t i : cells) b[i] = static_cast<float>(b[i] - mean);
  }
}

}  // namespace repose
