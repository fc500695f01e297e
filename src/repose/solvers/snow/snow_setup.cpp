#include <algorithm>

#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
#include "repose/solvers/flip/flip_step.h"
#include "repose/solvers/snow/snow_solver.h"

namespace repose {
namespace {

/// What is known before anything is placed.
SolverPlan start_plan(const Scene& scene, const FlipModel& model, const Bodies& bodies) {
  SolverPlan plan;
  plan.kind = ParticleKind::granular;
  plan.errors = {"divergence", "density_error",       "iterations",
                 "residual",   "friction_iterations", "friction_residual"};
  const TimeStep step = flip_time_step(model, bodies, expected_speed(scene), 1 / scene.info.fps);
  plan.dt = step.dt;
  plan.dt_limit = step.limit;
  plan.notes = model.notes;
  return plan;
}

double calm_step(const Scene& scene, const FlipModel& model, const Bodies& bodies) {
  return flip_time_step(model, bodies, 0, 1 / scene.info.fps).dt;
}

/// Snow falls from all of a cloud alike; jets of liquid and sand grow out of the back of their emitter.
void scatter(std::vector<MatterEmitter>& emitters) {
  for (MatterEmitter& emitter : emitters) {
    for (int& rank : emitter.rank) rank = std::min(rank, 0);
    emitter.rank_count = 1;
  }
}

}  // namespace

void start_snow(const SnowModel& model, std::size_t first, SnowState& state) {
  std::fill(state.durability.begin() + static_cast<std::ptrdiff_t>(first), state.durability.end(),
            static_cast<float>(model.law.d_0));
  std::fill(state.packing.begin() + static_cast<std::ptrdiff_t>(first), state.packing.end(), 1.0F);
}

SnowSetup make_snow_setup(const Scene& scene, Threads& threads) {
  SnowSetup setup;
  setup.bodies = Bodies(scene);
  setup.model = make_snow_model(scene, setup.bodies);
  const FlipModel& grid = setup.model.grid;
  setup.emitters = make_matter_emitters(scene, grid.matter, setup.bodies);
  scatter(setup.emitters);
  setup.sinks = make_sinks(scene);
  setup.zones = make_zones(scene);
  const NewMatter placed = place_matter(scene, grid.matter, setup.bodies, threads);
  add_rows(setup.state, placed);
  start_snow(setup.model, 0, setup.state);
  start_state(scene, setup.emitters, setup.state);
  setup.plan = start_plan(scene, grid, setup.bodies);
  plan_matter(scene, grid.matter, count_placed(scene, placed), calm_step(scene, grid, setup.bodies),
              setup.plan);
  return setup;
}

SolverPlan plan_snow(const Scene& scene, Threads& threads) {
  const Bodies bodies(scene);
  const SnowModel model = make_snow_model(scene, bodies);
  check_emitters(scene, model.grid.matter, bodies);
  make_sinks(scene);
  SolverPlan plan = start_plan(scene, model.grid, bodies);
  const std::vector<double> counts = count_fills(scene, model.grid.matter, bodies, threads, plan);
  plan_matter(scene, model.grid.matter, counts, calm_step(scene, model.grid, bodies), plan);
  return plan;
}

}  // namespace repose
