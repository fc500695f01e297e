#include "repose/solvers/flip/pressure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/padded_tile.h"
#include "repose/grid/parts.h"
#include "repose/grid/poisson.h"
#include "repose/grid/projection.h"
#include "repose/solvers/flip/coupling.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr int kMostIterations = 300;
constexpr int kLayers = 4;  ///< that velocities are carried on outwards

/// Of uneven particles: the share of the error that a step takes away, the largest that counts, and how well
/// it is solved.
constexpr float kCorrectedShare = 0.2F, kMostCorrected = 0.5F;
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
    if (const double carried = carried_liquid(model, scratch, at); carried != 0) {
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

void add_gravity(const FlipModel& model, double dt, Threads& threads, FlipScratch& scratch) {
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
  const TileSet& tiles = scratch.cells.tiles;
  const auto scale = static_cast<float>(kCorrectedShare * model.place.cell);
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        PaddedTile<float> air;
        air.fill(
            tiles, tile,
            [&](std::size_t i) {
              return scratch.phi[i] >= 0 && scratch.solids.distance[i] >= 0 ? 1.0F : 0.0F;
            },
            1.0F);
        for (int z = 0; z < 8; ++z)
          for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) {
              const std::size_t i = tile * kTileCells + cell_in_tile(x, y, z);
              excess[i] = 0;
              if (scratch.phi[i] >= 0) continue;
              const float* here = air.row(y, z);
              const bool at_surface = *(here + x - 1) + here[x + 1] + air.row(y - 1, z)[x] +
                                          air.row(y + 1, z)[x] + air.row(y, z - 1)[x] + air.row(y, z + 1)[x] >
                                      0;
              const float most = kMostCorrected;
              excess[i] = scale * std::clamp(scratch.crowding[i] - 1, at_surface ? 0.0F : -most, most);
            }
      },
      4);
}

}  // namespace

namespace {

/// A field on the tiles that the pressure is solved for, from one on all tiles, times `sign`.
std::vector<float> on_active(const ActiveTiles& active, const std::vector<float>& field, float sign,
                             Threads& threads) {
  std::vector<float> picked(active.from.size() * kTileCells);
  threads.for_each(
      active.from.size(),
      [&](std::size_t tile) {
        for (std::size_t i = 0; i < kTileCells; ++i)
          picked[tile * kTileCells + i] = sign * field[active.from[tile] * kTileCells + i];
      },
      4);
  return picked;
}

/// The other way around; zero elsewhere.
void on_all(const ActiveTiles& active, const std::vector<double>& picked, Threads& threads,
            std::vector<double>& field) {
  field.assign(active.to.size() * kTileCells, 0.0);
  threads.for_each(
      active.from.size(),
      [&](std::size_t tile) {
        std::copy_n(&picked[tile * kTileCells], kTileCells, &field[active.from[tile] * kTileCells]);
      },
      4);
}

std::vector<LowRankTerm> terms_of(const std::vector<CoupledBody>& coupled, const ActiveTiles& active) {
  std::vector<LowRankTerm> terms;
  for (const CoupledBody& one : coupled) {
    LowRankTerm& term = terms.emplace_back();
    term.inner = one.term.inner;
    for (std::size_t k = 0; k < one.term.cells.size(); ++k) {
      const std::uint32_t tile = active.to[one.term.cells[k] / kTileCells];
      if (tile == kNoTile) continue;
      term.cells.push_back(static_cast<std::uint32_t>(tile * kTileCells + one.term.cells[k] % kTileCells));
      term.rows.push_back(one.term.rows[k]);
    }
  }
  return terms;
}

}  // namespace

void project(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads, FlipState& state,
             FlipScratch& scratch) {
  const TileSet& tiles = scratch.cells.tiles;
  const std::vector<CoupledBody> coupled = couple_bodies(model, bodies, dt, scratch);
  ActiveTiles active =
      active_tiles(make_pressure_system(tiles, scratch.phi, scratch.solids, threads), threads);
  find_outflow(tiles, scratch.phi, scratch.solids, scratch.after, threads, scratch.outflow);
  std::vector<float> b = on_active(active, scratch.outflow, -1, threads);
  const ClosedParts closed = close_parts(active.system, b, threads);
  PoissonSolver solver(std::move(active.system), threads);
  solver.add_terms(terms_of(coupled, active));
  std::vector<double> x(b.size());
  const PoissonResult result = solver.solve(b, x, model.tolerance, kMostIterations);
  on_all(active, x, threads, scratch.x);
  subtract_gradient(tiles, scratch.phi, scratch.solids, scratch.x, threads, scratch.after, scratch.known);
  move_coupled_bodies(model, bodies, coupled, scratch);
  find_outflow(tiles, scratch.phi, scratch.solids, scratch.after, threads, scratch.outflow);
  state.divergence = largest(threads, scratch.outflow) / model.place.cell;
  state.iterations = result.iterations;
  state.residual = result.residual;

  solver.add_terms({});  // bodies do not give way to a correction
  find_excess(model, scratch, threads, scratch.outflow);
  state.density_error = largest(threads, scratch.outflow) / (kCorrectedShare * model.place.cell);
  b = on_active(active, scratch.outflow, 1, threads);
  balance_parts(closed, b);
  std::fill(x.begin(), x.end(), 0.0);
  solver.solve(b, x, kCorrectionTolerance, kMostIterations);
  on_all(active, x, threads, scratch.y);
  KnownFaces known;
  scratch.correction.resize(tiles.cell_count());
  subtract_gradient(tiles, scratch.phi, scratch.solids, scratch.y, threads, scratch.correction, known);
  extrapolate_faces(tiles, 1, threads, scratch.correction, known);
}

namespace {

/// Faces outside the liquid that particles reach keep what these brought. Those next to the liquid's take the
/// change of their neighbours, so that its outermost particles go with it; taking their velocity would wear
/// down whatever turns or shears at the surface. Beyond, particles fall freely: gravity is in `after`
/// already.
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

}  // namespace

void extend_velocity(const FlipModel& model, const Bodies& bodies, double dt, Threads& threads,
                     FlipScratch& scratch) {
  const TileSet& tiles = scratch.cells.tiles;
  keep_what_particles_bring(tiles, threads, scratch);
  extrapolate_faces(tiles, kLayers, threads, scratch.after, scratch.known);
  slide_along_solids(bodies, scratch.body_velocity, model.place, tiles, scratch.solids, scratch.known,
                     threads, scratch.after);
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
