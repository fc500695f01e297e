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

/// Liquids thinner than this flow as without viscosity on grids that can be afforded [Pa s].
constexpr double kThin = 0.01;

/// How far off a periodic domain may be from a whole number of tiles, as a share.
constexpr double kPeriodTolerance = 1e-6;

[[noreturn]] void refuse(const std::string& text) { throw Error(ExitCode::bad_scene, text); }

void check_material(const Scene& scene, const Material& material) {
  const auto where = [&](const char* key) { return scene.where("material." + material.name + "." + key); };
  const char* kind = scene.places.contains("material." + material.name + ".kind") ? "kind" : "preset";
  if (material.kind == MaterialKind::granular)
    refuse(
        fmt::format("{}material '{}': the flip solver does not do granular matter yet: use solver.type = "
                    "\"dem\", or kind = \"fluid\"",
                    where(kind), material.name));
  if (material.kind == MaterialKind::snow)
    refuse(fmt::format("{}material '{}': the flip solver does not do snow", where(kind), material.name));
}

/// One liquid for all: the solves for pressure and viscosity know no other.
Material liquid_of(const Scene& scene) {
  std::optional<std::size_t> first;
  for (const std::size_t m : used_materials(scene)) {
    const Material& material = scene.materials[m];
    check_material(scene, material);
    if (!first) first = m;
    const Material& other = scene.materials[*first];
    const auto compare = [&](const char* what, const char* unit, double Material::*value) {
      if (material.*value != other.*value)
        refuse(fmt::format("{}material '{}': the flip solver needs liquids of one {}, and '{}' has {} {}",
                           scene.where("material." + material.name + "." + what), material.name, what,
                           other.name, other.*value, unit));
    };
    compare("density", "kg/m3", &Material::density);
    compare("viscosity", "Pa s", &Material::viscosity);
  }
  if (first) return scene.materials[*first];
  Material none;
  none.density = 1000;
  return none;
}

/// The tiles of a periodic axis, 0 for another.
int tiles_along(const Scene& scene, unsigned axis, double cell) {
  const Domain& domain = scene.domain;
  const bool low = domain.faces[2 * axis] == FaceKind::periodic;
  const std::string where = scene.where(std::string("domain.") + "xyz"[axis]);
  if (low != (domain.faces[2 * axis + 1] == FaceKind::periodic))
    refuse(fmt::format("{}domain.{}: both faces must be periodic, or none", where, "xyz"[axis]));
  if (!low) return 0;
  const double length = domain.max[axis] - domain.min[axis], tile = kTileEdge * cell;
  const double count = std::max(1.0, std::round(length / tile));
  if (std::abs(length - count * tile) > kPeriodTolerance * tile)
    refuse(
        fmt::format("{}domain.{}: under flip a periodic length is a multiple of 8 cells of 2 x "
                    "solver.spacing, and {:.6g} m is not: take {:.6g} m, or a spacing of {:.6g} m",
                    where, "xyz"[axis], length, count * tile, length / (16 * count)));
  return static_cast<int>(count);
}

}  // namespace

FlipModel make_flip_model(const Scene& scene) {
  FlipModel model;
  model.spacing = scene.solver.spacing;
  model.place.cell = 2 * model.spacing;
  model.place.origin = scene.domain.min;
  model.support = kSupport * model.spacing;
  const Material liquid = liquid_of(scene);
  model.density = liquid.density;
  model.viscosity = liquid.viscosity > kThin ? liquid.viscosity : 0;
  model.particle_mass = model.density * model.spacing * model.spacing * model.spacing;
  model.gravity = scene.info.gravity;
  model.domain = scene.domain;
  model.box.min = scene.domain.min;
  model.box.max = scene.domain.max;
  for (unsigned axis = 0; axis < 3; ++axis) {
    model.place.period[axis] = tiles_along(scene, axis, model.place.cell);
    model.box.periodic[axis] = model.place.period[axis] > 0;
    constexpr double kMostCells = 1 << 19;
    if ((scene.domain.max[axis] - scene.domain.min[axis]) / model.place.cell > kMostCells)
      refuse(fmt::format("{}domain: it is more than {} cells of 2 x solver.spacing along {}: make it smaller",
                         scene.where("domain"), kMostCells, "xyz"[axis]));
  }
  const FlipSettings& settings = scene.solver.flip;
  model.blend = settings.blend;
  model.tolerance = settings.tolerance;
  model.cfl = settings.cfl;
  model.dt = settings.dt;
  model.seed = scene.info.seed;
  model.material_count = scene.materials.size();
  return model;
}

std::uint8_t flip_material(const Scene& scene, const std::string& name) {
  return static_cast<std::uint8_t>(material_index(scene, name));
}

}  // namespace repose
