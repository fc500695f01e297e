#include "repose/solvers/continuum/matter_step.h"

#include <algorithm>
#include <cmath>

namespace repose {

double fastest_of(double particles, const Bodies& bodies) {
  double speed = std::max(particles, bodies.largest_speed());
  for (std::size_t b = 0; b < bodies.first_wall(); ++b)
    if (bodies[b].present) speed = std::max(speed, bodies[b].surface_speed() + bodies[b].belt.length());
  return speed;
}

double time_over(double way, double speed, double gravity) {
  if (!(speed > 0 || gravity > 0)) return INFINITY;
  return 2 * way / (speed + std::sqrt(speed * speed + 4 * gravity * way));
}

double even_part(double max_dt, double dt) { return max_dt / std::ceil(max_dt / dt * (1 - 1e-12)); }

}  // namespace repose
