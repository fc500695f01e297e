#include "repose/solvers/run_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/machine.h"
#include "repose/core/text.h"
#include "repose/geometry/tessellate.h"
#include "repose/scene/fill_volumes.h"
#include "repose/scene/materials.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {
namespace {

constexpr double kMostIds = std::numeric_limits<std::uint32_t>::max();
/// Memory over that of the machine from which on a run is refused: what is stated is not exact, and pages
/// that are not used can be swapped out.
constexpr double kHopeless = 1.5;

/// Distance of grains that are placed on a lattice, over the diameter of the largest (dem/placement.cpp).
constexpr double kLatticeRoom = 1.0, kJitterRoom = 1.1;

double largest_diameter(const Material& material) {
  double largest = 0;
  for (const SizeClass& size : material.sizes) largest = std::max(largest, size.diameter);
  return largest;
}

double particles_per_volume(const Scene& scene, const Fill& fill) {
  const double d = scene.solver.spacing;
  if (scene.solver.type != SolverKind::dem) return 1 / (d * d * d);
  const Material& material = scene.materials[material_index(scene, fill.material)];
  if (fill.packing == Packing::settled) return material.density / mean_grain_mass(scene, material);
  const double step =
      d * largest_diameter(material) * (fill.packing == Packing::lattice ? kLatticeRoom : kJitterRoom);
  return 1 / (step * step * step);
}

double area_of(const Shape& shape) {
  const Vec3d size = bounds(shape).size();
  if (!std::isfinite(size.length())) return 0;
  const TriangleMesh mesh = tessellate(shape, 0.01 * size.length());
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3f a = mesh.positions[t[0]], b = mesh.positions[t[1]], c = mesh.positions[t[2]];
    area += 0.5 * static_cast<double>((b - a).cross(c - a).length());
  }
  return area;
}

/// Sand or snow.
bool is_sand(const Scene& scene) {
  for (const std::size_t m : used_materials(scene))
    if (scene.materials[m].kind != MaterialKind::fluid) return true;
  return false;
}

bool has_settled_fill(const Scene& scene) {
  return std::any_of(scene.fills.begin(), scene.fills.end(),
                     [](const Fill& fill) { return fill.shape && fill.packing == Packing::settled; });
}

/// Cells of flip's grid that may come to be used: those of the domain, and no more than so many for each that
/// is full at the start.
double grid_cells(const Scene& scene, const Contents& contents) {
  constexpr double kParticlesPerCell = 8, kMostSpread = 60;
  const Vec3d size = (scene.domain.max - scene.domain.min) / (2 * scene.solver.spacing);
  return std::min(size.x * size.y * size.z, kMostSpread * contents.particles / kParticlesPerCell);
}

bool is_wet(const Scene& scene) {
  for (const std::size_t m : used_materials(scene))
    if (scene.materials[m].wetness > 0) return true;
  return std::any_of(scene.fills.begin(), scene.fills.end(),
                     [](const Fill& fill) { return fill.wetness.value_or(0) > 0; });
}

double moving_bodies(const Scene& scene) {
  return static_cast<double>(
      std::count_if(scene.bodies.begin(), scene.bodies.end(),
                    [](const BodyDefinition& body) { return body.motion == Motion::dynamic; }));
}

/// Raising the spacing by this factor brings `needed` down to `had`.
double spacing_for(const Scene& scene, double needed, double had) {
  return scene.solver.spacing * std::cbrt(needed / had) * 1.005;
}

}  // namespace

std::vector<double> expected_fill_counts(const Scene& scene, Threads& threads) {
  std::vector<double> counts;
  for (std::size_t f = 0; f < scene.fills.size(); ++f) {
    const Fill& fill = scene.fills[f];
    if (fill.shape)
      counts.push_back(std::round(measure_fill(scene, f, threads).free * particles_per_volume(scene, fill)));
    else
      counts.push_back(static_cast<double>((fill.file.empty() ? fill.points : fill.rows.position).size()));
  }
  return counts;
}

double expected_cover_count(const Scene& scene) {
  constexpr double kDensity = 1.15;  // discs of the particles over area, as covers have them
  double count = 0;
  for (const BodyDefinition& body : scene.bodies) {
    if (body.surface != BodySurface::particles) continue;
    const double share = scene.solver.type == SolverKind::dem ? 0.25 : 0.47;
    const double radius = body.particle_radius.value_or(share * scene.solver.spacing);
    count += kDensity * area_of(body.shape) / (kPi * radius * radius);
  }
  return count;
}

// Resident memory of the examples at its peak, less that of the command alone; `docs/command.md` has the
// table.
double solver_bytes(const Scene& scene, const Contents& contents) {
  switch (scene.solver.type) {
    case SolverKind::dem: {
      // Packings need as much again while they come to rest.
      const double by_element = has_settled_fill(scene) ? 1050 : 550;
      return contents.particles * 200 + contents.elements * by_element + contents.covers * 400;
    }
    case SolverKind::sph:
      return 5e6 + contents.particles * (is_wet(scene) ? 1850 : 1500) + contents.covers * 100;
    default:
      // Liquids splash through all of the domain, and the grid goes where they are.
      return is_sand(scene) ? contents.particles * 330 + grid_cells(scene, contents) * 100
                            : contents.particles * 420 + grid_cells(scene, contents) * 200;
  }
}

StepCost step_cost(const Scene& scene) {
  switch (scene.solver.type) {
    case SolverKind::dem:
      // In a packing each grain has its neighbours from the start.
      return {.by_element = has_settled_fill(scene) ? 0.16e-6 : 0.09e-6, .by_body = 5e-6, .by_step = 25e-6};
    case SolverKind::sph:
      return {.by_element = 4e-6, .by_body = 20e-6};
    case SolverKind::snow:
      // Friction with cohesion takes many iterations.
      return {.by_element = 2e-6, .by_body = 100e-6, .by_cell = 0.05e-6};
    default:
      return is_sand(scene) ? StepCost{.by_element = 1.2e-6, .by_body = 100e-6, .by_cell = 0.05e-6}
                            : StepCost{.by_element = 0.7e-6, .by_body = 100e-6, .by_cell = 0.2e-6};
  }
}

double fast_share(const Scene& scene) {
  if (!is_sand(scene)) return 0.8;  // sloshes to and fro
  return scene.emitters.empty() ? 0.15 : 0.5;
}

double mean_poured_mass(const Pouring& pouring, double duration) {
  constexpr int kTimes = 256;
  double sum = 0;
  for (int k = 0; k < kTimes; ++k) sum += pouring.mass(0, duration * (k + 0.5) / kTimes);
  return sum / kTimes;
}

double even_steps(const Scene& scene, double dt) {
  if (!(dt > 0)) return 0;
  const double frame = 1 / scene.info.fps;
  return std::ceil(frame / dt - 1e-9) * (scene.frame_count() + scene.info.settle * scene.info.fps);
}

void plan_time(const Scene& scene, const std::vector<double>& by_particle, double steps, SolverPlan& plan) {
  plan.steps = steps;
  plan.mean_elements = 0;
  for (std::size_t f = 0; f < plan.fills.size(); ++f)
    plan.mean_elements += by_particle[f] * plan.fills[f].mean_particles;
  const StepCost cost = step_cost(scene);
  const Contents contents{.particles = plan.particles(), .elements = plan.elements};
  plan.seconds = steps * (cost.by_step + cost.by_element * plan.mean_elements +
                          cost.by_body * moving_bodies(scene) + cost.by_cell * grid_cells(scene, contents));
}

std::string too_many_particles(const Scene& scene, double particles) {
  if (particles < kMostIds) return {};
  return fmt::format(
      "{}the scene has about {:.2g} particles, which take about {} of memory, and no more than 4.29 billion "
      "can be "
      "told apart: raise solver.spacing to {:.2g} m or more",
      scene.where("solver.spacing"), particles,
      format_bytes(solver_bytes(scene, {.particles = particles, .elements = particles})),
      spacing_for(scene, particles, kMostIds));
}

void refuse_too_many(const Scene& scene, Threads& threads) {
  Contents contents;
  for (const double count : expected_fill_counts(scene, threads)) contents.particles += count;
  if (contents.particles < kMostMadeToCount) return;
  if (const std::string text = too_many_particles(scene, contents.particles); !text.empty())
    throw Error(ExitCode::bad_scene, text);
  contents.elements = contents.particles;
  const double needed = solver_bytes(scene, contents), had = available_memory();
  if (needed > kHopeless * had)
    throw Error(
        ExitCode::run_failed,
        fmt::format("{}the fills have about {:.3g} particles, which take about {} of memory, and this "
                    "machine has {}: raise solver.spacing to {:.2g} m or more",
                    scene.where("solver.spacing"), contents.particles, format_bytes(needed),
                    format_bytes(had), spacing_for(scene, needed, had)));
}

}  // namespace repose
