#pragma once
// Velocities beyond the matter: each face that has none takes the mean of its neighbours of the same axis
// that have one, layer by layer outwards. This stands for the sweeps of Zhu 2005, section 3.3: the same
// velocity is carried out along what is nearly the shortest way, and any set of known faces will do.

#include <array>
#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"

namespace repose {

/// By axis and face as FaceVelocity: 1 where the velocity is known.
struct KnownFaces {
  std::array<std::vector<std::uint8_t>, 3> at;

  void resize(std::size_t cell_count) {
    for (std::vector<std::uint8_t>& axis : at) axis.assign(cell_count, 0);
  }
};

/// Sets the velocity, and `known`, of faces up to this many layers from those that are known.
void extrapolate_faces(const TileSet& tiles, int layers, Threads& threads, FaceVelocity& velocity,
                       KnownFaces& known);

/// The same of one number a cell.
void extrapolate_cells(const TileSet& tiles, int layers, Threads& threads, std::vector<float>& field,
                       std::vector<std::uint8_t>& known);

}  // namespace repose
