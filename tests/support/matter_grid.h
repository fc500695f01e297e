#pragma once
// Matter on small staggered grids for tests of what acts on its velocity.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "repose/grid/solid_cells.h"
#include "repose/grid/tiles.h"
#include "repose/grid/transfer.h"

namespace repose::test {

/// A grid of 3 x 3 x 3 tiles, cells of edge 1, with weights everywhere.
struct MatterGrid {
  TileSet tiles;
  SolidCells solids;
  std::vector<float> phi;
  FaceVelocity velocity;
  FaceWeight weight;

  explicit MatterGrid(TilePeriod period = {0, 0, 0}) {
    std::vector<Vec3i> list;
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) list.emplace_back(x, y, z);
    tiles = TileSet(list, period);
    solids.resize(tiles.cell_count(), 1);
    phi.assign(tiles.cell_count(), 1.0F);
    velocity.resize(tiles.cell_count());
    weight.resize(tiles.cell_count());
    for (std::vector<float>& w : weight.u) std::fill(w.begin(), w.end(), 1.0F);
  }
  template <class F>
  void for_each_cell(const F& f) const {
    for (std::size_t i = 0; i < tiles.cell_count(); ++i) {
      const auto in = static_cast<int>(i % kTileCells);
      f(i, kTileEdge * tiles.coordinate(i / kTileCells) + Vec3i(in % 8, in / 8 % 8, in / 64));
    }
  }
  /// Calls f(axis, face, middle of the face).
  template <class F>
  void for_each_face(const F& f) const {
    for_each_cell([&](std::size_t i, const Vec3i& cell) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d at = Vec3d(cell) + Vec3d(0.5);
        at[static_cast<int>(axis)] -= 0.5;
        f(axis, i, at);
      }
    });
  }
  /// The share of matter around a face, as the solver takes it.
  double mass(std::size_t axis, std::size_t face, const Vec3d& at) const {
    Vec3d below = at;
    below[static_cast<int>(axis)] -= 0.5;
    const Vec3i low(static_cast<int>(std::floor(below.x)), static_cast<int>(std::floor(below.y)),
                    static_cast<int>(std::floor(below.z)));
    const std::uint32_t tile = tiles.find({low.x >> 3, low.y >> 3, low.z >> 3});
    if (tile == kNoTile) return 0;
    const auto inside = [](float p) { return 1 + std::clamp(-p, -1.0F, 1.0F); };  // said again, as a check
    const float other = phi[tile * kTileCells + cell_in_tile(low.x & 7, low.y & 7, low.z & 7)];
    return std::clamp(0.5F * (inside(phi[face]) + inside(other)) - 0.5F, 0.0F, 1.0F);
  }
};

/// Gives each face another velocity.
inline void stir(MatterGrid& grid) {
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    grid.velocity.u[axis][i] =
        static_cast<float>(std::sin(0.7 * at.x + 1.1 * at.y - 0.4 * at.z + static_cast<double>(axis)));
  });
}

struct GridSums {
  Vec3d momentum{0, 0, 0}, spin{0, 0, 0};
  double energy = 0;
};
/// Over all faces, with mass(axis, face, middle of the face).
template <class F>
GridSums sums_of(const MatterGrid& grid, const F& mass) {
  GridSums sums;
  grid.for_each_face([&](std::size_t axis, std::size_t i, const Vec3d& at) {
    const double m = mass(axis, i, at);
    Vec3d v(0);
    v[static_cast<int>(axis)] = grid.velocity.u[axis][i];
    sums.momentum += m * v;
    sums.spin += m * at.cross(v);
    sums.energy += 0.5 * m * v.dot(v);
  });
  return sums;
}

/// A ball of matter with a radius of 7.3 cells in the air.
inline MatterGrid matter_ball() {
  MatterGrid grid;
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    grid.phi[i] = static_cast<float>((Vec3d(cell) + Vec3d(0.5) - Vec3d(12.1, 11.8, 12)).length() - 7.3);
  });
  return grid;
}

/// Between walls at z = 5 and z = 17, periodic along x and y.
inline MatterGrid matter_channel() {
  MatterGrid grid({3, 3, 0});
  grid.for_each_cell([&](std::size_t i, const Vec3i& cell) {
    grid.phi[i] = cell.z < 2 || cell.z > 20 ? 10 : -10;  // it goes on into the walls, but not to the end
    grid.solids.distance[i] = static_cast<float>(std::min(cell.z + 0.5 - 5, 17 - (cell.z + 0.5)));
    const bool is_solid = cell.z < 5 || cell.z >= 17;
    for (const std::size_t axis : {0U, 1U}) grid.solids.open[axis][i] = is_solid ? 0.0F : 1.0F;
    grid.solids.open[2][i] = cell.z <= 5 || cell.z >= 17 ? 0.0F : 1.0F;
  });
  return grid;
}

}  // namespace repose::test
