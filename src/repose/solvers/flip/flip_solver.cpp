#include "repose/solvers/flip/flip_solver.h"

#include <utility>

#include "repose/solvers/continuum/matter_report.h"
#include "repose/solvers/flip/flip_step.h"
#include "repose/solvers/flip/free_matter.h"
#include "repose/solvers/flip/liquid.h"
#include "repose/solvers/flip/loose_sand.h"
#include "repose/solvers/flip/paper_sand.h"
#include "repose/solvers/flip/pressure.h"
#include "repose/solvers/flip/sand_step.h"
#include "repose/solvers/flip/solids.h"
#include "repose/solvers/flip/viscous.h"

namespace repose {
namespace {

enum Stage : std::size_t { kSources, kSort, kTransfer, kGeometry, kPressure, kViscosity, kUpdate, kMove };

}  // namespace

FlipSolver::FlipSolver(const Scene& scene, Threads& threads, LogSink log)
    : FlipSolver(make_flip_setup(scene, threads), threads, std::move(log)) {}

FlipSolver::FlipSolver(FlipSetup setup, Threads& threads, LogSink log)
    : threads_(threads),
      log_(std::move(log)),
      bodies_(std::move(setup.bodies)),
      model_(std::move(setup.model)),
      emitters_(std::move(setup.emitters)),
      sinks_(std::move(setup.sinks)),
      state_(std::move(setup.state)),
      setup_plan_(std::move(setup.plan)),
      emitter_is_blocked_(emitters_.size(), false) {
  if (log_)
    for (const std::string& note : model_.notes) log_(LogLevel::info, note);
  bodies_.begin_interval(state_.time);
}

StepReport FlipSolver::step(double max_dt) {
  const TimeStep step = flip_time_step(model_, bodies_, state_.max_speed, max_dt);
  update_sources(step.dt);
  sort_particles();
  transfer();
  find_geometry();
  find_pressure(step.dt);
  if (model_.viscosity > 0) diffuse(step.dt);
  hand_on(step.dt, step.dt >= max_dt);
  update_velocities(step.dt);
  move(step.dt);
  state_.time += step.dt;
  ++state_.step_count;
  return {step.dt, step.limit, failure_of("flip", state_.time, state_.max_speed, bodies_)};
}

void FlipSolver::update_sources(double dt) {
  const auto measured = timer_.measure(kSources);
  remove_departed(sinks_, model_.matter, threads_, state_);
  add_rows(state_, take_emitted(emitters_, model_.matter, dt, log_, emitter_is_blocked_, state_));
}

void FlipSolver::sort_particles() {
  const auto measured = timer_.measure(kSort);
  scratch_.cells =
      find_cells(state_.position, state_.id, model_.place, kGridMargin, threads_, scratch_.order);
  select_rows(state_, scratch_.order, threads_);
}

void FlipSolver::transfer() {
  const auto measured = timer_.measure(kTransfer);
  particles_to_faces(state_.position, state_.velocity, scratch_.cells, model_.place, threads_,
                     scratch_.before, scratch_.weight);
  scratch_.after = scratch_.before;
}

void FlipSolver::find_geometry() {
  const auto measured = timer_.measure(kGeometry);
  find_solids(bodies_, model_.place, scratch_.cells.tiles, model_.support, threads_, scratch_.solids);
  find_crowding(model_, state_, threads_, scratch_);
  find_liquid(model_, state_, threads_, scratch_);
}

void FlipSolver::find_pressure(double dt) {
  const auto measured = timer_.measure(kPressure);
  add_gravity(model_, bodies_, dt, threads_, scratch_);
  if (!model_.is_sand)
    project(model_, bodies_, dt, threads_, state_, scratch_);
  else if (model_.yield == YieldLaw::coulomb)
    resist_like_sand(model_, dt, threads_, state_, scratch_, bodies_);
  else
    resist_as_printed(model_, dt, threads_, state_, scratch_, bodies_);
}

/// After the pressure, so that liquid at rest has nothing to be diffused; and before it once more, since
/// where liquid sticks it swells and shrinks.
void FlipSolver::diffuse(double dt) {
  {
    const auto measured = timer_.measure(kViscosity);
    add_viscosity(model_, dt, threads_, state_, scratch_, bodies_);
  }
  const auto measured = timer_.measure(kPressure);
  project_again(model_, bodies_, dt, threads_, state_, scratch_);
}

/// What was found on the grid goes to air, solids, bodies and frames.
void FlipSolver::hand_on(double dt, bool ends_frame) {
  const auto measured = timer_.measure(kPressure);
  extend_velocity(model_, bodies_, dt, threads_, scratch_);
  push_bodies(model_, dt, threads_, scratch_, bodies_);
  if (ends_frame) sample_particles(model_, dt, threads_, scratch_, state_);
}

void FlipSolver::update_velocities(double dt) {
  const auto measured = timer_.measure(kUpdate);
  const FreeMatter free_matter(bodies_, state_, scratch_, threads_);
  faces_to_particles(scratch_.before, scratch_.after, flip_share(model_, dt), state_.position, scratch_.cells,
                     model_.place, threads_, state_.velocity);
  if (model_.is_sand && model_.yield == YieldLaw::coulomb)
    rub_loose_particles(model_, dt, threads_, scratch_, state_, bodies_);
  free_matter.settle(model_, bodies_, scratch_, dt, threads_, state_);
}

void FlipSolver::move(double dt) {
  const auto measured = timer_.measure(kMove);
  const bool is_spread = model_.is_sand && model_.yield == YieldLaw::coulomb;
  move_matter(model_, is_spread, dt, threads_, scratch_, state_, bodies_);
}

void FlipSolver::fill_frame(Frame& frame) const {
  const std::vector<std::uint32_t> order =
      fill_particles(state_, ParticleKind::fluid, model_.matter.spacing, threads_, frame);
  add_channel("density", order, threads_, frame, [&](std::uint32_t p) { return state_.density[p]; });
  add_channel("pressure", order, threads_, frame, [&](std::uint32_t p) { return state_.pressure[p]; });
  bodies_.fill_rows(frame.bodies, state_.time);
}

SolverStats FlipSolver::stats() const {
  SolverStats stats =
      particle_stats(state_, model_.gravity, [&](std::uint32_t) { return model_.particle_mass; });
  stats.errors = {{"divergence", state_.divergence},
                  {"density_error", state_.density_error},
                  {"iterations", state_.iterations},
                  {"residual", state_.residual},
                  {"viscous_iterations", state_.viscous_iterations},
                  {"viscous_residual", state_.viscous_residual},
                  {"friction_iterations", state_.friction_iterations},
                  {"friction_residual", state_.friction_residual}};
  return stats;
}

void FlipSolver::save(ArchiveWriter& out) const {
  save_state(state_, out);
  save_tractions(state_, out);
  bodies_.save(out);
}

void FlipSolver::load(ArchiveReader& in) {
  load_state(model_.matter.particle_mass.size(), emitters_.size(), in, state_);
  check_saved_stress(state_);
  load_tractions(in, state_);
  bodies_.load(in);
}

void FlipSolver::permute_memory(std::uint64_t seed) {
  select_rows(state_, shuffled_rows(state_.id, seed), threads_);
}

}  // namespace repose
