#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

/// Rough bytes by particle: its state twice, and its share of a grid with eight to a cell, half of it empty.
constexpr double kParticleBytes = 2 * (4 + 24 + 12 + 4 + 4 + 1) + 24 + 2.0 * 180 / 8;
/// A PLY row: position, velocity, radius, id, material, density, pressure.
constexpr double kFrameRow = 12 + 12 + 4 + 4 + 1 + 4 + 4;

SolverPlan make_plan(const Scene& scene, const FlipSetup& setup, const NewMatter& placed) {
  SolverPlan plan;
  plan.errors = {"divergence",         "density_error",    "iterations",          "residual",
                 "viscous_iterations", "viscous_residual", "friction_iterations", "friction_residual"};
  const double particles = plan_matter(scene, setup.model.matter, placed, setup.emitters, plan);
  const double g = setup.model.gravity.length(), speed = expected_speed(scene);
  TimeStep step{1 / scene.info.fps, "frame"};
  if (setup.model.dt > 0) step.limit_to(setup.model.dt, "given");
  if (speed > 0) step.limit_to(setup.model.cfl * setup.model.place.cell / speed, "speed");
  if (g > 0) step.limit_to(setup.model.longest_step(), "waves");
  step.limit_to(setup.bodies.shortest_period() / kStepsPerPeriod, "oscillation");
  plan.dt = step.dt;
  plan.dt_limit = step.limit;
  plan.memory_bytes = particles * kParticleBytes;
  plan.frame_bytes = particles * kFrameRow;
  plan.notes.insert(plan.notes.end(), setup.model.notes.begin(), setup.model.notes.end());
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
  setup.plan = make_plan(scene, setup, placed);
  return setup;
}

}  // namespace repose
