#include "repose/solvers/flip/sand_pressure.h"

#include <algorithm>
#include <array>
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
/// Likewise of snow, over its density: particles of packed snow lie less evenly.
constexpr float kFilled = 0.65F;
/// Of uneven particles: what is no excess yet, the share of the rest that a step takes away, and the largest
/// that counts.
constexpr float kEven = 0.15F, kCorrectedShare = 0.2F, kMostCorrected = 0.5F;
constexpr double kCorrectionTolerance = 0.01;
/// Pressures below this share of the largest count as none.
constexpr double kNoPressure = 1e-7;
/// Snow that nothing leaves room for gives way by this share of what it does when it is packed further,
/// before it is: its pressure would be any.
constexpr double kSoftness = 0.01;
/// Snow that bore this share of its strength in the step before is taken as yielding at first.
constexpr double kNearlyYielding = 0.9;
/// The least share of its strength that is left to the pressure where friction bears much.
constexpr float kLeastOfStrength = 0.2F;
/// Outflows below this share of it count as none where there is no pressure.
constexpr double kStill = 1e-4;

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
  if (scratch_.compaction.is_on())
    find_snow_slack(dt);
  else
    find_slack(dt);
}

void SandPressure::find_snow_slack(double dt) {
  const Compaction& snow = scratch_.compaction;
  const std::size_t count = tiles_.cell_count();
  slack_.assign(count, 0.0F);
  tension_.assign(count, 0.0F);
  at_rest_.assign(count, 0.0F);
  strength_.resize(count);
  is_yielding_.assign(count, 0);
  at_surface_.assign(count, 0);
  const auto rate = static_cast<float>(model_.place.cell / dt);
  const double unit = dt / (model_.density * model_.place.cell);
  for_each_matter_cell(scratch_, threads_, [&](std::size_t i, bool is_at_surface) {
    at_surface_[i] = is_at_surface ? 1 : 0;
    slack_[i] = rate * snow.volume[i] * std::max(0.0F, snow.limit[i] / snow.density[i] - 1);
    // A gap that a solid closes.
    if (!is_at_surface)
      slack_[i] += rate * snow.volume[i] * std::max(0.0F, kFilled - scratch_.crowding[i] / snow.density[i]);
    tension_[i] = static_cast<float>(unit * static_cast<double>(snow.cohesion[i]));
    at_rest_[i] = static_cast<float>(unit * snow_strength(snow.law, static_cast<double>(snow.limit[i])));
  });
}

void SandPressure::absorb_solids() {
  const Compaction& snow = scratch_.compaction;
  FaceVelocity still;  // nothing but solids
  still.resize(tiles_.cell_count());
  std::vector<float> pushed;
  find_outflow(tiles_, scratch_.phi, scratch_.solids, still, threads_, pushed);
  threads_.for_each(
      pushed.size(),
      [&](std::size_t i) {
        if (pushed[i] < 0) scratch_.outflow[i] -= (1 - snow.transfer[i]) * pushed[i];
      },
      kTileCells);
}

void SandPressure::find_strength() {
  const std::vector<float>& shear = scratch_.compaction.shear;
  threads_.for_each(
      strength_.size(),
      [&](std::size_t i) { strength_[i] = std::max(at_rest_[i] - shear[i], kLeastOfStrength * at_rest_[i]); },
      kTileCells);
}

void SandPressure::yield_to_pressure(PoissonSystem& system, std::vector<float>& slack) {
  const Compaction& snow = scratch_.compaction;
  const double rate = model_.place.cell / dt_;
  const double m = snow.law.exponent;
  slack.assign(tiles_.cell_count(), 0.0F);
  threads_.for_each(
      slack.size(),
      [&](std::size_t i) {
        const auto strength = static_cast<double>(strength_[i]);
        const bool was_yielding = is_yielding_[i] != 0;
        is_yielding_[i] = phi_[i] < 0 && scratch_.x[i] > (was_yielding ? 1.0 : kNearlyYielding) * strength;
        if (is_yielding_[i] == 0) return;
        // What rigid snow would bear says nothing of x, so the first tangent is the one at the strength. The
        // curve is concave: Newton's method nears the solution from below.
        const double x = was_yielding ? scratch_.x[i] : strength;
        // Over the density now. What it was damaged by says how firm it is; the density that particles carry
        // is not as even.
        const double at_limit = std::max(1.0, static_cast<double>(snow.limit[i] / snow.density[i]));
        const auto at_rest = static_cast<double>(at_rest_[i]);
        const double stress = x + (at_rest - strength);
        const double packed = at_limit * std::pow(stress / at_rest, 1 / m);
        const double room = rate * static_cast<double>(snow.volume[i]), gain = room * packed / (m * stress);
        slack[i] = static_cast<float>(room * (packed - 1) - gain * x) - slack_[i];
        system.extra[i] += static_cast<float>(gain);
      },
      kTileCells);
}

void SandPressure::soften_closed_parts(PoissonSystem& system) const {
  const std::vector<std::uint32_t> label = label_parts(system, threads_);
  std::vector<std::uint8_t> is_tied(label.size());
  for (std::size_t i = 0; i < label.size(); ++i)
    if (label[i] != kNoPart && system.extra[i] > 0) is_tied[label[i]] = 1;
  const double rate = model_.place.cell / dt_;
  threads_.for_each(
      label.size(),
      [&](std::size_t i) {
        if (label[i] == kNoPart || is_tied[label[i]] != 0) return;
        const double m = scratch_.compaction.law.exponent;
        system.extra[i] += static_cast<float>(kSoftness * rate / (m * static_cast<double>(strength_[i])));
      },
      kTileCells);
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

PoissonResult SandPressure::solve(int rounds, double tolerance) {
  coupled_ = couple_bodies(model_, bodies_, dt_, scratch_);
  find_outflow(tiles_, scratch_.phi, scratch_.solids, scratch_.after, threads_, scratch_.outflow);
  const bool is_snow = scratch_.compaction.is_on();
  if (is_snow) {
    absorb_solids();
    find_strength();
  }
  threads_.for_each(
      slack_.size(), [&](std::size_t i) { scratch_.outflow[i] += slack_[i]; }, kTileCells);
  choose_cells();
  std::vector<float> yielding;
  PoissonResult total;
  for (int round = 0; round < rounds; ++round) {
    PoissonSystem system =
        make_pressure_system(tiles_, phi_, scratch_.solids, threads_, scratch_.compaction.faces());
    if (is_snow) {
      yield_to_pressure(system, yielding);
      soften_closed_parts(system);
    }
    ActiveTiles active = active_tiles(system, threads_);
    std::vector<float> b = on_active(active, scratch_.outflow, -1.0F, threads_);
    if (is_snow) {
      const std::vector<float> more = on_active(active, yielding, 1.0F, threads_);
      threads_.for_each(
          b.size(), [&](std::size_t i) { b[i] -= more[i]; }, kTileCells);
    }
    close_parts(active.system, b, threads_);
    std::vector<double> x = on_active(active, scratch_.x, 1.0, threads_);
    PoissonSolver solver(std::move(active.system), threads_);
    solver.add_terms(terms_of(coupled_, active));
    const PoissonResult result = solver.solve(b, x, tolerance, kMostIterations);
    on_all(active, x, threads_, scratch_.x);
    total.iterations += result.iterations;
    total.residual = result.residual;
    total.converged = result.converged;
    if (round + 1 == rounds || !choose_cells()) break;
  }
  threads_.for_each(
      scratch_.x.size(), [&](std::size_t i) { scratch_.x[i] = std::max(least_of(i), scratch_.x[i]); },
      kTileCells);
  push(scratch_.after, scratch_.known);
  move_coupled_bodies(model_, bodies_, coupled_, scratch_.x, scratch_);
  return total;
}

/// Cells that pull leave, and so do those without pressure that sand flows out of; those that it flows into
/// come back. Returns whether any did.
bool SandPressure::choose_cells() {
  const double most = largest(threads_, scratch_.x), least = kNoPressure * most, still = kStill * most;
  // What bodies add to the outflow of cells as the pressure moves them.
  std::vector<std::pair<std::uint32_t, double>> moved;
  for (const CoupledBody& one : coupled_) {
    const Vec6 change = times(one.term.inner, one.term.gather(scratch_.x));
    for (std::size_t k = 0; k < one.term.cells.size(); ++k)
      moved.emplace_back(one.term.cells[k], dot(one.term.rows[k], change));
  }
  for (const auto& [cell, outflow] : moved) scratch_.outflow[cell] += static_cast<float>(outflow);
  const int changed = threads_.reduce(
      tiles_.size(), 0,
      [&](std::size_t begin, std::size_t end) {
        int count = 0;
        for (std::size_t tile = begin; tile < end; ++tile) count += choose_in_tile(tile, least, still);
        return count;
      },
      [](int a, int b) { return a + b; }, 4);
  for (const auto& [cell, outflow] : moved) scratch_.outflow[cell] -= static_cast<float>(outflow);
  threads_.for_each(
      scratch_.x.size(),
      [&](std::size_t i) {
        if (phi_[i] >= 0) scratch_.x[i] = 0;
      },
      kTileCells);
  return changed > 0;
}

int SandPressure::choose_in_tile(std::size_t tile, double least, double still) {
  const std::size_t base = tile * kTileCells;
  int count = 0;
  bool has_idle = false;
  for (std::size_t i = base; i < base + kTileCells; ++i) {
    if (scratch_.phi[i] >= 0) continue;
    if (scratch_.x[i] < least_of(i) - least) {
      phi_[i] = 0;
      ++count;
    }
    has_idle = has_idle || scratch_.x[i] == 0;
  }
  if (!has_idle) return count;
  PaddedTile<double> x;
  x.fill(
      tiles_, tile, [&](std::size_t i) { return std::max(least_of(i), scratch_.x[i]); }, 0.0);
  const FaceDensity* density = scratch_.compaction.faces();
  std::array<PaddedTile<float>, 3> open;
  for (std::size_t axis = 0; axis < 3; ++axis)
    open[axis].fill(
        tiles_, tile,
        [&](std::size_t i) {
          const float share = scratch_.solids.open[axis][i];
          return density ? share / density->u[axis][i] : share;
        },
        1.0F);
  for (int c = 0; c < static_cast<int>(kTileCells); ++c) {
    const std::size_t i = base + static_cast<std::size_t>(c);
    if (scratch_.phi[i] >= 0 || scratch_.x[i] != 0) continue;
    const int cx = c % 8, cy = c / 8 % 8, cz = c / 64;
    auto outflow = static_cast<double>(scratch_.outflow[i]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [sx, sy, sz] = kAxisStep[axis];
      outflow -= open[axis].row(cy, cz)[cx] * x.row(cy - sy, cz - sz)[cx - sx] +
                 open[axis].row(cy + sy, cz + sz)[cx + sx] * x.row(cy + sy, cz + sz)[cx + sx];
    }
    const bool bears = phi_[i] < 0;
    if (bears ? outflow <= still : outflow >= -still) continue;
    phi_[i] = bears ? 0.0F : scratch_.phi[i];
    ++count;
  }
  return count;
}

void SandPressure::push(FaceVelocity& velocity, KnownFaces& known) const {
  subtract_gradient(tiles_, phi_, scratch_.solids, scratch_.x, threads_, velocity, known,
                    scratch_.compaction.faces());
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
        const float due = scratch_.compaction.is_on() ? scratch_.compaction.density[i] : 1.0F;
        const float excess = scratch_.crowding[i] / due - 1 - kEven;
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
