#pragma once

#include <cmath>

#include "repose/core/random.h"
#include "repose/math/vec.h"

namespace repose {

/// Uniform over all orientations: Shoemake 1992, "Uniform random rotations".
inline Quatd random_orientation(Random& random) {
  const double u = random.uniform(), a = 2 * kPi * random.uniform(), b = 2 * kPi * random.uniform();
  const double s = std::sqrt(1 - u), c = std::sqrt(u);
  return Quatd(c * std::cos(b), s * std::sin(a), s * std::cos(a), c * std::sin(b));
}

}  // namespace repose
