#include "repose/solvers/flip/sand_pressure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/padded_tile.h"
#include "repose/grid/parts.h"
#include "repose/grid/projection.h"
#include "repose/solvers/flip/active_pressure.h"
#include "repose/solvers/flip/liquid.h"

namespace repose {
namespace {

constexpr int kMostIterations = 300;

/// Cells inside the sand with fewer particles than this share of those they have room for are loose.
constexpr float kFull = 0.8F;
/// Of uneven particles: what is no excess yet, the share of the rest that a step takes away, and the largest
/// that counts.
constexpr float kEven = 0.15F, kCorrectedShare = 0.2F, kMostCorrected = 0.5F;
constexpr double kCorrectionTolerance = 0.01;
/// Pressures below this share of the largest count as none.
constexpr double kNoPressure = 1e-7;

}  // namespace

SandPressure::SandPressure(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                           FlipScratch& scratch)
    : model_(model),
      bodies_(bodies),
      dt_(dt),
      threads_(threads),
      scratch_(scratch),
      tiles_(scratch.cells.tiles),
      phi_(scratch.phi) {
  find_slack(dt);
}

void SandPressure::find_slack(double dt) {
  slack_.assign(tiles_.cell_count(), 0.0F);
  at_surface_.assign(tiles_.cell_count(), 0);
  const auto rate = static_cast<float>(model_.place.cell / dt);
  for_each_matter_cell(scratch_, threads_, [&](std::size_t i, bool is_at_surface) {
    if (is_at_surface)
      at_surface_[i] = 1;
    else
      slack_[i] = rate * std::max(0.0F, kFull - scratch_.crowding[i]);
  });
}

PoissonResult SandPressure::solve(int rounds) {
  coupled_ = couple_bodies(model_, bodies_, dt_, scratch_);
  PoissonResult total;
  for (int round = 0; round < rounds; ++round) {
    ActiveTiles active =
        active_tiles(make_pressure_system(tiles_, phi_, scratch_.solids, threads_), threads_);
    find_outflow(tiles_, phi_, scratch_.solids, scratch_.after, threads_, scratch_.outflow);
    threads_.for_each(
        slack_.size(),
        [&](std::size_t i) {
          if (phi_[i] < 0) scratch_.outflow[i] += slack_[i];
        },
        kTileCells);
    std::vector<float> b = on_active(active, scratch_.outflow, -1.0F, threads_);
    close_parts(active.system, b, threads_);
    std::vector<double> x = on_active(active, scratch_.x, 1.0, threads_);
    PoissonSolver solver(std::move(active.system), threads_);
    solver.add_terms(terms_of(coupled_, active));
    const PoissonResult result = solver.solve(b, x, model_.tolerance, kMostIterations);
    on_all(active, x, threads_, scratch_.x);
    total.iterations += result.iterations;
    total.residual = result.residual;
    total.converged = result.converged;
    if (round + 1 == rounds || !choose_cells()) break;
  }
  threads_.for_each(
      scratch_.x.size(), [&](std::size_t i) { scratch_.x[i] = std::max(0.0, scratch_.x[i]); }, kTileCells);
  push(scratch_.after, scratch_.known);
  move_coupled_bodies(model_, bodies_, coupled_, scratch_.x, scratch_);
  return total;
}

/// Cells that pull leave; returns whether any did.
bool SandPressure::choose_cells() {
  const double most = threads_.reduce(
      scratch_.x.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) part = std::max(part, scratch_.x[i]);
        return part;
      },
      [](double a, double b) { return std::max(a, b); }, kTileCells);
  const int left = threads_.reduce(
      scratch_.x.size(), 0,
      [&](std::size_t begin, std::size_t end) {
        int count = 0;
        for (std::size_t i = begin; i < end; ++i)
          if (scratch_.x[i] < -kNoPressure * most) {
            phi_[i] = 0;
            scratch_.x[i] = 0;
            ++count;
          }
        return count;
      },
      [](int a, int b) { return a + b; }, kTileCells);
  return left > 0;
}

void SandPressure::push(FaceVelocity& velocity, KnownFaces& known) const {
  subtract_gradient(tiles_, phi_, scratch_.solids, scratch_.x, threads_, velocity, known);
  // Between cells that bear none nothing changes; that is known as well.
  threads_.for_each(
      tiles_.size(),
      [&](std::size_t tile) {
        PaddedTile<float> phi;
        phi.fill(
            tiles_, tile, [&](std::size_t i) { return scratch_.phi[i]; }, 1.0F);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
                if ((phi.row(y, z)[x] < 0 || phi.row(y - sy, z - sz)[x - sx] < 0) &&
                    scratch_.solids.open[axis][face] > 0)
                  known.at[axis][face] = 1;
              }
        }
      },
      4);
}

double SandPressure::correct_positions() {
  const auto scale = static_cast<float>(kCorrectedShare * model_.place.cell);
  threads_.for_each(
      scratch_.outflow.size(),
      [&](std::size_t i) {
        const float excess = scratch_.crowding[i] - 1 - kEven;
        scratch_.outflow[i] = scratch_.phi[i] < 0 ? scale * std::clamp(excess, 0.0F, kMostCorrected) : 0;
      },
      kTileCells);
  const double most = largest(threads_, scratch_.outflow);
  scratch_.correction.resize(tiles_.cell_count());
  if (most == 0) return 0;
  ActiveTiles active =
      active_tiles(make_pressure_system(tiles_, scratch_.phi, scratch_.solids, threads_), threads_);
  std::vector<float> b = on_active(active, scratch_.outflow, 1.0F, threads_);
  close_parts(active.system, b, threads_);
  PoissonSolver solver(std::move(active.system), threads_);
  std::vector<double> y(b.size());
  solver.solve(b, y, kCorrectionTolerance, kMostIterations);
  on_all(active, y, threads_, scratch_.y);
  KnownFaces known;
  subtract_gradient(tiles_, scratch_.phi, scratch_.solids, scratch_.y, threads_, scratch_.correction, known);
  extrapolate_faces(tiles_, 1, threads_, scratch_.correction, known);
  return most / static_cast<double>(scale);
}

double SandPressure::compression() const {
  find_outflow(tiles_, scratch_.phi, scratch_.solids, scratch_.after, threads_, scratch_.outflow);
  const double most = threads_.reduce(
      slack_.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i)
          part = std::max(part, -static_cast<double>(scratch_.outflow[i] + slack_[i]));
        return part;
      },
      [](double a, double b) { return std::max(a, b); }, kTileCells);
  return most / model_.place.cell;
}

}  // namespace repose
