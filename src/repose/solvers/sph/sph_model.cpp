#include "repose/solvers/sph/sph_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/physics/sph.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

/// How far particles of a fill stand from the middle of their place, as a share of the spacing.
constexpr double kJitter = 0.15;
/// Of an emitter to put a particle far from others.
constexpr int kTries = 12;
/// Where an emitter finds room for a particle, which adds 0.32 by itself.
constexpr double kMostCrowded = 0.8;
/// From bodies at least, in spacings: those at rest stand half a spacing away.
constexpr double kClearance = 0.45;
/// Compression that is taken for the unevenness of particles: where they can slide into place, and where
/// friction holds them.
constexpr double kUnevenLoose = 0.005, kUnevenHeld = 0.03;
constexpr double kDefaultAngle = 0.5235987755982988;  ///< 30 degrees [rad]
/// Where shear in a slope is as large as the pressure: above it one principal stress pulls.
constexpr double kSteepest = 0.7853981633974483;  ///< 45 degrees [rad]
/// How far off a periodic domain may be from a whole number of tiles, as a share.
constexpr double kPeriodTolerance = 1e-6;

[[noreturn]] void refuse(const std::string& text) { throw Error(ExitCode::bad_scene, text); }

SphMaterial describe(const Scene& scene, const Bodies& bodies, const Material& material) {
  SphMaterial out;
  out.density = material.density;
  out.slope = std::tan(material.friction_angle.value_or(kDefaultAngle));
  out.cohesion = material.cohesion;
  out.wet_cohesion = material.wet_cohesion;
  out.uneven = kUnevenLoose + (kUnevenHeld - kUnevenLoose) * std::min(1.0, out.slope / kHolds);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ContactPair* contact = contact_between(scene, material.name, bodies[b].family);
    out.body_friction.push_back(contact && contact->friction ? *contact->friction : bodies[b].friction);
  }
  return out;
}

void check_used(const Scene& scene, SphModel& model) {
  for (const std::size_t m : used_materials(scene)) {
    const Material& material = scene.materials[m];
    const std::string table = "material." + material.name, kind = table + ".kind";
    if (material.kind != MaterialKind::granular)
      refuse(fmt::format("{}material '{}': the sph solver does granular matter; take \"flip\" for liquids",
                         scene.where(scene.places.contains(kind) ? kind : table + ".preset"), material.name));
    if (!material.friction_angle)
      model.notes.push_back(
          fmt::format("friction_angle of '{}' is set to 30 degrees, since none is given", material.name));
    else if (*material.friction_angle > kSteepest && !(material.cohesion > 0))
      model.notes.push_back(fmt::format(
          "friction_angle of '{}' is above 45 degrees: without cohesion its slopes flow as if it "
          "were some degrees less, since shear larger than the pressure is tension along one axis",
          material.name));
  }
}

/// The tiles of a periodic axis, 0 for another.
int tiles_along(const Scene& scene, unsigned axis, double cell) {
  const Domain& domain = scene.domain;
  if (domain.faces[2 * axis] != FaceKind::periodic) return 0;
  const double length = domain.max[axis] - domain.min[axis], tile = kTileEdge * cell;
  const double count = std::max(1.0, std::round(length / tile));
  if (std::abs(length - count * tile) > kPeriodTolerance * tile)
    refuse(
        fmt::format("{}domain.{}: under sph a periodic length is a multiple of 16 x solver.spacing, and "
                    "{:.6g} m is not: take {:.6g} m, or a spacing of {:.6g} m",
                    scene.where(std::string("domain.") + "xyz"[axis]), "xyz"[axis], length, count * tile,
                    length / (16 * count)));
  return static_cast<int>(count);
}

void note_coarse_covers(const Bodies& bodies, SphModel& model) {
  const double most = kMostCoverRadius * model.spacing;
  for (const SphCover& cover : model.covers) {
    const Body& body = bodies[cover.body];
    if (body.particle_radius.value_or(0) > most)
      model.notes.push_back(
          fmt::format("body '{}' is covered with particles of radius {:.3g} m in place of {:.3g} m: between "
                      "larger ones sand would pass",
                      body.name, most, *body.particle_radius));
  }
}

bool has_wetness(const Scene& scene) {
  for (const std::size_t m : used_materials(scene))
    if (scene.materials[m].wetness > 0) return true;
  return std::any_of(scene.fills.begin(), scene.fills.end(),
                     [](const Fill& fill) { return fill.wetness.value_or(0) > 0; }) ||
         std::any_of(scene.zones.begin(), scene.zones.end(),
                     [](const Zone& zone) { return zone.wetness_rate > 0; });
}

}  // namespace

SphModel make_sph_model(const Scene& scene, const Bodies& bodies, Threads& threads) {
  SphModel model;
  model.matter = make_matter_settings(scene, "sph");
  model.matter.jitter = kJitter;
  model.matter.tries = kTries;
  model.matter.most_crowded = kMostCrowded;
  model.matter.clearance = kClearance;
  model.spacing = scene.solver.spacing;
  model.place.cell = kSphSupport * model.spacing;
  model.place.origin = scene.domain.min;
  for (unsigned axis = 0; axis < 3; ++axis) {
    model.place.period[axis] = tiles_along(scene, axis, model.place.cell);
    constexpr double kMostCells = 1 << 19;
    if ((scene.domain.max[axis] - scene.domain.min[axis]) / model.place.cell > kMostCells)
      refuse(fmt::format("{}domain: it is more than {} cells of 2 x solver.spacing along {}: make it smaller",
                         scene.where("domain"), kMostCells, "xyz"[axis]));
  }
  model.gravity = scene.info.gravity;
  check_used(scene, model);
  for (const Material& material : scene.materials)
    model.materials.push_back(describe(scene, bodies, material));
  const SphSettings& settings = scene.solver.sph;
  model.iterations = settings.iterations;
  model.max_density_error = settings.max_density_error;
  model.cfl = settings.cfl;
  model.dt = settings.dt;
  model.viscosity = settings.viscosity;
  model.wet_viscosity = settings.wet_viscosity;
  for (const Material& material : scene.materials) model.wetness.push_back(material.wetness);
  model.has_wetness = has_wetness(scene);
  model.sleeps = settings.sleep;
  model.sleep_speed = settings.sleep_speed;
  model.law = settings.yield;
  model.covers = make_sph_covers(scene, bodies, threads);
  note_coarse_covers(bodies, model);
  model.cover_of.assign(bodies.size(), SphModel::kSmooth);
  for (std::size_t k = 0; k < model.covers.size(); ++k) model.cover_of[model.covers[k].body] = k;
  return model;
}

}  // namespace repose
