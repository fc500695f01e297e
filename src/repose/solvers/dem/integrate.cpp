#include "repose/solvers/dem/integrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/physics/time_scales.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr std::size_t kChunk = 512;
constexpr double kLargestSpeed = 1e7;  ///< [m/s]: no scene has it, and a little more breaks neighbour search

void move(const DemModel& model, DemState& state, std::size_t g, double h) {
  Vec3d& x = state.position[g];
  x += h * state.velocity[g];
  if (model.box.any_periodic()) wrap_into(model.box, x);
}

Vec3d spin_of(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g) {
  const DemShape& shape = model.shapes[state.shape[g]];
  if (shape.isotropic) return scratch.spin_factor[g] * state.angular_momentum[g];
  return angular_velocity(shape, state.orientation[g], state.angular_momentum[g], scratch.inverse_mass[g],
                          state.radius[g]);
}

void turn(const DemModel& model, DemState& state, const DemScratch& scratch, std::size_t g, double h) {
  const DemShape& shape = model.shapes[state.shape[g]];
  Quatd& q = state.orientation[g];
  q = shape.isotropic
          ? turned(q, spin_of(model, state, scratch, g), h)
          : turned(shape, q, state.angular_momentum[g], scratch.inverse_mass[g], state.radius[g], h);
}

void place(const DemModel& model, const DemState& state, DemScratch& scratch, std::size_t g) {
  const DemShape& shape = model.shapes[state.shape[g]];
  const Vec3d spin = spin_of(model, state, scratch, g);
  std::uint32_t s = scratch.first_sphere[g];
  if (shape.is_round) {
    Sphere& sphere = scratch.spheres[s];
    sphere.position = state.position[g];
    sphere.velocity = to_float(state.velocity[g]);
    sphere.spin = to_float(spin);
    return;
  }
  const Vec3f float_spin = to_float(spin);
  const RotationMatrix turn(state.orientation[g]);
  for (const ShapeSphere& part : shape.form.spheres) {
    const Vec3d arm = turn.apply(state.radius[g] * part.center);
    Sphere& sphere = scratch.spheres[s];
    scratch.arm[s++] = arm;
    sphere.position = state.position[g] + arm;
    sphere.velocity = to_float(state.velocity[g] + spin.cross(arm));
    sphere.spin = float_spin;
  }
}

void check(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g,
           MotionCheck& part) {
  const Vec3d spin = state.radius[g] * spin_of(model, state, scratch, g);
  const Vec3d &v = state.velocity[g], &x = state.position[g];
  const double move2 = v.dot(v), turn2 = spin.dot(spin);
  // What is not finite stays so in a sum, and times zero is not zero.
  const bool sound = move2 + turn2 < kLargestSpeed * kLargestSpeed && ((x.x + x.y) + x.z) * 0 == 0;
  if (!sound && (!part.broken || state.id[g] < part.broken_id))
    part.broken = true, part.broken_id = state.id[g];
  part.move2 = std::max(part.move2, sound ? move2 : 0);
  part.turn2 = std::max(part.turn2, sound ? turn2 : 0);
}

/// The longest step at which a grain is stable between all that touches it: like longest_step_of_bodies().
double stable_step_of(const DemModel& model, const DemState& state, const DemScratch& scratch,
                      std::size_t g) {
  const DemShape& shape = model.shapes[state.shape[g]];
  if (shape.form.spheres.size() <= kFewSpheres) return std::numeric_limits<double>::infinity();
  SphereHold hold;
  for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s) {
    hold.stiffness += scratch.holds[s].stiffness;
    hold.braking += scratch.holds[s].braking;
  }
  for (std::uint32_t k = scratch.grain_candidate_first[g]; k < scratch.grain_candidate_first[g + 1]; ++k) {
    const BodyForce& f = scratch.body_forces[scratch.grain_candidates[k]];
    hold.stiffness += f.stiffness;
    hold.braking += f.braking;
  }
  return stable_step(hold.stiffness, hold.braking, scratch.inverse_mass[g] * (1 + shape.most_turning));
}

MotionCheck join_checks(const MotionCheck& a, const MotionCheck& b) {
  MotionCheck out;
  out.move2 = std::max(a.move2, b.move2);
  out.turn2 = std::max(a.turn2, b.turn2);
  out.longest_step = std::min(a.longest_step, b.longest_step);
  out.broken = a.broken || b.broken;
  out.broken_id =
      a.broken && b.broken ? std::min(a.broken_id, b.broken_id) : (a.broken ? a.broken_id : b.broken_id);
  return out;
}

double wrapped(double x, double low, double high) {
  if (x >= low && x < high) return x;
  const double length = high - low;
  const double inside = x - length * std::floor((x - low) / length);
  return inside < high ? inside : low;
}

}  // namespace

void wrap_into(const DomainBox& box, Vec3d& x) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (box.periodic[axis]) x[axis] = wrapped(x[axis], box.min[axis], box.max[axis]);
}

void begin_step(const DemModel& model, DemState& state, double h, DemScratch& scratch, Threads& threads) {
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        if (scratch.inverse_mass[g] == 0) return;
        move(model, state, g, h);
        if (!model.shapes[state.shape[g]].is_round) turn(model, state, scratch, g, h);
        place(model, state, scratch, g);
      },
      kChunk);
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
            turn(model, state, scratch, g, dt);
            state.angular_momentum[g] = after;
          } else {
            turn(model, state, scratch, g, h);
          }
          check(model, state, scratch, g, part);
          if (model.has_large_compounds)
            part.longest_step = std::min(part.longest_step, stable_step_of(model, state, scratch, g));
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
  threads.for_each(
      state.size(), [&](std::size_t g) { place(model, state, scratch, g); }, kChunk);
}

}  // namespace repose
