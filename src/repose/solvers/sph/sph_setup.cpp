#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/sph/sph_solver.h"

namespace repose {
namespace {

/// Rough bytes by particle: its state twice, scratch, and some 32 pairs.
constexpr double kParticleBytes =
    2 * (4 + 24 + 24 + 28 + 48 + 4 + 1 + 4) + 24 + 4 + 12 + 4 + 24 + 24 + 16 + 48 + 28 + 33.0 * 16;
/// A PLY row: position, velocity, radius, id, material, density, pressure.
constexpr double kFrameRow = 12 + 12 + 4 + 4 + 1 + 4 + 4;

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

  SolverPlan& plan = setup.plan;
  plan.errors = {"density_error", "iterations", "residual"};
  if (model.sleeps) plan.errors.emplace_back("slept_energy");
  const double particles = plan_matter(scene, model.matter, placed, setup.emitters, plan);
  const double g = model.gravity.length(), speed = expected_speed(scene);
  TimeStep step{1 / scene.info.fps, "frame"};
  if (model.dt > 0) step.limit_to(model.dt, "given");
  if (speed > 0) step.limit_to(model.cfl * model.spacing / speed, "speed");
  if (g > 0) step.limit_to(model.longest_step(), "weight");
  step.limit_to(setup.bodies.shortest_period() / kStepsPerPeriod, "oscillation");
  plan.dt = step.dt;
  plan.dt_limit = step.limit;
  plan.memory_bytes = particles * kParticleBytes;
  plan.frame_bytes = particles * kFrameRow;
  plan.notes.insert(plan.notes.end(), model.notes.begin(), model.notes.end());
  return setup;
}

}  // namespace repose
