#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

/// The longest step of matter at rest.
TimeStep calm_step(const Scene& scene, const FlipModel& model, const Bodies& bodies) {
  TimeStep step{1 / scene.info.fps, "frame"};
  if (model.dt > 0) step.limit_to(model.dt, "given");
  if (model.gravity.length() > 0) step.limit_to(model.longest_step(), "waves");
  step.limit_to(bodies.shortest_period() / kStepsPerPeriod, "oscillation");
  return step;
}

/// What is known before anything is placed.
SolverPlan start_plan(const Scene& scene, const FlipModel& model, const Bodies& bodies) {
  SolverPlan plan;
  plan.kind = ParticleKind::fluid;
  plan.errors = {"divergence",         "density_error",    "iterations",          "residual",
                 "viscous_iterations", "viscous_residual", "friction_iterations", "friction_residual"};
  const double speed = expected_speed(scene);
  TimeStep step = calm_step(scene, model, bodies);
  if (speed > 0) step.limit_to(model.cfl * model.place.cell / speed, "speed");
  plan.dt = step.dt;
  plan.dt_limit = step.limit;
  plan.notes = model.notes;
  return plan;
}

}  // namespace

FlipSetup make_flip_setup(const Scene& scene, Threads& threads) {
  FlipSetup setup;
  setup.bodies = Bodies(scene);
  setup.model = make_flip_model(scene, setup.bodies);
  setup.emitters = make_matter_emitters(scene, setup.model.matter, setup.bodies);
  setup.sinks = make_sinks(scene);
  const NewMatter placed = place_matter(scene, setup.model.matter, setup.bodies, threads);
  add_rows(setup.state, placed);
  start_state(scene, setup.emitters, setup.state);
  setup.plan = start_plan(scene, setup.model, setup.bodies);
  plan_matter(scene, setup.model.matter, count_placed(scene, placed),
              calm_step(scene, setup.model, setup.bodies).dt, setup.plan);
  return setup;
}

SolverPlan plan_flip(const Scene& scene, Threads& threads) {
  const Bodies bodies(scene);
  const FlipModel model = make_flip_model(scene, bodies);
  check_emitters(scene, model.matter, bodies);
  make_sinks(scene);
  SolverPlan plan = start_plan(scene, model, bodies);
  const std::vector<double> counts = count_fills(scene, model.matter, bodies, threads, plan);
  plan_matter(scene, model.matter, counts, calm_step(scene, model, bodies).dt, plan);
  return plan;
}

}  // namespace repose
