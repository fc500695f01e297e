#include <algorithm>
#include <cmath>

#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/continuum/matter_plan.h"
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
  const double h = setup.model.place.cell, g = setup.model.gravity.length();
  const double speed = expected_speed(scene);
  plan.dt = 1 / scene.info.fps;
  plan.dt_limit = "frame";
  const auto limit = [&](double dt, const char* what) {
    if (dt < plan.dt) plan.dt = dt, plan.dt_limit = what;
  };
  if (setup.model.dt > 0) limit(setup.model.dt, "given");
  if (speed > 0) limit(setup.model.cfl * h / speed, "speed");
  if (g > 0) limit(0.5 * std::sqrt(h / g), "waves");
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
  add_matter(setup.state, placed);
  setup.state.time = -scene.info.settle;
  setup.state.emitters.resize(setup.emitters.size());
  for (const Vec3f& v : setup.state.velocity)
    setup.state.max_speed = std::max(setup.state.max_speed, static_cast<double>(v.length()));
  for (const MatterEmitter& emitter : setup.emitters)
    setup.state.max_speed = std::max(setup.state.max_speed, emitter.velocity.length());
  setup.plan = make_plan(scene, setup, placed);
  return setup;
}

}  // namespace repose
