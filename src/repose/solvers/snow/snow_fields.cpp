#include "repose/solvers/snow/snow_fields.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "repose/grid/extrapolate.h"
#include "repose/grid/padded_tile.h"
#include "repose/grid/projection.h"
#include "repose/grid/transfer.h"
#include "repose/solvers/flip/liquid.h"

namespace repose {
namespace {

/// Cells without particles that count as snow all the same take these fields from their neighbours.
constexpr int kLayers = 2;

/// The least share of a cell that counts as left to the snow.
constexpr float kLeastVolume = 0.1F;
/// Cells of which less is left to the snow have no density of their own.
constexpr float kOwnVolume = 0.5F;
/// The most that the density a particle carries may differ from what is counted, as a factor.
constexpr float kCarried = 1.4F;
/// How far the density of a cell may be off, as a factor.
constexpr double kEvenness = 1.03;
/// The least density over that of fallen snow, and the most that one step changes it, as a factor.
constexpr float kLoosest = 0.05F, kMostChange = 2;

void fill_holes(const TileSet& tiles, Threads& threads, std::vector<float>& field, float otherwise) {
  std::vector<std::uint8_t> known(field.size());
  threads.for_each(
      field.size(), [&](std::size_t i) { known[i] = field[i] > 0 ? 1 : 0; }, kTileCells);
  extrapolate_cells(tiles, kLayers, threads, field, known);
  threads.for_each(
      field.size(),
      [&](std::size_t i) {
        if (known[i] == 0) field[i] = otherwise;
      },
      kTileCells);
}

/// Mean over the cells of snow on both sides.
void find_face_density(const FlipScratch& scratch, const std::vector<float>& density, Threads& threads,
                       FaceDensity& faces) {
  const TileSet& tiles = scratch.cells.tiles;
  faces.resize(tiles.cell_count());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        PaddedTile<float> in_snow;  // 0 elsewhere
        in_snow.fill(
            tiles, tile, [&](std::size_t i) { return scratch.phi[i] < 0 ? density[i] : 0.0F; }, 0.0F);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                const float high = in_snow.row(y, z)[x], low = in_snow.row(y - sy, z - sz)[x - sx];
                const float mean = high > 0 && low > 0 ? 0.5F * (high + low) : std::max(high, low);
                faces.u[axis][tile * kTileCells + cell_in_tile(x, y, z)] = mean > 0 ? mean : 1.0F;
              }
        }
      },
      4);
}

}  // namespace

void find_snow_fields(const SnowModel& model, const SnowState& state, Threads& threads,
                      FlipScratch& scratch) {
  Compaction& snow = scratch.compaction;
  snow.law = model.law;
  const TileSet& tiles = scratch.cells.tiles;
  particle_means(state.position, state.packing, scratch.cells, model.grid.place, threads, snow.density);
  fill_holes(tiles, threads, snow.density, 1.0F);
  // Held as damage, which is 0 where there are no particles.
  std::vector<float> damage(state.size());
  std::vector<float>& mean = snow.damage;
  const auto d_0 = static_cast<float>(model.law.d_0);
  threads.for_each(state.size(), [&](std::size_t p) { damage[p] = d_0 - state.durability[p]; });
  particle_means(state.position, damage, scratch.cells, model.grid.place, threads, mean);
  snow.limit.resize(mean.size());
  snow.cohesion.resize(mean.size());
  snow.transfer.resize(mean.size());
  threads.for_each(
      mean.size(),
      [&](std::size_t i) {
        const double d = model.law.d_0 - static_cast<double>(mean[i]);
        snow.limit[i] = static_cast<float>(snow_density_limit(model.law, d));
        const double bond = snow_bond(static_cast<double>(snow.density[i] / snow.limit[i]));
        snow.cohesion[i] = static_cast<float>(bond * snow_cohesion(model.c_0, model.k_c, model.law.d_0, d));
        snow.transfer[i] = static_cast<float>(snow_velocity_transfer(model.b_0, model.k_b, model.law.d_0, d));
      },
      kTileCells);
  const auto h = static_cast<float>(model.grid.place.cell);
  snow.volume.resize(mean.size());
  threads.for_each(
      mean.size(),
      [&](std::size_t i) {
        snow.volume[i] = std::clamp(0.5F + scratch.solids.distance[i] / h, kLeastVolume, 1.0F);
      },
      kTileCells);
  find_face_density(scratch, snow.density, threads, snow.face_density);
}

void update_snow(const SnowModel& model, double dt, Threads& threads, const FlipScratch& scratch,
                 SnowState& state) {
  const TileSet& tiles = scratch.cells.tiles;
  const Compaction& snow = scratch.compaction;
  std::vector<float> outflow;
  find_outflow(tiles, scratch.phi, scratch.solids, scratch.after, threads, outflow);
  std::vector<float> stretch(outflow.size()), loss(outflow.size());  // logarithm of density; durability
  const auto rate = static_cast<float>(dt / model.grid.place.cell);
  const float most = std::log(kMostChange);
  const double unit = dt / (model.grid.density * model.grid.place.cell);  // of scratch.x to pressure [m/s/Pa]
  // Cells that are mostly in a solid say nothing: what is in them goes as in the cell beside.
  const auto says = [&](std::size_t i) { return scratch.phi[i] < 0 && snow.volume[i] >= kOwnVolume; };
  for_each_matter_cell(scratch, threads, [&](std::size_t i, bool is_at_surface) {
    if (!says(i)) return;
    float change = std::clamp(-rate * outflow[i] / snow.volume[i], -most, most);
    if (!is_at_surface) {
      const float counted = std::max(scratch.crowding[i], kLoosest);
      const float after = snow.density[i] * std::exp(change);
      change = std::log(std::clamp(after, counted / kCarried, counted * kCarried) / snow.density[i]);
    }
    stretch[i] = change;
    // By the pressure, and by no more than snow as dense as it has become bears: pressures overshoot.
    const double after = kEvenness * static_cast<double>(snow.density[i] * std::exp(change));
    const double p =
        std::min((scratch.x[i] + static_cast<double>(snow.shear[i])) / unit, snow_strength(model.law, after));
    const double before = model.law.d_0 - static_cast<double>(snow.damage[i]);
    loss[i] = static_cast<float>(std::min(0.0, snow_durability(model.law, p) - before));
  });
  // Into solids and air, where particles at the snow's border read it too.
  std::vector<std::uint8_t> known(outflow.size());
  for (std::vector<float>* change : {&stretch, &loss}) {
    threads.for_each(
        known.size(), [&](std::size_t i) { known[i] = says(i) ? 1 : 0; }, kTileCells);
    extrapolate_cells(tiles, 1, threads, *change, known);
  }
  std::vector<float> at_particles(state.size());
  cells_to_particles(stretch, state.position, scratch.cells, model.grid.place, threads, at_particles);
  threads.for_each(state.size(), [&](std::size_t p) {
    state.packing[p] = std::max(kLoosest, state.packing[p] * std::exp(at_particles[p]));
  });
  cells_to_particles(loss, state.position, scratch.cells, model.grid.place, threads, at_particles);
  threads.for_each(state.size(), [&](std::size_t p) {
    state.durability[p] = std::max(0.0F, state.durability[p] + std::min(0.0F, at_particles[p]));
  });
}

}  // namespace repose
