#pragma once
// The implicit surface around particles of Zhu 2005 ("Animating Sand as a Fluid"), chapter 4.

#include <algorithm>
#include <cmath>

namespace repose {

/// Weight k(s) = max(0, (1 - s^2)^3) of a particle, by 1 - s^2; s is its distance over the radius R of the
/// neighbourhood [-]. Zhu 2005, below eq. 4.5.
template <class T>
inline T neighborhood_weight(T one_less_s2) {
  using std::max;  // or that of vectors of numbers
  const T q = max(T(0), one_less_s2);
  return q * q * q;
}

/// phi = |x - mean x_i| - r (eq. 4.2 and 4.3), from the sums of the weights, and of the weights times x_i - x
/// along each axis. The weights have a sum above zero. Lengths in the unit of r.
template <class T>
inline T averaged_distance(T weight, T x, T y, T z, T r) {
  return std::sqrt(x * x + y * y + z * z) / weight - r;
}

/// The same from the sum of the weights alone, for comparison: the surface of blobbies (Blinn 1982), with the
/// kernel of Zhu 2005, figure 4.1, is where the sum is that of a lone particle at distance r. Of a lone
/// particle this is averaged_distance() within R. Lengths in one unit.
template <class T>
inline T blobby_distance(T weight, T R, T r) {
  return R * std::sqrt(std::max(T(0), 1 - std::cbrt(weight))) - r;
}

/// Share of the neighbourhood's weight, over 315/256, that lies in a half-space whose border is at signed
/// distance a from the middle, a positive inside; in units of R. The integral of (1 - z^2)^4 from -a to 1.
template <class T>
inline T half_space_weight(T a) {
  const T a2 = a * a;
  return T(128) / T(315) +
         a * (1 + a2 * (T(-4) / T(3) + a2 * (T(6) / T(5) + a2 * (T(-4) / T(7) + a2 / T(9)))));
}

/// How far the mean of matter that fills a half-space lies from a point at signed distance a to its border, a
/// positive inside; in units of R, weighted by k(s). A closed form, since k integrated over planes is
/// proportional to (1 - z^2)^4. Of a point on the border it is 63/256, and 1 where only the edge is in reach.
template <class T>
inline T half_space_mean(T a) {
  a = std::clamp(a, T(-1), T(1));
  // Weight and moment go to zero at the far edge with the fifth power of what is in reach: there the mean is
  // five sixths of the way from the border to the edge.
  if (a < T(-0.8)) return 1 - T(5) / T(6) * (1 + a);
  const T q = 1 - a * a;
  return q * q * q * q * q / (10 * half_space_weight(a));
}

/// The signed distance a of a point, positive inside, from how far the mean of the matter near it lies: what
/// half_space_mean() takes to `mean`, by Newton's method; at most 0.7. So a flat surface is where it is, and
/// distances to it are true. In units of R.
template <class T>
inline T half_space_depth(T mean) {
  constexpr T kDeepest = T(0.7);
  if (mean <= half_space_mean(kDeepest)) return kDeepest;
  T a = T(1.65) * (T(63) / T(256) - mean);
  for (int step = 0; step < 6; ++step) {
    a = std::clamp(a, T(-0.98), kDeepest);
    const T q = 1 - a * a, m = half_space_mean(a);
    const T slope = a < T(-0.8) ? T(-5) / T(6) : -q * q * q * q * (a + m) / half_space_weight(a);
    a -= (m - mean) / slope;
  }
  return std::clamp(a, T(-1), kDeepest);
}

/// The r of averaged_distance() with which matter that lies evenly up to a flat border has its surface there,
/// in units of R.
inline constexpr double kBorderRadius = 63.0 / 256.0;

}  // namespace repose
