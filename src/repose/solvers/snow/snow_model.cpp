#include "repose/solvers/snow/snow_model.h"

#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

/// Share of FLIP: snow is as stiff as sand, and does not splash.
constexpr double kBlend = 0.5;

constexpr double kDefaultAngle = 0.6108652381980153;  ///< 35 degrees [rad]

/// Strength of snow where none is given: p = 700 kPa (rho / 650 kg/m3)^4.14. It passes 486 kg/m3 at 210 kPa,
/// for 500 measured under wheels, and fresh snow of 100 kg/m3 bears 0.3 m of itself (docs/snow.md).
constexpr double kStrongest = 7e5, kDensest = 650, kExponent = 4.14;

[[noreturn]] void refuse(const std::string& text) { throw Error(ExitCode::bad_scene, text); }

/// One snow for all.
Material snow_of(const Scene& scene) {
  std::optional<std::size_t> first;
  for (const std::size_t m : used_materials(scene)) {
    const Material& material = scene.materials[m];
    const std::string table = "material." + material.name;
    if (material.kind != MaterialKind::snow)
      refuse(fmt::format(
          "{}material '{}': the snow solver does snow alone; set kind = \"snow\", or take a "
          "preset of snow",
          scene.where(scene.places.contains(table + ".kind") ? table + ".kind" : table + ".preset"),
          material.name));
    if (first)
      refuse(fmt::format("{}material '{}': the snow solver takes one material, and '{}' is another",
                         scene.where(table), material.name, scene.materials[*first].name));
    first = m;
  }
  if (first) return scene.materials[*first];
  Material none;
  none.kind = MaterialKind::snow;
  none.density = 200;
  return none;
}

SnowCompaction<double> compaction_of(const Scene& scene, const Material& snow) {
  SnowCompaction<double> law;
  if (snow.density_max <= snow.density)
    refuse(fmt::format("{}material '{}': density_max, {} kg/m3, must be above density, {} kg/m3",
                       scene.where("material." + snow.name + ".density_max"), snow.name, snow.density_max,
                       snow.density));
  law.d_0 = snow.durability;
  law.p_0 = snow.p_0 > 0 ? snow.p_0 : kStrongest * std::pow(snow.density / kDensest, kExponent);
  law.k_q = snow.k_q > 0 ? snow.k_q : law.d_0 / kStrongest;
  law.exponent = snow_exponent(law.d_0, law.k_q, law.p_0, snow.density, snow.density_max);
  return law;
}

}  // namespace

SnowModel make_snow_model(const Scene& scene, const Bodies& bodies) {
  SnowModel model;
  FlipModel& grid = model.grid = lay_grid(scene, "snow");
  const Material snow = snow_of(scene);
  const double spacing = grid.matter.spacing;
  grid.density = snow.density;
  grid.particle_mass = snow.density * spacing * spacing * spacing;
  grid.is_sand = true;
  grid.slope = std::tan(snow.friction_angle.value_or(kDefaultAngle));
  grid.sine = std::sin(snow.friction_angle.value_or(kDefaultAngle));
  grid.body_friction = find_body_friction(scene, bodies, snow.name);
  const SnowSettings& settings = scene.solver.snow;
  grid.yield = settings.yield;
  grid.blend = kBlend;
  grid.tolerance = settings.tolerance;
  grid.cfl = settings.cfl;
  grid.dt = settings.dt;
  model.law = compaction_of(scene, snow);
  model.b_0 = snow.b_0;
  model.k_b = snow.k_b;
  model.c_0 = snow.c_0;
  model.k_c = snow.k_c;
  // The most that any of it can have: what turns of pressure and friction go by.
  grid.cohesion = snow.c_0 + snow.k_c * snow.durability;
  grid.notes.push_back(fmt::format(
      "snow of {:.0f} kg/m3 yields at {:.3g} kPa, and is {:.0f} kg/m3 at {:.3g} kPa", snow.density,
      1e-3 * model.law.p_0, snow.density_max, 1e-3 * (model.law.p_0 + model.law.d_0 / model.law.k_q)));
  return model;
}

}  // namespace repose
