#include "repose/solvers/flip/flip_step.h"

#include <algorithm>
#include <array>
#include <vector>

#include "repose/core/error.h"
#include "repose/grid/drift.h"
#include "repose/solvers/continuum/matter_report.h"
#include "repose/solvers/flip/solids.h"
#include "repose/solvers/flip/spread_surface.h"

namespace repose {
namespace {

/// Longest step of the midpoint rule for particles, in cells.
constexpr double kLongestWay = 0.5;

/// How far particles are kept from solids, in spacings.
constexpr double kClearance = 0.1;

}  // namespace

TimeStep flip_time_step(const FlipModel& model, const Bodies& bodies, double max_speed, double max_dt) {
  const double speed = fastest_of(max_speed, bodies), g = model.gravity.length();
  TimeStep step{max_dt, "frame"};
  if (model.dt > 0) step.limit_to(model.dt, "given");
  step.limit_to(time_over(model.cfl * model.place.cell, speed, g), "speed");
  if (g > 0) step.limit_to(model.longest_step(), "waves");
  step.limit_to(bodies.shortest_period() / kStepsPerPeriod, "oscillation");
  if (model.dt == 0 && step.dt < max_dt) step.dt = even_part(max_dt, step.dt);
  return step;
}

void move_matter(const FlipModel& model, bool is_spread, double dt, Threads& threads,
                 const FlipScratch& scratch, FlipState& state, Bodies& bodies) {
  std::vector<Pose> poses;
  for (std::size_t b = 0; b < bodies.size(); ++b) poses.push_back(bodies[b].pose);
  bodies.advance(dt, state.time + dt);
  const std::vector<Vec3d> start = state.position;
  const std::vector<Vec3f> drift = find_drift(state.velocity, scratch.cells, scratch.solids, threads);
  std::vector<Vec3f> spread;
  if (is_spread) spread = spread_surface(model, dt, threads, scratch, state);
  move_particles(scratch.moving, drift, scratch.cells, model.place, dt, kLongestWay, threads, state.position);
  threads.for_each(spread.size(), [&](std::size_t p) { state.position[p] += Vec3d(spread[p]); });
  keep_out_of_solids(bodies, poses, model.place, scratch.cells, scratch.solids,
                     kClearance * model.matter.spacing, start, threads, state.position);
  state.max_speed = threads.reduce(
      state.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t p = begin; p < end; ++p)
          most = larger_speed(most, static_cast<double>(state.velocity[p].length()), state.position[p]);
        return most;
      },
      [](double a, double b) { return std::max(a, b); });
}

void save_tractions(const FlipState& state, ArchiveWriter& out) {
  if (state.traction.empty()) return;
  out.put("flip.traction_cells", state.traction_cell);
  out.put("flip.traction", state.traction);
}

void load_tractions(ArchiveReader& in, FlipState& state) {
  state.traction_cell.clear();
  state.traction.clear();
  if (!in.next_is("flip.traction_cells")) return;
  in.get("flip.traction_cells", state.traction_cell);
  in.get("flip.traction", state.traction);
  if (state.traction.size() != state.traction_cell.size())
    throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  for (const auto& [x, y, z] : state.traction) check_saved_numbers({x, y, z});
}

void check_saved_stress(const FlipState& state) {
  const std::size_t tiles = state.stress.tile.size();
  if (state.stress.value.size() != tiles * kStressValues * kTileCells ||
      state.push.size() != tiles * kTileCells)
    throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  std::vector<std::array<int, 3>> sorted = state.stress.tile;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw Error(ExitCode::run_failed, "the saved state has a tile of stress twice: it is damaged");
  for (const std::vector<float>* values : {&state.stress.value, &state.push})
    for (const float value : *values) check_saved_numbers({static_cast<double>(value)});
}

}  // namespace repose
