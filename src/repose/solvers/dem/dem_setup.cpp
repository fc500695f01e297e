#include "repose/solvers/dem/dem_setup.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/particles/neighbors.h"
#include "repose/scene/at_place.h"
#include "repose/solvers/dem/come_to_rest.h"
#include "repose/solvers/dem/covers.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/settled_fills.h"
#include "repose/solvers/dem/stiffness.h"
#include "repose/solvers/run_cost.h"

namespace repose {
namespace {

/// Bodies covered with more particles than this are planned as smooth ones.
constexpr double kMostCovers = 2e6;

constexpr double kMassTolerance = 0.02;  ///< of a settled fill, before people are told [-]

/// Every (shape, material) of the run with its smallest and largest grains, held ones apart.
std::vector<GrainKind> kinds_of(const Scene& scene, const Placement& placement, const DemModel& model,
                                const std::vector<DemEmitter>& emitters) {
  const DemState& state = placement.state;
  std::vector<GrainKind> smallest, largest;
  const auto note = [&](std::uint16_t shape, std::uint8_t material, double radius, bool held) {
    for (std::size_t k = 0; k < smallest.size(); ++k) {
      if (smallest[k].shape != shape || smallest[k].material != material || smallest[k].held != held)
        continue;
      smallest[k].radius = std::min(smallest[k].radius, radius);
      largest[k].radius = std::max(largest[k].radius, radius);
      return;
    }
    smallest.push_back({shape, material, radius, held});
    largest.push_back(smallest.back());
  };
  for (std::size_t g = 0; g < state.size(); ++g)
    note(state.shape[g], state.material[g], state.radius[g], state.held[g] != 0);
  for (const std::size_t f : placement.counted) {
    const std::size_t m = material_index(scene, scene.fills[f].material);
    for (const DemSize& size : model.materials[m].sizes)
      note(model.materials[m].shape, static_cast<std::uint8_t>(m), size.radius, scene.fills[f].fixed);
  }
  for (const DemEmitter& emitter : emitters)
    for (const DemSize& size : model.materials[emitter.material].sizes)
      note(model.materials[emitter.material].shape, emitter.material, size.radius, false);
  std::vector<GrainKind> kinds = smallest;
  for (std::size_t k = 0; k < largest.size(); ++k)
    if (largest[k].radius > smallest[k].radius) kinds.push_back(largest[k]);
  return kinds;
}

std::vector<MatterSource> sources_of(const Scene& scene, const Placement& placement,
                                     const std::vector<DemEmitter>& emitters) {
  std::vector<MatterSource> sources;
  // Held grains neither fall nor weigh on anything.
  for (std::size_t f = 0; f < placement.fills.size(); ++f) {
    const PlacedFill& fill = placement.fills[f];
    if (fill.count > 0 && !scene.fills[f].fixed)
      sources.push_back({.bounds = fill.bounds, .speed = fill.speed});
  }
  for (const DemEmitter& emitter : emitters)
    sources.push_back(matter_source(emitter, scene.materials[emitter.material]));
  return sources;
}

void tell_of_settled(const Fill& fill, const PlacedFill& placed, const Material& material, DemModel& model) {
  const double fraction = placed.mass / (material.grain_density * placed.volume);
  model.notes.push_back(
      fmt::format("fill '{}' is packed at a solid fraction of {:.3f}; the densest random packing of its "
                  "grains has {:.3f}",
                  fill.name, fraction, placed.densest));
  const std::string loose = looseness_warning(fill, material, placed.densest);
  if (!loose.empty()) model.warnings.push_back(loose);
  const double share = placed.mass / (material.density * placed.volume);
  if (std::abs(share - 1) > kMassTolerance)
    model.warnings.push_back(fmt::format(
        "fill '{}' holds {:.1f} % of the mass that its density and volume ask for{}", fill.name, 100 * share,
        placed.crowded > 0 ? ": between walls its grains find no room for more" : ""));
}

void tell_of_fills(const Scene& scene, const Placement& placement, DemModel& model) {
  for (std::size_t f = 0; f < placement.fills.size(); ++f) {
    const PlacedFill& fill = placement.fills[f];
    if (fill.rejected > 0)
      model.warnings.push_back(fmt::format(
          "fill '{}': {} of {} grains were left out, since they would overlap grains of another fill",
          fill.name, fill.rejected, fill.rejected + fill.count));
    if (fill.count == 0)
      model.warnings.push_back(fmt::format(
          "fill '{}' has no grains: it is smaller than a grain, or lies inside bodies or outside the domain",
          fill.name));
    else if (fill.volume > 0)
      tell_of_settled(scene.fills[f], fill, scene.materials[material_index(scene, scene.fills[f].material)],
                      model);
  }
}

void tell_of_covers(const Bodies& bodies, DemModel& model) {
  std::string last;
  for (const BodyCover& cover : model.covers) {
    const Body& body = bodies[cover.body];
    if (body.family != last)
      model.notes.push_back(fmt::format("body '{}' is covered with {} particles of radius {:.3g} m",
                                        body.family, cover.centers.size(), cover.radii.front()));
    last = body.family;
  }
}

/// What an emitter brings until the end of the scene.
FillPlan emitter_plan(const DemEmitter& emitter, const DemModel& model, double duration) {
  double mean_mass = 0;
  for (const DemSize& size : model.materials[emitter.material].sizes)
    mean_mass += size.probability * size.mass;
  const double mass = emitter.pouring.mass(0, duration);
  return {emitter.name, std::floor(mass / mean_mass), mass,
          mean_poured_mass(emitter.pouring, duration) / mean_mass};
}

/// Lets settled fills come to rest with grains as soft as their weight allows, or as the scene says where
/// that is softer.
void settle_down(const Scene& scene, const std::vector<GrainKind>& kinds, DemSetup& setup, Threads& threads) {
  Scene still = scene;
  still.bodies.clear();
  still.solver.dem.dt = 0;
  still.solver.dem.k_t.reset();
  DemModel soft = setup.model;
  for (DemMaterial& material : soft.materials) material.young_is_automatic = true;
  std::vector<MatterSource> sources = sources_of(scene, setup.placement, {});
  for (MatterSource& source : sources) source.is_still = true;
  choose_stiffness(still, setup.bodies, kinds, sources, soft);
  for (std::size_t m = 0; m < soft.materials.size(); ++m)
    if (soft.materials[m].young > setup.model.materials[m].young) soft = setup.model;
  come_to_rest(scene, soft, setup.model, setup.model.weight_overlap, setup.bodies, setup.placement, threads);
}

}  // namespace

DemSetup make_dem_setup(const Scene& scene, Threads& threads, bool draft) {
  DemSetup setup;
  setup.bodies = Bodies(scene);
  setup.model = make_dem_model(scene, setup.bodies);
  setup.model.covers = make_covers(scene, setup.bodies, threads);
  for (const BodyCover& cover : setup.model.covers)
    if (setup.bodies[cover.body].motion == Motion::dynamic) setup.model.has_large_compounds = true;
  tell_of_covers(setup.bodies, setup.model);
  setup.emitters = make_emitters(scene, setup.model);
  setup.sinks = make_sinks(scene);
  setup.placement = place_fills(scene, setup.model, setup.bodies, threads, draft);
  tell_of_fills(scene, setup.placement, setup.model);
  setup.placement.state.time = -scene.info.settle;
  for (const DemEmitter& emitter : setup.emitters)
    setup.placement.state.emitters.push_back({.next_time = emitter.pouring.start});
  const std::vector<GrainKind> kinds = kinds_of(scene, setup.placement, setup.model, setup.emitters);
  choose_stiffness(scene, setup.bodies, kinds, sources_of(scene, setup.placement, setup.emitters),
                   setup.model);
  if (!draft) settle_down(scene, kinds, setup, threads);
  double largest_sphere = 0;
  for (const GrainKind& kind : kinds)
    largest_sphere = std::max(largest_sphere, kind.radius * setup.model.shapes[kind.shape].largest);
  at_place(scene, "domain",
           [&] { check_periodic_lengths(setup.model.box, 2 * largest_sphere + setup.model.margin); });
  return setup;
}

SolverPlan make_plan(const Scene& scene, const DemSetup& setup) {
  SolverPlan plan;
  plan.kind = ParticleKind::grains;
  std::vector<double> spheres;  // of a grain of each fill and emitter
  Contents contents;
  const auto add = [&](FillPlan fill, std::size_t material) {
    const DemShape& shape = setup.model.shapes[setup.model.materials[material].shape];
    spheres.push_back(static_cast<double>(shape.form.spheres.size()));
    contents.particles += fill.particles;
    contents.elements += fill.particles * spheres.back();
    plan.fills.push_back(std::move(fill));
  };
  for (std::size_t f = 0; f < setup.placement.fills.size(); ++f) {
    const PlacedFill& fill = setup.placement.fills[f];
    const double count = fill.expected > 0 ? fill.expected : static_cast<double>(fill.count);
    add({fill.name, count, fill.mass, count}, material_index(scene, scene.fills[f].material));
  }
  for (const DemEmitter& emitter : setup.emitters)
    add(emitter_plan(emitter, setup.model, scene.info.duration), emitter.material);
  contents.covers = expected_cover_count(scene);
  plan.is_estimated = contents.particles > kMostMadeToCount && !setup.placement.counted.empty();
  plan.elements = contents.elements;
  plan.errors.assign(kDemErrorMeasures.begin(), kDemErrorMeasures.end());
  plan.dt = setup.model.dt;
  plan.dt_limit = setup.model.contact_limit;
  if (!setup.model.dt_is_given &&
      setup.model.cfl * setup.model.smallest_radius < plan.dt * setup.model.expected_speed) {
    plan.dt = setup.model.cfl * setup.model.smallest_radius / setup.model.expected_speed;
    plan.dt_limit = "speed";
  }
  // A PLY row of dem: position, velocity, radius, id, material, orientation, spin, shape.
  constexpr double kFrameRow = 3 * 4 + 3 * 4 + 4 + 4 + 1 + 4 * 4 + 3 * 4 + 2;
  plan.memory_bytes = solver_bytes(scene, contents);
  plan.frame_bytes = contents.particles * kFrameRow;
  plan_time(scene, spheres, (scene.info.duration + scene.info.settle) / plan.dt, plan);
  plan.notes = setup.model.notes;
  plan.notes.insert(plan.notes.end(), setup.model.warnings.begin(), setup.model.warnings.end());
  return plan;
}

SolverPlan plan_dem(const Scene& scene, Threads& threads) {
  Scene bare = scene;
  if (expected_cover_count(scene) > kMostCovers)
    for (BodyDefinition& body : bare.bodies) body.surface = BodySurface::smooth;
  return make_plan(scene, make_dem_setup(bare, threads, true));
}

}  // namespace repose
