#include "repose/solvers/flip/flip_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

/// R over the spacing of particles. About a hundred are within it, so that where matter is whole their mean
/// lies well within r of any point, and no bubbles come of how they happen to stand.
constexpr double kSupport = 3;

/// How far a particle stands from the middle of its place, as a share of the place. The less, the flatter is
/// the surface at first; and the sooner does a flow that stretches the liquid show the lattice.
constexpr double kJitter = 0.65;

/// How far from solids particles start at least, in spacings.
constexpr double kClearance = 0.25;

/// Liquids thinner than this flow as without viscosity on grids that can be afforded [Pa s].
constexpr double kThin = 0.01;

/// Share of FLIP where none is given.
constexpr double kLiquidBlend = 0.95, kSandBlend = 0.5;

/// How far off a periodic domain may be from a whole number of tiles, as a share.
constexpr double kPeriodTolerance = 1e-6;

[[noreturn]] void refuse(const std::string& text) { throw Error(ExitCode::bad_scene, text); }

std::string where_kind(const Scene& scene, const Material& material) {
  const std::string table = "material." + material.name;
  return scene.where(table + (scene.places.contains(table + ".kind") ? ".kind" : ".preset"));
}

void check_material(const Scene& scene, const Material& material) {
  if (material.kind == MaterialKind::snow)
    refuse(fmt::format("{}material '{}': the flip solver does not do snow", where_kind(scene, material),
                       material.name));
}

/// One liquid or sand for all: the solves for pressure, viscosity and friction know no other.
Material matter_of(const Scene& scene) {
  std::optional<std::size_t> first;
  for (const std::size_t m : used_materials(scene)) {
    const Material& material = scene.materials[m];
    check_material(scene, material);
    if (!first) first = m;
    const Material& other = scene.materials[*first];
    if (material.kind != other.kind)
      refuse(
          fmt::format("{}material '{}': the flip solver does not do sand and liquids in one scene, and "
                      "'{}' is of another kind",
                      where_kind(scene, material), material.name, other.name));
    const auto compare = [&](const char* what, const char* unit, double Material::*value) {
      if (material.*value != other.*value)
        refuse(fmt::format("{}material '{}': the flip solver needs matter of one {}, and '{}' has {} {}",
                           scene.where("material." + material.name + "." + what), material.name, what,
                           other.name, other.*value, unit));
    };
    compare("density", "kg/m3", &Material::density);
    compare("viscosity", "Pa s", &Material::viscosity);
    compare("cohesion", "Pa", &Material::cohesion);
    if (material.friction_angle != other.friction_angle)
      refuse(fmt::format(
          "{}material '{}': the flip solver needs sand of one friction_angle, and that of "
          "'{}' is another",
          scene.where("material." + material.name + ".friction_angle"), material.name, other.name));
  }
  if (first) return scene.materials[*first];
  Material none;
  none.kind = MaterialKind::fluid;
  none.density = 1000;
  return none;
}

constexpr double kDefaultAngle = 0.5235987755982988;  ///< 30 degrees [rad]

/// How sand yields, inside and at each body.
void describe_sand(const Scene& scene, const Bodies& bodies, const Material& sand, FlipModel& model) {
  model.is_sand = true;
  if (!sand.friction_angle)
    model.notes.push_back(
        fmt::format("friction_angle of '{}' is set to 30 degrees, since none is given", sand.name));
  model.yield = scene.solver.flip.yield;
  model.slope = std::tan(sand.friction_angle.value_or(kDefaultAngle));
  model.sine = std::sin(sand.friction_angle.value_or(kDefaultAngle));
  model.cohesion = sand.cohesion;
  model.body_friction = find_body_friction(scene, bodies, sand.name);
}

/// The tiles of a periodic axis.
int tiles_along(const Scene& scene, const std::string& solver, unsigned axis, double cell) {
  const Domain& domain = scene.domain;
  const double length = domain.max[axis] - domain.min[axis], tile = kTileEdge * cell;
  const double count = std::max(1.0, std::round(length / tile));
  if (std::abs(length - count * tile) > kPeriodTolerance * tile)
    refuse(
        fmt::format("{}domain.{}: under {} a periodic length is a multiple of 8 cells of 2 x "
                    "solver.spacing, and {:.6g} m is not: take {:.6g} m, or a spacing of {:.6g} m",
                    scene.where(std::string("domain.") + "xyz"[axis]), "xyz"[axis], solver, length,
                    count * tile, length / (16 * count)));
  return static_cast<int>(count);
}

}  // namespace

FlipModel lay_grid(const Scene& scene, const std::string& solver) {
  FlipModel model;
  model.matter = make_matter_settings(scene, solver);
  model.matter.jitter = kJitter;
  model.matter.clearance = kClearance;
  model.matter.has_flat_surface = true;
  const double spacing = model.matter.spacing;
  model.place.cell = 2 * spacing;
  model.place.origin = scene.domain.min;
  model.support = kSupport * spacing;
  model.gravity = scene.info.gravity;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (model.matter.box.periodic[axis])
      model.place.period[axis] = tiles_along(scene, solver, axis, model.place.cell);
    constexpr double kMostCells = 1 << 19;
    if ((scene.domain.max[axis] - scene.domain.min[axis]) / model.place.cell > kMostCells)
      refuse(fmt::format("{}domain: it is more than {} cells of 2 x solver.spacing along {}: make it smaller",
                         scene.where("domain"), kMostCells, "xyz"[axis]));
  }
  return model;
}

std::vector<double> find_body_friction(const Scene& scene, const Bodies& bodies,
                                       const std::string& material) {
  std::vector<double> friction;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ContactPair* contact = contact_between(scene, material, bodies[b].family);
    friction.push_back(contact && contact->friction ? *contact->friction : bodies[b].friction);
  }
  return friction;
}

FlipModel make_flip_model(const Scene& scene, const Bodies& bodies) {
  FlipModel model = lay_grid(scene, "flip");
  const double spacing = model.matter.spacing;
  const Material liquid = matter_of(scene);
  model.density = liquid.density;
  model.viscosity = liquid.viscosity > kThin ? liquid.viscosity : 0;
  model.particle_mass = model.density * spacing * spacing * spacing;
  const FlipSettings& settings = scene.solver.flip;
  const bool is_sand = liquid.kind == MaterialKind::granular;
  if (is_sand) describe_sand(scene, bodies, liquid, model);
  model.blend = settings.blend.value_or(is_sand ? kSandBlend : kLiquidBlend);
  model.tolerance = settings.tolerance;
  model.cfl = settings.cfl;
  model.dt = settings.dt;
  return model;
}

}  // namespace repose
