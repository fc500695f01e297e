#include "repose/solvers/dem/pair_laws.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/physics/restitution.h"
#include "repose/physics/time_scales.h"
#include "repose/scene/materials.h"
#include "repose/solvers/dem/time_step.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Share of the normal stiffness that an automatic spring of eq. 19 has (Silbert et al. 2001, "Granular flow
/// down an inclined plane", take 2/7: slip then oscillates as fast as the overlap).
constexpr double kSpringShare = 2.0 / 7;

/// k_t [N s/m] at which eq. 18 is eq. 17 for any speed that matters.
constexpr double kCoulombDrag = 1e12;

constexpr double kDefaultRestitutionSpeed = 1;  ///< [m/s]

[[noreturn]] void refuse(const Scene& scene, const char* key, const std::string& text) {
  throw Error(ExitCode::bad_scene,
              fmt::format("{}solver.dem.{}: {}", scene.where(std::string("solver.dem.") + key), key, text));
}

/// What two surfaces have together before any [contact] table has its say.
struct Mixed {
  double friction, restitution, cohesion, rolling;
  double crowding;  ///< how many more places than small compounds they may touch in [-]
};

double crowding(const DemModel& model, const DemMaterial& material) {
  const std::size_t spheres = model.shapes[material.shape].form.spheres.size();
  return spheres > kFewSpheres ? static_cast<double>(spheres) / 3 : 1.0;
}

Mixed mix_materials(const DemModel& model, const DemMaterial& a, const DemMaterial& b) {
  return {std::sqrt(a.friction * b.friction), std::sqrt(a.restitution * b.restitution),
          std::sqrt(a.cohesion * b.cohesion), std::sqrt(a.rolling_friction * b.rolling_friction),
          std::min(crowding(model, a), crowding(model, b))};
}

/// Clean walls: matter does not stick to them unless a [contact] table says so.
Mixed mix_with_body(const DemModel& model, const DemMaterial& material, const Body& body, bool is_wall) {
  return {body.friction, is_wall ? material.restitution : body.restitution, 0, material.rolling_friction,
          crowding(model, material)};
}

/// Eq. 18 holds nothing for good, whatever the shape of the grains (Bell 2005, section 2.2): it is taken
/// where springs cannot be.
TangentialLaw tangential_law(const DemSettings& dem) {
  return dem.tangential.value_or(dem.integrator == Integrator::rkf45 ? TangentialLaw::coulomb_viscous
                                                                     : TangentialLaw::spring);
}

double damping_ratio(double restitution, bool pulls) {
  if (!pulls) return damping_ratio_without_pull(restitution);
  return damping_ratio_with_pull(restitution);
}

PairLaw pair_law(const Scene& scene, const std::string& a, const std::string& b, Mixed mixed,
                 const DemModel& model) {
  if (const ContactPair* contact = contact_between(scene, a, b)) {
    mixed.friction = contact->friction.value_or(mixed.friction);
    mixed.restitution = contact->restitution.value_or(mixed.restitution);
    mixed.cohesion = contact->cohesion.value_or(mixed.cohesion);
  }
  const DemSettings& dem = scene.solver.dem;
  PairLaw law;
  law.crowding = mixed.crowding;
  law.restitution = mixed.restitution;
  law.tangential = tangential_law(dem);
  law.friction = law.tangential == TangentialLaw::viscous ? kInfinity : mixed.friction;
  law.least = dem.attraction ? -kInfinity : 0.0;
  law.pull = pull_off_factor(mixed.cohesion);
  law.rolling = mixed.rolling;
  const double zeta = damping_ratio(mixed.restitution, dem.attraction);
  if (dem.damping)
    law.damping = *dem.damping;
  else if (model.kernel.normal == NormalKind::hertz)
    law.damping_ratio = hertz_damping_factor(zeta);
  else if (model.kernel.normal == NormalKind::linear)
    law.damping_ratio = 2 * zeta;
  // A sphere that slides over another turns as it does: its tangential mass is 2/7 of m_eff.
  if (law.tangential == TangentialLaw::spring || law.tangential == TangentialLaw::mindlin) {
    law.drag = dem.damping_t.value_or(0);
    if (!dem.damping_t) law.drag_ratio = 2 * zeta * std::sqrt(kSpringShare);
  }
  return law;
}

void choose_kernel_settings(const Scene& scene, DemModel& model) {
  const DemSettings& dem = scene.solver.dem;
  KernelSettings& kernel = model.kernel;
  switch (dem.normal) {
    case NormalLaw::hertz:
      kernel.normal = NormalKind::hertz;
      break;
    case NormalLaw::hertz_viscoelastic:
      kernel.normal = NormalKind::viscoelastic;
      break;
    case NormalLaw::linear:
      kernel.normal = NormalKind::linear;
      break;
    case NormalLaw::general:
      kernel.normal = NormalKind::general;
      break;
  }
  kernel.alpha = kernel.normal == NormalKind::hertz          ? 0.25
                 : kernel.normal == NormalKind::viscoelastic ? 0.5
                                                             : dem.alpha.value_or(0);
  kernel.beta = kernel.normal == NormalKind::linear ? 1 : dem.beta.value_or(1.5);
}

/// k_d [...] of the reference impact for laws whose restitution depends on speed: see restitution.h.
double damping_at_speed(const KernelSettings& kernel, const Impact& impact, double k_r, double e, double v,
                        bool pulls) {
  const double kappa = scaled_damping(kernel.alpha, kernel.beta, e, pulls);
  const double length = std::pow(impact.m_eff * v * v / k_r, 1 / (kernel.beta + 1));
  return kappa * impact.m_eff * v / std::pow(length, kernel.alpha + 1);
}

}  // namespace

void check_contact_settings(const Scene& scene) {
  const DemSettings& dem = scene.solver.dem;
  const bool linear = dem.normal == NormalLaw::linear, general = dem.normal == NormalLaw::general;
  const bool fades = general || dem.normal == NormalLaw::hertz_viscoelastic;
  const auto tangential = dem.tangential.value_or(TangentialLaw::spring);
  const bool springs = tangential == TangentialLaw::spring || tangential == TangentialLaw::mindlin;
  if ((dem.alpha || dem.beta) && !general)
    refuse(scene, dem.alpha ? "alpha" : "beta",
           "only normal = \"general\" has it; leave it out, or take that");
  if (general && !(dem.alpha && dem.beta))
    refuse(scene, "normal", "\"general\" needs alpha and beta; Hertz has 0.25 and 1.5");
  if (general && !dem.stiffness)
    refuse(scene, "normal", "\"general\" needs stiffness [N/m^beta]: young says it for Hertz' law alone");
  if (dem.contact_time && !linear)
    refuse(scene, "contact_time", "only normal = \"linear\" has one; leave it out, or take that");
  if (dem.contact_time && (dem.stiffness || dem.damping))
    refuse(scene, "contact_time", "stiffness and damping say it already; give these or contact_time");
  if (dem.restitution_speed && !fades)
    refuse(scene, "restitution_speed",
           "this law's restitution does not depend on speed; leave it out, or take normal = "
           "\"hertz-viscoelastic\"");
  if (dem.restitution_speed && dem.damping)
    refuse(scene, "restitution_speed", "damping is given, so restitution has no say; leave one of them out");
  if (dem.tangential && springs && dem.integrator == Integrator::rkf45)
    refuse(scene, "tangential", "rkf45 needs forces without memory; take \"coulomb-viscous\", or \"verlet\"");
  if (dem.damping_t && !springs)
    refuse(scene, "damping_t", "only tangential = \"spring\" and \"mindlin\" have it; k_t is their friction");
  if (dem.k_t && (tangential == TangentialLaw::mindlin || tangential == TangentialLaw::coulomb))
    refuse(scene, "k_t", "this tangential law does not use it; leave it out");
}

void make_laws(const Scene& scene, const Bodies& bodies, const std::set<std::size_t>& used, DemModel& model) {
  choose_kernel_settings(scene, model);
  if (scene.solver.dem.k_t && !scene.solver.dem.tangential)
    refuse(scene, "k_t",
           "it is a spring [N/m] under tangential = \"spring\" and viscous [kg/s] under \"coulomb-viscous\"; "
           "name the law that it is for");
  model.surface_count = model.materials.size() + bodies.size();
  model.laws.assign(model.materials.size() * model.surface_count, PairLaw{});
  for (const std::size_t m : used) {
    PairLaw* row = &model.laws[m * model.surface_count];
    for (const std::size_t n : used)
      row[n] = pair_law(scene, scene.materials[m].name, scene.materials[n].name,
                        mix_materials(model, model.materials[m], model.materials[n]), model);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      row[model.materials.size() + b] =
          pair_law(scene, scene.materials[m].name, bodies[b].family,
                   mix_with_body(model, model.materials[m], bodies[b], b >= bodies.first_wall()), model);
  }
}

void set_moduli_of_pairs(const Scene& scene, const Bodies& bodies, DemModel& model) {
  const DemSettings& dem = scene.solver.dem;
  const auto set = [&](PairLaw& law, const DemMaterial& a, double young, double poisson) {
    law.hertz = law.stiffness = law.stiffness_rate = law.shear = law.spring = law.damping_time = 0;
    if (!dem.damping) law.damping = 0;
    if (dem.stiffness)
      law.stiffness = *dem.stiffness;
    else if (dem.contact_time) {
      // Bell 2005, eq. 10; the time with attraction, which Bell's formula is for.
      const double log_e = std::log(std::max(law.restitution, kLeastRestitution));
      law.stiffness_rate = (log_e * log_e + kPi * kPi) / (*dem.contact_time * *dem.contact_time);
    } else if (model.kernel.normal != NormalKind::linear)
      law.hertz = hertz_stiffness(effective_modulus(a.young, a.poisson, young, poisson), 1.0);
    if (law.tangential == TangentialLaw::mindlin)
      law.shear = mindlin_modulus(a.young, a.poisson, young, poisson);
  };
  for (std::size_t m = 0; m < model.materials.size(); ++m) {
    const DemMaterial& a = model.materials[m];
    PairLaw* row = &model.laws[m * model.surface_count];
    for (std::size_t n = 0; n < model.materials.size(); ++n)
      set(row[n], a, model.materials[n].young, model.materials[n].poisson);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      set(row[model.materials.size() + b], a, bodies[b].young.value_or(kInfinity), bodies[b].poisson);
  }
}

NormalConstants normal_constants(const PairLaw& law, const Impact& impact) {
  const double k_r = law.hertz * std::sqrt(impact.R_eff) + law.stiffness + law.stiffness_rate * impact.m_eff;
  return {k_r, law.damping_ratio * std::sqrt(impact.m_eff * k_r) + law.damping + law.damping_time * k_r};
}

void fit_law(const Scene& scene, const Impact& impact, PairLaw& law, const DemModel& model) {
  const DemSettings& dem = scene.solver.dem;
  const double beta = model.kernel.beta;
  if (model.kernel.normal == NormalKind::linear && !dem.stiffness && !dem.contact_time &&
      impact.modulus > 0) {
    // As deep as Hertz' law would let this impact or load sink in.
    const double hertz = hertz_stiffness(impact.modulus, impact.R_eff);
    const double by_speed = std::sqrt(hertz_impact_overlap(impact.m_eff, hertz, impact.speed));
    const double by_force = std::sqrt(hertz_static_overlap(impact.force, hertz));
    law.stiffness = std::max({law.stiffness, 0.8 * hertz * by_speed, hertz * by_force});
  }
  if ((model.kernel.normal == NormalKind::viscoelastic || model.kernel.normal == NormalKind::general) &&
      !dem.damping) {
    const double v = dem.restitution_speed.value_or(kDefaultRestitutionSpeed);
    const double k_r = normal_constants(law, impact).k_r;
    const double k_d = damping_at_speed(model.kernel, impact, k_r, law.restitution, v, dem.attraction);
    if (model.kernel.normal == NormalKind::viscoelastic)
      law.damping_time = k_d / k_r;
    else
      law.damping = k_d;
  }
  if (law.tangential == TangentialLaw::spring) {
    const ImpactScales scales = impact_scales(model, law, impact);
    const double k_r = normal_constants(law, impact).k_r;
    const double stiffness = beta * k_r * std::pow(scales.overlap, beta - 1);
    law.spring = dem.k_t.value_or(std::max(law.spring, kSpringShare * stiffness));
  } else if (law.tangential == TangentialLaw::viscous || law.tangential == TangentialLaw::coulomb_viscous) {
    law.drag = dem.k_t.value_or(0);
  } else if (law.tangential == TangentialLaw::coulomb) {
    law.drag = kCoulombDrag;
  }
}

ImpactScales impact_scales(const DemModel& model, const PairLaw& law, const Impact& impact) {
  const double beta = model.kernel.beta;
  const auto [k_r, k_d] = normal_constants(law, impact);
  // Half m v^2 is k_r x^(beta + 1) / (beta + 1) at the deepest.
  const double by_speed =
      std::pow(0.5 * (beta + 1) * impact.m_eff * impact.speed * impact.speed / k_r, 1 / (beta + 1));
  const double by_force = std::pow(impact.force / k_r, 1 / beta);
  const double overlap = std::max(by_speed, by_force);
  const double frequency = std::sqrt(beta * k_r * std::pow(overlap, beta - 1) / impact.m_eff);
  return {overlap, frequency,
          k_d * std::pow(overlap, model.kernel.normal == NormalKind::linear ? 0 : model.kernel.alpha) /
              (2 * impact.m_eff * frequency)};
}

void finish_laws(const Scene& scene, double largest_radius, DemModel& model) {
  KernelSettings& kernel = model.kernel;
  kernel.tangential = TangentialKind::memoryless;
  kernel.rolls = false;
  double largest_force = 0;
  for (PairLaw& law : model.laws) {
    const bool viscous =
        law.tangential == TangentialLaw::viscous || law.tangential == TangentialLaw::coulomb_viscous;
    if (viscous && !scene.solver.dem.k_t) law.drag_rate = kFrictionRate / (model.dt * law.crowding);
    if (law.spring > 0 && kernel.tangential == TangentialKind::memoryless)
      kernel.tangential = TangentialKind::spring;
    if (law.shear > 0) kernel.tangential = TangentialKind::mindlin;
    if (law.rolling > 0) kernel.rolls = true;
    // At an overlap of half the radius, far beyond what any run survives for long.
    const double x = 0.5 * largest_radius;
    const double k_r = law.hertz * std::sqrt(x) + law.stiffness +
                       law.stiffness_rate * model.grain_density() * 8 * x * x * x * 8;
    if (std::isfinite(k_r))
      largest_force = std::max(largest_force,
                               k_r * std::pow(x, kernel.beta) + law.pull * largest_radius * largest_radius);
  }
  // Sums of many such forces stay below 2^51 quanta.
  constexpr double kHeadroom = 16;
  const auto quantum = [](double largest) {
    return largest > 0 ? std::ldexp(1.0, std::ilogb(largest * kHeadroom) + 1 - 51) : 1e-30;
  };
  kernel.force_quantum = quantum(largest_force);
  kernel.torque_quantum = quantum(largest_force * largest_radius);
  kernel.stiffness_quantum = quantum(4 * largest_force / largest_radius);
  kernel.braking_quantum = quantum(64 * model.grain_density() * std::pow(2 * largest_radius, 3) / model.dt);
  model.kernel_laws.clear();
  for (const PairLaw& law : model.laws) model.kernel_laws.push_back(law.as<float>());
}

}  // namespace repose
