#include "repose/grid/drift.h"

#include <gtest/gtest.h>

#include "repose/grid/transfer.h"

namespace repose {
namespace {

/// Particles in a row of tiles along x, each tile with its own velocity.
struct Row {
  std::vector<Vec3d> position;
  std::vector<Vec3f> velocity;
  std::vector<std::uint32_t> id, order;
  ParticleCells cells;
  SolidCells solids;

  Row(const std::vector<Vec3f>& by_tile, const GridPlace& place, Threads& threads) {
    for (std::size_t tile = 0; tile < by_tile.size(); ++tile)
      for (int k = 0; k < 8; ++k) {
        position.emplace_back(8.0 * static_cast<double>(tile) + k + 0.5, 4.25, 4.25);
        velocity.push_back(by_tile[tile]);
        id.push_back(static_cast<std::uint32_t>(id.size()));
      }
    cells = find_cells(position, id, place, 3, threads, order);
    std::vector<Vec3d> x(position);
    std::vector<Vec3f> v(velocity);
    for (std::size_t k = 0; k < order.size(); ++k) position[k] = x[order[k]], velocity[k] = v[order[k]];
    solids.resize(cells.tiles.cell_count(), 8);
  }
  std::size_t tile(int x) const { return cells.tiles.find({x, 0, 0}); }
};

TEST(Drift, IsTheMeanOfATileAndInBetweenTrilinear) {
  Threads threads(2);
  const Row row({{1, 0, 0}, {3, 2, 0}}, {}, threads);
  const std::vector<Vec3f> drift = find_drift(row.velocity, row.cells, row.solids, threads);
  EXPECT_EQ(drift[row.tile(0)], Vec3f(1, 0, 0));
  EXPECT_EQ(drift[row.tile(1)], Vec3f(3, 2, 0));
  const TileDrift first(drift, row.cells, row.tile(0)), second(drift, row.cells, row.tile(1));
  EXPECT_EQ(first.at(4, 4, 4), Vec3f(1, 0, 0));
  EXPECT_EQ(first.at(1, 7, 2), Vec3f(1, 0, 0));  // beyond are no particles
  EXPECT_EQ(first.at(8, 4, 4), Vec3f(2, 1, 0));
  EXPECT_EQ(second.at(0, 4, 4), Vec3f(2, 1, 0));
}

TEST(Drift, IsNoneAcrossAWall) {
  Threads threads(2);
  Row row({{1, 2, 3}, {1, 2, 3}}, {}, threads);
  row.solids.open[2][row.tile(0) * kTileCells + cell_in_tile(3, 3, 0)] = 0.5F;
  row.solids.open[0][row.tile(1) * kTileCells + cell_in_tile(0, 5, 5)] =
      0;  // the last faces of the first tile
  const std::vector<Vec3f> drift = find_drift(row.velocity, row.cells, row.solids, threads);
  EXPECT_EQ(drift[row.tile(0)], Vec3f(0, 2, 0));
  EXPECT_EQ(drift[row.tile(1)], Vec3f(0, 2, 3));
}

TEST(Drift, CarriesTheFieldAlong) {
  // A stream along x that lifts what is at x: who goes with the stream is lifted by what was where they
  // began.
  Threads threads(2);
  const GridPlace place;
  Row row({{1.5F, 0, 0}, {1.5F, 0, 0}}, place, threads);
  FaceVelocity u;
  u.resize(row.cells.tiles.cell_count());
  for (std::size_t i = 0; i < row.cells.tiles.cell_count(); ++i) {
    const auto x = static_cast<int>(i % 8) + 8 * row.cells.tiles.coordinate(i / kTileCells).x;
    u.u[0][i] = 1.5F;
    u.u[2][i] = x == 6 ? 1.0F : 0.0F;
  }
  const std::vector<Vec3f> drift = find_drift(row.velocity, row.cells, row.solids, threads);
  std::vector<Vec3d> moved = row.position;
  move_particles(u, drift, row.cells, place, 1, 0.5, threads, moved);
  for (std::size_t p = 0; p < moved.size(); ++p) {
    EXPECT_NEAR(moved[p].x - row.position[p].x, 1.5, 1e-5);
    EXPECT_NEAR(moved[p].z - row.position[p].z, row.position[p].x == 6.5 ? 1 : 0, 1e-5);
  }
}

}  // namespace
}  // namespace repose
