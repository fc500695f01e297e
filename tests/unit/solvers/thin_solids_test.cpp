// Thin bodies on the grid: no way from cell to cell leads through one.

#include "repose/solvers/flip/thin_solids.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "support/plate_tank.h"
#include <gtest/gtest.h>

#include "repose/core/joined_places.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

/// The tiles that hold a tank of this many cells.
TileSet tiles_of(const Vec3d& tank) {
  std::vector<Vec3i> tiles;
  for (int z = 0; z < tank.z / kTileEdge; ++z)
    for (int y = 0; y < tank.y / kTileEdge; ++y)
      for (int x = 0; x < tank.x / kTileEdge; ++x) tiles.emplace_back(x, y, z);
  return TileSet(tiles);
}

/// How many cells clearly on the empty side hang together with those of the other by open faces.
std::size_t cells_that_leak(const test::PlateCase& plate) {
  Threads threads(1);
  Scene scene = test::plate_scene(plate);
  scene.fills.clear();
  const Bodies bodies(scene);
  const GridPlace place{.cell = test::kPlateCell, .origin = scene.domain.min};
  const TileSet tiles = tiles_of(plate.tank);
  SolidCells solids;
  find_solids(bodies, place, tiles, 1.5 * place.cell, threads, solids);
  JoinedPlaces joined(tiles.cell_count());
  for (std::size_t i = 0; i < tiles.cell_count(); ++i) joined.start(i, true);
  std::vector<double> beyond(tiles.cell_count());
  for (std::size_t tile = 0; tile < tiles.size(); ++tile)
    for (int c = 0; c < static_cast<int>(kTileCells); ++c) {
      const Vec3i at(c % 8, c / 8 % 8, c / 64);
      const std::size_t i = tile * kTileCells + static_cast<std::size_t>(c);
      const Vec3d middle = tile_corner(place, tiles.coordinate(tile)) + place.cell * (Vec3d(at) + Vec3d(0.5));
      const Vec3d tank = place.cell * plate.tank;
      const bool is_in_tank = middle.x > 0 && middle.y > 0 && middle.z > 0 && middle.x < tank.x &&
                              middle.y < tank.y && middle.z < tank.z;
      beyond[i] = is_in_tank ? test::beyond_plate(plate, middle, 0) / place.cell : 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [sx, sy, sz] = kAxisStep[axis];
        const Vec3i low(at.x - sx, at.y - sy, at.z - sz);
        const std::uint32_t from = tiles.neighbor(tile, neighbor_slot(low.x >> 3, low.y >> 3, low.z >> 3));
        // At the open top there is a way around.
        if (from == kNoTile || solids.open[axis][i] <= 0 || middle.z > tank.z - place.cell) continue;
        joined.join(i, from * kTileCells + cell_in_tile(low.x & 7, low.y & 7, low.z & 7));
      }
    }
  const std::vector<std::uint32_t> root = joined.take_roots();
  std::vector<char> is_wet(tiles.cell_count());
  for (std::size_t i = 0; i < beyond.size(); ++i)
    if (beyond[i] < -1.5 - 0.5 * plate.thickness) is_wet[root[i]] = 1;
  std::size_t leaks = 0;
  for (std::size_t i = 0; i < beyond.size(); ++i)
    if (beyond[i] > 1.5 + 0.5 * plate.thickness && is_wet[root[i]] != 0) ++leaks;
  return leaks;
}

TEST(ThinSolid, PlatesLeaveNoWayThrough) {
  for (const Vec3d& normal : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1), Vec3d(1, 0, 1), Vec3d(2, 0, 1),
                              Vec3d(1, 0.6, 0), Vec3d(1, 1, -1), Vec3d(3, 1, -0.5), Vec3d(0.01, 1, 0)})
    for (const double thickness : {0.02, 0.3, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0})
      for (int k = 0; k <= 14; ++k) {
        test::PlateCase plate;
        plate.tank = {12, 12, 12};
        plate.thickness = thickness;
        plate.normal = normal;
        // By tenths of a cell across a border of tiles, with a side on it, and in the middles of cells: there
        // both sides of a plate of one cell lie on corners, and rounding decides.
        const double shift = k < 10 ? 0.1 * k - 0.5 : k == 10 ? 0.5 * thickness : k - 13.5;
        plate.middle = Vec3d(8) + shift * normal.normalized();
        EXPECT_EQ(cells_that_leak(plate), 0)
            << "normal " << normal << ", thickness " << thickness << ", place " << k;
      }
}

TEST(ThinSolid, PlatesThatEndAtWallsLeaveNoWayThrough) {
  for (const Vec3d& normal : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)})
    for (const double thickness : {0.3, 0.7, 1.0, 1.3})
      for (int k = 0; k <= 8; ++k) {
        // Also where walls stand within cells.
        test::PlateCase plate;
        plate.fits = true;
        plate.tank = Vec3d(11, 11, 11) + 0.3 * (k % 3) * Vec3d(1, 1, 1);
        plate.thickness = thickness;
        plate.normal = normal;
        plate.middle = Vec3d(5.5 + (k < 3 ? k : 0.2 * k));
        EXPECT_EQ(cells_that_leak(plate), 0)
            << "normal " << normal << ", thickness " << thickness << ", place " << k;
      }
}

}  // namespace
}  // namespace repose
