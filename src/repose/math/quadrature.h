#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "repose/math/vec.h"

namespace repose {

/// Nodes and weights of Gauss and Legendre on [0, 1]: roots of the Legendre polynomial by Newton's method.
/// Exact for polynomials up to degree 2 N - 1.
template <int N>
std::array<std::pair<double, double>, N> gauss_legendre() {
  std::array<std::pair<double, double>, N> rule;
  for (int i = 0; i < N; ++i) {
    double x = std::cos(kPi * (i + 0.75) / (N + 0.5)), slope = 1;
    for (int step = 0; step < 100; ++step) {
      double p = 1, before = 0;
      for (int k = 1; k <= N; ++k) before = std::exchange(p, ((2 * k - 1) * x * p - (k - 1) * before) / k);
      slope = N * (x * p - before) / (x * x - 1);
      const double change = p / slope;
      x -= change;
      if (std::abs(change) < 1e-15) break;
    }
    rule[static_cast<std::size_t>(i)] = {0.5 * (1 + x), 1 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

}  // namespace repose
