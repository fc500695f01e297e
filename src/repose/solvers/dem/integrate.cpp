#include "repose/solvers/dem/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

void move(const DemModel& model, DemState& state, std::size_t g, double h) {
  Vec3d& x = state.position[g];
  x += h * state.velocity[g];
  if (!model.box.any_periodic()) return;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (model.box.periodic[axis]) x[axis] = wrapped(x[axis], model.box.min[axis], model.box.max[axis]);
}

void turn(const DemModel& model, DemState& state, const DemScratch& scratch, std::size_t g, double h) {
  state.orientation[g] = turned(model.shapes[state.shape[g]], state.orientation[g], state.angular_momentum[g],
                                scratch.inverse_mass[g], state.radius[g], h);
}

Vec3d spin_of(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g) {
  return angular_velocity(model.shapes[state.shape[g]], state.orientation[g], state.angular_momentum[g],
                          scratch.inverse_mass[g], state.radius[g]);
}

/// Places the spheres of one grain; gives the farthest that one of them is from where it was listed, squared.
double place(const DemModel& model, const DemState& state, DemScratch& scratch, std::size_t g) {
  const DemShape& shape = model.shapes[state.shape[g]];
  const Vec3d spin = spin_of(model, state, scratch, g);
  const Vec3f float_spin(static_cast<float>(spin.x), static_cast<float>(spin.y), static_cast<float>(spin.z));
  std::uint32_t s = scratch.first_sphere[g];
  double farthest = 0;
  const auto put = [&](const Vec3d& arm, const Vec3d& velocity) {
    const Vec3d x = state.position[g] + arm;
    scratch.place[s].position = x;
    scratch.motion[s].velocity = velocity;
    scratch.motion[s].spin = float_spin;
    Vec3d d = x - scratch.listed_position[s];
    if (model.box.any_periodic()) d = model.box.minimum_image(d);
    const double moved2 = d.dot(d);
    farthest = moved2 >= farthest  ? moved2
               : moved2 < farthest ? farthest
                                   : moved2;  // keeps what is not a number
    ++s;
  };
  if (shape.is_round) {
    put(Vec3d(0), state.velocity[g]);
    return farthest;
  }
  const RotationMatrix turn(state.orientation[g]);
  for (const ShapeSphere& sphere : shape.form.spheres) {
    const Vec3d arm = turn.apply(state.radius[g] * sphere.center);
    scratch.arm[s] = arm;
    put(arm, state.velocity[g] + spin.cross(arm));
  }
  return farthest;
}

/// Of what is not a number it makes infinity.
double larger(double a, double b) { return a >= b ? a : b > a ? b : std::numeric_limits<double>::infinity(); }

void check(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g,
           MotionCheck& part) {
  const Vec3d spin = spin_of(model, state, scratch, g);
  const double speed =
      std::sqrt(state.velocity[g].dot(state.velocity[g])) + state.radius[g] * std::sqrt(spin.dot(spin));
  if (speed < kLargestSpeed && is_finite(state.position[g]))
    part.max_speed = std::max(part.max_speed, speed);
  else if (!part.broken || state.id[g] < part.broken_id)
    part.broken = true, part.broken_id = state.id[g];
}

MotionCheck join_checks(const MotionCheck& a, const MotionCheck& b) {
  MotionCheck out{std::max(a.max_speed, b.max_speed), a.broken || b.broken, 0};
  out.broken_id =
      a.broken && b.broken ? std::min(a.broken_id, b.broken_id) : (a.broken ? a.broken_id : b.broken_id);
  return out;
}

}  // namespace

void begin_step(const DemModel& model, DemState& state, double h, DemScratch& scratch, Threads& threads) {
  scratch.moved2 = threads.reduce(
      state.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double farthest = 0;
        for (std::size_t g = begin; g < end; ++g) {
          if (scratch.inverse_mass[g] == 0) continue;
          move(model, state, g, h);
          if (!model.shapes[state.shape[g]].is_round) turn(model, state, scratch, g, h);
          farthest = larger(farthest, place(model, state, scratch, g));
        }
        return farthest;
      },
      larger, kChunk);
}

MotionCheck end_step(const DemModel& model, DemState& state, double dt, double h, const DemScratch& scratch,
                     Threads& threads) {
  return threads.reduce(
      state.size(), MotionCheck{},
      [&](std::size_t begin, std::size_t end) {
        MotionCheck part;
        for (std::size_t g = begin; g < end; ++g) {
          if (scratch.inverse_mass[g] == 0) continue;
          const GrainLoad load = load_of(scratch, g);
          state.velocity[g] += dt * (model.gravity + scratch.inverse_mass[g] * load.force);
          state.angular_momentum[g] += dt * load.torque;
          move(model, state, g, h);
          // A lone sphere turns here for the whole step: half with the spin before the kick, half with that
          // after it.
          if (model.shapes[state.shape[g]].is_round) {
            const Vec3d after = state.angular_momentum[g];
            state.angular_momentum[g] = after - 0.5 * dt * load.torque;
            turn(model, state, scratch, g, 2 * h);
            state.angular_momentum[g] = after;
          } else {
            turn(model, state, scratch, g, h);
          }
          check(model, state, scratch, g, part);
        }
        return part;
      },
      join_checks, kChunk);
}

MotionCheck check_motion(const DemModel& model, const DemState& state, const DemScratch& scratch,
                         Threads& threads) {
  return threads.reduce(
      state.size(), MotionCheck{},
      [&](std::size_t begin, std::size_t end) {
        MotionCheck part;
        for (std::size_t g = begin; g < end; ++g) check(model, state, scratch, g, part);
        return part;
      },
      join_checks, kChunk);
}

void place_spheres(const DemModel& model, const DemState& state, DemScratch& scratch, Threads& threads) {
  scratch.moved2 = threads.reduce(
      state.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double farthest = 0;
        for (std::size_t g = begin; g < end; ++g)
          farthest = larger(farthest, place(model, state, scratch, g));
        return farthest;
      },
      larger, kChunk);
}

}  // namespace repose
