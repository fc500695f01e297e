#pragma once
// How much an emitter gives, and when.

#include <limits>

#include "repose/scene/scene.h"

namespace repose {

struct Pouring {
  double rate = 0;                                                   ///< [kg/s]
  double start = 0, stop = std::numeric_limits<double>::infinity();  ///< [s]
  double fade = 0;  ///< time before stop in which the rate goes down to zero [s]

  /// What comes between two times [kg].
  double mass(double from, double to) const;
};

Pouring pouring_of(const Emitter& emitter);

}  // namespace repose
