#include "repose/grid/projection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/grid/padded_tile.h"

namespace repose {
namespace {

constexpr std::size_t kTileChunk = 4;
constexpr float kFar = 1;  ///< phi where there is no grid: outside

float* face_array(PoissonSystem& system, std::size_t axis, std::size_t tile) {
  std::vector<float>& a = axis == 0 ? system.a_x : axis == 1 ? system.a_y : system.a_z;
  return &a[tile * kTileFaces];
}

std::size_t face_in_tile(std::size_t axis, int x, int y, int z) {
  return axis == 0 ? x_face_in_tile(x, y, z) : axis == 1 ? y_face_in_tile(x, y, z) : z_face_in_tile(x, y, z);
}

/// A field around one tile, by coordinates of cells.
struct Around {
  PaddedTile<float> tile;

  template <class Value>
  void fill(const TileSet& tiles, std::size_t index, const Value& value, float outside) {
    tile.fill(tiles, index, value, outside);
  }
  void fill(const TileSet& tiles, std::size_t index, const std::vector<float>& field, float outside) {
    tile.fill(
        tiles, index, [&](std::size_t i) { return field[i]; }, outside);
  }
  float at(int x, int y, int z) { return tile.row(y, z)[x]; }
};

}  // namespace

PoissonSystem make_pressure_system(const TileSet& tiles, const std::vector<float>& phi,
                                   const SolidCells& solids, Threads& threads, const FaceDensity* density) {
  PoissonSystem system(tiles);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const float* own = &phi[tile * kTileCells];
        if (std::all_of(own, own + kTileCells, [](float p) { return p >= 0; })) {
          // Its faces to other tiles can still be those of their matter, but no conductance: it is outside.
          return;
        }
        Around near_phi, open;
        near_phi.fill(tiles, tile, phi, kFar);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (density)
            open.fill(
                tiles, tile, [&](std::size_t i) { return solids.open[axis][i] / density->u[axis][i]; }, 1.0F);
          else
            open.fill(tiles, tile, solids.open[axis], 1.0F);
          const auto [sx, sy, sz] = kAxisStep[axis];
          float* a = face_array(system, axis, tile);
          // All faces of the tile, the last layer included.
          for (int z = 0; z < 8 + sz; ++z)
            for (int y = 0; y < 8 + sy; ++y)
              for (int x = 0; x < 8 + sx; ++x) {
                const float low = near_phi.at(x - sx, y - sy, z - sz), high = near_phi.at(x, y, z);
                if (low >= 0 && high >= 0) continue;
                const float o = open.at(x, y, z);
                if (low < 0 && high < 0) {
                  a[face_in_tile(axis, x, y, z)] = o;
                  continue;
                }
                const bool is_low = low < 0;
                const int cx = is_low ? x - sx : x, cy = is_low ? y - sy : y, cz = is_low ? z - sz : z;
                if (cx < 0 || cy < 0 || cz < 0 || cx > 7 || cy > 7 || cz > 7) continue;
                system.extra[tile * kTileCells + cell_in_tile(cx, cy, cz)] +=
                    o / (is_low ? surface_theta(low, high) : surface_theta(high, low));
              }
        }
      },
      kTileChunk);
  return system;
}

void find_outflow(const TileSet& tiles, const std::vector<float>& phi, const SolidCells& solids,
                  const FaceVelocity& velocity, Threads& threads, std::vector<float>& outflow) {
  outflow.resize(tiles.cell_count());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        float* out = &outflow[tile * kTileCells];
        const float* own = &phi[tile * kTileCells];
        std::fill_n(out, kTileCells, 0.0F);
        if (std::all_of(own, own + kTileCells, [](float p) { return p >= 0; })) return;
        Around flux;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          flux.fill(
              tiles, tile,
              [&](std::size_t i) {
                const float o = solids.open[axis][i];
                return o * velocity.u[axis][i] + (1 - o) * solids.velocity[axis][i];
              },
              0.0F);
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x)
                out[cell_in_tile(x, y, z)] += flux.at(x + sx, y + sy, z + sz) - flux.at(x, y, z);
        }
        for (std::size_t i = 0; i < kTileCells; ++i)
          if (own[i] >= 0) out[i] = 0;
      },
      kTileChunk);
}

void subtract_gradient(const TileSet& tiles, const std::vector<float>& phi, const SolidCells& solids,
                       const std::vector<double>& x, Threads& threads, FaceVelocity& velocity,
                       KnownFaces& known, const FaceDensity* density) {
  known.resize(tiles.cell_count());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        Around near_phi, pressure;
        near_phi.fill(tiles, tile, phi, kFar);
        pressure.fill(
            tiles, tile, [&](std::size_t i) { return static_cast<float>(x[i]); }, 0.0F);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int k = 0; k < 8; ++k)
            for (int j = 0; j < 8; ++j)
              for (int i = 0; i < 8; ++i) {
                const std::size_t face = tile * kTileCells + cell_in_tile(i, j, k);
                const float low = near_phi.at(i - sx, j - sy, k - sz), high = near_phi.at(i, j, k);
                if ((low >= 0 && high >= 0) || solids.open[axis][face] <= 0) continue;
                const float p_low = pressure.at(i - sx, j - sy, k - sz), p_high = pressure.at(i, j, k);
                float difference = p_high - p_low;
                if (high >= 0) difference = -p_low / surface_theta(low, high);
                if (low >= 0) difference = p_high / surface_theta(high, low);
                velocity.u[axis][face] -= density ? difference / density->u[axis][face] : difference;
                known.at[axis][face] = 1;
              }
        }
      },
      kTileChunk);
}

}  // namespace repose
