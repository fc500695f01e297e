#include "repose/solvers/dem/covers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/bodies/cover_bodies.h"
#include "repose/core/error.h"
#include "repose/geometry/surface_particles.h"
#include "repose/physics/time_scales.h"

namespace repose {
namespace {

constexpr double kRadiusShare = 0.25;   ///< of solver.spacing that a sphere's radius has [-]
constexpr double kDensity = 1.15;       ///< of the closed layer: no gap lets anything through [-]
constexpr double kRoughDensity = 0.35;  ///< of the second layer [-]
constexpr std::uint32_t kLastId = ~0U;  ///< ranks of covers come after those of all grains

[[noreturn]] void refuse(const Scene& scene, const Body& body, const char* key, const std::string& text) {
  throw Error(
      ExitCode::bad_scene,
      fmt::format("{}body '{}': {}", scene.where("body." + body.family + "." + key), body.name, text));
}

void add_layer(const Body& body, double radius, double density, double offset, std::uint32_t substream,
               const Scene& scene, BodyCover& cover, Threads& threads) {
  const SurfaceParticles layer = sample_surface(body.shape,
                                                {.radius = radius,
                                                 .density = density,
                                                 .offset = offset,
                                                 .seed = scene.info.seed,
                                                 .substream = substream},
                                                threads);
  cover.centers.insert(cover.centers.end(), layer.positions.begin(), layer.positions.end());
  cover.radii.insert(cover.radii.end(), layer.positions.size(), static_cast<float>(radius));
}

BodyCover make_cover(const Scene& scene, const Bodies& bodies, std::size_t b, Threads& threads) {
  const Body& body = bodies[b];
  BodyCover cover;
  cover.body = b;
  const double radius = body.particle_radius.value_or(kRadiusShare * scene.solver.spacing);
  if (!std::isfinite(body.ball_radius))
    refuse(scene, body, "surface",
           "an unbounded shape cannot be covered with particles; take a box, or a layer of fixed grains");
  if (body.thinness < 2 * radius)
    refuse(
        scene, body, "surface",
        fmt::format("it is {:.3g} m thin, too thin for particles of radius {:.3g} m; set particle_radius to "
                    "less than {:.3g}",
                    body.thinness, radius, 0.5 * body.thinness));
  const auto substream = static_cast<std::uint32_t>(2 * b);
  add_layer(body, radius, kDensity, -radius, substream, scene, cover, threads);
  if (body.roughness > 0) {
    const double small = body.roughness * radius;
    add_layer(body, small, kRoughDensity, 0, substream + 1, scene, cover, threads);
  }
  return cover;
}

}  // namespace

std::vector<BodyCover> make_covers(const Scene& scene, const Bodies& bodies, Threads& threads) {
  return cover_bodies<BodyCover>(bodies, bodies.size(),
                                 [&](std::size_t b) { return make_cover(scene, bodies, b, threads); });
}

void add_covers(const DemModel& model, const Bodies& bodies, std::vector<GrainShape>& shapes,
                PackedGrains& grains) {
  for (const BodyCover& cover : model.covers) {
    const Body& body = bodies[cover.body];
    GrainShape shape{.name = body.name, .spheres = {}};
    for (std::size_t k = 0; k < cover.centers.size(); ++k)
      shape.spheres.push_back({cover.centers[k] / body.ball_radius, cover.radii[k] / body.ball_radius});
    grains.add(body.pose.position, body.pose.rotation, body.ball_radius,
               static_cast<std::uint16_t>(shapes.size()), Freedom::held);
    shapes.push_back(std::move(shape));
  }
}

void add_cover_spheres(const DemModel& model, std::size_t grains, DemScratch& scratch) {
  scratch.first_cover_sphere = static_cast<std::uint32_t>(scratch.spheres.size());
  scratch.cover_states.assign(model.covers.size(), CoverState{});
  for (std::size_t c = 0; c < model.covers.size(); ++c) {
    const BodyCover& cover = model.covers[c];
    for (std::size_t k = 0; k < cover.centers.size(); ++k) {
      DemSphere sphere;
      sphere.position = Vec3d(0);
      sphere.velocity = sphere.spin = Vec3f(0);
      sphere.inverse_mass = sphere.inverse_diameter = 0;
      sphere.radius = cover.radii[k];
      sphere.surface = static_cast<std::uint32_t>(model.materials.size() + cover.body);
      scratch.spheres.push_back(sphere);
      scratch.grain.push_back(static_cast<std::uint32_t>(grains + c));
      scratch.rank.push_back((std::uint64_t{kLastId - static_cast<std::uint32_t>(cover.body)} << 32) | k);
    }
  }
  scratch.listed_position.resize(scratch.spheres.size());
}

void place_covers(const DemModel& model, const Bodies& bodies, DemScratch& scratch) {
  std::size_t s = scratch.first_cover_sphere;
  for (std::size_t c = 0; c < model.covers.size(); ++c) {
    const BodyCover& cover = model.covers[c];
    const Body& body = bodies[cover.body];
    CoverState& state = scratch.cover_states[c];
    if (state.placed && (state.present != body.present || state.is_free != body.is_free))
      scratch.must_list = true;
    const bool still = state.placed && body.motion == Motion::fixed && state.belt == body.belt;
    state = {true, body.present, body.is_free, body.belt};
    if (still) {
      s += cover.centers.size();
      continue;
    }
    const auto inverse_mass = static_cast<float>(body.inverse_mass());
    const Vec3f spin = to_float(body.angular_velocity);
    for (const Vec3d& center : cover.centers) {
      DemSphere& sphere = scratch.spheres[s++];
      sphere.position = body.pose.to_world(center);
      Vec3d velocity = bodies.velocity_at(cover.body, sphere.position);
      if (has_belt(body))
        velocity += belt_velocity_at(body, bodies.nearest(cover.body, sphere.position).normal);
      sphere.velocity = to_float(velocity);
      sphere.spin = spin;
      sphere.inverse_mass = inverse_mass;
    }
  }
}

double cover_speed(const DemModel& model, const Bodies& bodies) {
  double fastest = 0;
  for (const BodyCover& cover : model.covers)
    if (bodies[cover.body].present) fastest = std::max(fastest, bodies[cover.body].surface_speed());
  return fastest;
}

BodyImpulse reaction_of_cover(const DemModel& model, const DemScratch& scratch, const Bodies& bodies,
                              std::size_t index) {
  std::size_t s = scratch.first_cover_sphere;
  for (std::size_t c = 0; c < index; ++c) s += model.covers[c].centers.size();
  const BodyCover& cover = model.covers[index];
  BodyImpulse sum;
  for (std::size_t k = 0; k < cover.centers.size(); ++k, ++s) {
    const SphereSum& on_sphere = scratch.cover_sums[s - scratch.first_cover_sphere];
    sum.add(on_sphere.force.vec(), scratch.spheres[s].position - bodies[cover.body].pose.position);
    sum.angular += on_sphere.torque.vec();
  }
  return sum;
}

void push_covered_bodies(const DemModel& model, const DemScratch& scratch, double dt, Bodies& bodies) {
  for (std::size_t c = 0; c < model.covers.size(); ++c) {
    const BodyImpulse by_time = reaction_of_cover(model, scratch, bodies, c);
    bodies.add_impulse(model.covers[c].body, {dt * by_time.linear, dt * by_time.angular});
  }
}

double longest_step_of_covers(const DemModel& model, const DemScratch& scratch, const Bodies& bodies) {
  double longest = std::numeric_limits<double>::infinity();
  std::size_t s = scratch.first_cover_sphere;
  for (const BodyCover& cover : model.covers) {
    const Body& body = bodies[cover.body];
    double stiffness = 0, braking = 0;  // times mobility
    for (std::size_t k = 0; k < cover.centers.size(); ++k, ++s) {
      if (!body.is_free || scratch.holds[s].stiffness == 0) continue;
      const double arm2 = (scratch.spheres[s].position - body.state.center).length2();
      const double mobility = 1 / body.mass.mass + arm2 * body.mass.largest_inverse_inertia;
      stiffness += scratch.holds[s].stiffness * mobility;
      braking += scratch.holds[s].braking * mobility;
    }
    longest = std::min(longest, stable_step(stiffness, braking, 1));
  }
  return longest;
}

}  // namespace repose
