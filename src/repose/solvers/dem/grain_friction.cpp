#include "repose/solvers/dem/grain_friction.h"

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/math/vec.h"
#include "repose/scene/grain_shapes.h"

namespace repose {
namespace {

constexpr double kDefaultFriction = 0.5;  ///< [-]

[[noreturn]] void refuse(const Scene& scene, const Material& material, const char* key,
                         const std::string& text) {
  throw Error(ExitCode::bad_scene,
              fmt::format("{}material '{}': {}", scene.where("material." + material.name + "." + key),
                          material.name, text));
}

/// Where it was not written, the preset brought it.
const char* angle_key(const Scene& scene, const Material& material) {
  return scene.places.contains("material." + material.name + ".friction_angle") ? "friction_angle" : "preset";
}

std::string measured_shapes() {
  std::string names;
  for (const BuiltInGrain& grain : built_in_grains())
    if (!grain_slopes(grain.name).empty()) names += (names.empty() ? "" : ", ") + std::string(grain.name);
  return names;
}

GrainFriction friction_by_slope(const Scene& scene, const Material& material,
                                std::vector<std::string>& notes) {
  const double angle = *material.friction_angle;
  const char* key = angle_key(scene, material);
  if (material.rolling_friction)
    refuse(scene, material, "rolling_friction",
           "dem takes friction and rolling_friction from friction_angle; give friction as well, or leave out "
           "rolling_friction");
  const std::span<const GrainSlope> slopes = grain_slopes(material.grain);
  if (slopes.empty())
    refuse(
        scene, material, key,
        fmt::format("dem does not know which friction lets grains '{}' stand at a friction_angle, only for "
                    "{}; give friction instead",
                    material.grain, measured_shapes()));
  const std::optional<GrainFriction> found = friction_for_slope(material.grain, angle);
  if (!found)
    refuse(scene, material, key,
           fmt::format("in dem grains '{}' stand at friction_angle {:.0f} to {:.0f} [deg], not at {:g}; give "
                       "another grain, or friction instead",
                       material.grain, slopes.front().angle, slopes.back().angle, degrees(angle)));
  if (found->rolling_friction > 0 && scene.solver.dem.integrator == Integrator::rkf45)
    refuse(scene, material, key,
           "\"rkf45\" needs forces without memory, and spheres stand at such a friction_angle only by "
           "resistance "
           "to rolling, which has one; take \"verlet\"");
  const std::string rolling =
      found->rolling_friction > 0 ? fmt::format(" and rolling_friction {:.3f}", found->rolling_friction) : "";
  notes.push_back(fmt::format("'{}' stands at {:g} degrees: friction {:.3f}{} by the measured heaps of '{}'",
                              material.name, degrees(angle), found->friction, rolling, material.grain));
  if (scene.solver.dem.tangential == TangentialLaw::coulomb_viscous ||
      scene.solver.dem.integrator == Integrator::rkf45)
    notes.push_back(fmt::format(
        "slopes of '{}' creep below friction_angle: the heaps were measured with springs, and the "
        "viscous law holds nothing for good",
        material.name));
  return *found;
}

}  // namespace

GrainFriction grain_friction(const Scene& scene, const Material& material, std::vector<std::string>& notes) {
  if (material.friction_angle && !material.friction) return friction_by_slope(scene, material, notes);
  if (!material.friction)
    notes.push_back(
        fmt::format("friction of '{}' is set to {}, since none is given", material.name, kDefaultFriction));
  return {material.friction.value_or(kDefaultFriction), material.rolling_friction.value_or(0)};
}

}  // namespace repose
