#pragma once
// Forces of two spheres that overlap: the formulas of Bell, Yu and Mucha 2005, "Particle-Based Simulation of
// Granular Materials", section 2, each once.
//
// Signs. Bell's f_n is negative in repulsion (eq. 7), and eq. 17 and 18 then need its absolute value. Here a
// normal force is a *repulsion*: positive pushes the spheres apart, and a contact that does not pull has it
// at zero or above. The force on sphere 1 is -repulsion N - friction V_t, with N from 1 to 2 (eq. 2) and V_t
// the tangential part of V = v_1 - v_2 (eq. 3 to 5).
//
// Every formula of two spheres gives the same bits when the two are exchanged: only sums and products of the
// two are taken, in one operation each. So a pair's forces cancel exactly, whoever computes them.
//
// All are templates on the scalar and call nothing but square roots and powers, so that a vectorised or a
// device kernel can use them.

#include <algorithm>
#include <cmath>

namespace repose {

/// Harmonic sum 1 / (1/a + 1/b): effective mass (eq. 11) [kg] and radius (eq. 13) [m] of a pair. An infinite
/// partner (a wall, a held body) leaves the other one alone.
template <class T>
inline T harmonic_sum(T a, T b) {
  return T(1) / (T(1) / a + T(1) / b);
}

/// E / (1 - poisson^2) [Pa]: what one sphere adds to eq. 14; infinity for a rigid one.
template <class T>
inline T plane_strain_modulus(T young, T poisson) {
  return young / (T(1) - poisson * poisson);
}

/// E_eff of a pair [Pa]. Bell 2005, eq. 14.
template <class T>
inline T effective_modulus(T young_1, T poisson_1, T young_2, T poisson_2) {
  return harmonic_sum(plane_strain_modulus(young_1, poisson_1), plane_strain_modulus(young_2, poisson_2));
}

/// k_r [N/m^1.5] of two elastic spheres, E_eff [Pa], R_eff [m]. Bell 2005, eq. 15.
template <class T>
inline T hertz_stiffness(T E_eff, T R_eff) {
  return T(4) / T(3) * E_eff * std::sqrt(R_eff);
}

/// The four normal laws below share one form, eq. 7: repulsion = k_r overlap^beta + k_d overlap^alpha rate,
/// overlap [m] > 0, rate [m/s] at which it grows. Units: k_r [N/m^beta], k_d [N s/m^(1+alpha)].

/// alpha 1/4, beta 3/2: restitution does not depend on speed (Bell 2005, section 2.1).
struct HertzLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    const T root = std::sqrt(overlap);
    return k_r * overlap * root + k_d * std::sqrt(root) * rate;
  }
};

/// alpha 1/2, beta 3/2: viscoelastic spheres, restitution falls with speed (Bell 2005, section 2.1).
struct HertzViscoelasticLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return std::sqrt(overlap) * (k_r * overlap + k_d * rate);
  }
};

/// alpha 0, beta 1: spring and dashpot (Bell 2005, eq. 8).
struct LinearLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return k_r * overlap + k_d * rate;
  }
};

/// Any exponents (Bell 2005, eq. 7).
struct GeneralLaw {
  double alpha = 0.25, beta = 1.5;
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return k_r * std::pow(overlap, T(beta)) + k_d * std::pow(overlap, T(alpha)) * rate;
  }
};

/// Friction of eq. 18 as a factor [N s/m] on the tangential velocity: F_t = -factor V_t, so that
/// |F_t| = min(mu |f_n|, k_t |V_t|). repulsion [N] >= 0, k_t [N s/m], tangential speed |V_t| [m/s]; mu may be
/// infinite (no slip), since only repulsion > 0 is multiplied by it.
template <class T>
inline T coulomb_viscous_factor(T mu, T repulsion, T k_t, T tangential_speed) {
  if (!(repulsion > T(0))) return T(0);
  const T limit = mu * repulsion;
  return k_t * tangential_speed <= limit ? k_t : limit / tangential_speed;
}

}  // namespace repose
