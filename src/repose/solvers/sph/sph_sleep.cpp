#include "repose/solvers/sph/sph_sleep.h"

#include <algorithm>
#include <cmath>

#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Sleep speed over sqrt(g spacing), and delay and drowsiness over sqrt(spacing / g): what is pulled with g /
/// 150 does not fall asleep, and what sleeps is woken by g / 50.
constexpr double kSlow = 0.02, kDelay = 3, kDrowsiness = 2;
/// What sleeps wakes at this many times the sleep speed.
constexpr double kWakeFactor = 2;
/// The paper's critical acceleration over gravity: what falls is awake.
constexpr double kCritical = 0.9;
constexpr double kAtOnce = 1e-12;  ///< [s]

/// What goes on in a cell: nothing; something is awake, or a body moves; something is fast enough to wake.
enum Stir : std::uint8_t { kStill, kAwake, kFast };

/// By cell: a Stir.
std::vector<std::uint8_t> find_stirred_cells(const SphModel& model, const Bodies& bodies, Threads& threads,
                                             const SphState& state, const SphScratch& scratch) {
  const ParticleCells& cells = scratch.cells;
  std::vector<std::uint8_t> stirred(cells.tiles.cell_count(), 0);
  std::vector<std::size_t> moving;
  for (std::size_t b = 0; b < bodies.first_wall(); ++b)
    if (bodies[b].present && (bodies[b].is_free || bodies[b].surface_speed() > 0 || has_belt(bodies[b])))
      moving.push_back(b);
  const double cell = model.place.cell, delay = sleep_delay(model), fast = kWakeFactor * sleep_speed(model);
  constexpr double kHalfDiagonal = 0.8660254037844386;
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t o) {
        const std::size_t tile = cells.occupied[o];
        const Vec3d corner = tile_corner(model.place, cells.tiles.coordinate(tile));
        for (int z = 0; z < kTileEdge; ++z)
          for (int y = 0; y < kTileEdge; ++y)
            for (int x = 0; x < kTileEdge; ++x) {
              const std::size_t c = tile * kTileCells + cell_in_tile(x, y, z);
              for (std::uint32_t p = cells.cell_first[c]; p < cells.cell_first[c + 1]; ++p)
                if (static_cast<double>(state.calm[p]) < delay)
                  stirred[c] = std::max<std::uint8_t>(
                      stirred[c], state.velocity[p].dot(state.velocity[p]) > fast * fast ? kFast : kAwake);
              if (stirred[c] != kStill || cells.cell_first[c] == cells.cell_first[c + 1]) continue;
              const Vec3d center = corner + cell * Vec3d(x + 0.5, y + 0.5, z + 0.5);
              for (const std::size_t b : moving)
                if (bodies.is_near(b, center, kHalfDiagonal * cell + kSphSupport * model.spacing))
                  stirred[c] = kAwake;
            }
      },
      1);
  return stirred;
}

/// The most in a cell and those around it.
std::uint8_t stir_around(const ParticleCells& cells, const std::vector<std::uint8_t>& stirred,
                         std::size_t tile, const Vec3i& cell) {
  std::uint8_t most = kStill;
  for (int z = cell.z - 1; z <= cell.z + 1; ++z)
    for (int y = cell.y - 1; y <= cell.y + 1; ++y)
      for (int x = cell.x - 1; x <= cell.x + 1; ++x) {
        const std::uint32_t other = cells.tiles.neighbor(tile, neighbor_slot(x >> 3, y >> 3, z >> 3));
        if (other != kNoTile)
          most = std::max(most, stirred[other * kTileCells + cell_in_tile(x & 7, y & 7, z & 7)]);
      }
  return most;
}

Vec3i cell_of(const SphModel& model, const Vec3d& position) {
  const Vec3d x = model.place.to_cells(position);
  return {static_cast<int>(std::floor(x.x)), static_cast<int>(std::floor(x.y)),
          static_cast<int>(std::floor(x.z))};
}

std::uint64_t key_of(const SphModel& model, const Vec3i& cell) {
  constexpr int kFar = 1 << 20;
  std::uint64_t key = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const int period = kTileEdge * model.place.period[axis];
    const int c = period == 0 ? cell[axis] : ((cell[axis] % period) + period) % period;
    key = key << 21U | static_cast<std::uint64_t>(c + kFar);
  }
  return key;
}

}  // namespace

double sleep_speed(const SphModel& model) {
  return model.sleep_speed.value_or(kSlow * std::sqrt(model.gravity.length() * model.spacing));
}

bool stays_slow(const SphModel& model, const SphState& state, std::size_t p, const Vec3d& velocity,
                double dt) {
  const double speed = velocity.length(), slow = sleep_speed(model);
  if (model.law == YieldLaw::paper)
    return speed < slow && (velocity - state.velocity[p]).length() < kCritical * dt * model.gravity.length();
  return speed < (is_asleep(model, state, p) ? kWakeFactor : 1) * slow;
}

double sleep_delay(const SphModel& model) {
  if (model.law == YieldLaw::paper) return kAtOnce;
  const double g = model.gravity.length();
  return g > 0 ? kDelay * std::sqrt(model.spacing / g) : INFINITY;
}

bool is_asleep(const SphModel& model, const SphState& state, std::size_t p) {
  return model.sleeps && static_cast<double>(state.calm[p]) >= sleep_delay(model);
}

double drowsiness(const SphModel& model) { return kDrowsiness / kDelay * sleep_delay(model); }

void find_sleepers(const SphModel& model, const Bodies& bodies, Threads& threads, SphState& state,
                   SphScratch& scratch) {
  const ParticleCells& cells = scratch.cells;
  scratch.is_deep.assign(state.size(), 0);
  if (!model.sleeps || model.law == YieldLaw::paper) return;
  const std::vector<std::uint8_t> stirred = find_stirred_cells(model, bodies, threads, state, scratch);
  const auto delay = static_cast<float>(sleep_delay(model));
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t o) {
        const std::size_t tile = cells.occupied[o];
        for (int z = 0; z < kTileEdge; ++z)
          for (int y = 0; y < kTileEdge; ++y)
            for (int x = 0; x < kTileEdge; ++x) {
              const std::size_t c = tile * kTileCells + cell_in_tile(x, y, z);
              const std::uint32_t first = cells.cell_first[c], end = cells.cell_first[c + 1];
              if (first == end) continue;
              const std::uint8_t stir = stir_around(cells, stirred, tile, {x, y, z});
              for (std::uint32_t p = first; p < end; ++p) {
                if (stir != kStill)
                  state.calm[p] = std::min(state.calm[p], stir == kFast ? 0.5F * delay : delay);
                const bool touches_solid = state.rubs[p].body[0] != SphRubs::kNone;
                scratch.is_deep[p] = !touches_solid && state.calm[p] >= 2 * delay ? 1 : 0;
              }
            }
      },
      1);
}

void wake_around(const SphModel& model, std::span<const Vec3d> places, Threads& threads, SphState& state) {
  std::vector<std::uint64_t> keys;
  for (const Vec3d& place : places)
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) keys.push_back(key_of(model, cell_of(model, place) + Vec3i(x, y, z)));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  threads.for_each(state.size(), [&](std::size_t p) {
    if (std::binary_search(keys.begin(), keys.end(), key_of(model, cell_of(model, state.position[p]))))
      state.calm[p] = 0;
  });
}

}  // namespace repose
