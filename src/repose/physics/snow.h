#pragma once
// Snow of Takahashi, Fujishiro and Nishita 2014, "Visual Simulation of Compressible Snow with Friction and
// Cohesion", and how it packs. Durability d [-] is the share of its structure that is whole: it begins at d_0
// and only falls.
//
// Damage goes by the peak pressure, not by time (eq. 3 as printed takes more off with every step, even of
// snow at rest). How dense snow may become goes by its damage: a density rho bears
//
//   p(rho) = p_0 (rho / rho_0)^m,    m = ln(p_l / p_0) / ln(rho_l / rho_0),    p_l = p_0 + d_0 / k_q
//
// so that snow as it fell, rho_0, yields at p_0, and snow without any structure left has rho_l. Strength that
// grows with a high power of density is what compression tests of snow show (Abele and Gow 1975,
// "Compressibility Characteristics of Undisturbed Snow", CRREL Research Report 336, as recalled).
//
// p is the largest stress, as such tests have it: snow in a box, pressed from above. The mean pressure in
// that box is less, since friction bears a part (snow_shear_share).

#include <algorithm>
#include <cmath>

namespace repose {

/// What compaction of snow goes by.
template <class T>
struct SnowCompaction {
  T d_0 = 1;       ///< durability at first [-]
  T k_q = 1;       ///< damage by pressure [1/Pa]
  T p_0 = 1;       ///< pressure at which snow as it fell yields [Pa]
  T exponent = 5;  ///< m [-]
};

/// What a stress without its mean adds to the largest stress, over its Frobenius norm [-]: sqrt(2/3), as of
/// diag(-1, -1, 2), snow that is pressed along one axis.
template <class T>
inline constexpr T snow_shear_share = T(0.8164965809277261);

/// m of a snow that yields at p_0 [Pa] with density rho_0, and has rho_l where nothing is left [kg/m3].
template <class T>
inline T snow_exponent(T d_0, T k_q, T p_0, T rho_0, T rho_l) {
  return std::log((p_0 + d_0 / k_q) / p_0) / std::log(rho_l / rho_0);
}

/// Largest stress that snow of this density over rho_0 bears [Pa].
template <class T>
inline T snow_strength(const SnowCompaction<T>& snow, T density) {
  return snow.p_0 * std::pow(density, snow.exponent);
}

/// Durability after a largest stress p [Pa]: Takahashi 2014, eq. 3, by the peak and above p_0.
template <class T>
inline T snow_durability(const SnowCompaction<T>& snow, T p) {
  return std::max(T(0), snow.d_0 - snow.k_q * std::max(T(0), p - snow.p_0));
}

/// The densest that snow of durability d is without being damaged further, over rho_0.
template <class T>
inline T snow_density_limit(const SnowCompaction<T>& snow, T d) {
  const T p = snow.p_0 + std::max(T(0), snow.d_0 - d) / snow.k_q;
  return std::pow(p / snow.p_0, 1 / snow.exponent);
}

/// Share of a solid's velocity that goes over to the snow [-]: Takahashi 2014, section 4.2. As printed,
/// b_0 - k_b (d_0 - d) lets damaged snow take less, while their figure 4 shows it take more.
template <class T>
inline T snow_velocity_transfer(T b_0, T k_b, T d_0, T d) {
  return std::clamp(b_0 + k_b * (d_0 - d), T(0), T(1));
}

/// Cohesion c [Pa]: Takahashi 2014, section 5.
template <class T>
inline T snow_cohesion(T c_0, T k_c, T d_0, T d) {
  return c_0 + k_c * std::max(T(0), d_0 - d);
}

/// Share of its cohesion that snow has where it is looser than it once was, `looseness` its density over the
/// limit [-]. Crystals that do not touch do not hold each other.
template <class T>
inline T snow_bond(T looseness) {
  constexpr T kApart = T(0.8);
  return std::clamp((looseness - kApart) / (1 - kApart), T(0), T(1));
}

/// Share of the air's drag that acts on snow in a neighbourhood that is filled to this share [-]: all of it
/// on powder that flies, none in a bed and at its surface.
template <class T>
inline T snow_exposure(T filled) {
  constexpr T kFlying = T(0.2), kLying = T(0.45);
  return std::clamp((kLying - filled) / (kLying - kFlying), T(0), T(1));
}

}  // namespace repose
