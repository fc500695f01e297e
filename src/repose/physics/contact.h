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

#include <cmath>

#include "repose/math/vec.h"

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
/// overlap [m] > 0, rate [m/s] at which it grows. Units: k_r [N/m^beta], k_d [N s/m^(1+alpha)]. With it come
/// its slope over 3/2, stiffness [N/m], so that Hertz' is k_r sqrt(overlap); and its damping, brake [N s/m].

/// alpha 1/4, beta 3/2: restitution does not depend on speed (Bell 2005, section 2.1).
struct HertzLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    const T root = std::sqrt(overlap);
    return k_r * overlap * root + k_d * std::sqrt(root) * rate;
  }
  template <class T>
  T stiffness(T k_r, T overlap) const {
    return k_r * std::sqrt(overlap);
  }
  template <class T>
  T brake(T k_d, T overlap) const {
    return k_d * std::sqrt(std::sqrt(overlap));
  }
};

/// alpha 1/2, beta 3/2: viscoelastic spheres, restitution falls with speed (Bell 2005, section 2.1).
struct HertzViscoelasticLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return std::sqrt(overlap) * (k_r * overlap + k_d * rate);
  }
  template <class T>
  T stiffness(T k_r, T overlap) const {
    return k_r * std::sqrt(overlap);
  }
  template <class T>
  T brake(T k_d, T overlap) const {
    return k_d * std::sqrt(overlap);
  }
};

/// alpha 0, beta 1: spring and dashpot (Bell 2005, eq. 8).
struct LinearLaw {
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return k_r * overlap + k_d * rate;
  }
  template <class T>
  T stiffness(T k_r, T) const {
    return k_r / T(1.5);
  }
  template <class T>
  T brake(T k_d, T) const {
    return k_d;
  }
};

/// Any exponents (Bell 2005, eq. 7).
struct GeneralLaw {
  double alpha = 0.25, beta = 1.5;
  template <class T>
  T repulsion(T k_r, T k_d, T overlap, T rate) const {
    return k_r * std::pow(overlap, T(beta)) + k_d * std::pow(overlap, T(alpha)) * rate;
  }
  template <class T>
  T stiffness(T k_r, T overlap) const {
    return k_r * T(beta / 1.5) * std::pow(overlap, T(beta - 1));
  }
  template <class T>
  T brake(T k_d, T overlap) const {
    return k_d * std::pow(overlap, T(alpha));
  }
};

/// Friction of a contact, eq. 16 to 19 in one: the traction k_s D + k_t V_t, cut to a limit. F_t = -force.
///   eq. 16  k_s = 0, limit = infinity        eq. 18  k_s = 0
///   eq. 17  k_s = 0, k_t large               eq. 19  k_t = 0, or the dashpot beside the spring
/// D [m] is what the contact slid since it began, V_t [m/s] its tangential velocity, k_s [N/m], k_t [N s/m],
/// limit [N] >= 0, may be infinite. The spring alone holds at most the limit: D is shortened to that (Cundall
/// and Strack 1979, "A discrete numerical model for granular assemblies", section on slip). Luding 2008,
/// section 3.2, gives D = (limit - k_t V_t) / k_s where the sum of both slides. That loads the spring by the
/// dashpot, against the motion: a contact that begins, while its limit is still small, would store up to
/// (k_t V_t)^2 / (2 k_s) that nothing has done work for, and drive the slip with it when it holds. Here only
/// displacement loads the spring, so that friction takes energy at any time.
template <class T>
struct Traction {
  Imath::Vec3<T> force;  ///< [N]
  Imath::Vec3<T> slip;   ///< D from now on [m]
};
/// What share [-] of a vector, given by its square, keeps it within a limit.
template <class T>
inline T share_within(T size2, T limit) {
  return size2 > limit * limit ? limit / std::sqrt(size2) : T(1);
}
template <class T>
inline Traction<T> friction_traction(const Imath::Vec3<T>& D, const Imath::Vec3<T>& V_t, T k_s, T k_t,
                                     T limit) {
  const Imath::Vec3<T> slip = share_within(k_s * k_s * D.dot(D), limit) * D;
  const Imath::Vec3<T> trial = k_s * slip + k_t * V_t;
  return {share_within(trial.dot(trial), limit) * trial, slip};
}

/// 8 G_eff [Pa] of a pair, of which Mindlin's tangential stiffness 8 G_eff sqrt(R_eff overlap) [N/m] is made:
/// 1 / G_eff = (2 - nu_1) / G_1 + (2 - nu_2) / G_2, G = E / (2 (1 + nu)). Mindlin 1949; a rigid partner adds
/// nothing.
template <class T>
inline T mindlin_modulus(T young_1, T poisson_1, T young_2, T poisson_2) {
  const auto compliance = [](T young, T poisson) {
    return T(2) * (T(1) + poisson) * (T(2) - poisson) / young;
  };
  return T(8) / (compliance(young_1, poisson_1) + compliance(young_2, poisson_2));
}

/// Pull-off force [N] over R_eff^2 [m2] of two damp grains whose packing has this cohesion [Pa].
/// Rumpf 1958: a packing with solid fraction f and Z contacts a grain of diameter d tears at
/// f Z F / (pi d^2); with bulk friction tan(phi) its cohesion is tan(phi) times that. Here f Z = 3.6 and
/// tan(phi) = 0.6, as of loose sand, and d = 4 R_eff, as of two equal grains.
template <class T>
inline T pull_off_factor(T cohesion) {
  constexpr T kPiT = T(3.14159265358979323846);
  return T(16) * kPiT / (T(3.6) * T(0.6)) * cohesion;
}

}  // namespace repose
