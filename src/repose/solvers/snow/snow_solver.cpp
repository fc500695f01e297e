#include "repose/solvers/snow/snow_solver.h"

#include <utility>

#include "repose/grid/transfer.h"
#include "repose/solvers/continuum/matter_report.h"
#include "repose/solvers/flip/flip_step.h"
#include "repose/solvers/flip/free_matter.h"
#include "repose/solvers/flip/liquid.h"
#include "repose/solvers/flip/loose_sand.h"
#include "repose/solvers/flip/pressure.h"
#include "repose/solvers/flip/sand_step.h"
#include "repose/solvers/flip/solids.h"
#include "repose/solvers/flip/viscous.h"
#include "repose/solvers/snow/snow_fields.h"

namespace repose {
namespace {

enum Stage : std::size_t { kSources, kSort, kTransfer, kGeometry, kPressure, kDamage, kUpdate, kMove };

}  // namespace

SnowSolver::SnowSolver(const Scene& scene, Threads& threads, LogSink log)
    : SnowSolver(make_snow_setup(scene, threads), threads, std::move(log)) {}

SnowSolver::SnowSolver(SnowSetup setup, Threads& threads, LogSink log)
    : threads_(threads),
      log_(std::move(log)),
      bodies_(std::move(setup.bodies)),
      model_(std::move(setup.model)),
      emitters_(std::move(setup.emitters)),
      sinks_(std::move(setup.sinks)),
      zones_(std::move(setup.zones)),
      state_(std::move(setup.state)),
      setup_plan_(std::move(setup.plan)),
      emitter_is_blocked_(emitters_.size(), false) {
  if (log_)
    for (const std::string& note : model_.grid.notes) log_(LogLevel::info, note);
  bodies_.begin_interval(state_.time);
}

StepReport SnowSolver::step(double max_dt) {
  const TimeStep step = flip_time_step(model_.grid, bodies_, state_.max_speed, max_dt);
  update_sources(step.dt);
  sort_particles();
  transfer();
  find_geometry();
  find_pressure(step.dt);
  damage(step.dt);
  update_velocities(step.dt, step.dt >= max_dt);
  move(step.dt);
  state_.time += step.dt;
  ++state_.step_count;
  return {step.dt, step.limit, failure_of("snow", state_.time, state_.max_speed, bodies_)};
}

void SnowSolver::update_sources(double dt) {
  const auto measured = timer_.measure(kSources);
  remove_departed(sinks_, model_.grid.matter, threads_, state_);
  const std::size_t first = state_.size();
  add_rows(state_, take_emitted(emitters_, model_.grid.matter, dt, log_, emitter_is_blocked_, state_));
  start_snow(model_, first, state_);
}

void SnowSolver::sort_particles() {
  const auto measured = timer_.measure(kSort);
  scratch_.cells =
      find_cells(state_.position, state_.id, model_.grid.place, kGridMargin, threads_, scratch_.order);
  select_rows(state_, scratch_.order, threads_);
}

void SnowSolver::transfer() {
  const auto measured = timer_.measure(kTransfer);
  particles_to_faces(state_.position, state_.velocity, scratch_.cells, model_.grid.place, threads_,
                     scratch_.before, scratch_.weight);
  scratch_.after = scratch_.before;
}

void SnowSolver::find_geometry() {
  const auto measured = timer_.measure(kGeometry);
  find_solids(bodies_, model_.grid.place, scratch_.cells.tiles, model_.grid.support, threads_,
              scratch_.solids);
  find_crowding(model_.grid, state_, threads_, scratch_);
  find_liquid(model_.grid, state_, threads_, scratch_);
  find_snow_fields(model_, state_, threads_, scratch_);
}

void SnowSolver::find_pressure(double dt) {
  const auto measured = timer_.measure(kPressure);
  add_gravity(model_.grid, bodies_, dt, threads_, scratch_);
  resist_like_sand(model_.grid, dt, threads_, state_, scratch_, bodies_);
}

void SnowSolver::damage(double dt) {
  const auto measured = timer_.measure(kDamage);
  update_snow(model_, dt, threads_, scratch_, state_);
}

void SnowSolver::update_velocities(double dt, bool ends_frame) {
  const auto measured = timer_.measure(kUpdate);
  extend_velocity(model_.grid, bodies_, dt, threads_, scratch_);
  push_bodies(model_.grid, dt, threads_, scratch_, bodies_);
  if (ends_frame) sample_particles(model_.grid, dt, threads_, scratch_, state_);
  const FreeMatter free_matter(bodies_, state_, scratch_, threads_);
  faces_to_particles(scratch_.before, scratch_.after, flip_share(model_.grid, dt), state_.position,
                     scratch_.cells, model_.grid.place, threads_, state_.velocity);
  rub_loose_particles(model_.grid, dt, threads_, scratch_, state_, bodies_);
  free_matter.settle(model_.grid, bodies_, scratch_, dt, threads_, state_);
  carry_by_air(dt);
}

void SnowSolver::carry_by_air(double dt) {
  if (zones_.empty()) return;
  // A bed shelters its own snow: air acts on what lies in cells that are not filled.
  std::vector<float> filled(state_.size());
  cells_to_particles(scratch_.crowding, state_.position, scratch_.cells, model_.grid.place, threads_, filled);
  threads_.for_each(state_.size(), [&](std::size_t p) {
    const double exposed = snow_exposure(static_cast<double>(filled[p]));
    if (!(exposed > 0)) return;
    float no_wetness = 0;
    Vec3d velocity(state_.velocity[p]);
    if (pass_zones(zones_, state_.time, dt, state_.position[p], no_wetness, velocity))
      state_.velocity[p] = to_float((1 - exposed) * Vec3d(state_.velocity[p]) + exposed * velocity);
  });
}

void SnowSolver::move(double dt) {
  const auto measured = timer_.measure(kMove);
  move_matter(model_.grid, true, dt, threads_, scratch_, state_, bodies_);
}

void SnowSolver::fill_frame(Frame& frame) const {
  const std::vector<std::uint32_t> order =
      fill_particles(state_, ParticleKind::granular, model_.grid.matter.spacing, threads_, frame);
  const auto rho = static_cast<float>(model_.grid.density);
  add_channel("density", order, threads_, frame, [&](std::uint32_t p) { return rho * state_.packing[p]; });
  add_channel("pressure", order, threads_, frame, [&](std::uint32_t p) { return state_.pressure[p]; });
  add_channel("durability", order, threads_, frame, [&](std::uint32_t p) { return state_.durability[p]; });
  bodies_.fill_rows(frame.bodies, state_.time);
}

SolverStats SnowSolver::stats() const {
  SolverStats stats =
      particle_stats(state_, model_.grid.gravity, [&](std::uint32_t) { return model_.grid.particle_mass; });
  stats.errors = {{"divergence", state_.divergence},
                  {"density_error", state_.density_error},
                  {"iterations", state_.iterations},
                  {"residual", state_.residual},
                  {"friction_iterations", state_.friction_iterations},
                  {"friction_residual", state_.friction_residual}};
  return stats;
}

void SnowSolver::save(ArchiveWriter& out) const {
  save_state(state_, out);
  save_tractions(state_, out);
  bodies_.save(out);
}

void SnowSolver::load(ArchiveReader& in) {
  load_state(model_.grid.matter.particle_mass.size(), emitters_.size(), in, state_);
  check_saved_stress(state_);
  load_tractions(in, state_);
  bodies_.load(in);
}

}  // namespace repose
