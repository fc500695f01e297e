#include "repose/solvers/dem/stiffness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/physics/contact.h"
#include "repose/physics/time_scales.h"
#include "repose/solvers/dem/pair_laws.h"
#include "repose/solvers/dem/time_step.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Share of the margin of neighbour lists within which candidates are looked at in every step.
constexpr double kNearShare = 0.12;

/// Force on a contact over pressure times diameter squared. The mean in a packing is about 1 (Rumpf 1958:
/// pi / (solid fraction times contacts of a grain)), and the strongest of force chains carry about 3 means.
constexpr double kForceChain = 3;

/// Bodies that hit grains may press them in by so many times the allowed overlap, for the short while that it
/// lasts: held to the same as grains that fall, they would ask for a far stiffer material. Hertz' law makes a
/// share of the speed (the overlap goes with v^0.8) and of the force (with its power 2/3) of it.
constexpr double kImpactOverlap = 4;
const double kImpactSpeedShare = std::pow(kImpactOverlap, -1.25);
const double kImpactForceShare = std::pow(kImpactOverlap, -1.5);

/// Where bodies are faster than matter: grains bounce off them at up to twice their speed.
constexpr double kBodySpeedFactor = 1.5;

/// Gravity as far as walls and openings of the domain take it up; nothing stops a fall along a periodic axis.
Vec3d gravity_with_floor(const DemModel& model) {
  Vec3d g = model.gravity;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (model.box.periodic[axis]) g[axis] = 0;
  return g;
}

struct Span {
  double low, high;
};

/// Extent of a box along a unit vector [m].
Span span_along(const Box3d& box, const Vec3d& up) {
  const Vec3d half = 0.5 * box.size();
  const double middle = box.center().dot(up);
  const double reach = std::abs(up.x) * half.x + std::abs(up.y) * half.y + std::abs(up.z) * half.z;
  return {middle - reach, middle + reach};
}

/// Length of what the spans cover together.
double union_length(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.low < b.low; });
  double length = 0, end = -kInfinity;
  for (const Span& span : spans) {
    if (span.high > end) length += span.high - std::max(span.low, end);
    end = std::max(end, span.high);
  }
  return length;
}

/// The fastest that the surface of any body that follows a path moves [m/s].
double path_speed(const Scene& scene, const Bodies& bodies) {
  constexpr int kSamples = 256;
  double fastest = 0, last = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].steady) {
      const SteadyPath& path = *bodies[b].steady;
      const double reach = std::isfinite(bodies[b].surface_reach) ? bodies[b].surface_reach : 0.0;
      const double swinging = bodies[b].swing ? bodies[b].swing->largest_speed(reach) : 0.0;
      fastest = std::max(fastest, path.velocity.length() +
                                      path.angular_velocity.length() *
                                          ((path.start.position - path.pivot).length() + reach) +
                                      swinging);
    }
  // Belts bring grains to their speed.
  for (std::size_t b = 0; b < bodies.size(); ++b)
    fastest = std::max(fastest, bodies[b].belt_velocity.length());
  for (const BodyDefinition& body : scene.bodies)
    if (!body.keyframes.empty()) last = std::max(last, body.keyframes.back().t);
  if (last <= 0) return fastest;
  Bodies moving = bodies;
  for (int k = 0; k <= kSamples; ++k) {
    moving.move_to(last * k / kSamples);
    for (std::size_t b = 0; b < moving.size(); ++b)
      if (moving[b].path) fastest = std::max(fastest, moving[b].surface_speed());
  }
  return fastest;
}

/// What dynamic bodies bring along as they fall to the floor of the domain.
struct FallingBodies {
  double speed = 0;            ///< [m/s]
  double weight_pressure = 0;  ///< on what they rest on [Pa]
  double impact_pressure = 0;  ///< on what they hit [Pa]
};

FallingBodies expect_bodies(const DemModel& model, const Vec3d& gravity, const Bodies& bodies) {
  FallingBodies out;
  const double g = gravity.length();
  for (std::size_t b = 0; b < bodies.first_wall(); ++b) {
    const Body& body = bodies[b];
    if (body.motion != Motion::dynamic) continue;
    double speed2 = std::pow(body.first_velocity.length() + body.first_spin.length() * body.surface_reach, 2);
    if (g > 0) {
      const Vec3d up = gravity / -g;
      const double floor = span_along({model.domain.min, model.domain.max}, up).low;
      speed2 += 2 * g * std::max(0.0, body.ball_position.dot(up) - body.ball_radius - floor);
    }
    // As if it stood on end: the mean section of the body is its volume over its length.
    const double length = 2 * body.ball_radius, density = body.mass.mass / volume(body.shape);
    out.speed = std::max(out.speed, std::sqrt(speed2));
    out.weight_pressure = std::max(out.weight_pressure, density * g * length);
    out.impact_pressure = std::max(out.impact_pressure, 0.5 * density * speed2);
  }
  return out;
}

void expect_motion(const Scene& scene, const Bodies& bodies, std::span<const MatterSource> sources,
                   double largest_diameter, DemModel& model) {
  const Vec3d gravity = gravity_with_floor(model);
  const double g = gravity.length();
  double speed2 = 0;
  std::vector<Span> stacked;
  double poured_depth = 0;
  for (const MatterSource& source : sources) {
    double fall = 0;
    if (g > 0) {
      const Vec3d up = gravity / -g;
      const Span span = span_along(source.bounds, up);
      const double floor = span_along({model.domain.min, model.domain.max}, up).low;
      const double extent = span.high - span.low, above = std::max(0.0, span.low - floor);
      fall = source.is_still ? 0 : above + 0.5 * extent;
      if (source.is_poured)
        poured_depth = std::max(poured_depth, source.depth >= 0 ? std::min(source.depth, fall) : fall);
      else
        stacked.push_back(span);
    }
    speed2 = std::max(speed2, source.speed * source.speed + 2 * g * fall);
  }
  model.expected_depth = std::max(union_length(std::move(stacked)), poured_depth);
  // A grain that sinks by its own size, or crosses it in a second, is the least that is reckoned with; where
  // all is still, by a thousandth of it.
  const bool still = !sources.empty() && std::all_of(sources.begin(), sources.end(),
                                                     [](const auto& source) { return source.is_still; });
  const double sinking = still ? 1e-3 * largest_diameter : largest_diameter;
  const double least = std::max(std::sqrt(g * sinking), sinking);
  const FallingBodies falling = expect_bodies(model, gravity, bodies);
  model.expected_speed = still ? least
                               : std::max({std::sqrt(speed2), kBodySpeedFactor * path_speed(scene, bodies),
                                           kImpactSpeedShare * falling.speed, least});
  model.body_weight_pressure = falling.weight_pressure;
  model.body_impact_pressure = still ? 0 : kImpactForceShare * falling.impact_pressure;
}

/// Two kinds that meet; one of them moves.
Impact impact_of(const DemModel& model, const GrainKind& a, const GrainKind& b, bool large_spheres) {
  const auto sphere = [&](const GrainKind& kind) {
    const DemShape& shape = model.shapes[kind.shape];
    return kind.radius * (large_spheres ? shape.largest : shape.smallest);
  };
  const double m_a = model.grain_mass(a.shape, a.material, a.radius);
  const double m_b = model.grain_mass(b.shape, b.material, b.radius);
  const DemMaterial &first = model.materials[a.material], &second = model.materials[b.material];
  return {.m_eff = b.held   ? m_a
                   : a.held ? m_b
                            : harmonic_sum(m_a, m_b),
          .R_eff = harmonic_sum(sphere(a), sphere(b)),
          .diameter = 2 * std::min(a.radius, b.radius),
          .modulus = effective_modulus(first.young, first.poisson, second.young, second.poisson),
          .speed = 0,
          .force = 0};
}

Impact impact_on_body(const DemModel& model, const Body& body, const GrainKind& a, bool large_spheres) {
  const DemShape& shape = model.shapes[a.shape];
  const DemMaterial& material = model.materials[a.material];
  return {.m_eff = model.grain_mass(a.shape, a.material, a.radius),
          .R_eff = a.radius * (large_spheres ? shape.largest : shape.smallest),
          .diameter = 2 * a.radius,
          .modulus = effective_modulus(material.young, material.poisson, body.young.value_or(kInfinity),
                                       body.poisson),
          .speed = 0,
          .force = 0};
}

/// The force that the weight of the matter above, of bodies on it and of their impact puts on one contact
/// [N].
double weight_force(const Scene& scene, const DemModel& model, const GrainKind& kind, double diameter) {
  const double pressure =
      scene.materials[kind.material].density * model.gravity.length() * model.expected_depth +
      model.body_weight_pressure;
  // An impact is short: the mean force counts, not the strongest of its chains.
  return std::max(kForceChain * pressure, model.body_impact_pressure) * diameter * diameter;
}

/// E_eff [Pa] at which speed and weight press no deeper than allowed.
double modulus_needed(const DemModel& model, const Impact& impact, double force) {
  const double overlap = kAllowedOverlap * impact.diameter;
  const double k_r = std::max(hertz_stiffness_for_impact(impact.m_eff, model.expected_speed, overlap),
                              hertz_stiffness_for_force(force, overlap));
  return k_r / hertz_stiffness(1.0, impact.R_eff);
}

void choose_moduli(const Scene& scene, std::span<const GrainKind> kinds, DemModel& model) {
  for (std::size_t m = 0; m < model.materials.size(); ++m) {
    DemMaterial& material = model.materials[m];
    if (!material.young_is_automatic) continue;
    double plane_strain = 0;  // E / (1 - poisson^2): two alike halve it, a rigid partner leaves it
    for (const GrainKind& a : kinds) {
      if (a.material != m) continue;
      const Impact on_body = impact_on_body(model, Body{}, a, false);
      if (!a.held)
        plane_strain = std::max(
            plane_strain, modulus_needed(model, on_body, weight_force(scene, model, a, on_body.diameter)));
      for (const GrainKind& b : kinds) {
        if (b.material != m || (a.held && b.held)) continue;
        const Impact impact = impact_of(model, a, b, false);
        const double force = weight_force(scene, model, a, impact.diameter);
        plane_strain = std::max(plane_strain, 2 * modulus_needed(model, impact, force));
      }
    }
    if (plane_strain == 0) continue;
    material.young = plane_strain * (1 - material.poisson * material.poisson);
    model.notes.push_back(
        fmt::format("young of '{}' is set to {:.3g} Pa: the softest that keeps overlaps under {:.2g} % of "
                    "the diameter at "
                    "{:.3g} m/s and under {:.3g} m of matter{}",
                    scene.materials[m].name, material.young, 100 * kAllowedOverlap, model.expected_speed,
                    model.expected_depth, model.body_weight_pressure > 0 ? " with the bodies on it" : ""));
  }
}

void choose_contact_step(const Scene& scene, const Bodies& bodies, std::span<const GrainKind> kinds,
                         DemModel& model) {
  ContactStep least{kInfinity, ""};
  const double steps = steps_per_contact(model.kernel.alpha, model.kernel.beta, scene.solver.dem.attraction);
  model.contact_phase = contact_phase(0, steps);
  model.weight_overlap = 0;
  // The largest spheres ask for the shortest steps: at the same overlap they are the stiffest.
  const auto for_each_impact = [&](auto&& f) {
    for (const GrainKind& a : kinds) {
      if (a.held) continue;
      for (const GrainKind& b : kinds)
        f(a, model.laws[model.law_index(a.material, b.material)], impact_of(model, a, b, true));
      for (std::size_t b = 0; b < bodies.size(); ++b)
        f(a, model.laws[model.law_index(a.material, model.materials.size() + b)],
          impact_on_body(model, bodies[b], a, true));
    }
  };
  const auto loaded = [&](const GrainKind& a, Impact impact) {
    impact.speed = model.expected_speed;
    impact.force = weight_force(scene, model, a, impact.diameter);
    return impact;
  };
  for_each_impact([&](const GrainKind& a, PairLaw& law, const Impact& impact) {
    fit_law(scene, loaded(a, impact), law, model);
  });
  for_each_impact([&](const GrainKind& a, const PairLaw& law, const Impact& bare) {
    const Impact impact = loaded(a, bare);
    const ImpactScales scales = impact_scales(model, law, impact);
    Impact pressed = impact;
    pressed.speed = 0;
    model.weight_overlap =
        std::max(model.weight_overlap, impact_scales(model, law, pressed).overlap / impact.diameter);
    const ContactStep step =
        contact_step(scales.frequency, scales.zeta, impact.m_eff, law.drag, law.spring, steps);
    if (step.dt < least.dt) least = step;
    model.contact_phase = std::min(model.contact_phase, contact_phase(scales.zeta, steps));
  });
  model.contact_limit = least.limit;
  model.dt = least.dt;
}

}  // namespace

void choose_stiffness(const Scene& scene, const Bodies& bodies, std::span<const GrainKind> kinds,
                      std::span<const MatterSource> sources, DemModel& model) {
  double largest = 0;
  model.smallest_radius = kInfinity;
  for (const GrainKind& kind : kinds) {
    if (kind.held) continue;
    largest = std::max(largest, 2 * kind.radius);
    model.smallest_radius = std::min(model.smallest_radius, kind.radius * model.shapes[kind.shape].smallest);
  }
  if (largest == 0) largest = scene.solver.spacing, model.smallest_radius = 0.5 * scene.solver.spacing;
  model.margin = scene.solver.dem.skin * model.smallest_radius;
  model.near_margin = kNearShare * model.margin;

  expect_motion(scene, bodies, sources, largest, model);
  choose_moduli(scene, kinds, model);
  set_moduli_of_pairs(scene, bodies, model);
  choose_contact_step(scene, bodies, kinds, model);

  if (!std::isfinite(model.dt)) model.dt = model.cfl * model.smallest_radius / model.expected_speed;
  if (scene.solver.dem.dt > 0) {
    if (scene.solver.dem.dt > kStableShare * model.dt)
      model.warnings.push_back(
          fmt::format("solver.dem.dt = {:.3g} s is more than contacts allow: about {:.3g} s is accurate and "
                      "{:.3g} s stable",
                      scene.solver.dem.dt, model.dt, kStableShare * model.dt));
    model.dt = scene.solver.dem.dt;
    model.dt_is_given = true;
    model.contact_limit = "solver.dem.dt";
  }
  double largest_sphere = 0.5 * largest;
  for (const GrainKind& kind : kinds)
    largest_sphere = std::max(largest_sphere, kind.radius * model.shapes[kind.shape].largest);
  finish_laws(scene, largest_sphere, model);
}

}  // namespace repose
