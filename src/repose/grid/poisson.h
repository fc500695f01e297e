#pragma once
// The linear system of a pressure projection on a sparse grid: for each cell
//
//   sum over its six faces of a_face (x_cell - x_neighbor) + extra x_cell = b_cell
//
// with a_face >= 0 the conductance of a face and extra >= 0 what ties the cell to zero (a free surface).
// Cells without a conductance and without `extra` are no unknowns: x stays zero there. The matrix is
// symmetric and positive semidefinite whatever the numbers are, so cut cells and ghost fluid go in as they
// come.
//
// Solved by conjugate gradients with a multigrid V-cycle in front: unsmoothed aggregation as in Shao, Huang
// and Michels 2022, "A Fast Unsmoothed Aggregation Algebraic Multigrid Framework for the Large-Scale
// Simulation of Incompressible Flow". Two by two by two cells become one; the conductance of a coarse face is
// half the sum of the fine ones on it (a step function is twice too stiff), and `extra` likewise. So every
// level is such a system again, with the same seven-point stencil. Their smoother is red-black Gauss-Seidel.
// Here it is a Chebyshev polynomial of degree two over the upper part of the spectrum (Adams et al. 2003):
// stronger on this stencil (0.34 against 0.45 a sweep over both colours), symmetric by itself, and the same
// bits in whatever order tiles come.
//
// Fields are float; sums over cells are double, in the order of the tiles.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/grid/tiles.h"

namespace repose {

/// Values on the faces across one axis, tile by tile: nine layers a tile, so that a cell finds its lower and
/// its upper face in its own tile. Layers between two tiles stand in both and must agree.
inline constexpr std::size_t kTileFaces = 9 * 8 * 8;
/// The lower face of cell (x, y, z) across x; x may be 8. Likewise across y and z.
constexpr std::size_t x_face_in_tile(int x, int y, int z) {
  return static_cast<std::size_t>(x + 9 * (y + 8 * z));
}
constexpr std::size_t y_face_in_tile(int x, int y, int z) {
  return static_cast<std::size_t>(x + 8 * (y + 9 * z));
}
constexpr std::size_t z_face_in_tile(int x, int y, int z) {
  return static_cast<std::size_t>(x + 8 * (y + 8 * z));
}

struct PoissonSystem {
  TileSet tiles;
  std::vector<float> a_x, a_y, a_z;  ///< conductance of faces, kTileFaces a tile
  std::vector<float> extra;          ///< by cell

  explicit PoissonSystem(TileSet tiles_in = {});
};

/// The tiles of a system that have unknowns: where matter fills a tenth of the tiles' cells, most of the work
/// would go into the others.
struct ActiveTiles {
  PoissonSystem system;             ///< of these tiles alone
  std::vector<std::uint32_t> from;  ///< tile of the first system, by tile of this one; rising
  std::vector<std::uint32_t> to;    ///< the other way around; kNoTile where a tile has no unknowns
};
ActiveTiles active_tiles(const PoissonSystem& system, Threads& threads);

/// A symmetric addition to the matrix that ties many cells to a few numbers: rows inner rows^T. Such as a
/// body that is pushed by the pressure in all cells around it, and moves as a whole.
struct LowRankTerm {
  std::vector<std::uint32_t> cells;              ///< rising
  std::vector<std::array<double, 6>> rows;       ///< one a cell
  std::array<std::array<double, 6>, 6> inner{};  ///< symmetric, positive semidefinite

  /// rows^T x, summed in the order of the cells.
  template <class T>
  std::array<double, 6> gather(const std::vector<T>& x) const {
    std::array<double, 6> sum{};
    for (std::size_t k = 0; k < cells.size(); ++k)
      for (std::size_t i = 0; i < 6; ++i) sum[i] += rows[k][i] * static_cast<double>(x[cells[k]]);
    return sum;
  }
};

struct PoissonResult {
  int iterations = 0;
  double residual = 0;  ///< largest |b - A x| over largest |b|, recomputed at the end
  bool converged = false;
};

class PoissonSolver {
 public:
  /// Makes the coarse levels.
  PoissonSolver(PoissonSystem system, Threads& threads);

  /// Adds to the matrix of solve() and apply(); rows of cells that are no unknowns are left out. The
  /// multigrid in front does not know of it, which costs an iteration or so for each of its few numbers.
  void add_terms(std::vector<LowRankTerm> terms);

  /// Improves x until the residual is at most `tolerance`. What b has where there is no unknown is ignored. A
  /// system without any `extra` has a solution only where b sums to zero over each connected part.
  PoissonResult solve(const std::vector<float>& b, std::vector<double>& x, double tolerance,
                      int max_iterations);

  /// z = M r, one V-cycle: what goes before each step of conjugate gradients.
  void precondition(const std::vector<float>& r, std::vector<float>& z);
  /// y = A x.
  void apply(const std::vector<float>& x, std::vector<float>& y) const;

  const PoissonSystem& system() const { return levels_.front().system; }
  std::size_t level_count() const { return levels_.size(); }

 private:
  struct Level {
    PoissonSystem system;
    std::vector<float> inverse_diagonal;  ///< 0 where there is no unknown
    std::vector<float> x, b;              ///< of the V-cycle
    std::vector<float> half_smoothed;     ///< x after the first of two smoothing steps
    std::vector<std::uint32_t> parent;    ///< of each tile, in the next coarser level
  };

  template <class Value>
  void smooth(const Level& level, const Value& value, float step, std::vector<float>& to);
  void smooth_twice(Level& level);
  /// Smooths and hands the residual down.
  void descend(Level& fine, Level& coarse, bool from_zero);
  /// Adds the coarse correction and smooths.
  void rise(Level& fine, const Level& coarse);
  void cycle(std::size_t level, bool from_zero);
  /// Sets residual_ to b - A x; returns its largest value.
  double find_residual(const std::vector<float>& b, const std::vector<double>& x);
  void iterate(std::vector<double>& x, double goal, int max_iterations, int& iterations);

  Threads& threads_;
  std::vector<Level> levels_;
  std::vector<LowRankTerm> terms_;
  std::vector<float> residual_, direction_, image_, preconditioned_;  ///< of conjugate gradients
};

}  // namespace repose
