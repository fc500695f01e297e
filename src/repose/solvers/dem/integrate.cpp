#include "repose/solvers/dem/integrate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "repose/exec/widest.h"
#include "repose/physics/time_scales.h"
#include "repose/solvers/dem/body_contacts.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

constexpr std::size_t kChunk = 512;
constexpr double kLargestSpeed = 1e7;  ///< [m/s]: no scene has it, and a little more breaks neighbour search

struct GrainPose {
  Vec3d position;
  Quatd orientation;
};

Vec3d moved(const DemModel& model, const Vec3d& x, const Vec3d& v, double h) {
  Vec3d out = x + h * v;
  if (model.box.any_periodic()) wrap_into(model.box, out);
  return out;
}

Vec3d spin_of(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g,
              const Quatd& orientation) {
  const DemShape& shape = model.shapes[state.shape[g]];
  if (shape.isotropic) return scratch.spin_factor[g] * state.angular_momentum[g];
  return angular_velocity(shape, orientation, state.angular_momentum[g], scratch.inverse_mass[g],
                          state.radius[g]);
}

Quatd orientation_after(const DemModel& model, const DemState& state, const DemScratch& scratch,
                        std::size_t g, const Quatd& q, double h) {
  const DemShape& shape = model.shapes[state.shape[g]];
  if (shape.isotropic) return turned(q, spin_of(model, state, scratch, g, q), h);
  return turned(shape, q, state.angular_momentum[g], scratch.inverse_mass[g], state.radius[g], h);
}

/// Where a grain is a time h [s] after its state, its orientation a unit quaternion but for rounding. Lone
/// spheres look the same from all sides: they stay as they are.
GrainPose pose_after(const DemModel& model, const DemState& state, const DemScratch& scratch, std::size_t g,
                     double h) {
  const bool still = scratch.inverse_mass[g] == 0 || h == 0;
  if (still) return {state.position[g], state.orientation[g]};
  const Vec3d x = moved(model, state.position[g], state.velocity[g], h);
  const DemShape& shape = model.shapes[state.shape[g]];
  const Quatd& q = state.orientation[g];
  if (shape.is_round) return {x, q};
  if (shape.isotropic) return {x, small_rotation(h * spin_of(model, state, scratch, g, q)) * q};
  return {x, orientation_after(model, state, scratch, g, q, h)};
}

/// The first three of a row become those of `first`; what follows them is that of `from`.
template <class Row>
inline void set_three(const void* from, const Row& first, void* to) {
  Row row;
  std::memcpy(&row, from, sizeof row);
  row = __builtin_shufflevector(first, row, 0, 1, 2, 7);
  std::memcpy(to, &row, sizeof row);
}

/// Sets place and motion of a sphere; the rest is that of `from`, which may be the same.
inline void set_sphere(const DemSphere& from, const Row4d& position, const Row4d& velocity, const Row4f& spin,
                       DemSphere& to) {
  const Row4f float_velocity = __builtin_convertvector(velocity, Row4f);
  set_three(&from.velocity, float_velocity, &to.velocity);
  set_three(&from.spin, spin, &to.spin);
  set_three(&from.position, position, &to.position);
}

/// Sets place and motion of the grain's spheres in `to`, and what they are from the present ones. Gives its
/// spin. Inlined, so that the pose need not pass through memory: written by numbers and read by rows, it
/// would be waited for.
[[gnu::always_inline]] inline Vec3d place(const DemModel& model, const DemState& state, DemScratch& scratch,
                                          std::size_t g, const GrainPose& pose, std::vector<DemSphere>& to) {
  const DemShape& shape = model.shapes[state.shape[g]];
  const Vec3d spin = spin_of(model, state, scratch, g, pose.orientation);
  Row4d center, velocity, turning;
  to_row(pose.position, center);
  to_row(state.velocity[g], velocity);
  to_row(spin, turning);
  const Row4f float_spin = __builtin_convertvector(turning, Row4f);
  std::uint32_t s = scratch.first_sphere[g];
  if (shape.is_round) {
    set_sphere(scratch.spheres[s], center, velocity, float_spin, to[s]);
    return spin;
  }
  scratch.placed_orientation[g] = pose.orientation;
  const RotationMatrix turn(pose.orientation);
  const Row4d column_x{turn.x.x, turn.y.x, turn.z.x}, column_y{turn.x.y, turn.y.y, turn.z.y},
      column_z{turn.x.z, turn.y.z, turn.z.z};
  for (const ShapeSphere& part : shape.form.spheres) {
    const Vec3d own = state.radius[g] * part.center;
    const Row4d arm = own.x * column_x + own.y * column_y + own.z * column_z;
    Row4d swing;
    cross_rows(turning, arm, swing);
    set_sphere(scratch.spheres[s], center + arm, velocity + swing, float_spin, to[s]);
    ++s;
  }
  return spin;
}

void check(const DemState& state, std::size_t g, const Vec3d& spin, MotionCheck& part) {
  const Vec3d &v = state.velocity[g], &x = state.position[g];
  const double move2 = v.dot(v), turn2 = state.radius[g] * state.radius[g] * spin.dot(spin);
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
    const BodyForce& f = scratch.body_forces[k];
    if (!f.touches) continue;
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
  out.leaving = a.leaving || b.leaving;
  out.broken = a.broken || b.broken;
  out.broken_id =
      a.broken && b.broken ? std::min(a.broken_id, b.broken_id) : (a.broken ? a.broken_id : b.broken_id);
  return out;
}

/// The second part of a step of a chunk's grains, and their spheres placed for the next one.
template <bool kPeriodic>
class ChunkMotion {
 public:
  ChunkMotion(const DemModel& model, DemState& state, const StepTimes& times, DemScratch& scratch)
      : model_(model), state_(state), scratch_(scratch), times_(times), rest_(times.dt - times.first) {
    to_row(model.gravity, gravity_);
    for (int axis = 0; axis < 3; ++axis) {
      const bool bounded = !model.box.periodic[static_cast<std::size_t>(axis)];
      low_[axis] = bounded ? model.domain.min[axis] : -std::numeric_limits<double>::infinity();
      high_[axis] = bounded ? model.domain.max[axis] : std::numeric_limits<double>::infinity();
    }
  }

  MotionCheck run(const ContactChunk& chunk, const SphereSum* sums) {
    for (std::uint32_t s = std::max(chunk.begin, scratch_.first_cover_sphere); s < chunk.end; ++s) keep(s);
    for (std::size_t g = chunk.first_grain; g < chunk.end_grain; ++g) {
      const std::uint32_t begin = scratch_.first_sphere[g], end = scratch_.first_sphere[g + 1];
      if (scratch_.inverse_mass[g] == 0) {
        for (std::uint32_t s = begin; s < end; ++s) keep(s);
      } else if (end - begin == 1 && model_.shapes[state_.shape[g]].is_round) {
        advance_sphere(g, begin, sums[begin - chunk.begin]);
      } else {
        advance_compound(g, &sums[begin - chunk.begin]);
      }
    }
    if (times_.turn > 0) turn_spheres(chunk);
    return found_;
  }

 private:
  void keep(std::uint32_t s) { copy_whole(scratch_.spheres[s], scratch_.next_spheres[s]); }

  Vec3d moved(const Vec3d& x, const Vec3d& v, double h) const {
    Vec3d out = x + h * v;
    if constexpr (kPeriodic) wrap_into(model_.box, out);
    return out;
  }

  void move(Row4d& x, const Row4d& v, double h) const {
    x += h * v;
    if constexpr (kPeriodic) {
      Vec3d inside = to_vec(x);
      wrap_into(model_.box, inside);
      to_row(inside, x);
    }
  }

  /// It is where the middle of its grain is, and its turning moves nothing.
  void advance_sphere(std::size_t g, std::uint32_t s, const SphereSum& sum) {
    const DemSphere& sphere = scratch_.spheres[s];
    Row4d force, torque, x, v, L;
    to_row(sum.force, force);
    to_row(sum.torque, torque);
    if (scratch_.grain_candidate_first[g] != scratch_.grain_candidate_first[g + 1]) {
      GrainLoad load{sum.force.vec(), sum.torque.vec()};
      add_body_loads(scratch_, g, sphere.position, load);
      to_row(load.force, force);
      to_row(load.torque, torque);
    }
    if (scratch_.watches_contacts) scratch_.grain_moments[g] = moment_of(scratch_, g, sphere.position, &sum);
    to_row(sphere.position, x);
    to_row(state_.velocity[g], v);
    to_row(state_.angular_momentum[g], L);
    v += times_.dt * (gravity_ + scratch_.inverse_mass[g] * force);
    L += times_.dt * torque;
    move(x, v, rest_);
    const Row4d spin = scratch_.spin_factor[g] * L;
    store_three(v, state_.velocity[g]);
    store_three(L, state_.angular_momentum[g]);
    store_three(x, state_.position[g]);
    note(g, to_vec(x), to_vec(v), to_vec(spin));
    move(x, v, times_.first);
    set_sphere(sphere, x, v, __builtin_convertvector(spin, Row4f), scratch_.next_spheres[s]);
  }

  void turn_spheres(const ContactChunk& chunk) {
    for (std::size_t g = chunk.first_grain; g < chunk.end_grain; ++g)
      if (scratch_.inverse_mass[g] > 0 && model_.shapes[state_.shape[g]].is_round)
        state_.orientation[g] =
            turned(state_.orientation[g], scratch_.spin_factor[g] * state_.angular_momentum[g], times_.turn);
  }

  void advance_compound(std::size_t g, const SphereSum* sums) {
    const Vec3d middle = moved(state_.position[g], state_.velocity[g], times_.first);
    const GrainLoad load = load_of(scratch_, g, middle, sums);
    if (scratch_.watches_contacts) scratch_.grain_moments[g] = moment_of(scratch_, g, middle, sums);
    const Vec3d v = state_.velocity[g] + times_.dt * (model_.gravity + scratch_.inverse_mass[g] * load.force);
    const Vec3d x = moved(middle, v, rest_);
    state_.velocity[g] = v;
    state_.angular_momentum[g] += times_.dt * load.torque;
    state_.position[g] = x;
    const Quatd next = turn_compound(g);
    const Vec3d spin =
        place(model_, state_, scratch_, g, {moved(x, v, times_.first), next}, scratch_.next_spheres);
    note(g, x, v, spin);
    if (model_.has_large_compounds)
      found_.longest_step = std::min(found_.longest_step, stable_step_of(model_, state_, scratch_, g));
  }

  /// Turns a grain to the end of the step; gives its orientation in the middle of the next one.
  Quatd turn_compound(std::size_t g) {
    Quatd& q = state_.orientation[g];
    const Quatd& middle = scratch_.placed_orientation[g];
    if (model_.shapes[state_.shape[g]].isotropic && times_.first == rest_) {
      // One turn, taken twice: the same as below.
      const Quatd turn = small_rotation(rest_ * (scratch_.spin_factor[g] * state_.angular_momentum[g]));
      q = made_unit(turn * middle);
      return turn * q;
    }
    q = orientation_after(model_, state_, scratch_, g, middle, rest_);
    return pose_after(model_, state_, scratch_, g, times_.first).orientation;
  }

  void note(std::size_t g, const Vec3d& x, const Vec3d& v, const Vec3d& spin) {
    const double move2 = v.dot(v), turn2 = state_.radius[g] * state_.radius[g] * spin.dot(spin);
    const bool inside = (x.x >= low_.x) & (x.x <= high_.x) & (x.y >= low_.y) & (x.y <= high_.y) &
                        (x.z >= low_.z) & (x.z <= high_.z);
    if (inside & (move2 + turn2 < kLargestSpeed * kLargestSpeed)) [[likely]] {
      found_.move2 = std::max(found_.move2, move2);
      found_.turn2 = std::max(found_.turn2, turn2);
    } else {
      check(state_, g, spin, found_);
      found_.leaving = true;
    }
  }

  const DemModel& model_;
  DemState& state_;
  DemScratch& scratch_;
  const StepTimes times_;
  const double rest_;
  Row4d gravity_;
  Vec3d low_, high_;  ///< of the domain; none where it is periodic
  MotionCheck found_;
};

MotionCheck advance_chunk(const DemModel& model, DemState& state, const StepTimes& times,
                          const ContactChunk& chunk, const ChunkBuffer& buffer, DemScratch& scratch) {
  MotionCheck check;
  run_widest([&] {
    const SphereSum* const sums = buffer.sums.data();
    check = model.box.any_periodic() ? ChunkMotion<true>(model, state, times, scratch).run(chunk, sums)
                                     : ChunkMotion<false>(model, state, times, scratch).run(chunk, sums);
  });
  return check;
}

}  // namespace

void place_spheres(const DemModel& model, const DemState& state, double ahead, DemScratch& scratch,
                   Threads& threads) {
  scratch.ahead = ahead;
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        place(model, state, scratch, g, pose_after(model, state, scratch, g, ahead), scratch.spheres);
      },
      kChunk);
}

void drift(const DemModel& model, DemState& state, double h, DemScratch& scratch, Threads& threads) {
  scratch.ahead = 0;
  threads.for_each(
      state.size(),
      [&](std::size_t g) {
        const GrainPose pose = pose_after(model, state, scratch, g, h);
        state.position[g] = pose.position;
        state.orientation[g] = made_unit(pose.orientation);
        place(model, state, scratch, g, pose, scratch.spheres);
      },
      kChunk);
}

StepFindings advance(const DemModel& model, DemState& state, const Bodies& bodies, const StepTimes& times,
                     DemScratch& scratch, Threads& threads) {
  prepare_contacts(model, scratch);
  scratch.next_spheres.resize(scratch.spheres.size());
  const StepFindings findings = threads.reduce(
      scratch.chunks.size(), StepFindings{},
      [&](std::size_t c, std::size_t) {
        const auto buffer = scratch.buffers.take();
        StepFindings part;
        ContactChunk& chunk = scratch.chunks[c];
        part.contacts = join(
            find_chunk_forces(model, state, times.dt, c, scratch, *buffer),
            find_body_forces(model, state, bodies, times.dt, scratch.grain_candidate_first[chunk.first_grain],
                             scratch.grain_candidate_first[chunk.end_grain], scratch));
        part.motion = advance_chunk(model, state, times, chunk, *buffer, scratch);
        chunk.max_speed = part.motion.max_speed();
        return part;
      },
      [](const StepFindings& a, const StepFindings& b) {
        return StepFindings{join(a.contacts, b.contacts), join_checks(a.motion, b.motion)};
      },
      1);
  scratch.spheres.swap(scratch.next_spheres);
  return findings;
}

MotionCheck check_motion(const DemModel& model, const DemState& state, const DemScratch& scratch,
                         Threads& threads) {
  return threads.reduce(
      state.size(), MotionCheck{},
      [&](std::size_t begin, std::size_t end) {
        MotionCheck part;
        for (std::size_t g = begin; g < end; ++g)
          check(state, g, spin_of(model, state, scratch, g, state.orientation[g]), part);
        return part;
      },
      join_checks, kChunk);
}

}  // namespace repose
