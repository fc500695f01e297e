#include "repose/scene/pouring.h"

#include <algorithm>

namespace repose {

double Pouring::mass(double from, double to) const {
  const double begin = std::max(from, start), end = std::min(to, stop), full = stop - fade;
  double mass = std::max(0.0, rate * (std::min(end, full) - begin));
  const double a = std::max(begin, full);
  if (end > a)
    mass += rate * (end - a) * (stop - 0.5 * (a + end)) / fade;  // the mean rate of a straight line
  return mass;
}

Pouring pouring_of(const Emitter& emitter) {
  Pouring pouring{.rate = emitter.rate, .start = emitter.start, .fade = emitter.fade};
  if (emitter.stop) pouring.stop = *emitter.stop;
  return pouring;
}

}  // namespace repose
