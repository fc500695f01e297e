#include "repose/solvers/sph/sph_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/solvers/continuum/matter_report.h"
#include "repose/solvers/sph/sph_contacts.h"
#include "repose/solvers/sph/sph_dispersed.h"
#include "repose/solvers/sph/sph_pairs.h"
#include "repose/solvers/sph/sph_paper.h"
#include "repose/solvers/sph/sph_relax.h"
#include "repose/solvers/sph/sph_sleep.h"
#include "repose/solvers/sph/sph_stress.h"
#include "repose/solvers/sph/sph_viscosity.h"
#include "repose/solvers/sph/sph_walls.h"

namespace repose {
namespace {

enum Stage : std::size_t { kSources, kSort, kPairs, kWalls, kStress, kMove };

/// How near the middle of a particle comes to a wall of the domain [spacings].
constexpr double kLeastDistance = 0.05;

/// Halts what a heavy body presses into a wall of the domain: between two solids that close, pressure has
/// nowhere to push a particle.
void keep_inside(const Bodies& bodies, double least, Vec3d& position, Vec3d& velocity) {
  for (std::size_t b = bodies.first_wall(); b < bodies.size(); ++b) {
    const Vec3d& normal = bodies[b].up;
    const double short_of = least - normal.dot(position - bodies[b].pose.position);
    if (!(short_of > 0)) continue;
    position += short_of * normal;
    velocity -= std::min(0.0, velocity.dot(normal)) * normal;
  }
}

SphSetup make_relaxed_setup(const Scene& scene, Threads& threads, const LogSink& log) {
  SphSetup setup = make_sph_setup(scene, threads);
  if (log) log(LogLevel::activity, "spreading the particles of the fills evenly");
  relax_places(scene, setup.model, setup.bodies, setup.fill, threads, setup.state);
  return setup;
}

}  // namespace

SphSolver::SphSolver(const Scene& scene, Threads& threads, const LogSink& log)
    : SphSolver(make_relaxed_setup(scene, threads, log), threads, log) {}

SphSolver::SphSolver(SphSetup setup, Threads& threads, LogSink log)
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
    for (const std::string& note : model_.notes) log_(LogLevel::info, note);
  bodies_.begin_interval(state_.time);
}

StepReport SphSolver::step(double max_dt) {
  const TimeStep step = choose_time_step(max_dt);
  update_sources(step.dt);
  sort_particles();
  {
    const auto measured = timer_.measure(kPairs);
    find_pairs(model_, threads_, state_, scratch_);
  }
  {
    const auto measured = timer_.measure(kWalls);
    scratch_.body_velocity = body_velocities_over(bodies_, step.dt);
    find_walls(model_, bodies_, threads_, state_, scratch_);
  }
  find_stress(step.dt);
  move(step.dt);
  state_.time += step.dt;
  ++state_.step_count;
  return {step.dt, step.limit, failure_of("sph", state_.time, state_.max_speed, bodies_)};
}

TimeStep SphSolver::choose_time_step(double max_dt) const {
  const double speed = fastest_of(state_.max_speed, bodies_), g = model_.gravity.length();
  TimeStep step{max_dt, "frame"};
  if (model_.dt > 0) step.limit_to(model_.dt, "given");
  step.limit_to(time_over(model_.cfl * model_.spacing, speed, g), "speed");
  if (g > 0) step.limit_to(model_.longest_step(), "weight");
  step.limit_to(bodies_.shortest_period() / kStepsPerPeriod, "oscillation");
  if (state_.pressure_speed > 0)
    step.limit_to(kPressureShare * model_.spacing / state_.pressure_speed, "pressure");
  if (model_.dt == 0 && step.dt < max_dt) step.dt = even_part(max_dt, step.dt);
  return step;
}

void SphSolver::update_sources(double dt) {
  const auto measured = timer_.measure(kSources);
  const std::vector<Vec3d> left = remove_departed(sinks_, model_.matter, threads_, state_);
  if (model_.sleeps && !left.empty()) wake_around(model_, left, threads_, state_);
  add_matter(state_, take_emitted(emitters_, model_.matter, dt, log_, emitter_is_blocked_, state_),
             model_.wetness);
  if (zones_.empty()) return;
  const auto lightly = static_cast<float>(sleep_delay(model_));
  threads_.for_each(state_.size(), [&](std::size_t p) {
    if (pass_zones(zones_, state_.time, dt, state_.position[p], state_.wetness[p], state_.velocity[p]))
      state_.calm[p] = std::min(state_.calm[p], lightly);
  });
}

void SphSolver::sort_particles() {
  const auto measured = timer_.measure(kSort);
  scratch_.cells = find_cells(state_.position, state_.id, model_.place, 0, threads_, scratch_.order);
  select_rows(state_, scratch_.order, threads_);
  find_sleepers(model_, bodies_, threads_, state_, scratch_);
}

void SphSolver::find_stress(double dt) {
  const auto measured = timer_.measure(kStress);
  scratch_.start.resize(state_.size());
  threads_.for_each(state_.size(), [&](std::size_t p) {
    scratch_.start[p] = scratch_.is_deep[p] != 0 ? Vec3d(0) : state_.velocity[p] + dt * model_.gravity;
  });
  slow_down_approach(model_, dt, threads_, state_, scratch_);
  keep_apart(model_, dt, threads_, state_, scratch_);
  part_particles(model_, threads_, state_, scratch_);
  const auto solve = model_.law == YieldLaw::paper ? resist_as_printed : resist;
  solve(model_, dt, threads_, state_, scratch_, bodies_);
  keep_rubs(threads_, scratch_, state_);
}

void SphSolver::move(double dt) {
  const auto measured = timer_.measure(kMove);
  bodies_.advance(dt, state_.time + dt);
  struct Most {
    double speed = 0, density = 0, push = 0, slept = 0;
  };
  const double fade = std::exp(-dt / drowsiness(model_));
  const Most most = threads_.reduce(
      state_.size(), Most{},
      [&](std::size_t begin, std::size_t end) {
        Most part;
        for (std::size_t p = begin; p < end; ++p) {
          const Vec3d v = scratch_.velocity[p];
          const double mass = model_.mass(state_.material[p]);
          if (scratch_.is_deep[p] != 0) part.slept += 0.5 * mass * state_.velocity[p].dot(state_.velocity[p]);
          const bool is_slow = stays_slow(model_, state_, p, v, dt);
          state_.calm[p] = is_slow ? state_.calm[p] + static_cast<float>(dt) : 0;
          if (is_asleep(model_, state_, p)) {
            state_.velocity[p] = fade * v;
            part.slept += 0.5 * mass * (1 - fade * fade) * v.dot(v);
          } else {
            state_.velocity[p] = v;
            state_.position[p] += dt * v;
            keep_inside(bodies_, kLeastDistance * model_.spacing, state_.position[p], state_.velocity[p]);
          }
          part.speed = larger_speed(part.speed, state_.velocity[p].length(), state_.position[p]);
          part.density = std::max(part.density, static_cast<double>(state_.density[p]));
          const SphMaterial& material = model_.materials[state_.material[p]];
          if (material.slope < kHolds)
            part.push =
                std::max(part.push, static_cast<double>(state_.stress[p].pressure) / material.density);
        }
        return part;
      },
      [](const Most& a, const Most& b) {
        return Most{std::max(a.speed, b.speed), std::max(a.density, b.density), std::max(a.push, b.push),
                    a.slept + b.slept};
      });
  state_.slept_energy += most.slept;
  state_.max_speed = most.speed;
  state_.pressure_speed = std::sqrt(most.push);
  state_.density_error = std::max(0.0, most.density - 1);
}

void SphSolver::fill_frame(Frame& frame) const {
  const std::vector<std::uint32_t> order =
      fill_particles(state_, ParticleKind::granular, model_.spacing, threads_, frame);
  const auto add = [&](const char* name, auto&& value) { add_channel(name, order, threads_, frame, value); };
  add("density", [&](std::uint32_t p) {
    return static_cast<float>(model_.materials[state_.material[p]].density) * state_.density[p];
  });
  add("pressure", [&](std::uint32_t p) { return state_.stress[p].pressure; });
  if (model_.has_wetness) add("wetness", [&](std::uint32_t p) { return state_.wetness[p]; });
  if (model_.sleeps)
    add("asleep", [&](std::uint32_t p) { return is_asleep(model_, state_, p) ? 1.0F : 0.0F; });
  bodies_.fill_rows(frame.bodies, state_.time);
}

SolverStats SphSolver::stats() const {
  SolverStats stats = particle_stats(state_, model_.gravity,
                                     [&](std::uint32_t p) { return model_.mass(state_.material[p]); });
  stats.errors = {{"density_error", state_.density_error},
                  {"iterations", state_.iterations},
                  {"residual", state_.residual}};
  if (model_.sleeps) {
    for (std::size_t p = 0; p < state_.size(); ++p) stats.asleep += is_asleep(model_, state_, p) ? 1 : 0;
    stats.errors.push_back({"slept_energy", state_.slept_energy});
  }
  return stats;
}

void SphSolver::save(ArchiveWriter& out) const {
  save_state(state_, out);
  bodies_.save(out);
}

void SphSolver::load(ArchiveReader& in) {
  load_state(model_.materials.size(), emitters_.size(), in, state_);
  check_saved_numbers({state_.pressure_speed});
  for (const SphStress& s : state_.stress)
    for (const float value : {s.pressure, s.xx, s.yy, s.zz, s.yz, s.zx, s.xy})
      check_saved_numbers({static_cast<double>(value)});
  for (const SphRubs& rubs : state_.rubs)
    for (const auto& force : rubs.force)
      for (const float value : force) check_saved_numbers({static_cast<double>(value)});
  for (std::size_t p = 0; p < state_.size(); ++p)
    check_saved_numbers({static_cast<double>(state_.wetness[p]), static_cast<double>(state_.density[p])});
  bodies_.load(in);
}

void SphSolver::set_gravity(const Vec3d& gravity) {
  model_.gravity = gravity;
  std::fill(state_.calm.begin(), state_.calm.end(), 0.0F);
}

void SphSolver::permute_memory(std::uint64_t seed) {
  select_rows(state_, shuffled_rows(state_.id, seed), threads_);
}

}  // namespace repose
