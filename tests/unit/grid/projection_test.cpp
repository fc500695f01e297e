// Pressure on a sparse grid with a free surface and solids, and velocities carried on beyond.

#include "repose/grid/projection.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/grid/parts.h"

namespace repose {
namespace {

struct Box {
  TileSet tiles;
  SolidCells solids;
  std::vector<float> phi;
  FaceVelocity velocity;

  /// n^3 tiles, all open, outside the matter, at rest.
  explicit Box(int n) {
    std::vector<Vec3i> list;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) list.emplace_back(x, y, z);
    tiles = TileSet(list);
    solids.resize(tiles.cell_count(), 1);
    phi.assign(tiles.cell_count(), 1.0F);
    velocity.resize(tiles.cell_count());
  }
  std::size_t cell(int x, int y, int z) const {
    return tiles.find({x >> 3, y >> 3, z >> 3}) * kTileCells + cell_in_tile(x & 7, y & 7, z & 7);
  }
  /// Solves, corrects the velocity, and returns x.
  std::vector<double> project(Threads& threads, KnownFaces& known) {
    PoissonSystem system = make_pressure_system(tiles, phi, solids, threads);
    std::vector<float> b;
    find_outflow(tiles, phi, solids, velocity, threads, b);
    for (float& v : b) v = -v;
    close_parts(system, b, threads);
    PoissonSolver solver(std::move(system), threads);
    std::vector<double> x(b.size(), 0.0);
    EXPECT_TRUE(solver.solve(b, x, 1e-6, 200).converged);
    subtract_gradient(tiles, phi, solids, x, threads, velocity, known);
    return x;
  }
  float largest_outflow(Threads& threads) {
    std::vector<float> out;
    find_outflow(tiles, phi, solids, velocity, threads, out);
    float most = 0;
    for (const float v : out) most = std::max(most, std::abs(v));
    return most;
  }
};

/// A pool in [2, 14)^2 up to z = 9.3 cells on a floor at z = 2 between walls, where gravity has acted.
Box pool(float fall) {
  Box box(2);
  for (int z = 2; z < 14; ++z)
    for (int y = 2; y < 14; ++y)
      for (int x = 2; x < 14; ++x) box.phi[box.cell(x, y, z)] = static_cast<float>(z) + 0.5F - 9.3F;
  for (int j = 0; j < 16; ++j)
    for (int k = 0; k < 16; ++k)
      for (const int side : {2, 14}) {
        box.solids.open[0][box.cell(side, j, k)] = 0;
        box.solids.open[1][box.cell(j, side, k)] = 0;
        if (side == 2) box.solids.open[2][box.cell(j, k, side)] = 0;
      }
  for (float& w : box.velocity.u[2]) w = fall;
  return box;
}

TEST(Projection, LiquidAtRestHasTheWeightAboveItAsPressure) {
  Threads threads(2);
  Box box = pool(-0.5F);
  KnownFaces known;
  const std::vector<double> x = box.project(threads, known);
  // x is the speed that gravity gave, times cells below the surface: 9.3 by ghost fluid, not 9 or 9.5.
  for (int z = 2; z < 9; ++z) EXPECT_NEAR(x[box.cell(7, 5, z)], 0.5 * (9.3 - (z + 0.5)), 2e-5) << z;
  EXPECT_LT(box.largest_outflow(threads), 1e-5F);
  EXPECT_NEAR(box.velocity.u[2][box.cell(7, 5, 6)], 0, 1e-5);
  EXPECT_EQ(known.at[2][box.cell(7, 5, 6)], 1);
  EXPECT_EQ(known.at[2][box.cell(7, 5, 2)], 0) << "closed";
  EXPECT_EQ(known.at[2][box.cell(7, 5, 9)], 1) << "between liquid and air";
  EXPECT_EQ(known.at[2][box.cell(7, 5, 10)], 0) << "air";
}

TEST(Projection, AnyVelocityBecomesFreeOfDivergenceAmongCutCells) {
  Threads threads(2);
  Box box = pool(0);
  std::uint64_t number = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < box.phi.size(); ++i) {
      Random random(1, Stream::test, 0, number++);
      box.velocity.u[axis][i] = static_cast<float>(random.uniform(-1, 1));
      if (box.solids.open[axis][i] > 0 && random.uniform() < 0.3) {
        box.solids.open[axis][i] = static_cast<float>(random.uniform(0.05, 1));
        box.solids.velocity[axis][i] = static_cast<float>(random.uniform(-1, 1));
      }
    }
  EXPECT_GT(box.largest_outflow(threads), 0.5F);
  KnownFaces known;
  box.project(threads, known);
  EXPECT_LT(box.largest_outflow(threads), 2e-5F);
}

TEST(Projection, PistonDrivesAClosedChannel) {
  // A moving wall at one end and an open surface at the other: what comes in goes out.
  Threads threads(1);
  Box box(2);
  for (int z = 4; z < 8; ++z)
    for (int y = 4; y < 8; ++y)
      for (int x = 2; x < 12; ++x) box.phi[box.cell(x, y, z)] = -1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < box.phi.size(); ++i) box.solids.open[axis][i] = axis == 0 ? 1.0F : 0.0F;
  for (int z = 4; z < 8; ++z)
    for (int y = 5; y < 8; ++y)
      for (int x = 2; x < 12; ++x) box.solids.open[1][box.cell(x, y, z)] = 1;
  for (int z = 4; z < 8; ++z)
    for (int y = 4; y < 8; ++y) {
      box.solids.open[0][box.cell(2, y, z)] = 0;
      box.solids.velocity[0][box.cell(2, y, z)] = 0.25F;
    }
  KnownFaces known;
  box.project(threads, known);
  for (int x = 3; x <= 12; ++x) EXPECT_NEAR(box.velocity.u[0][box.cell(x, 5, 6)], 0.25F, 1e-5) << x;
}

TEST(Projection, LowRankTermIsPartOfTheMatrix) {
  Threads threads(2);
  const Box box = pool(0);
  LowRankTerm term;
  std::uint64_t number = 0;
  // One of them lies outside the liquid, where nothing is solved for.
  term.cells.push_back(static_cast<std::uint32_t>(box.cell(6, 6, 12)));
  for (int x = 4; x < 9; ++x) term.cells.push_back(static_cast<std::uint32_t>(box.cell(x, 6, 5)));
  std::sort(term.cells.begin(), term.cells.end());
  for (std::size_t k = 0; k < term.cells.size(); ++k) {
    std::array<double, 6> row;
    for (double& v : row) v = Random(1, Stream::test, 1, number++).uniform(-1, 1);
    term.rows.push_back(row);
  }
  for (std::size_t i = 0; i < 6; ++i) term.inner[i][i] = 5;
  PoissonSolver plain(make_pressure_system(box.tiles, box.phi, box.solids, threads), threads);
  PoissonSolver solver(make_pressure_system(box.tiles, box.phi, box.solids, threads), threads);
  solver.add_terms({term});
  std::vector<float> b(box.phi.size(), 0.0F);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (box.phi[i] < 0) b[i] = static_cast<float>(Random(1, Stream::test, 2, i).uniform(-1, 1));
  std::vector<double> x(b.size(), 0.0);
  ASSERT_TRUE(solver.solve(b, x, 1e-5, 300).converged);
  // b - A x is what the term makes of x, and nothing elsewhere.
  std::vector<float> image, as_float(x.begin(), x.end());
  plain.apply(as_float, image);
  const std::array<double, 6> sum = term.gather(x);
  double largest_part = 0;
  int cells = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double expected = 0;
    for (std::size_t k = 0; k < term.cells.size(); ++k)
      if (term.cells[k] == i)
        for (std::size_t c = 0; c < 6; ++c) expected += 5 * term.rows[k][c] * sum[c];
    if (box.phi[i] < 0) {
      EXPECT_NEAR(b[i] - image[i], expected, 1e-4) << i;
      ++cells;
    }
    largest_part = std::max(largest_part, std::abs(expected));
  }
  EXPECT_GT(cells, 100);
  EXPECT_GT(largest_part, 0.1);
}

TEST(Extrapolate, CarriesAConstantOutLayerByLayer) {
  Threads threads(2);
  Box box(2);
  KnownFaces known;
  known.resize(box.tiles.cell_count());
  known.at[1][box.cell(7, 8, 8)] = 1;
  box.velocity.u[1][box.cell(7, 8, 8)] = 3;
  extrapolate_faces(box.tiles, 3, threads, box.velocity, known);
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        const bool near = std::abs(x - 7) + std::abs(y - 8) + std::abs(z - 8) <= 3;
        EXPECT_EQ(known.at[1][box.cell(x, y, z)], near ? 1 : 0);
        EXPECT_EQ(box.velocity.u[1][box.cell(x, y, z)], near ? 3.0F : 0.0F);
      }
  EXPECT_EQ(known.at[0][box.cell(7, 8, 8)], 0);
}

TEST(Parts, BalancesAnotherRightHandSideOfAClosedPart) {
  Threads threads(1);
  Box box(1);
  for (int x = 2; x < 6; ++x) box.phi[box.cell(x, 3, 3)] = -1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    std::fill(box.solids.open[axis].begin(), box.solids.open[axis].end(), 0.0F);
  for (int x = 3; x < 6; ++x) box.solids.open[0][box.cell(x, 3, 3)] = 1;
  PoissonSystem system = make_pressure_system(box.tiles, box.phi, box.solids, threads);
  std::vector<float> b(box.phi.size(), 0.0F), other(box.phi.size(), 5.0F);
  const ClosedParts closed = close_parts(system, b, threads);
  ASSERT_EQ(closed.cells.size(), 1U);
  EXPECT_EQ(closed.cells[0].size(), 4U);
  other[box.cell(2, 3, 3)] = 9;
  balance_parts(closed, other);
  EXPECT_EQ(other[box.cell(2, 3, 3)], 3);
  EXPECT_EQ(other[box.cell(3, 3, 3)], -1);
  EXPECT_EQ(other[box.cell(3, 4, 3)], 5);
}

}  // namespace
}  // namespace repose
