#include "repose/solvers/flip/pressure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/parts.h"
#include "repose/grid/poisson.h"
#include "repose/grid/projection.h"
#include "repose/physics/cut_cells.h"
#include "repose/solvers/flip/active_pressure.h"
#include "repose/solvers/flip/coupling.h"
#include "repose/solvers/flip/liquid.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr int kMostIterations = 300;
constexpr int kLayers = 4;  ///< that velocities are carried on outwards

/// Of uneven particles: the share of the error that a step takes away, the largest that counts, and how well
/// it is solved.
constexpr float kCorrectedShare = 0.2F, kMostCorrected = 0.5F;
/// Cells at the surface may lack this much and get it from below; what is thinner is spray, and stays so.
constexpr float kMostLacking = 0.1F;
constexpr double kCorrectionTolerance = 0.01;

/// What the pressure in one tile's cells does to the bodies that close their lower faces, and those of their
/// neighbours: the part (1 - o) of the area that the projection counts as the solid's.
struct TilePush {
  std::uint16_t body;
  BodyImpulse sum;
};

BodyImpulse& push_on(std::vector<TilePush>& pushes, std::uint16_t body) {
  const auto known =
      std::find_if(pushes.begin(), pushes.end(), [&](const TilePush& push) { return push.body == body; });
  return known != pushes.end() ? known->sum : pushes.emplace_back(TilePush{body, {}}).sum;
}

void push_from_tile(const FlipModel& model, double dt, const Bodies& bodies, const FlipScratch& scratch,
                    std::size_t tile, std::vector<TilePush>& pushes) {
  const double scale = model.density * model.cell_volume();
  for_each_closed_face(model.place, scratch.cells.tiles, scratch.solids, tile, [&](const ClosedFace& at) {
    if (bodies[at.owner].is_free) return;
    const double low = at.low == kNoTile ? 0.0 : scratch.x[at.low];
    double amount = scale * at.closed * (low - scratch.x[at.face]);
    if (const double carried = carried_liquid(model, bodies, scratch, at); carried != 0) {
      const double change = scratch.after.u[at.axis][at.face] - scratch.before.u[at.axis][at.face] -
                            dt * model.gravity[static_cast<int>(at.axis)];
      amount -= carried * change;
    }
    if (amount == 0) return;
    Vec3d impulse(0);
    impulse[static_cast<int>(at.axis)] = amount;
    push_on(pushes, at.owner).add(impulse, at.center - bodies[at.owner].pose.position);
  });
}

}  // namespace

void add_gravity(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                 FlipScratch& scratch) {
  scratch.pull = dt * model.gravity;
  scratch.body_velocity = body_velocities(bodies);
  scratch.body_impulse.assign(bodies.size(), {});
  scratch.impulse_before.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) scratch.impulse_before[b] = bodies.impulse(b).linear;
  scratch.body_rub.assign(bodies.size(), Vec6{});
  scratch.x.assign(scratch.cells.tiles.cell_count(), 0.0);
  for (int axis = 0; axis < 3; ++axis) {
    const auto change = static_cast<float>(dt * model.gravity[axis]);
    if (change == 0) continue;
    std::vector<float>& u = scratch.after.u[static_cast<std::size_t>(axis)];
    const std::vector<float>& weight = scratch.weight.u[static_cast<std::size_t>(axis)];
    threads.for_each(
        u.size(),
        [&](std::size_t i) {
          if (weight[i] > 0) u[i] += change;
        },
        kTileCells);
  }
}

namespace {

/// How much too full each cell of the liquid is, as what should flow out of it over h^2 [m].
void find_excess(const FlipModel& model, const FlipScratch& scratch, Threads& threads,
                 std::vector<float>& excess) {
  const auto scale = static_cast<float>(kCorrectedShare * model.place.cell),
             cell = static_cast<float>(model.place.cell);
  std::fill(excess.begin(), excess.end(), 0.0F);
  for_each_matter_cell(scratch, threads, [&](std::size_t i, bool is_at_surface) {
    // At the surface a cell is as full as the surface is high. To look at what is above one alone would lift
    // the surface at each chance, and feed waves.
    const float due = is_at_surface ? open_hat(-scratch.phi[i] / cell) : 1.0F;
    const float lacking = is_at_surface ? kMostLacking : kMostCorrected;
    excess[i] = scale * std::clamp(scratch.crowding[i] - due, -lacking, kMostCorrected);
  });
}

}  // namespace

namespace {

/// The matrix, with bodies in it, and what is solved with it.
class Projection {
 public:
  Projection(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads, FlipState& state,
             FlipScratch& scratch)
      : model_(model),
        bodies_(bodies),
        threads_(threads),
        state_(state),
        scratch_(scratch),
        coupled_(couple_bodies(model, bodies, dt, scratch)),
        active_(active_tiles(make_pressure_system(tiles_, scratch.phi, scratch.solids, threads), threads)) {}

  /// The result of the solve for the pressure.
  PoissonResult remove_divergence() {
    find_outflow(tiles_, scratch_.phi, scratch_.solids, scratch_.after, threads_, scratch_.outflow);
    const std::vector<float> b = [&] {
      std::vector<float> outflow = on_active(active_, scratch_.outflow, -1.0F, threads_);
      closed_ = close_parts(active_.system, outflow, threads_);
      return outflow;
    }();
    solver_.emplace(std::move(active_.system), threads_);
    solver_->add_terms(terms_of(coupled_, active_));
    std::vector<double> x(b.size()), on_tiles;
    const PoissonResult result = solver_->solve(b, x, model_.tolerance, kMostIterations);
    on_all(active_, x, threads_, on_tiles);
    subtract_gradient(tiles_, scratch_.phi, scratch_.solids, on_tiles, threads_, scratch_.after,
                      scratch_.known);
    move_coupled_bodies(model_, bodies_, coupled_, on_tiles, scratch_);
    threads_.for_each(
        on_tiles.size(), [&](std::size_t i) { scratch_.x[i] += on_tiles[i]; }, kTileCells);
    scratch_.pull = Vec3d(0);
    find_outflow(tiles_, scratch_.phi, scratch_.solids, scratch_.after, threads_, scratch_.outflow);
    state_.divergence = largest(threads_, scratch_.outflow) / model_.place.cell;
    return result;
  }

  void correct_positions() {
    solver_->add_terms({});  // bodies do not give way to a correction
    find_excess(model_, scratch_, threads_, scratch_.outflow);
    state_.density_error = largest(threads_, scratch_.outflow) / (kCorrectedShare * model_.place.cell);
    std::vector<float> b = on_active(active_, scratch_.outflow, 1.0F, threads_);
    balance_parts(closed_, b);
    std::vector<double> y(b.size());
    solver_->solve(b, y, kCorrectionTolerance, kMostIterations);
    on_all(active_, y, threads_, scratch_.y);
    KnownFaces known;
    scratch_.correction.resize(tiles_.cell_count());
    subtract_gradient(tiles_, scratch_.phi, scratch_.solids, scratch_.y, threads_, scratch_.correction,
                      known);
    extrapolate_faces(tiles_, 1, threads_, scratch_.correction, known);
  }

 private:
  const FlipModel& model_;
  const Bodies& bodies_;
  Threads& threads_;
  FlipState& state_;
  FlipScratch& scratch_;
  const TileSet& tiles_ = scratch_.cells.tiles;
  std::vector<CoupledBody> coupled_;
  ActiveTiles active_;
  ClosedParts closed_;
  std::optional<PoissonSolver> solver_;
};

}  // namespace

void project(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads, FlipState& state,
             FlipScratch& scratch) {
  Projection projection(model, bodies, dt, threads, state, scratch);
  const PoissonResult result = projection.remove_divergence();
  state.iterations = result.iterations;
  state.residual = result.residual;
  projection.correct_positions();
}

void project_again(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                   FlipState& state, FlipScratch& scratch) {
  const PoissonResult result = Projection(model, bodies, dt, threads, state, scratch).remove_divergence();
  state.iterations += result.iterations;
  state.residual = std::max(state.residual, result.residual);
}

void keep_what_particles_bring(const TileSet& tiles, Threads& threads, FlipScratch& scratch) {
  std::vector<float> change(tiles.cell_count());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<float>& after = scratch.after.u[axis];
    std::vector<std::uint8_t>& known = scratch.known.at[axis];
    const std::vector<float>& before = scratch.before.u[axis];
    std::vector<std::uint8_t> reached = known;
    threads.for_each(
        change.size(), [&](std::size_t i) { change[i] = after[i] - before[i]; }, kTileCells);
    extrapolate_cells(tiles, 1, threads, change, reached);
    threads.for_each(
        change.size(),
        [&](std::size_t i) {
          if (known[i] != 0 || !(scratch.weight.u[axis][i] > 0) || scratch.solids.open[axis][i] <= 0) return;
          if (reached[i] != 0) after[i] = before[i] + change[i];
          known[i] = 1;
        },
        kTileCells);
  }
}

namespace {

/// Faces that are closed to sand take the velocity of those around them.
void forget_slivers(const TileSet& tiles, Threads& threads, FlipScratch& scratch) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads.for_each(
        tiles.cell_count(),
        [&](std::size_t i) {
          if (is_closed_to_sand(scratch.solids, scratch.askew, axis, i)) scratch.known.at[axis][i] = 0;
        },
        kTileCells);
}

}  // namespace

void extend_velocity(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                     FlipScratch& scratch) {
  const TileSet& tiles = scratch.cells.tiles;
  keep_what_particles_bring(tiles, threads, scratch);
  if (!scratch.askew.empty()) forget_slivers(tiles, threads, scratch);
  extrapolate_faces(tiles, kLayers, threads, scratch.after, scratch.known);
  if (model.viscosity > 0)
    stick_to_solids(model.place, tiles, scratch.solids, threads, scratch.after);
  else
    slide_along_solids(bodies, scratch.body_velocity, model.place, tiles, scratch.solids, scratch.askew,
                       scratch.known, threads, scratch.after);
  const auto rate = static_cast<float>(1 / dt);
  scratch.moving.resize(tiles.cell_count());
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads.for_each(
        scratch.moving.u[axis].size(),
        [&](std::size_t i) {
          const float open = scratch.solids.open[axis][i] > 0 ? 1.0F : 0.0F;
          scratch.moving.u[axis][i] = scratch.after.u[axis][i] + open * rate * scratch.correction.u[axis][i];
        },
        kTileCells);
}

void push_bodies(const FlipModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                 Bodies& bodies) {
  std::vector<std::vector<TilePush>> pushes(scratch.cells.tiles.size());
  threads.for_each(
      pushes.size(),
      [&](std::size_t tile) { push_from_tile(model, dt, bodies, scratch, tile, pushes[tile]); }, 4);
  for (const std::vector<TilePush>& tile : pushes)
    for (const TilePush& push : tile) bodies.add_impulse(push.body, push.sum);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].is_free) {
      bodies.add_impulse(b, scratch.body_impulse[b]);
      bodies.set_off(b, scratch.body_velocity[b].velocity, scratch.body_velocity[b].spin);
    }
}

void sample_particles(const FlipModel& model, double dt, Threads& threads, FlipScratch& scratch,
                      FlipState& state) {
  // Pressure goes on into solids, where nothing was solved for, as it does in liquid at rest.
  const TileSet& tiles = scratch.cells.tiles;
  const double scale = model.density * model.place.cell / dt;
  const auto at_rest = [&](std::size_t i) {
    const auto cell = static_cast<int>(i % kTileCells);
    const Vec3i at = kTileEdge * tiles.coordinate(i / kTileCells) + Vec3i(cell % 8, cell / 8 % 8, cell / 64);
    return model.density * model.place.cell * model.gravity.dot(Vec3d(at));
  };
  std::vector<float> field(scratch.x.size());
  std::vector<std::uint8_t> known(field.size());
  threads.for_each(
      field.size(),
      [&](std::size_t i) {
        known[i] = scratch.x[i] != 0 ? 1 : 0;
        field[i] = static_cast<float>(scale * scratch.x[i] - at_rest(i));
      },
      kTileCells);
  extrapolate_cells(tiles, 3, threads, field, known);
  threads.for_each(
      field.size(),
      [&](std::size_t i) {
        const bool has_pressure = scratch.x[i] != 0 || (known[i] != 0 && scratch.solids.distance[i] < 0);
        field[i] = has_pressure ? static_cast<float>(field[i] + at_rest(i)) : 0.0F;
      },
      kTileCells);
  cells_to_particles(field, state.position, scratch.cells, model.place, threads, state.pressure);
  threads.for_each(
      field.size(),
      [&](std::size_t i) { field[i] = static_cast<float>(model.density) * scratch.crowding[i]; }, kTileCells);
  cells_to_particles(field, state.position, scratch.cells, model.place, threads, state.density);
}

}  // namespace repose
