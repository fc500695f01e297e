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

}  // namespace repose
