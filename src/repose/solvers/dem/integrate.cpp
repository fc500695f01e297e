#include "repose/solvers/dem/integrate.h"

#include <algorithm>
#include <cmath>

#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr std::size_t kChunk = 512;
constexpr double kLargestSpeed = 1e7;  ///< [m/s]: no scene has it, and a little more breaks neighbour search

double wrapped(double x, double low, double high) {
  if (x >= low && x < high) return x;
  const double length = high - low;
  const double inside = x - length * std::floor((x - low) / length);
  return inside < high ? inside : low;
}

bool is_finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

void drift(const DemModel& model, DemState& state, double h, const DemScratch& scratch, Threads& threads) {
  const bool periodic = model.box.any_periodic();
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        if (scratch.inverse_mass[g] == 0) return;
        Vec3d& x = state.position[g];
        x += h * state.velocity[g];
        if (periodic)
          for (unsigned axis = 0; axis < 3; ++axis)
            if (model.box.periodic[axis])
              x[axis] = wrapped(x[axis], model.box.min[axis], model.box.max[axis]);
        state.orientation[g] = turned(model.shapes[state.shape[g]], state.orientation[g],
                                      state.angular_momentum[g], scratch.inverse_mass[g], state.radius[g], h);
      },
      kChunk);
}

void kick(const DemModel& model, DemState& state, double dt, const DemScratch& scratch, Threads& threads) {
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        if (scratch.inverse_mass[g] == 0) return;
        state.velocity[g] += dt * (model.gravity + scratch.inverse_mass[g] * scratch.force[g]);
        state.angular_momentum[g] += dt * scratch.torque[g];
      },
      kChunk);
}

MotionCheck check_motion(const DemModel& model, const DemState& state, const DemScratch& scratch,
                         Threads& threads) {
  return threads.reduce(
      state.size(), MotionCheck{},
      [&](std::size_t begin, std::size_t end) {
        MotionCheck part;
        for (std::size_t g = begin; g < end; ++g) {
          const Vec3d spin =
              angular_velocity(model.shapes[state.shape[g]], state.orientation[g], state.angular_momentum[g],
                               scratch.inverse_mass[g], state.radius[g]);
          const double speed = state.velocity[g].length() + state.radius[g] * spin.length();
          const bool finite = speed < kLargestSpeed && is_finite(state.position[g]);
          if (finite)
            part.max_speed = std::max(part.max_speed, speed);
          else if (!part.broken || state.id[g] < part.broken_id)
            part.broken = true, part.broken_id = state.id[g];
        }
        return part;
      },
      [](const MotionCheck& a, const MotionCheck& b) {
        MotionCheck out{std::max(a.max_speed, b.max_speed), a.broken || b.broken, 0};
        out.broken_id = a.broken && b.broken ? std::min(a.broken_id, b.broken_id)
                                             : (a.broken ? a.broken_id : b.broken_id);
        return out;
      },
      kChunk);
}

}  // namespace repose
