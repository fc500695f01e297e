#pragma once
// How fine grains follow coarse guide particles: weights of the guides, and the blend of the guides' motion
// with the grain's own flight. Three published ones:
//
//   Alduan et al. 2009, "Simulation of High-Resolution Granular Media", section 4.3
//   Ihmsen et al. 2013, "High-Resolution Simulation of Granular Material with SPH", section 4.2
//   Takahashi and Fujishiro 2014, compressible snow, section 3.3
//
// Distances and radii in one unit of length; velocities in one unit; weights and shares [-]. T is a number or
// sixteen of them (math/lanes.h).

#include <algorithm>

#include "repose/math/lanes.h"
#include "repose/physics/level_set.h"

namespace repose {

/// Radius of influence over the guides' radius. Ihmsen 2013, below eq. 22: h_HR = 3 r_LR.
inline constexpr double kIhmsenInfluence = 3;
/// Alduan 2009 does not give it. With two radii a point between two guides that touch is always led by both.
inline constexpr double kAlduanInfluence = 2;

/// Weight of a guide, by its squared distance over the squared radius of influence [-]. Ihmsen 2013, eq. 23.
template <class T>
inline T ihmsen2013_weight(T s_squared) {
  return neighborhood_weight(T(1) - s_squared);
}

/// The weight of a guide at the distance of its own radius r = h / 3: (8/9)^3.
inline constexpr double kIhmsenWeightAtRadius = 512.0 / 729.0;
/// From this share of all weights on, one guide alone leads: the medium is sparse there. Ihmsen 2013, eq. 26.
inline constexpr double kIhmsenLoneShare = 0.6;

/// Share of the grain's own flight in its velocity, from the largest weight and the sum of all. 1 without
/// guides. Ihmsen 2013, between eq. 25 and 26.
template <class T>
inline T ihmsen2013_own_share(T largest_weight, T weight_sum) {
  const T own = T(1) - largest_weight;
  return select(largest_weight >= T(kIhmsenLoneShare) * weight_sum, own,
                select(largest_weight <= T(kIhmsenWeightAtRadius), own, T(0)));
}

/// Weight of a guide by its distance over the radius of influence, s = d / r <= 1 [-]. Alduan 2009, eq. 3, (3
/// r - 2 d) / (4 r): three quarters at the guide itself, one quarter at the border, where it ends at once.
template <class T>
inline T alduan2009_weight(T s) {
  return T(0.75) - T(0.5) * s;
}

/// Share of the grain's own flight: all with one guide or none in reach, nothing with more. Alduan 2009,
/// section 4.3.1.
template <class T>
inline T alduan2009_own_share(T guide_count) {
  return select(guide_count < T(1.5), T(1), T(0));
}

/// Kernels by the squared distance over the squared effective radius, s = d^2 / h^2 [-]. Takahashi 2014,
/// below eq. 2: the velocity of the continuum at a place is the mean of the guides' by the sharp one, and its
/// density the sum of the smooth one.
template <class T>
inline T takahashi2014_smooth(T s_squared) {
  using std::max;
  return max(T(0), T(1) - s_squared);
}
template <class T>
inline T takahashi2014_sharp(T s_squared) {
  using std::max;
  const T nearest(1e-4);  // a hundredth of the radius: at the guide itself it is infinite
  return max(T(0), T(1) / max(s_squared, nearest) - T(1));
}

/// Sum of the smooth kernels of guides that fill space, each a cube of edge a: its integral over the ball,
/// 8 pi / 15 h^3, by volume. a over h.
inline double takahashi2014_rest_density(double spacing) {
  return 8 * 3.14159265358979323846 / 15 / (spacing * spacing * spacing);
}

/// Share of the continuum's motion in a grain's velocity at a density, rho_dense the one from which on it is
/// all. Takahashi 2014, section 3.3.
template <class T>
inline T takahashi2014_led_share(T density, T rho_dense) {
  using std::min;
  return min(T(1), density / rho_dense);
}

/// The grain's velocity: the guides' where it is led, its own with what external forces added where it flies.
/// Ihmsen 2013, eq. 25. Takahashi 2014 prints the guides' velocity in place of `flown`: a grain in thin snow
/// would never gain more than one step's worth of gravity. With flown = led + f dt / m it is as printed.
template <class T>
inline T blended_velocity(T own_share, T led, T flown) {
  return (T(1) - own_share) * led + own_share * flown;
}

/// Velocity after a step dt [s] with the acceleration g and a drag of rate k [1/s] towards the wind,
/// implicitly.
template <class T>
inline T flown_velocity(T velocity, T g, T k, T wind, T dt) {
  return (velocity + dt * (g + k * wind)) / (T(1) + dt * k);
}

/// What boundary particles on a flat wall at distance d add to the sum of weights (Ihmsen 2013, eq. 24, with
/// boundary particles among the j): one for each spacing^2 of the wall, in the limit of many. The integral of
/// (1 - (d^2 + s^2) / h^2)^3 over the plane is pi h^2 / 4 (1 - d^2 / h^2)^4.
/// Lengths over h: d / h squared, spacing / h.
template <class T>
inline T wall_weight(T s_squared, T spacing) {
  constexpr T kQuarterPi = T(0.78539816339744831);
  const T q = std::max(T(0), 1 - s_squared);
  return kQuarterPi / (spacing * spacing) * (q * q) * (q * q);
}

}  // namespace repose
