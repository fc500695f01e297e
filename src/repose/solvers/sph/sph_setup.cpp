#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/run_cost.h"
#include "repose/solvers/sph/sph_solver.h"

namespace repose {
namespace {

/// Bodies covered with more particles than this are planned as smooth ones.
constexpr double kMostCovers = 2e6;

/// The longest step of matter at rest.
TimeStep calm_step(const Scene& scene, const SphModel& model, const Bodies& bodies) {
  TimeStep step{1 / scene.info.fps, "frame"};
  if (model.dt > 0) step.limit_to(model.dt, "given");
  if (model.gravity.length() > 0) step.limit_to(model.longest_step(), "weight");
  step.limit_to(bodies.shortest_period() / kStepsPerPeriod, "oscillation");
  return step;
}

/// What is known before anything is placed.
SolverPlan start_plan(const Scene& scene, const SphModel& model, const Bodies& bodies) {
  SolverPlan plan;
  plan.errors = {"density_error", "iterations", "residual"};
  if (model.sleeps) plan.errors.emplace_back("slept_energy");
  const double speed = expected_speed(scene);
  TimeStep step = calm_step(scene, model, bodies);
  if (speed > 0) step.limit_to(model.cfl * model.spacing / speed, "speed");
  plan.dt = step.dt;
  plan.dt_limit = step.limit;
  plan.notes = model.notes;
  return plan;
}

}  // namespace

SphSetup make_sph_setup(const Scene& scene, Threads& threads) {
  SphSetup setup;
  setup.bodies = Bodies(scene);
  setup.model = make_sph_model(scene, setup.bodies, threads);
  const SphModel& model = setup.model;
  setup.emitters = make_matter_emitters(scene, model.matter, setup.bodies);
  setup.sinks = make_sinks(scene);
  const NewMatter placed = place_matter(scene, model.matter, setup.bodies, threads);
  add_matter(setup.state, placed, model.wetness);
  for (std::size_t k = 0; k < placed.size(); ++k)
    if (const auto wetness = scene.fills[placed.source[k]].wetness)
      setup.state.wetness[k] = static_cast<float>(*wetness);
  setup.fill = placed.source;
  setup.zones = make_zones(scene);
  start_state(scene, setup.emitters, setup.state);

  setup.plan = start_plan(scene, model, setup.bodies);
  plan_matter(scene, model.matter, count_placed(scene, placed), calm_step(scene, model, setup.bodies).dt,
              setup.plan);
  return setup;
}

SolverPlan plan_sph(const Scene& scene, Threads& threads) {
  Scene bare = scene;
  if (expected_cover_count(scene) > kMostCovers)
    for (BodyDefinition& body : bare.bodies) body.surface = BodySurface::smooth;
  const Bodies bodies(bare);
  const SphModel model = make_sph_model(bare, bodies, threads);
  check_emitters(scene, model.matter, bodies);
  make_sinks(scene);
  make_zones(scene);
  SolverPlan plan = start_plan(scene, model, bodies);
  const std::vector<double> counts = count_fills(scene, model.matter, bodies, threads, plan);
  plan_matter(scene, model.matter, counts, calm_step(scene, model, bodies).dt, plan);
  return plan;
}

}  // namespace repose
