#include "repose/solvers/dem/dem_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/particles/grain_mass.h"
#include "repose/physics/restitution.h"
#include "repose/scene/grain_shapes.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/dem/grain_friction.h"
#include "repose/solvers/dem/pair_laws.h"

namespace repose {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ExitCode::bad_scene, text); }

void check_material(const Scene& scene, const Material& material) {
  const auto cannot = [&](const char* key, const char* what, const char* instead) {
    refuse(fmt::format("{}material '{}': the dem solver does not do {} yet: {}",
                       scene.where("material." + material.name + "." + key), material.name, what, instead));
  };
  // Where it was not written, the preset brought it.
  const char* kind = scene.places.contains("material." + material.name + ".kind") ? "kind" : "preset";
  if (material.kind == MaterialKind::fluid) cannot(kind, "fluids", "use solver.type = \"flip\"");
  if (material.kind == MaterialKind::snow) cannot(kind, "snow", "use solver.type = \"snow\"");
}

void check_integrator(const Scene& scene) {
  if (scene.solver.dem.integrator != Integrator::rkf45) return;
  const auto refuse_rkf45 = [&](const char* why) {
    refuse(fmt::format("{}solver.dem.integrator: \"rkf45\" {}; take \"verlet\"",
                       scene.where("solver.dem.integrator"), why));
  };
  for (const BodyDefinition& body : scene.bodies)
    if (body.motion == Motion::dynamic) refuse_rkf45("works with bodies that matter does not move");
  for (const Material& material : scene.materials)
    if (material.rolling_friction.value_or(0) > 0)
      refuse_rkf45("needs forces without memory, and rolling_friction has one");
}

/// Sizes by number from sizes by mass: a grain's mass goes with the cube of its diameter.
std::vector<DemSize> sizes_of(const Material& material, const DemShape& shape, double spacing) {
  std::vector<DemSize> sizes;
  double total = 0;
  for (const SizeClass& size : material.sizes) {
    const double radius = 0.5 * spacing * size.diameter;
    const double number = size.share / (size.diameter * size.diameter * size.diameter);
    sizes.push_back({radius, material.grain_density * shape.volume * radius * radius * radius, number});
    total += number;
  }
  for (DemSize& size : sizes) size.probability /= total;
  return sizes;
}

DemShape find_shape(const Scene& scene, const std::string& name) {
  const auto make = [&](const std::vector<std::array<double, 4>>& rows, GrainMass mass) {
    std::vector<ShapeSphere> spheres;
    for (const std::array<double, 4>& row : rows) spheres.push_back({{row[0], row[1], row[2]}, row[3]});
    return make_dem_shape(name, std::move(spheres), mass);
  };
  for (const GrainDefinition& grain : scene.grains)
    if (grain.name == name) return make(grain.spheres, grain.mass);
  if (const BuiltInGrain* grain = find_built_in_grain(name))
    return make(grain->spheres, GrainMass::union_of_spheres);
  refuse(fmt::format("there is no grain '{}'", name));
}

std::uint16_t shape_index(DemModel& model, const Scene& scene, const std::string& name) {
  for (std::size_t s = 0; s < model.shapes.size(); ++s)
    if (model.shapes[s].form.name == name) return static_cast<std::uint16_t>(s);
  model.shapes.push_back(find_shape(scene, name));
  if (model.shapes.back().form.spheres.size() > kFewSpheres) model.has_large_compounds = true;
  return static_cast<std::uint16_t>(model.shapes.size() - 1);
}

void note_small_restitution(const Scene& scene, std::size_t m, std::vector<std::string>& notes) {
  if (scene.materials[m].restitution < kLeastRestitution)
    notes.push_back(fmt::format("restitution of '{}' is taken as {}: less would only shorten the time step",
                                scene.materials[m].name, kLeastRestitution));
}

}  // namespace

double mean_grain_mass(const Scene& scene, const Material& material) {
  double mean = 0;
  for (const DemSize& size : sizes_of(material, find_shape(scene, material.grain), scene.solver.spacing))
    mean += size.probability * size.mass;
  return mean;
}

DemShape make_dem_shape(const std::string& name, std::vector<ShapeSphere> spheres, GrainMass mass) {
  const auto mass_of = mass == GrainMass::union_of_spheres ? mass_of_union : mass_of_sum;
  const Vec3d center = mass_of(spheres).center;
  double bounding = 0;
  for (ShapeSphere& sphere : spheres) {
    sphere.center -= center;
    bounding = std::max(bounding, sphere.center.length() + sphere.radius);
  }
  // Once more about the centre itself, where nothing cancels.
  const MassProperties properties = mass_of(spheres);
  DemShape shape;
  for (ShapeSphere& sphere : spheres) {
    sphere.center /= bounding;
    sphere.radius /= bounding;
  }
  const auto [small, large] =
      std::minmax_element(spheres.begin(), spheres.end(),
                          [](const ShapeSphere& a, const ShapeSphere& b) { return a.radius < b.radius; });
  shape.smallest = small->radius;
  shape.largest = large->radius;
  shape.volume = properties.volume / (bounding * bounding * bounding);
  shape.inertia = properties.inertia * (1 / (properties.volume * bounding * bounding));

  // Shapes with the symmetry of a cube turn like balls: about every axis alike, up to the rounding above.
  constexpr double kSame = 1e-7;
  const double mean = (shape.inertia[0][0] + shape.inertia[1][1] + shape.inertia[2][2]) / 3;
  double largest_difference = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      largest_difference = std::max(largest_difference, std::abs(shape.inertia[i][k] - (i == k ? mean : 0)));
  shape.isotropic = largest_difference < kSame * mean;
  if (shape.isotropic) shape.inertia = Imath::M33d(mean, 0, 0, 0, mean, 0, 0, 0, mean);
  shape.inverse_inertia = shape.inertia.inverse();
  // The largest eigenvalue is at most the largest sum of a row's absolute values.
  for (int i = 0; i < 3; ++i)
    shape.most_turning = std::max(shape.most_turning, std::abs(shape.inverse_inertia[i][0]) +
                                                          std::abs(shape.inverse_inertia[i][1]) +
                                                          std::abs(shape.inverse_inertia[i][2]));
  shape.is_round = spheres.size() == 1;
  if (shape.is_round) spheres[0].center = Vec3d(0);
  shape.form = {name, std::move(spheres)};
  return shape;
}

DemModel make_dem_model(const Scene& scene, const Bodies& bodies) {
  check_integrator(scene);
  check_contact_settings(scene);
  DemModel model;
  model.gravity = scene.info.gravity;
  model.seed = scene.info.seed;
  model.domain = scene.domain;
  model.box = make_domain_box(scene);
  model.cfl = scene.solver.dem.cfl;

  const std::set<std::size_t> used = used_materials(scene);
  model.materials.resize(scene.materials.size());
  for (const std::size_t m : used) {
    const Material& given = scene.materials[m];
    check_material(scene, given);
    DemMaterial& material = model.materials[m];
    material.shape = shape_index(model, scene, given.grain);
    material.grain_density = given.grain_density;
    material.young = given.young.value_or(0);
    material.young_is_automatic = !given.young;
    material.poisson = given.poisson;
    const GrainFriction friction = grain_friction(scene, given, model.notes);
    material.friction = friction.friction;
    material.restitution = given.restitution;
    material.cohesion = given.cohesion;
    material.rolling_friction = friction.rolling_friction;
    note_small_restitution(scene, m, model.notes);
    if (given.wetness > 0)
      model.notes.push_back(
          fmt::format("wetness of '{}' has no effect in dem beyond its cohesion of {:.3g} Pa", given.name,
                      given.cohesion));
    material.sizes = sizes_of(given, model.shapes[material.shape], scene.solver.spacing);
  }
  make_laws(scene, bodies, used, model);
  model.tolerance = scene.solver.dem.tolerance;
  return model;
}

}  // namespace repose
