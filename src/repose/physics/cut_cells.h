#pragma once
// Cells that a solid cuts: which share of a face or of a neighbourhood is left to the matter.

#include <algorithm>
#include <array>

namespace repose {

/// Share of a square's area where the distance is above zero, from the distances at its corners, in order
/// around it: they are taken as linear along its edges (Batty et al. 2007, "A Fast Variational Framework for
/// Accurate Solid-Fluid Coupling", section 4). Any unit [-].
template <class T>
inline T open_area(const std::array<T, 4>& distance) {
  constexpr std::array<T, 4> kX{0, 1, 1, 0}, kY{0, 0, 1, 1};
  // Walk along the border of what is open, and sum up twice its area.
  std::array<T, 8> x, y;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t j = (i + 1) % 4;
    if (distance[i] > 0) x[count] = kX[i], y[count] = kY[i], ++count;
    if ((distance[i] > 0) == (distance[j] > 0)) continue;
    const T t = distance[i] / (distance[i] - distance[j]);
    x[count] = kX[i] + t * (kX[j] - kX[i]);
    y[count] = kY[i] + t * (kY[j] - kY[i]);
    ++count;
  }
  T twice = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + 1 == count ? 0 : i + 1;
    twice += x[i] * y[j] - x[j] * y[i];
  }
  return std::clamp(twice / 2, T(0), T(1));
}

/// Share of a hat of half-width 1 that lies on the open side of a wall at signed distance a from its middle.
template <class T>
inline T open_hat(T a) {
  a = std::clamp(a, T(-1), T(1));
  return a > 0 ? 1 - (1 - a) * (1 - a) / 2 : (1 + a) * (1 + a) / 2;
}

}  // namespace repose
