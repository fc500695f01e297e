#pragma once
// Formulas of smoothed particle hydrodynamics for sand (Ihmsen et al. 2013). Lengths are in spacings d0: the
// rest distance of particles is 1, the kernel reaches to 2, and a particle stands for the volume 1.

#include <algorithm>
#include <cmath>

#include "repose/math/vec.h"

namespace repose {

inline constexpr double kSphSupport = 2;  ///< how far the kernel reaches [spacings] (Ihmsen 2013, sec. 3.5)

/// The cubic spline W(r) in three dimensions [1/spacing^3] (Monaghan 1992). Particles on a cubic lattice of
/// spacing 1 sum up to 0.99997.
template <class T>
inline T sph_kernel(T r) {
  constexpr T scale = T(0.3183098861837907);  // 1 / pi
  const T far = std::max(T(0), 2 - r), near = std::max(T(0), 1 - r);
  return scale * (T(0.25) * far * far * far - near * near * near);
}

/// W'(r) / r [1/spacing^5]: times x_i - x_j it is the gradient of W at particle i. Finite at r = 0.
template <class T>
inline T sph_kernel_slope(T r) {
  constexpr T scale = T(0.3183098861837907);
  const T far = std::max(T(0), 2 - r), beyond = T(-0.75) * far * far / std::max(r, T(1));
  return scale * (r < 1 ? T(2.25) * r - 3 : beyond);
}

// A solid counts like the sand that would be in its place, by the distance d of a particle from its surface.
// Particles at rest stand half a spacing away. There the solid must make up for the layer of particles that
// it replaces, 0.15, so that their density is that of sand all around; and it must push with all the pressure
// of the particle, a slope of 1, so that the pressure there is the weight above. A cubic that meets both:
inline constexpr double kSphWallReach = 0.95;  ///< [spacings]

/// What a solid at distance d adds to the density of a particle, over that at rest.
template <class T>
inline T sph_wall(T d) {
  const T q = std::max(T(0), T(kSphWallReach) - d) * T(1 / 0.45);
  return T(0.15) * q * q * q;
}

/// Its derivative by d [1/spacing], never above zero.
template <class T>
inline T sph_wall_slope(T d) {
  const T q = std::max(T(0), T(kSphWallReach) - d) * T(1 / 0.45);
  return -q * q;
}

/// Artificial viscosity: the share of a pair's approach that a step takes, over the square of W' between
/// them, for the kinematic viscosity of Monaghan's form, alpha h c_s / 10 with h = 2 spacings (Monaghan 2005,
/// sec. 8.3): 6 alpha steps over the integral of W'^2 r^2, 0.49565. `way` is c_s dt [spacings]. Where only
/// pairs that come closer are slowed down it is half of that viscosity.
template <class T>
inline T sph_viscous_factor(T alpha, T way) {
  return alpha * way * T(6 / 0.49565);
}

/// The kinematic viscosity [m2/s] that this makes, of c_s [m/s].
template <class T>
inline T sph_kinematic_viscosity(T alpha, T c_s, T spacing) {
  return alpha * 2 * spacing * c_s / 20;
}

// Wet sand. Bridges of water between grains hold them together about as firmly over a wide range of water
// content (Mitarai and Nori 2006): they are all there from a wetness of 0.3 on.
inline constexpr double kSphWet = 0.3;

/// The share of what wetness does in full.
template <class T>
inline T sph_wet_share(T wetness) {
  return std::min(T(1), wetness / T(kSphWet));
}

/// Cohesion [Pa] at a wetness: that of the dry matter, or what water makes of it where that is more.
template <class T>
inline T sph_cohesion(T dry, T wet, T wetness) {
  return std::max(dry, wet * sph_wet_share(wetness));
}

/// The share of its cohesion that matter has at a density, over that at rest: all of it from 0.8 on, where
/// particles at a free surface are, and none where it has come apart, below 0.5.
template <class T>
inline T sph_held_share(T density) {
  return std::clamp((density - T(0.5)) / T(0.3), T(0), T(1));
}

/// The tension [Pa] up to which eq. 22 of Ihmsen 2013 holds matter of this density [kg/m3] together. That
/// takes kappa in [m3/s2]: a = -kappa sum_j W_ij x_ij, whose stress is rho kappa / (6 d0^3) times the mean of
/// r^2 under the kernel, 0.9 d0^2. So it grows as particles lie closer.
template <class T>
inline T sph_kappa_tension(T kappa, T density, T spacing) {
  return T(0.15) * density * kappa / spacing;
}

// Boundary particles (Ihmsen 2013, eq. 16) lie in a layer, and each counts by the volume that its neighbours
// in the layer leave it. On a plane the kernel then sums up to 1, but a layer of sand has a share of the
// density:
inline constexpr double kSphLayerShare = 0.7;

/// What a plane layer adds to the density of a particle at distance z, over that at rest: the integral of W
/// over the plane, the limit of ever closer particles. 0.15 at the distance 1.
template <class T>
inline T sph_layer(T z) {
  const T far = std::max(T(0), 2 - z), near = std::max(T(0), 1 - z);
  const T far4 = far * far * far * far, near4 = near * near * near * near;
  return far4 * (T(0.25) - T(0.1) * far) - near4 * (T(0.5) - T(0.4) * near);
}

/// Its derivative by z [1/spacing]: -1/2 at the distance 1.
template <class T>
inline T sph_layer_slope(T z) {
  return T(-6.283185307179586) * z * sph_kernel(z);
}

/// The same for a solid, which is no layer: from some distance on it resists ever more, and stops a particle
/// that has no others around it, of density 0.318 = W(0), half a spacing away: at the solid's surface.
inline constexpr double kSphLayerEnd = 0.65;      ///< where the layer's slope is steepest [spacings]
inline constexpr double kSphLayerStiffness = 10;  ///< [1/spacing^2]
template <class T>
inline T sph_solid_layer(T z) {
  const T held = std::max(z, T(kSphLayerEnd)), in = held - z;
  return sph_layer(held) + in * (T(kSphLayerStiffness) * in - sph_layer_slope(held));
}
template <class T>
inline T sph_solid_layer_slope(T z) {
  const T held = std::max(z, T(kSphLayerEnd)), in = held - z;
  return sph_layer_slope(held) - 2 * T(kSphLayerStiffness) * in;
}

}  // namespace repose
