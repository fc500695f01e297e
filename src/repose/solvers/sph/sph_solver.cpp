#include "repose/solvers/sph/sph_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
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

/// A speed beyond this is no speed [m/s].
constexpr double kMostSpeed = 1e6;
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

SphSetup make_relaxed_setup(const Scene& scene, Threads& threads) {
  SphSetup setup = make_sph_setup(scene, threads);
  relax_places(scene, setup.model, setup.bodies, setup.fill, threads, setup.state);
  return setup;
}

}  // namespace

SphSolver::SphSolver(const Scene& scene, Threads& threads, LogSink log)
    : SphSolver(make_relaxed_setup(scene, threads), threads, std::move(log)) {}

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
  return {step.dt, step.limit, failure()};
}

SphSolver::TimeStep SphSolver::choose_time_step(double max_dt) const {
  const double way = model_.cfl * model_.spacing, g = model_.gravity.length();
  TimeStep step{max_dt, "frame"};
  const auto limit = [&](double dt, const char* what) {
    if (dt < step.dt) step = {dt, what};
  };
  double speed = std::max(state_.max_speed, bodies_.largest_speed());
  for (std::size_t b = 0; b < bodies_.first_wall(); ++b)
    if (bodies_[b].present) speed = std::max(speed, bodies_[b].surface_speed());
  if (model_.dt > 0) limit(model_.dt, "given");
  // What falls picks up speed within the step.
  if (speed > 0 || g > 0) limit(2 * way / (speed + std::sqrt(speed * speed + 4 * g * way)), "speed");
  if (g > 0) limit(model_.longest_step(), "weight");
  if (state_.pressure_speed > 0) limit(kPressureShare * model_.spacing / state_.pressure_speed, "pressure");
  if (model_.dt > 0 || step.dt >= max_dt) return step;
  // Steps of even length up to the frame: a short one at its end costs as much as any.
  step.dt = max_dt / std::ceil(max_dt / step.dt * (1 - 1e-12));
  return step;
}

void SphSolver::update_sources(double dt) {
  const auto measured = timer_.measure(kSources);
  remove_departed();
  const Emission emission = emit_matter(emitters_, model_.matter, {state_.time, dt, state_.step_count},
                                        state_.position, state_.emitters);
  add_matter(state_, emission.matter, model_.wetness);
  for (const std::size_t e : emission.blocked) {
    if (log_ && !emitter_is_blocked_[e]) log_(LogLevel::warning, blocked_warning(emitters_[e]));
    emitter_is_blocked_[e] = true;
  }
  if (zones_.empty()) return;
  const auto lightly = static_cast<float>(sleep_delay(model_));
  threads_.for_each(state_.size(), [&](std::size_t p) {
    if (pass_zones(zones_, state_.time, dt, state_.position[p], state_.wetness[p], state_.velocity[p]))
      state_.calm[p] = std::min(state_.calm[p], lightly);
  });
}

void SphSolver::remove_departed() {
  const Departures gone = find_departures(sinks_, model_.matter, state_.time, threads_, state_.position);
  if (!gone.any()) return;
  state_.escaped += gone.escaped;
  state_.drained += gone.drained;
  std::vector<Vec3d> left;  // behind
  std::size_t kept = 0;
  for (std::uint32_t p = 0; p < state_.size(); ++p) {
    if (kept < gone.staying.size() && gone.staying[kept] == p)
      ++kept;
    else
      left.push_back(state_.position[p]);
  }
  select_rows(state_, gone.staying, threads_);
  if (model_.sleeps) wake_around(model_, left, threads_, state_);
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
  const double slow = sleep_speed(model_);
  const Most most = threads_.reduce(
      state_.size(), Most{},
      [&](std::size_t begin, std::size_t end) {
        Most part;
        for (std::size_t p = begin; p < end; ++p) {
          const Vec3d v = scratch_.velocity[p];
          const bool sleeps = is_asleep(model_, state_, p);
          const bool is_slow = v.length() < (sleeps ? kWakeFactor : 1) * slow;
          if (scratch_.is_deep[p] != 0)
            part.slept += 0.5 * model_.mass(state_.material[p]) * state_.velocity[p].dot(state_.velocity[p]);
          state_.calm[p] = is_slow ? state_.calm[p] + static_cast<float>(dt) : 0;
          if (sleeps && is_slow) {
            state_.velocity[p] = fade * v;
          } else {
            state_.velocity[p] = v;
            state_.position[p] += dt * v;
            keep_inside(bodies_, kLeastDistance * model_.spacing, state_.position[p], state_.velocity[p]);
          }
          const Vec3d& x = state_.position[p];
          const double speed = state_.velocity[p].length() + 0 * (x.x + x.y + x.z);
          part.speed = speed >= part.speed ? speed : std::isfinite(speed) ? part.speed : INFINITY;
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

std::string SphSolver::failure() const {
  if (!(state_.max_speed < kMostSpeed))
    return fmt::format(
        "at t = {:.6g} s a particle has a position or velocity that is not a number, or a speed beyond all "
        "measure: lower solver.sph.cfl or the speeds of bodies",
        state_.time);
  if (const auto body = bodies_.broken())
    return fmt::format("body '{}' has a position or velocity that is not a number: make it heavier", *body);
  return {};
}

void SphSolver::fill_frame(Frame& frame) const {
  const std::vector<std::uint32_t> order = order_by_id(state_);
  const std::size_t n = order.size();
  frame.time = state_.time;
  frame.id.resize(n);
  frame.position.resize(n);
  frame.velocity.resize(n);
  frame.radius.assign(n, static_cast<float>(0.5 * model_.spacing));
  frame.material.resize(n);
  frame.of_grains = false;
  frame.scalars = {{"density", std::vector<float>(n)}, {"pressure", std::vector<float>(n)}};
  if (model_.has_wetness) frame.scalars.push_back({"wetness", std::vector<float>(n)});
  if (model_.sleeps) frame.scalars.push_back({"asleep", std::vector<float>(n)});
  threads_.for_each(n, [&](std::size_t k) {
    const std::uint32_t p = order[k];
    frame.id[k] = state_.id[p];
    frame.position[k] = state_.position[p];
    frame.velocity[k] = to_float(state_.velocity[p]);
    frame.material[k] = state_.material[p];
    frame.scalars[0].values[k] =
        static_cast<float>(model_.materials[state_.material[p]].density) * state_.density[p];
    frame.scalars[1].values[k] = state_.stress[p].pressure;
    std::size_t next = 2;
    if (model_.has_wetness) frame.scalars[next++].values[k] = state_.wetness[p];
    if (model_.sleeps) frame.scalars[next].values[k] = is_asleep(model_, state_, p) ? 1.0F : 0.0F;
  });
  bodies_.fill_rows(frame.bodies, state_.time);
}

SolverStats SphSolver::stats() const {
  SolverStats stats;
  stats.particles = stats.elements = state_.size();
  for (const std::uint32_t p : order_by_id(state_)) {
    const double m = model_.mass(state_.material[p]);
    const Vec3d& v = state_.velocity[p];
    stats.mass += m;
    stats.momentum += m * v;
    stats.kinetic += 0.5 * m * v.dot(v);
    stats.potential -= m * model_.gravity.dot(state_.position[p]);
    stats.max_speed = std::max(stats.max_speed, v.length());
  }
  stats.errors = {{"density_error", state_.density_error},
                  {"iterations", state_.iterations},
                  {"residual", state_.residual}};
  if (model_.sleeps) {
    for (std::size_t p = 0; p < state_.size(); ++p) stats.asleep += is_asleep(model_, state_, p) ? 1 : 0;
    stats.errors.push_back({"slept_energy", state_.slept_energy});
  }
  stats.escaped = state_.escaped;
  return stats;
}

void SphSolver::save(ArchiveWriter& out) const {
  save_state(state_, out);
  bodies_.save(out);
}

void SphSolver::load(ArchiveReader& in) {
  load_state(state_, in);
  for (const std::uint8_t material : state_.material)
    if (material >= model_.materials.size())
      throw Error(ExitCode::run_failed, "the saved state has particles of a material that the scene has not");
  if (state_.emitters.size() != emitters_.size())
    throw Error(ExitCode::run_failed, "the saved state has another number of emitters than the scene");
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
