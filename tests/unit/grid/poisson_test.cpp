// The pressure system: against a dense solve, by its invariants, and by how many iterations it takes.

#include "repose/grid/poisson.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/grid/parts.h"

namespace repose {
namespace {

enum class Cell { air, liquid, solid };
using Kinds = std::function<Cell(const Vec3i&)>;

Vec3i cell_of(const TileSet& tiles, std::size_t place) {
  const int cell = static_cast<int>(place % kTileCells);
  return 8 * tiles.coordinate(place / kTileCells) + Vec3i(cell % 8, cell / 8 % 8, cell / 64);
}

/// Conductance one between liquid cells (times `share`, which cuts faces), `extra` one towards air.
PoissonSystem make_system(
    const std::vector<Vec3i>& tiles, const Kinds& kind, TilePeriod period = {0, 0, 0},
    const std::function<float(const Vec3i&, int)>& share = [](const Vec3i&, int) { return 1.0F; }) {
  PoissonSystem system(TileSet(tiles, period));
  const auto wrap = [&](Vec3i c) {
    for (int axis = 0; axis < 3; ++axis)
      if (const int cells = 8 * period[static_cast<std::size_t>(axis)]; cells > 0)
        c[axis] = ((c[axis] % cells) + cells) % cells;
    return c;
  };
  const auto conductance = [&](const Vec3i& cell, int axis) {
    Vec3i step(0);
    step[axis] = 1;
    const bool joined = kind(wrap(cell)) == Cell::liquid && kind(wrap(cell - step)) == Cell::liquid;
    return joined ? share(wrap(cell), axis) : 0.0F;
  };
  for (std::size_t tile = 0; tile < system.tiles.size(); ++tile)
    for (int q = 0; q < 8; ++q)
      for (int p = 0; p < 8; ++p)
        for (int n = 0; n <= 8; ++n) {
          const Vec3i origin = 8 * system.tiles.coordinate(tile);
          system.a_x[tile * kTileFaces + x_face_in_tile(n, p, q)] = conductance(origin + Vec3i(n, p, q), 0);
          system.a_y[tile * kTileFaces + y_face_in_tile(p, n, q)] = conductance(origin + Vec3i(p, n, q), 1);
          system.a_z[tile * kTileFaces + z_face_in_tile(p, q, n)] = conductance(origin + Vec3i(p, q, n), 2);
        }
  for (std::size_t i = 0; i < system.extra.size(); ++i) {
    const Vec3i cell = cell_of(system.tiles, i);
    if (kind(cell) != Cell::liquid) continue;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {-1, 1}) {
        Vec3i next = cell;
        next[axis] += side;
        if (kind(wrap(next)) == Cell::air) system.extra[i] += 1;
      }
  }
  return system;
}

std::vector<Vec3i> cube_of_tiles(int edge) {
  std::vector<Vec3i> tiles;
  for (int z = 0; z < edge; ++z)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) tiles.emplace_back(x, y, z);
  return tiles;
}

bool inside_box(const Vec3i& c, int edge) {
  return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x < edge && c.y < edge && c.z < edge;
}

/// A tank of this many cells across, filled to the half.
Kinds half_full_tank(int edge) {
  return [edge](const Vec3i& c) {
    if (c.z >= edge / 2) return Cell::air;
    return inside_box(c, edge) ? Cell::liquid : Cell::solid;
  };
}
Kinds full_tank(int edge) {
  return [edge](const Vec3i& c) { return inside_box(c, edge) ? Cell::liquid : Cell::solid; };
}
Kinds ball(int edge) {
  return [edge](const Vec3i& c) {
    const Vec3d d = Vec3d(c) + Vec3d(0.5 - 0.5 * edge);
    return d.length() < 0.5 * edge - 1 ? Cell::liquid : Cell::air;
  };
}

std::vector<float> random_field(const PoissonSystem& system, const Kinds& kind, std::uint64_t seed) {
  std::vector<float> field(system.extra.size());
  for (std::size_t i = 0; i < field.size(); ++i)
    if (kind(cell_of(system.tiles, i)) == Cell::liquid)
      field[i] = static_cast<float>(Random(seed, Stream::test, 0, i).uniform(-1, 1));
  return field;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// Faces cut at random, down to a thousandth.
float random_share(const Vec3i& c, int axis) {
  const auto index =
      static_cast<std::uint64_t>(c.x + 64 * (c.y + 64 * c.z)) * 3 + static_cast<std::uint64_t>(axis);
  return static_cast<float>(std::pow(10.0, Random(5, Stream::test, 1, index).uniform(-3, 0)));
}

/// Gaussian elimination over the unknowns.
std::vector<double> dense_solution(const PoissonSolver& solver, const std::vector<float>& b) {
  const PoissonSystem& system = solver.system();
  std::vector<std::size_t> unknown;
  std::vector<std::vector<double>> matrix;
  std::vector<float> unit(b.size()), image;
  for (std::size_t i = 0; i < b.size(); ++i) {
    unit[i] = 1;
    solver.apply(unit, image);
    unit[i] = 0;
    if (image[i] > 0) unknown.push_back(i);
  }
  const std::size_t n = unknown.size();
  for (const std::size_t i : unknown) {
    unit[i] = 1;
    solver.apply(unit, image);
    unit[i] = 0;
    std::vector<double> row;
    for (const std::size_t j : unknown) row.push_back(image[j]);
    row.push_back(b[i]);
    matrix.push_back(row);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t r = k + 1; r < n; ++r)
      if (const double factor = matrix[r][k] / matrix[k][k]; factor != 0)
        for (std::size_t c = k; c <= n; ++c) matrix[r][c] -= factor * matrix[k][c];
  std::vector<double> x(system.extra.size());
  for (std::size_t k = n; k-- > 0;) {
    double sum = matrix[k][n];
    for (std::size_t c = k + 1; c < n; ++c) sum -= matrix[k][c] * x[unknown[c]];
    x[unknown[k]] = sum / matrix[k][k];
  }
  return x;
}

TEST(Poisson, MatchesADenseSolve) {
  Threads threads(2);
  // Two tiles with a crooked liquid across their border, faces cut at random.
  const Kinds kind = [](const Vec3i& c) {
    if (c.x < 5 || c.x > 10 || c.y < 2 || c.y > 6 || c.z < 1) return Cell::solid;
    return c.z < 3 + (c.x + c.y) % 3 ? Cell::liquid : Cell::air;
  };
  PoissonSolver solver(make_system({{0, 0, 0}, {1, 0, 0}}, kind, {0, 0, 0}, random_share), threads);
  const std::vector<float> b = random_field(solver.system(), kind, 3);
  std::vector<double> x(b.size());
  const PoissonResult result = solver.solve(b, x, 1e-9, 100);
  EXPECT_TRUE(result.converged);
  const std::vector<double> expected = dense_solution(solver, b);
  const double scale = *std::max_element(expected.begin(), expected.end());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6 * scale);
}

TEST(Poisson, MatrixAndCycleAreSymmetric) {
  Threads threads(2);
  const Kinds kind = ball(24);
  PoissonSolver solver(make_system(cube_of_tiles(3), kind, {0, 0, 0}, random_share), threads);
  const std::vector<float> a = random_field(solver.system(), kind, 1),
                           b = random_field(solver.system(), kind, 2);
  std::vector<float> image_a, image_b;
  solver.apply(a, image_a);
  solver.apply(b, image_b);
  EXPECT_NEAR(dot(a, image_b) / dot(a, image_a), dot(image_a, b) / dot(a, image_a), 1e-6);
  solver.precondition(a, image_a);
  solver.precondition(b, image_b);
  EXPECT_NEAR(dot(a, image_b) / dot(a, image_a), dot(image_a, b) / dot(a, image_a), 1e-6);
  EXPECT_GT(dot(a, image_a), 0);
}

TEST(Poisson, StandingWaterHasHydrostaticPressure) {
  // Gravity leaves a divergence in the lowest layer only: there b is the inflow g dt / dx, elsewhere zero.
  // With the surface one cell above the last liquid centre the pressure is the depth below that.
  Threads threads(2);
  const int edge = 16;
  const Kinds kind = half_full_tank(edge);
  PoissonSolver solver(make_system(cube_of_tiles(2), kind), threads);
  std::vector<float> b(solver.system().extra.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    if (cell_of(solver.system().tiles, i).z == 0) b[i] = 1;
  std::vector<double> x(b.size());
  EXPECT_TRUE(solver.solve(b, x, 1e-7, 100).converged);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3i cell = cell_of(solver.system().tiles, i);
    EXPECT_NEAR(x[i], kind(cell) == Cell::liquid ? edge / 2 - cell.z : 0, 1e-5);
  }
}

class PoissonShapes : public testing::TestWithParam<std::string> {
 protected:
  /// Iterations to a residual of 1e-6 at this many tiles across.
  int iterations(int tiles) {
    Threads threads(2);
    const int edge = 8 * tiles;
    const bool cut = GetParam() == "cut_ball";
    const Kinds kind = GetParam() == "tank"        ? half_full_tank(edge)
                       : GetParam() == "full_tank" ? full_tank(edge)
                                                   : ball(edge);
    PoissonSystem system = cut ? make_system(cube_of_tiles(tiles), kind, {0, 0, 0}, random_share)
                               : make_system(cube_of_tiles(tiles), kind);
    std::vector<float> b = random_field(system, kind, 4);
    close_parts(system, b, threads);
    PoissonSolver solver(std::move(system), threads);
    std::vector<double> x(b.size());
    const PoissonResult result = solver.solve(b, x, 1e-6, 100);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.residual, 1e-6);
    return result.iterations;
  }
};

TEST_P(PoissonShapes, TakesFewIterationsWhateverTheSize) {
  const int small = iterations(2), large = iterations(6);
  const int most = GetParam() == "cut_ball" ? 30 : 15;
  EXPECT_LE(small, most);
  EXPECT_LE(large, most);
}

INSTANTIATE_TEST_SUITE_P(, PoissonShapes, testing::Values("tank", "full_tank", "ball", "cut_ball"),
                         [](const auto& shape) { return shape.param; });

TEST(Poisson, PeriodicGridSolvesAWave) {
  // On a periodic grid of n cells sin(2 pi x / n) is an eigenvector: A sin = (2 - 2 cos(2 pi / n)) sin.
  Threads threads(2);
  for (const int tiles : {1, 3, 4}) {
    const int n = 8 * tiles;
    const Kinds kind = [](const Vec3i&) { return Cell::liquid; };
    std::vector<Vec3i> row;
    for (int x = 0; x < tiles; ++x) row.emplace_back(x, 0, 0);
    PoissonSystem system = make_system(row, kind, {tiles, 1, 1});
    std::vector<float> b(system.extra.size());
    const auto wave = [&](std::size_t i) { return std::sin(2 * kPi * cell_of(system.tiles, i).x / n); };
    const double eigenvalue = 2 - 2 * std::cos(2 * kPi / n);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(eigenvalue * wave(i));
    EXPECT_EQ(close_parts(system, b, threads).count, 1);
    PoissonSolver solver(system, threads);
    std::vector<double> x(b.size());
    EXPECT_TRUE(solver.solve(b, x, 1e-6, 200).converged) << tiles;
    double mean = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i] - mean, wave(i), 1e-3) << tiles;
  }
}

TEST(Poisson, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> solutions;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    const Kinds kind = ball(32);
    PoissonSolver solver(make_system(cube_of_tiles(4), kind, {0, 0, 0}, random_share), threads);
    const std::vector<float> b = random_field(solver.system(), kind, 9);
    std::vector<double>& x = solutions.emplace_back(b.size());
    solver.solve(b, x, 1e-6, 100);
  }
  EXPECT_EQ(solutions[0], solutions[1]);
  EXPECT_EQ(solutions[0], solutions[2]);
}

TEST(Poisson, NothingToSolveIsSolved) {
  Threads threads(2);
  PoissonSolver solver(PoissonSystem{}, threads);
  std::vector<double> x;
  EXPECT_TRUE(solver.solve({}, x, 1e-6, 10).converged);
}

TEST(Poisson, StopsAtTheLimitAndSaysSo) {
  Threads threads(1);
  const Kinds kind = half_full_tank(16);
  PoissonSolver solver(make_system(cube_of_tiles(2), kind), threads);
  const std::vector<float> b = random_field(solver.system(), kind, 1);
  std::vector<double> x(b.size());
  const PoissonResult result = solver.solve(b, x, 1e-6, 2);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_GT(result.residual, 1e-6);
}

TEST(Parts, AreTheConnectedOnes) {
  Threads threads(2);
  // Two slabs with a solid layer between them, one of them across a tile border, one open to the air.
  const Kinds kind = [](const Vec3i& c) {
    if (!inside_box(c, 16) || c.z == 5) return Cell::solid;
    return c.z < 12 ? Cell::liquid : Cell::air;
  };
  PoissonSystem system = make_system(cube_of_tiles(2), kind);
  const std::vector<std::uint32_t> label = label_parts(system, threads);
  const auto at = [&](const Vec3i& c) {
    const std::uint32_t tile = system.tiles.find({c.x >> 3, c.y >> 3, c.z >> 3});
    return label[tile * kTileCells + cell_in_tile(c.x & 7, c.y & 7, c.z & 7)];
  };
  EXPECT_EQ(at({0, 0, 0}), at({15, 15, 4}));
  EXPECT_EQ(at({0, 0, 6}), at({15, 3, 11}));
  EXPECT_NE(at({0, 0, 0}), at({0, 0, 6}));
  EXPECT_EQ(at({4, 4, 5}), kNoPart);
  EXPECT_EQ(at({4, 4, 12}), kNoPart);

  std::vector<float> b(label.size(), 1.0F);
  const ClosedParts closed = close_parts(system, b, threads);
  EXPECT_EQ(closed.count, 1);
  EXPECT_NEAR(closed.imbalance, 1, 1e-12);
  const std::size_t low = 0, high = cell_in_tile(0, 0, 6);
  EXPECT_EQ(b[low], 0);
  EXPECT_EQ(b[high], 1);
  EXPECT_GT(system.extra[low], 0);
  EXPECT_EQ(system.extra[high], 0);
}

TEST(Poisson, ActiveTilesAreTheSameSystem) {
  Threads threads(2);
  // Liquid in a corner of the middle tile and beyond its end, air elsewhere.
  const Kinds kind = [](const Vec3i& c) {
    return c.x >= 12 && c.x < 18 && c.y >= 8 && c.y < 12 && c.z >= 8 && c.z < 16 ? Cell::liquid : Cell::air;
  };
  const PoissonSystem system = make_system(cube_of_tiles(4), kind);
  ActiveTiles active = active_tiles(system, threads);
  ASSERT_EQ(active.from.size(), 2U);
  for (std::size_t tile = 0; tile < active.from.size(); ++tile) {
    EXPECT_EQ(active.to[active.from[tile]], tile);
    EXPECT_EQ(active.system.tiles.coordinate(tile), system.tiles.coordinate(active.from[tile]));
  }
  std::vector<float> b(system.extra.size()), few(2 * kTileCells);
  for (std::size_t tile = 0; tile < 2; ++tile)
    for (std::size_t i = 0; i < kTileCells; ++i)
      if (kind(cell_of(active.system.tiles, tile * kTileCells + i)) == Cell::liquid)
        few[tile * kTileCells + i] = b[active.from[tile] * kTileCells + i] = static_cast<float>(i % 7) - 3;
  std::vector<double> x(b.size()), y(few.size());
  PoissonSolver all(system, threads), some(std::move(active.system), threads);
  EXPECT_TRUE(all.solve(b, x, 1e-7, 100).converged);
  EXPECT_TRUE(some.solve(few, y, 1e-7, 100).converged);
  for (std::size_t tile = 0; tile < 2; ++tile)
    for (std::size_t i = 0; i < kTileCells; ++i)
      ASSERT_NEAR(y[tile * kTileCells + i], x[active.from[tile] * kTileCells + i], 1e-5);
}

}  // namespace
}  // namespace repose
