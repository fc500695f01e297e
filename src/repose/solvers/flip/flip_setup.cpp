#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

/// Rough bytes by particle: its state twice, and its share of a grid with eight to a cell, half of it empty.
constexpr double kParticleBytes = 2 * (4 + 24 + 12 + 4 + 4 + 1) + 24 + 2.0 * 180 / 8;
/// A PLY row: position, velocity, radius, id, material, density, pressure.
constexpr double kFrameRow = 12 + 12 + 4 + 4 + 1 + 4 + 4;

/// The fastest that liquid gets by falling through the domain, and from what it starts with [m/s].
double expected_speed(const Scene& scene, const FlipModel& model) {
  double start = 0;
  for (const Fill& fill : scene.fills) start = std::max(start, fill.velocity.length());
  for (const Emitter& emitter : scene.emitters) start = std::max(start, emitter.velocity.length());
  double drop = 0;
  for (const Fill& fill : scene.fills)
    if (fill.shape)
      for (int axis = 0; axis < 3; ++axis) {
        const Box3d box = bounds(*fill.shape);
        const double g = model.gravity[axis];
        if (std::abs(g) > 0 && std::isfinite(box.min[axis]) && std::isfinite(box.max[axis]))
          drop = std::max(drop, g < 0 ? -g * (box.max[axis] - model.domain.min[axis])
                                      : g * (model.domain.max[axis] - box.min[axis]));
      }
  return std::sqrt(start * start + 2 * drop);
}

SolverPlan make_plan(const Scene& scene, const FlipSetup& setup, const std::vector<FlipFill>& fills) {
  SolverPlan plan;
  plan.errors = {"divergence",         "density_error",    "iterations",          "residual",
                 "viscous_iterations", "viscous_residual", "friction_iterations", "friction_residual"};
  double particles = 0;
  for (const FlipFill& fill : fills) {
    plan.fills.push_back(
        {fill.name, fill.count, static_cast<double>(fill.count) * setup.model.particle_mass});
    particles += static_cast<double>(fill.count);
    if (fill.count == 0)
      plan.notes.push_back(fmt::format(
          "fill '{}' has no particles: it is smaller than a particle, or lies inside bodies or other fills, "
          "or outside the domain",
          fill.name));
  }
  for (const FlipEmitter& emitter : setup.emitters) {
    const double time = std::max(0.0, std::min(emitter.stop, scene.info.duration) - emitter.start);
    const double count = std::floor(emitter.rate * time / setup.model.particle_mass);
    plan.fills.push_back({emitter.name, static_cast<std::uint64_t>(count), emitter.rate * time});
    particles += count;
  }
  const double h = setup.model.place.cell, g = setup.model.gravity.length();
  const double speed = expected_speed(scene, setup.model);
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
  setup.emitters = make_flip_emitters(scene, setup.model, setup.bodies);
  setup.sinks = make_flip_sinks(scene);
  const std::vector<FlipFill> fills = place_liquid(scene, setup.model, setup.bodies, threads, setup.state);
  setup.state.time = -scene.info.settle;
  setup.state.emitters.resize(setup.emitters.size());
  for (const Vec3f& v : setup.state.velocity)
    setup.state.max_speed = std::max(setup.state.max_speed, static_cast<double>(v.length()));
  for (const FlipEmitter& emitter : setup.emitters)
    setup.state.max_speed = std::max(setup.state.max_speed, emitter.velocity.length());
  setup.plan = make_plan(scene, setup, fills);
  return setup;
}

}  // namespace repose
