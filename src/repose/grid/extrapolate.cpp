#include "repose/grid/extrapolate.h"

#include <algorithm>

#include "repose/grid/padded_tile.h"

namespace repose {
namespace {

/// A face of a tile that becomes known in this round.
struct Reached {
  std::uint16_t face;
  float value;
};

/// One component of the velocity.
struct Component {
  const TileSet& tiles;
  std::vector<float>& value;
  std::vector<std::uint8_t>& known;
  std::vector<std::uint16_t> known_count;  ///< by tile

  bool can_grow(std::size_t tile) const {
    if (known_count[tile] == kTileCells) return false;
    if (known_count[tile] > 0) return true;
    for (const std::size_t slot : {neighbor_slot(-1, 0, 0), neighbor_slot(1, 0, 0), neighbor_slot(0, -1, 0),
                                   neighbor_slot(0, 1, 0), neighbor_slot(0, 0, -1), neighbor_slot(0, 0, 1)}) {
      const std::uint32_t other = tiles.neighbor(tile, slot);
      if (other != kNoTile && known_count[other] > 0) return true;
    }
    return false;
  }
};

/// The faces of a tile that have a known neighbour.
void find_reached(const Component& component, std::size_t tile, std::vector<Reached>& reached) {
  PaddedTile<float> value, weight;
  value.fill(
      component.tiles, tile,
      [&](std::size_t i) { return component.known[i] != 0 ? component.value[i] : 0.0F; }, 0.0F);
  weight.fill(
      component.tiles, tile, [&](std::size_t i) { return component.known[i] != 0 ? 1.0F : 0.0F; }, 0.0F);
  const auto around = [](PaddedTile<float>& field, int x, int y, int z) {
    return ((field.row(y, z)[x - 1] + field.row(y, z)[x + 1]) +
            (field.row(y - 1, z)[x] + field.row(y + 1, z)[x])) +
           (field.row(y, z - 1)[x] + field.row(y, z + 1)[x]);
  };
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        if (weight.row(y, z)[x] > 0) continue;
        const float count = around(weight, x, y, z);
        if (count > 0)
          reached.push_back(
              {static_cast<std::uint16_t>(cell_in_tile(x, y, z)), around(value, x, y, z) / count});
      }
}

}  // namespace

void extrapolate_cells(const TileSet& tiles, int layers, Threads& threads, std::vector<float>& field,
                       std::vector<std::uint8_t>& known) {
  std::vector<std::vector<Reached>> reached(tiles.size());
  Component component{tiles, field, known, std::vector<std::uint16_t>(tiles.size())};
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const auto first = known.begin() + static_cast<std::ptrdiff_t>(tile * kTileCells);
        component.known_count[tile] =
            static_cast<std::uint16_t>(std::count(first, first + kTileCells, std::uint8_t{1}));
      },
      4);
  for (int layer = 0; layer < layers; ++layer) {
    threads.for_each(
        tiles.size(),
        [&](std::size_t tile) {
          reached[tile].clear();
          if (component.can_grow(tile)) find_reached(component, tile, reached[tile]);
        },
        1);
    threads.for_each(
        tiles.size(),
        [&](std::size_t tile) {
          for (const Reached& r : reached[tile]) {
            field[tile * kTileCells + r.face] = r.value;
            known[tile * kTileCells + r.face] = 1;
          }
          component.known_count[tile] =
              static_cast<std::uint16_t>(component.known_count[tile] + reached[tile].size());
        },
        16);
  }
}

void extrapolate_faces(const TileSet& tiles, int layers, Threads& threads, FaceVelocity& velocity,
                       KnownFaces& known) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    extrapolate_cells(tiles, layers, threads, velocity.u[axis], known.at[axis]);
}

}  // namespace repose
