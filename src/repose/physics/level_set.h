#pragma once
// The implicit surface around particles of Zhu 2005 ("Animating Sand as a Fluid"), chapter 4.

#include <algorithm>
#include <cmath>

namespace repose {

/// Weight k(s) = max(0, (1 - s^2)^3) of a particle, by 1 - s^2; s is its distance over the radius R of the
/// neighbourhood [-]. Zhu 2005, below eq. 4.5.
template <class T>
inline T neighborhood_weight(T one_less_s2) {
  const T q = std::max(T(0), one_less_s2);
  return q * q * q;
}

/// phi = |x - mean x_i| - r (eq. 4.2 and 4.3), from the sums of the weights, and of the weights times x_i - x
/// along each axis. The weights have a sum above zero. Lengths in the unit of r.
template <class T>
inline T averaged_distance(T weight, T x, T y, T z, T r) {
  return std::sqrt(x * x + y * y + z * z) / weight - r;
}

}  // namespace repose
