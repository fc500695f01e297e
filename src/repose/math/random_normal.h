#pragma once

#include <cmath>

#include "repose/core/random.h"
#include "repose/math/vec.h"

namespace repose {

/// Three independent normal numbers of mean 0 and deviation 1: Box and Muller 1958.
inline Vec3d random_normal(Random& random) {
  const auto one = [&] {
    const double r = std::sqrt(-2 * std::log(1 - random.uniform()));
    return r * std::cos(2 * kPi * random.uniform());
  };
  const double x = one(), y = one(), z = one();
  return {x, y, z};
}

}  // namespace repose
