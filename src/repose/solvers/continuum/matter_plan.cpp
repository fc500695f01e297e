#include "repose/solvers/continuum/matter_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/scene/materials.h"

namespace repose {

double plan_matter(const Scene& scene, const MatterSettings& settings, const NewMatter& placed,
                   const std::vector<MatterEmitter>& emitters, SolverPlan& plan) {
  double particles = 0;
  std::vector<std::uint64_t> counts(scene.fills.size());
  for (const std::uint32_t fill : placed.source) ++counts[fill];
  for (std::size_t f = 0; f < counts.size(); ++f) {
    const Fill& fill = scene.fills[f];
    const auto count = static_cast<double>(counts[f]);
    plan.fills.push_back(
        {fill.name, counts[f], count * settings.particle_mass[material_index(scene, fill.material)]});
    particles += count;
    if (counts[f] == 0)
      plan.notes.push_back(fmt::format(
          "fill '{}' has no particles: it is smaller than a particle, or lies inside bodies or other fills, "
          "or outside the domain",
          fill.name));
  }
  for (const MatterEmitter& emitter : emitters) {
    const double mass = emitter.pouring.mass(0, scene.info.duration);
    const double count = std::floor(mass / emitter.particle_mass);
    plan.fills.push_back({emitter.name, static_cast<std::uint64_t>(count), mass});
    particles += count;
  }
  return particles;
}

double expected_speed(const Scene& scene) {
  double start = 0;
  for (const Fill& fill : scene.fills) start = std::max(start, fill.velocity.length());
  for (const Emitter& emitter : scene.emitters) start = std::max(start, emitter.velocity.length());
  double drop = 0;
  for (const Fill& fill : scene.fills)
    if (fill.shape)
      for (int axis = 0; axis < 3; ++axis) {
        const Box3d box = bounds(*fill.shape);
        const double g = scene.info.gravity[axis];
        if (std::abs(g) > 0 && std::isfinite(box.min[axis]) && std::isfinite(box.max[axis]))
          drop = std::max(drop, g < 0 ? -g * (box.max[axis] - scene.domain.min[axis])
                                      : g * (scene.domain.max[axis] - box.min[axis]));
      }
  return std::sqrt(start * start + 2 * drop);
}

}  // namespace repose
