#include "repose/solvers/continuum/matter_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "repose/scene/materials.h"
#include "repose/solvers/continuum/matter_places.h"
#include "repose/solvers/run_cost.h"

namespace repose {

std::vector<double> count_placed(const Scene& scene, const NewMatter& placed) {
  std::vector<double> counts(scene.fills.size());
  for (const std::uint32_t fill : placed.source) counts[fill] += 1;
  return counts;
}

std::vector<double> count_fills(const Scene& scene, const MatterSettings& settings, const Bodies& bodies,
                                Threads& threads, SolverPlan& plan) {
  std::vector<double> counts = expected_fill_counts(scene, threads);
  plan.is_estimated = std::accumulate(counts.begin(), counts.end(), 0.0) > kMostMadeToCount;
  if (plan.is_estimated) return counts;
  return count_placed(scene, place_matter(scene, settings, bodies, threads));
}

void check_emitters(const Scene& scene, const MatterSettings& settings, const Bodies& bodies) {
  Scene few = scene;
  std::erase_if(few.emitters, [&](const Emitter& emitter) {
    const Vec3d size = bounds(emitter.shape).size() / settings.spacing;
    return size.x * size.y * size.z > kMostMadeToCount;
  });
  make_matter_emitters(few, settings, bodies);
}

void plan_matter(const Scene& scene, const MatterSettings& settings, const std::vector<double>& counts,
                 double calm_dt, SolverPlan& plan) {
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const Fill& fill = scene.fills[f];
    plan.fills.push_back({fill.name, counts[f],
                          counts[f] * settings.particle_mass[material_index(scene, fill.material)],
                          counts[f]});
    if (counts[f] == 0)
      plan.notes.push_back(fmt::format(
          "fill '{}' has no particles: it is smaller than a particle, or lies inside bodies or other fills, "
          "or outside the domain",
          fill.name));
  }
  for (const Emitter& emitter : scene.emitters) {
    const Pouring pouring = pouring_of(emitter);
    const double particle = settings.particle_mass[material_index(scene, emitter.material)];
    const double mass = pouring.mass(0, scene.info.duration);
    plan.fills.push_back({emitter.name, std::floor(mass / particle), mass,
                          mean_poured_mass(pouring, scene.info.duration) / particle});
  }
  plan.elements = plan.particles();
  const double fast = fast_share(scene);
  const double steps =
      fast * even_steps(scene, plan.dt) + (1 - fast) * even_steps(scene, std::max(plan.dt, calm_dt));
  plan_time(scene, std::vector<double>(plan.fills.size(), 1.0), steps, plan);
  plan.memory_bytes = solver_bytes(
      scene,
      {.particles = plan.particles(), .elements = plan.elements, .covers = expected_cover_count(scene)});
  // A PLY row: position, velocity, radius, id, material, density, pressure.
  constexpr double kFrameRow = 12 + 12 + 4 + 4 + 1 + 4 + 4;
  plan.frame_bytes = plan.particles() * kFrameRow;
}

double expected_speed(const Scene& scene) {
  double start = 0;
  for (const Fill& fill : scene.fills) start = std::max(start, fill.velocity.length());
  for (const Emitter& emitter : scene.emitters) start = std::max(start, emitter.velocity.length());
  for (const BodyDefinition& body : scene.bodies)
    if (body.motion == Motion::dynamic || body.motion == Motion::moving)
      start = std::max(start, body.velocity.length());
  double drop = 0;
  const auto fall_from = [&](const Shape& shape) {
    const Box3d box = bounds(shape);
    for (int axis = 0; axis < 3; ++axis) {
      const double g = scene.info.gravity[axis];
      if (std::abs(g) > 0 && std::isfinite(box.min[axis]) && std::isfinite(box.max[axis]))
        drop = std::max(drop, g < 0 ? -g * (box.max[axis] - scene.domain.min[axis])
                                    : g * (scene.domain.max[axis] - box.min[axis]));
    }
  };
  for (const Fill& fill : scene.fills)
    if (fill.shape) fall_from(*fill.shape);
  for (const Emitter& emitter : scene.emitters) fall_from(emitter.shape);
  return std::sqrt(start * start + 2 * drop);
}

}  // namespace repose
