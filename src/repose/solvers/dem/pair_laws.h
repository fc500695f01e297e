#pragma once
// From the scene's words (friction, restitution, young, ...) to the numbers of contact_law.h for each pair of
// surfaces. It goes in two steps, since stiffness is often chosen by the solver: first what does not depend
// on it, then the rest.

#include <set>
#include <span>

#include "repose/bodies/bodies.h"
#include "repose/scene/scene.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {

/// Two surfaces that meet at a speed and under a load, as they are expected to.
struct Impact {
  double m_eff;     ///< [kg]
  double R_eff;     ///< [m]
  double diameter;  ///< of the smaller grain [m]
  double modulus;   ///< E_eff [Pa]
  double speed;     ///< [m/s]
  double force;     ///< steady [N]
};

/// Throws Error(bad_scene) where settings of [solver.dem] contradict each other.
void check_contact_settings(const Scene& scene);

/// Which formulas contacts follow; friction, restitution, cohesion and rolling of each pair.
void make_laws(const Scene& scene, const Bodies& bodies, const std::set<std::size_t>& used, DemModel& model);

/// Moduli of each pair, from those of the materials. To be called before the next.
void set_moduli_of_pairs(const Scene& scene, const Bodies& bodies, DemModel& model);

/// What of a law depends on how hard its surfaces are expected to meet: call for every kind of impact.
void fit_law(const Scene& scene, const Impact& impact, PairLaw& law, const DemModel& model);

/// Friction that depends on the time step, the quanta of sums, and the kernel's copies of all laws.
void finish_laws(const Scene& scene, double largest_radius, DemModel& model);

/// k_r [N/m^beta] and k_d of a law for an impact.
struct NormalConstants {
  double k_r, k_d;
};
NormalConstants normal_constants(const PairLaw& law, const Impact& impact);

/// What an impact does under the normal law.
struct ImpactScales {
  double overlap;    ///< deepest [m]
  double frequency;  ///< of a small oscillation there [rad/s]
  double zeta;       ///< its damping ratio [-]
};
ImpactScales impact_scales(const DemModel& model, const PairLaw& law, const Impact& impact);

}  // namespace repose
