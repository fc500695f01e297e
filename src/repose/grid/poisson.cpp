#include "repose/grid/poisson.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/padded_tile.h"

namespace repose {
namespace {

constexpr std::size_t kTileChunk = 4;
constexpr std::size_t kMostLevels = 16;
constexpr int kCoarsestRounds = 8;  ///< of smoothing, instead of an exact solve
constexpr int kMostRestarts = 4;    ///< of conjugate gradients from a residual computed afresh

// Chebyshev polynomial of degree two over [1/3, 2], as two steps: the eigenvalues of D^-1 A, D the diagonal,
// are at most 2, and those of modes that the coarse grid cannot show are at least 1/3.
constexpr float kFirstStep = 1 / (7.0F / 6 + 5.0F / 6 * 0.70710678F);
constexpr float kSecondStep = 1 / (7.0F / 6 - 5.0F / 6 * 0.70710678F);

template <class T>
using Row = std::array<T, 8>;

/// Calls out(i, image) for the rows of a tile, image = (A x)[i ... i + 7] with x = value(i).
template <class T, class Value, class Out>
void apply_to_tile(const PoissonSystem& system, std::size_t tile, const Value& value, const Out& out) {
  PaddedTile<T> padded;
  padded.fill(system.tiles, tile, value, T(0));
  const float* a_x = &system.a_x[tile * kTileFaces];
  const float* a_y = &system.a_y[tile * kTileFaces];
  const float* a_z = &system.a_z[tile * kTileFaces];
  const float* extra = &system.extra[tile * kTileCells];
  Row<T> image;
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const T *here = padded.row(y, z), *south = padded.row(y - 1, z), *north = padded.row(y + 1, z),
              *below = padded.row(y, z - 1), *above = padded.row(y, z + 1);
      const float *ax = a_x + x_face_in_tile(0, y, z), *ay = a_y + y_face_in_tile(0, y, z),
                  *az = a_z + z_face_in_tile(0, y, z), *tie = extra + cell_in_tile(0, y, z);
      for (std::size_t x = 0; x < 8; ++x) {
        const T c = here[x];
        image[x] = (tie[x] * c + (ax[x] * (c - *(here + x - 1)) + ax[x + 1] * (c - here[x + 1]))) +
                   ((ay[x] * (c - south[x]) + ay[x + 8] * (c - north[x])) +
                    (az[x] * (c - below[x]) + az[x + 64] * (c - above[x])));
      }
      out(tile * kTileCells + cell_in_tile(0, y, z), image);
    }
}

/// Sum of f(i) over all cells of all tiles, eight sums side by side in each tile.
template <class F>
double sum_over_cells(Threads& threads, std::size_t tile_count, const F& f) {
  return threads.reduce(
      tile_count, 0.0,
      [&](std::size_t begin, std::size_t end) {
        std::array<double, 8> sums{};
        for (std::size_t i = begin * kTileCells; i < end * kTileCells; i += 8)
          for (std::size_t x = 0; x < 8; ++x) sums[x] += f(i + x);
        return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
      },
      [](double a, double b) { return a + b; }, kTileChunk);
}

double dot(Threads& threads, const std::vector<float>& a, const std::vector<float>& b) {
  return sum_over_cells(threads, a.size() / kTileCells,
                        [&](std::size_t i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
}

template <class F>
void for_each_tile(Threads& threads, std::size_t count, const F& f) {
  threads.for_chunks(count, kTileChunk, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t tile = begin; tile < end; ++tile) f(tile);
  });
}

std::vector<float> inverse_diagonals(const PoissonSystem& system, Threads& threads) {
  std::vector<float> inverse(system.extra.size());
  for_each_tile(threads, system.tiles.size(), [&](std::size_t tile) {
    const float* a_x = &system.a_x[tile * kTileFaces];
    const float* a_y = &system.a_y[tile * kTileFaces];
    const float* a_z = &system.a_z[tile * kTileFaces];
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          const std::size_t i = tile * kTileCells + cell_in_tile(x, y, z);
          const float diagonal = system.extra[i] +
                                 ((a_x[x_face_in_tile(x, y, z)] + a_x[x_face_in_tile(x + 1, y, z)]) +
                                  (a_y[y_face_in_tile(x, y, z)] + a_y[y_face_in_tile(x, y + 1, z)])) +
                                 (a_z[z_face_in_tile(x, y, z)] + a_z[z_face_in_tile(x, y, z + 1)]);
          inverse[i] = diagonal > 0 ? 1 / diagonal : 0;
        }
  });
  return inverse;
}

/// Cell of the coarse tile that the first cell of a fine tile goes into.
Vec3i first_coarse_cell(const Vec3i& fine_tile) {
  return {4 * (fine_tile.x & 1), 4 * (fine_tile.y & 1), 4 * (fine_tile.z & 1)};
}

bool period_can_halve(const TilePeriod& period) {
  return std::all_of(period.begin(), period.end(), [](int tiles) { return tiles % 2 == 0; });
}

}  // namespace

PoissonSystem::PoissonSystem(TileSet tiles_in)
    : tiles(std::move(tiles_in)),
      a_x(tiles.size() * kTileFaces),
      a_y(tiles.size() * kTileFaces),
      a_z(tiles.size() * kTileFaces),
      extra(tiles.cell_count()) {}

namespace {

/// Half the sum of the four fine conductances on each coarse face, half the sum of `extra` of eight cells,
/// for the cells of a coarse tile that one fine tile makes up.
void sum_up_tile(const PoissonSystem& fine, std::size_t tile, PoissonSystem& coarse, std::size_t parent) {
  const Vec3i first = first_coarse_cell(fine.tiles.coordinate(tile));
  const auto quad = [](const float* a, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return 0.5F * ((a[i] + a[j]) + (a[k] + a[l]));
  };
  const float* a_x = &fine.a_x[tile * kTileFaces];
  const float* a_y = &fine.a_y[tile * kTileFaces];
  const float* a_z = &fine.a_z[tile * kTileFaces];
  float* coarse_x = &coarse.a_x[parent * kTileFaces];
  float* coarse_y = &coarse.a_y[parent * kTileFaces];
  float* coarse_z = &coarse.a_z[parent * kTileFaces];
  // p and q run over the four by four cells of a layer, n over the five layers of faces.
  for (int n = 0; n <= 4; ++n)
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q) {
        const int i = 2 * n, j = 2 * p, k = 2 * q;
        coarse_x[x_face_in_tile(first.x + n, first.y + p, first.z + q)] =
            quad(a_x, x_face_in_tile(i, j, k), x_face_in_tile(i, j + 1, k), x_face_in_tile(i, j, k + 1),
                 x_face_in_tile(i, j + 1, k + 1));
        coarse_y[y_face_in_tile(first.x + p, first.y + n, first.z + q)] =
            quad(a_y, y_face_in_tile(j, i, k), y_face_in_tile(j + 1, i, k), y_face_in_tile(j, i, k + 1),
                 y_face_in_tile(j + 1, i, k + 1));
        coarse_z[z_face_in_tile(first.x + p, first.y + q, first.z + n)] =
            quad(a_z, z_face_in_tile(j, k, i), z_face_in_tile(j + 1, k, i), z_face_in_tile(j, k + 1, i),
                 z_face_in_tile(j + 1, k + 1, i));
      }
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) {
        float sum = 0;
        for (int n = 0; n < 8; ++n)
          sum += fine.extra[tile * kTileCells +
                            cell_in_tile(2 * x + (n & 1), 2 * y + (n >> 1 & 1), 2 * z + (n >> 2))];
        coarse.extra[parent * kTileCells + cell_in_tile(first.x + x, first.y + y, first.z + z)] = 0.5F * sum;
      }
}

/// The system of the next coarser level.
PoissonSystem coarser(const PoissonSystem& fine, Threads& threads) {
  std::vector<Vec3i> tiles(fine.tiles.size());
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    const Vec3i& c = fine.tiles.coordinate(tile);
    tiles[tile] = {c.x >> 1, c.y >> 1, c.z >> 1};
  }
  const TilePeriod& period = fine.tiles.period();
  PoissonSystem coarse(TileSet(tiles, {period[0] / 2, period[1] / 2, period[2] / 2}));
  for_each_tile(threads, coarse.tiles.size(), [&](std::size_t parent) {
    for (int n = 0; n < 8; ++n) {
      const Vec3i child = 2 * coarse.tiles.coordinate(parent) + Vec3i(n & 1, n >> 1 & 1, n >> 2);
      const std::uint32_t tile = fine.tiles.find(child);
      if (tile != kNoTile) sum_up_tile(fine, tile, coarse, parent);
    }
  });
  return coarse;
}

std::vector<std::uint32_t> parents(const TileSet& fine, const TileSet& coarse) {
  std::vector<std::uint32_t> parent(fine.size());
  for (std::size_t tile = 0; tile < fine.size(); ++tile) {
    const Vec3i& c = fine.coordinate(tile);
    parent[tile] = coarse.find({c.x >> 1, c.y >> 1, c.z >> 1});
  }
  return parent;
}

}  // namespace

ActiveTiles active_tiles(const PoissonSystem& system, Threads& threads) {
  const std::size_t tile_count = system.tiles.size();
  std::vector<std::uint8_t> is_active(tile_count);
  for_each_tile(threads, tile_count, [&](std::size_t tile) {
    const auto any = [&](const std::vector<float>& field, std::size_t count) {
      const float* own = &field[tile * count];
      return std::any_of(own, own + count, [](float a) { return a > 0; });
    };
    is_active[tile] = any(system.extra, kTileCells) || any(system.a_x, kTileFaces) ||
                      any(system.a_y, kTileFaces) || any(system.a_z, kTileFaces);
  });
  ActiveTiles active;
  active.to.assign(tile_count, kNoTile);
  std::vector<Vec3i> coordinates;
  for (std::uint32_t tile = 0; tile < tile_count; ++tile) {
    if (is_active[tile] == 0) continue;
    active.to[tile] = static_cast<std::uint32_t>(active.from.size());
    active.from.push_back(tile);
    coordinates.push_back(system.tiles.coordinate(tile));
  }
  active.system = PoissonSystem(TileSet(coordinates, system.tiles.period()));
  for_each_tile(threads, active.from.size(), [&](std::size_t tile) {
    const auto copy = [&](const std::vector<float>& in, std::vector<float>& out, std::size_t count) {
      std::copy_n(&in[active.from[tile] * count], count, &out[tile * count]);
    };
    copy(system.extra, active.system.extra, kTileCells);
    copy(system.a_x, active.system.a_x, kTileFaces);
    copy(system.a_y, active.system.a_y, kTileFaces);
    copy(system.a_z, active.system.a_z, kTileFaces);
  });
  return active;
}

PoissonSolver::PoissonSolver(PoissonSystem system, Threads& threads) : threads_(threads) {
  for (;;) {
    Level& level = levels_.emplace_back();
    level.system = std::move(system);
    level.inverse_diagonal = inverse_diagonals(level.system, threads);
    const std::size_t cell_count = level.system.extra.size();
    level.x.resize(cell_count);
    level.b.resize(cell_count);
    level.half_smoothed.resize(cell_count);
    const auto unknowns = static_cast<std::size_t>(std::count_if(
        level.inverse_diagonal.begin(), level.inverse_diagonal.end(), [](float d) { return d > 0; }));
    if (unknowns <= 8 || levels_.size() == kMostLevels || !period_can_halve(level.system.tiles.period()))
      break;
    system = coarser(level.system, threads);
    level.parent = parents(level.system.tiles, system.tiles);
  }
  const std::size_t n = levels_.front().system.extra.size();
  for (std::vector<float>* field : {&residual_, &direction_, &image_, &preconditioned_}) field->resize(n);
}

namespace {

/// Calls add(cell, value) for each entry of the term's image of x.
template <class T, class Add>
void add_image(const LowRankTerm& term, const std::vector<T>& x, const Add& add) {
  const std::array<double, 6> sum = term.gather(x);
  std::array<double, 6> image{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) image[i] += term.inner[i][j] * sum[j];
  for (std::size_t k = 0; k < term.cells.size(); ++k) {
    double value = 0;
    for (std::size_t i = 0; i < 6; ++i) value += term.rows[k][i] * image[i];
    add(term.cells[k], static_cast<float>(value));
  }
}

}  // namespace

void PoissonSolver::add_terms(std::vector<LowRankTerm> terms) {
  terms_ = std::move(terms);
  const std::vector<float>& inverse = levels_.front().inverse_diagonal;
  for (LowRankTerm& term : terms_) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < term.cells.size(); ++k) {
      if (!(inverse[term.cells[k]] > 0)) continue;
      term.cells[kept] = term.cells[k];
      term.rows[kept++] = term.rows[k];
    }
    term.cells.resize(kept);
    term.rows.resize(kept);
  }
}

void PoissonSolver::apply(const std::vector<float>& x, std::vector<float>& y) const {
  y.resize(x.size());
  for_each_tile(threads_, system().tiles.size(), [&](std::size_t tile) {
    apply_to_tile<float>(
        system(), tile, [&](std::size_t i) { return x[i]; },
        [&](std::size_t i, const Row<float>& image) { std::copy(image.begin(), image.end(), &y[i]); });
  });
  for (const LowRankTerm& term : terms_)
    add_image(term, x, [&](std::uint32_t cell, float value) { y[cell] += value; });
}

/// to = from + step D^-1 (b - A from), from = value(i).
template <class Value>
void PoissonSolver::smooth(const Level& level, const Value& value, float step, std::vector<float>& to) {
  for_each_tile(threads_, level.system.tiles.size(), [&](std::size_t tile) {
    apply_to_tile<float>(level.system, tile, value, [&](std::size_t i, const Row<float>& image) {
      for (std::size_t x = 0; x < 8; ++x)
        to[i + x] = value(i + x) + step * level.inverse_diagonal[i + x] * (level.b[i + x] - image[x]);
    });
  });
}

void PoissonSolver::smooth_twice(Level& level) {
  smooth(
      level, [&](std::size_t i) { return level.x[i]; }, kFirstStep, level.half_smoothed);
  smooth(
      level, [&](std::size_t i) { return level.half_smoothed[i]; }, kSecondStep, level.x);
}

void PoissonSolver::descend(Level& fine, Level& coarse, bool from_zero) {
  // From x = 0 the first step needs no neighbours.
  if (from_zero)
    smooth(
        fine, [&](std::size_t i) { return kFirstStep * fine.inverse_diagonal[i] * fine.b[i]; }, kSecondStep,
        fine.x);
  else
    smooth_twice(fine);
  for_each_tile(threads_, fine.system.tiles.size(), [&](std::size_t tile) {
    std::array<float, kTileCells> residual;
    const std::size_t base = tile * kTileCells;
    apply_to_tile<float>(
        fine.system, tile, [&](std::size_t i) { return fine.x[i]; },
        [&](std::size_t i, const Row<float>& image) {
          for (std::size_t x = 0; x < 8; ++x)
            residual[i - base + x] = fine.inverse_diagonal[i + x] > 0 ? fine.b[i + x] - image[x] : 0;
        });
    const Vec3i first = first_coarse_cell(fine.system.tiles.coordinate(tile));
    float* b = &coarse.b[fine.parent[tile] * kTileCells];
    for (int z = 0; z < 4; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
          const float* r = &residual[cell_in_tile(2 * x, 2 * y, 2 * z)];
          b[cell_in_tile(first.x + x, first.y + y, first.z + z)] =
              ((r[0] + r[1]) + (r[8] + r[9])) + ((r[64] + r[65]) + (r[72] + r[73]));
        }
  });
}

void PoissonSolver::rise(Level& fine, const Level& coarse) {
  for_each_tile(threads_, fine.system.tiles.size(), [&](std::size_t tile) {
    const Vec3i first = first_coarse_cell(fine.system.tiles.coordinate(tile));
    const float* correction = &coarse.x[fine.parent[tile] * kTileCells];
    for (int z = 0; z < 8; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x) {
          const std::size_t i = tile * kTileCells + cell_in_tile(x, y, z);
          if (fine.inverse_diagonal[i] > 0)
            fine.x[i] += correction[cell_in_tile(first.x + x / 2, first.y + y / 2, first.z + z / 2)];
        }
  });
  smooth_twice(fine);
}

void PoissonSolver::cycle(std::size_t level, bool from_zero) {
  Level& fine = levels_[level];
  if (level + 1 == levels_.size()) {
    if (from_zero) std::fill(fine.x.begin(), fine.x.end(), 0.0F);
    for (int round = 0; round < kCoarsestRounds; ++round) smooth_twice(fine);
    return;
  }
  descend(fine, levels_[level + 1], from_zero);
  cycle(level + 1, true);
  if (level + 2 < levels_.size()) cycle(level + 1, false);
  rise(fine, levels_[level + 1]);
}

void PoissonSolver::precondition(const std::vector<float>& r, std::vector<float>& z) {
  levels_.front().b = r;
  cycle(0, true);
  z = levels_.front().x;
}

double PoissonSolver::find_residual(const std::vector<float>& b, const std::vector<double>& x) {
  const std::vector<float>& inverse = levels_.front().inverse_diagonal;
  for_each_tile(threads_, system().tiles.size(), [&](std::size_t tile) {
    apply_to_tile<double>(
        system(), tile, [&](std::size_t i) { return x[i]; },
        [&](std::size_t i, const Row<double>& image) {
          for (std::size_t k = 0; k < 8; ++k)
            residual_[i + k] = inverse[i + k] > 0 ? static_cast<float>(b[i + k] - image[k]) : 0;
        });
  });
  for (const LowRankTerm& term : terms_)
    add_image(term, x, [&](std::uint32_t cell, float value) { residual_[cell] -= value; });
  return largest(threads_, residual_);
}

PoissonResult PoissonSolver::solve(const std::vector<float>& b, std::vector<double>& x, double tolerance,
                                   int max_iterations) {
  assert(b.size() == residual_.size() && x.size() == b.size());
  PoissonResult result;
  const std::vector<float>& inverse = levels_.front().inverse_diagonal;
  const double scale = threads_.reduce(
      b.size(), 0.0F,
      [&](std::size_t begin, std::size_t end) {
        float most = 0;
        for (std::size_t i = begin; i < end; ++i)
          if (inverse[i] > 0) most = std::max(most, std::abs(b[i]));
        return most;
      },
      [](float p, float q) { return std::max(p, q); }, kTileChunk * kTileCells);
  if (scale == 0) {
    std::fill(x.begin(), x.end(), 0.0);
    result.converged = true;
    return result;
  }
  const double goal = tolerance * scale;
  for (int start = 0; start <= kMostRestarts; ++start) {
    const double error = find_residual(b, x);
    result.residual = error / scale;
    result.converged = error <= goal;
    if (result.converged || result.iterations >= max_iterations) break;
    iterate(x, goal, max_iterations, result.iterations);
  }
  return result;
}

/// Conjugate gradients from residual_ on, until its own residual is below the goal. That one drifts away from
/// the true one by rounding.
void PoissonSolver::iterate(std::vector<double>& x, double goal, int max_iterations, int& iterations) {
  double product = 0;
  std::fill(direction_.begin(), direction_.end(), 0.0F);
  while (iterations < max_iterations) {
    ++iterations;
    precondition(residual_, preconditioned_);
    const double next = dot(threads_, residual_, preconditioned_);
    const auto beta = static_cast<float>(product > 0 ? next / product : 0);
    product = next;
    threads_.for_each(
        x.size(), [&](std::size_t i) { direction_[i] = preconditioned_[i] + beta * direction_[i]; },
        kTileChunk * kTileCells);
    apply(direction_, image_);
    const double curvature = dot(threads_, direction_, image_);
    if (!(curvature > 0) || !(product > 0)) return;
    const auto alpha = static_cast<float>(product / curvature);
    threads_.for_each(
        x.size(),
        [&](std::size_t i) {
          x[i] += alpha * direction_[i];
          residual_[i] -= alpha * image_[i];
        },
        kTileChunk * kTileCells);
    if (largest(threads_, residual_) <= goal) return;
  }
}

}  // namespace repose
