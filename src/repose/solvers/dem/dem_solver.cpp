#include "repose/solvers/dem/dem_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/solvers/dem/body_contacts.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/covers.h"
#include "repose/solvers/dem/integrate.h"
#include "repose/solvers/dem/neighbor_lists.h"
#include "repose/solvers/dem/rkf45.h"
#include "repose/solvers/dem/rotation.h"
#include "repose/solvers/dem/time_step.h"

namespace repose {
namespace {

enum Stage : std::size_t { kSources, kMotion, kNeighbors, kContacts, kBodies };

/// Lone spheres turn once in so many steps: nothing but pictures sees it, and it takes memory's time.
constexpr std::uint64_t kStepsPerTurn = 8;

/// A sphere pressed in by its whole radius has lost its way: forces say nothing any more.
constexpr double kRunAwayOverlap = 1;

/// Deeper overlaps at the start throw grains about.
constexpr double kStartingOverlap = 0.01;

}  // namespace

DemSolver::DemSolver(const Scene& scene, Threads& threads, LogSink log)
    : DemSolver(scene, make_dem_setup(scene, threads), threads, std::move(log)) {}

DemSolver::DemSolver(const Scene& scene, DemSetup setup, Threads& threads, LogSink log)
    : threads_(threads),
      log_(std::move(log)),
      plan_(make_plan(scene, setup)),
      bodies_(std::move(setup.bodies)),
      model_(std::move(setup.model)),
      emitters_(std::move(setup.emitters)),
      sinks_(std::move(setup.sinks)),
      integrator_(scene.solver.dem.integrator),
      state_(std::move(setup.placement.state)),
      emitter_is_blocked_(emitters_.size(), false) {
  if (log_) {
    for (const std::string& note : model_.notes) log_(LogLevel::info, note);
    for (const std::string& warning : model_.warnings) log_(LogLevel::warning, warning);
  }
  bodies_.begin_interval(state_.time);
  prepare_grains(model_, state_, scratch_, threads_);
  state_.max_speed =
      std::max(check_motion(model_, state_, scratch_, threads_).max_speed(), bodies_.largest_speed());
  find_near();
  accumulate_contact_forces(model_, state_, 0, scratch_, threads_);
  scratch_.extremes =
      join(scratch_.extremes, find_body_forces(model_, state_, bodies_, 0, scratch_, threads_));
  scratch_.sums = {};
  state_.fastest_contact = scratch_.extremes.frequency2;
  state_.body_step = longest_step_of_bodies(scratch_, bodies_);
  state_.deepest_overlap = scratch_.extremes.overlap_share;
  warn_of_overlaps();
}

void DemSolver::warn_of_overlaps() {
  if (log_ && scratch_.extremes.overlap_share > kStartingOverlap)
    log_(LogLevel::warning, describe(scratch_.extremes.worst_id,
                                     "starts pressed into another grain, a body or a wall: it will be "
                                     "thrown out of there; move it, or what it overlaps"));
}

StepReport DemSolver::step(double max_dt) {
  update_sources();
  if (integrator_ == Integrator::rkf45) return step_rkf45(max_dt);
  const ContactStep step = choose_time_step(model_, state_, bodies_.longest_step(), max_dt);
  StepTimes times{step.dt, integrator_ == Integrator::euler ? 0 : 0.5 * step.dt};
  state_.unturned += step.dt;
  if (state_.step_count % kStepsPerTurn == 0) times.turn = std::exchange(state_.unturned, 0);
  begin(times.first);
  find_near();
  const MotionCheck check = finish(times);
  state_.time += step.dt;
  ++state_.step_count;
  ++state_.force_count;
  return {step.dt, step.limit, failure(check)};
}

void DemSolver::update_sources() {
  const auto measured = timer_.measure(kSources);
  std::vector<bool> blocked = emitter_is_blocked_;
  const bool may_leave = !sinks_.empty() || is_leaving_;
  const std::size_t removed = may_leave ? remove_grains(sinks_, model_, state_, threads_) : 0;
  const std::size_t added = emit_grains(emitters_, model_, bodies_, state_, blocked);
  if (removed + added > 0) prepare_grains(model_, state_, scratch_, threads_);
  for (std::size_t e = 0; e < emitters_.size(); ++e)
    if (blocked[e] && !emitter_is_blocked_[e] && log_)
      log_(LogLevel::warning,
           fmt::format("emitter '{}' finds no room for all its grains; what does not fit waits: "
                       "enlarge its shape, lower its rate or raise its velocity",
                       emitters_[e].name));
  emitter_is_blocked_ = blocked;
}

void DemSolver::begin(double h) {
  const auto measured = timer_.measure(kMotion);
  if (h != scratch_.ahead) place_spheres(model_, state_, h, scratch_, threads_);
  scratch_.add_travel(state_.max_speed, cover_speed(model_, bodies_), h);
  bodies_.drift(h, state_.time + h);
}

/// Bell 2005, section 3.4. How long a step is, its error says; no grain crosses too much of its radius in it.
StepReport DemSolver::step_rkf45(double max_dt) {
  ContactStep step{state_.adaptive_step > 0 ? state_.adaptive_step : model_.dt, "error"};
  const double way = model_.cfl * model_.smallest_radius;
  if (state_.max_speed * step.dt > way) step = {way / state_.max_speed, "speed"};
  if (max_dt <= step.dt) step = {max_dt, "frame"};
  const Rkf45Result result = [&] {
    const auto measured = timer_.measure(kContacts);  // nearly all of it
    return rkf45_step(model_, step.dt, state_, bodies_, scratch_, threads_);
  }();
  if (result.dt < step.dt) step.limit = "error";
  // A frame's end cuts a step short; what the error allowed before still holds.
  state_.adaptive_step = result.dt < step.dt ? result.next : std::max(result.next, state_.adaptive_step);
  state_.time += result.dt;
  ++state_.step_count;
  return {result.dt, step.limit, failure(check_motion(model_, state_, scratch_, threads_))};
}

void DemSolver::find_near() {
  const auto measured = timer_.measure(kNeighbors);
  update_neighbors(model_, state_, bodies_, scratch_, threads_);
}

MotionCheck DemSolver::finish(const StepTimes& times) {
  const StepFindings found = [&] {
    const auto measured = timer_.measure(kContacts);
    return advance(model_, state_, bodies_, times, scratch_, threads_);
  }();
  const auto measured = timer_.measure(kBodies);
  scratch_.extremes = found.contacts;
  push_bodies(scratch_, times.dt, bodies_, threads_);
  push_covered_bodies(model_, scratch_, times.dt, bodies_);
  bodies_.kick(times.dt);
  const double rest = times.dt - times.first;
  scratch_.add_travel(found.motion.max_speed(), cover_speed(model_, bodies_), rest);
  bodies_.drift(rest, state_.time + times.dt);
  bodies_.relax();
  return found.motion;
}

std::string DemSolver::failure(const MotionCheck& check) {
  is_leaving_ = check.leaving;
  state_.max_speed = std::max(check.max_speed(), bodies_.largest_speed());
  state_.fastest_contact = scratch_.extremes.frequency2;
  state_.body_step = std::min({longest_step_of_bodies(scratch_, bodies_),
                               longest_step_of_covers(model_, scratch_, bodies_), check.longest_step});
  state_.deepest_overlap = std::max(state_.deepest_overlap, scratch_.extremes.overlap_share);
  if (check.broken)
    return describe(
        check.broken_id,
        "has a position or velocity that is not a number, or a speed beyond all measure: the time "
        "step is too long for these contacts; leave solver.dem.dt out, or lower it");
  if (const auto body = bodies_.broken())
    return fmt::format(
        "body '{}' has a position or velocity that is not a number: make it heavier, or its joints and what "
        "it starts on less tight",
        *body);
  if (scratch_.extremes.sphere_share >= kRunAwayOverlap)
    return describe(
        scratch_.extremes.worst_id,
        "is pressed into another surface by more than the radius of a sphere: raise material.young, "
        "lower solver.dem.dt, or look for a body that crushes grains there");
  return {};
}

std::string DemSolver::describe(std::uint32_t id, const char* what) const {
  const auto row = std::find(state_.id.begin(), state_.id.end(), id);
  const Vec3d x = state_.position[static_cast<std::size_t>(row - state_.id.begin())];
  return fmt::format("at t = {:.6g} s grain {} at ({:.4g}, {:.4g}, {:.4g}) m {}", state_.time, id, x.x, x.y,
                     x.z, what);
}

void DemSolver::begin_interval() {
  bodies_.begin_interval(state_.time);
  state_.deepest_overlap = 0;
}

void DemSolver::fill_places(const std::vector<std::uint32_t>& order, Frame& frame) const {
  const std::size_t n = order.size();
  frame.time = state_.time;
  frame.id.resize(n);
  frame.position.resize(n);
  frame.radius.resize(n);
  frame.material.resize(n);
  frame.kind = ParticleKind::grains;
  frame.shape.resize(n);
  threads_.for_each(n, [&](std::size_t k) {
    const std::uint32_t g = order[k];
    frame.id[k] = state_.id[g];
    frame.position[k] = state_.position[g];
    frame.radius[k] = static_cast<float>(state_.radius[g]);
    frame.material[k] = state_.material[g];
    frame.shape[k] = state_.shape[g];
  });
}

void DemSolver::fill_frame(Frame& frame) const {
  const std::vector<std::uint32_t> order = order_by_id(state_);
  const std::size_t n = order.size();
  fill_places(order, frame);
  frame.velocity.resize(n);
  frame.orientation.resize(n);
  frame.angular_velocity.resize(n);
  frame.scalars.clear();
  threads_.for_each(n, [&](std::size_t k) {
    const std::uint32_t g = order[k];
    const DemShape& shape = model_.shapes[state_.shape[g]];
    Quatd q = state_.orientation[g];
    const Vec3d spin =
        angular_velocity(shape, q, state_.angular_momentum[g], scratch_.inverse_mass[g], state_.radius[g]);
    if (shape.is_round) q = turned(q, spin, state_.unturned);
    frame.velocity[k] = to_float(state_.velocity[g]);
    frame.orientation[k] = Quatf(static_cast<float>(q.r), to_float(q.v));
    frame.angular_velocity[k] = to_float(spin);
  });
  bodies_.fill_rows(frame.bodies, state_.time);
}

void DemSolver::fill_contact_moments(std::vector<ContactMoment>& moments) const {
  moments.clear();
  for (const std::uint32_t g : order_by_id(state_))
    moments.push_back(scratch_.grain_moments.empty() ? ContactMoment{} : scratch_.grain_moments[g]);
}

SolverStats DemSolver::stats() const {
  SolverStats stats;
  stats.particles = state_.size();
  stats.elements = scratch_.first_cover_sphere;
  for (const std::uint32_t g : order_by_id(state_)) {
    const DemShape& shape = model_.shapes[state_.shape[g]];
    const double mass = model_.grain_mass(state_.shape[g], state_.material[g], state_.radius[g]);
    const Vec3d spin = angular_velocity(shape, state_.orientation[g], state_.angular_momentum[g],
                                        scratch_.inverse_mass[g], state_.radius[g]);
    stats.mass += mass;
    stats.momentum += mass * state_.velocity[g];
    stats.kinetic +=
        0.5 * mass * state_.velocity[g].dot(state_.velocity[g]) + 0.5 * spin.dot(state_.angular_momentum[g]);
    stats.potential -= mass * model_.gravity.dot(state_.position[g]);
    stats.max_speed = std::max(stats.max_speed, state_.velocity[g].length());
  }
  stats.errors = {{kDemErrorMeasures[0], state_.deepest_overlap},
                  {kDemErrorMeasures[1], static_cast<double>(scratch_.extremes.contacts())}};
  stats.total = state_.next_id;
  stats.escaped = state_.escaped;
  stats.left = state_.next_id - state_.size() - state_.escaped - state_.drained;
  return stats;
}

std::vector<GrainShape> DemSolver::grain_shapes() const {
  std::vector<GrainShape> shapes;
  for (const DemShape& shape : model_.shapes) shapes.push_back(shape.form);
  return shapes;
}

void DemSolver::save(ArchiveWriter& out) const {
  save_state(state_, out);
  save_memory(scratch_.lists_are_valid ? collect_memory(scratch_) : state_.memory, out);
  out.put("dem.extremes", scratch_.extremes);
  bodies_.save(out);
}

void DemSolver::load(ArchiveReader& in) {
  load_state(state_, in);
  scratch_.lists_are_valid = false;
  load_memory(state_.memory, in);
  in.get("dem.extremes", scratch_.extremes);
  for (std::size_t g = 0; g < state_.size(); ++g)
    if (state_.shape[g] >= model_.shapes.size() || state_.material[g] >= model_.materials.size())
      throw Error(ExitCode::run_failed,
                  "the saved state has grains of a shape or material that the scene has not");
  if (state_.emitters.size() != emitters_.size())
    throw Error(ExitCode::run_failed, "the saved state has another number of emitters than the scene");
  bodies_.load(in);
  prepare_grains(model_, state_, scratch_, threads_);
}

void DemSolver::permute_memory(std::uint64_t seed) {
  select_rows(state_, shuffled_rows(state_.id, seed), threads_);
  prepare_grains(model_, state_, scratch_, threads_);
}

}  // namespace repose
