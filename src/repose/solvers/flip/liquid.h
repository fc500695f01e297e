#pragma once
// Where the liquid is, from its particles.

#include <array>

#include "repose/exec/threads.h"
#include "repose/grid/padded_tile.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// How many particles there are for the room in each cell of the liquid, in units of eight a cell.
void find_crowding(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch);

/// Distance to the liquid at the middle of cells, from the mean of the particles near each as in Zhu 2005,
/// chapter 4. Particles that lie evenly up to a flat surface have it at zero, and true distances to it
/// (half_space_depth): Zhu's own formula puts it r outside of the outermost particles, wherever the matter
/// that they stand for ends. Solids take particles from one side of a cell near
/// them; the mean is moved back by what a wall of even liquid would take (SolidCells::shift), so that liquid
/// goes on into solids and its surface meets walls at a right angle. Cells that are full count as liquid even
/// where all their particles stand in one corner. Cells outside the liquid whose
/// open faces all lead to liquid or into solids become part of it. Needs find_crowding().
void find_liquid(const FlipModel& model, const FlipState& state, Threads& threads, FlipScratch& scratch);

/// Calls f(cell, is_at_surface) for all cells of the matter, from several threads: whether one of the six
/// around it is air. Air behind a solid, where the face is closed, does not count, as there is behind
/// a thin plate; but of cells that solids close all around, where it makes no difference.
template <class F>
void for_each_matter_cell(const FlipScratch& scratch, Threads& threads, const F& f) {
  const TileSet& tiles = scratch.cells.tiles;
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        PaddedTile<float> air;
        std::array<PaddedTile<float>, 3> open;
        bool knows_open = false;
        const auto is_open_to_air = [&](int x, int y, int z) {
          for (std::size_t axis = 0; axis < 3 && !knows_open; ++axis)
            open[axis].fill(
                tiles, tile, [&](std::size_t i) { return scratch.solids.open[axis][i]; }, 1.0F);
          knows_open = true;
          float area = 0, to_air = 0;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto [sx, sy, sz] = kAxisStep[axis];
            const float lower = open[axis].row(y, z)[x], upper = open[axis].row(y + sy, z + sz)[x + sx];
            area += lower + upper;
            to_air += lower * air.row(y - sy, z - sz)[x - sx] + upper * air.row(y + sy, z + sz)[x + sx];
          }
          return to_air > 0 || area == 0;
        };
        air.fill(
            tiles, tile,
            [&](std::size_t i) {
              return scratch.phi[i] >= 0 && scratch.solids.distance[i] >= 0 ? 1.0F : 0.0F;
            },
            1.0F);
        for (int z = 0; z < 8; ++z)
          for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) {
              const std::size_t i = tile * kTileCells + cell_in_tile(x, y, z);
              if (scratch.phi[i] >= 0) continue;
              const float* here = air.row(y, z);
              const float around = *(here + x - 1) + here[x + 1] + air.row(y - 1, z)[x] +
                                   air.row(y + 1, z)[x] + air.row(y, z - 1)[x] + air.row(y, z + 1)[x];
              f(i, around > 0 && is_open_to_air(x, y, z));
            }
      },
      4);
}

}  // namespace repose
