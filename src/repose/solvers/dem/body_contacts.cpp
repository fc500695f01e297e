#include "repose/solvers/dem/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/physics/time_scales.h"
#include "repose/solvers/dem/contact_law.h"
#include "repose/solvers/dem/contacts.h"

namespace repose {
namespace {

constexpr std::size_t kBodyChunk = 256;
constexpr std::size_t kAhead = 16;  ///< candidates that are fetched before their turn

/// Keeps the largest shares. Divides only where a contact may be the largest so far, with room for rounding,
/// so that the result does not depend on the order of contacts.
inline void note_overlap(ContactExtremes& extremes, double overlap, double radius, double diameter,
                         std::uint32_t id) {
  constexpr double kNearly = 1 - 1e-9;
  if (overlap >= kNearly * extremes.overlap_share * diameter)
    extremes.overlap_share = std::max(extremes.overlap_share, overlap / diameter);
  if (overlap >= kNearly * extremes.sphere_share * radius) {
    const double share = overlap / radius;
    if (share > extremes.sphere_share || (share == extremes.sphere_share && id < extremes.worst_id)) {
      extremes.sphere_share = share;
      extremes.worst_id = id;
    }
  }
}

/// What a place on a body remembers: of the same face, or of one that faces the same way, since a ball that
/// rolls over a mesh goes from triangle to triangle. Takes it away from the old.
TouchMemory recall(const Touch& touch, CandidateMemory& old) {
  std::size_t best = old.count;
  double nearest = kSameDirection;
  for (std::size_t t = 0; t < old.count; ++t) {
    const double cosine =
        old.touches[t].face == touch.face ? 2 : Vec3d(old.touches[t].normal).dot(touch.normal);
    if (cosine > nearest) nearest = cosine, best = t;
  }
  if (best == old.count) return {touch.face, to_float(touch.normal), Vec3f(0), Vec3f(0)};
  TouchMemory found = old.touches[best];
  old.touches[best] = old.touches[--old.count];
  found.face = touch.face;
  found.normal = to_float(touch.normal);
  return found;
}

/// One sphere against one body: against a plane of the body's material through each place that it touches.
template <class Normal, TangentialKind kTangential, bool kRolls>
void find_body_force(const Normal& normal_law, const DemModel& model, const DemState& state,
                     const Bodies& bodies, double dt, std::size_t index, DemScratch& scratch,
                     Touches& touches, ContactExtremes& extremes) {
  constexpr bool kRemembers = kRolls || kTangential != TangentialKind::memoryless;
  const BodyCandidate& candidate = scratch.body_candidates[index];
  const DemSphere& sphere = scratch.spheres[candidate.sphere];
  const double radius = sphere.radius;
  bodies.find_touches(candidate.body, sphere.position, radius, touches);
  BodyForce& out = scratch.body_forces[index];
  CandidateMemory old;
  if constexpr (kRemembers) {
    CandidateMemory& kept = scratch.body_memory[index];
    for (; old.count < kept.count; ++old.count) old.touches[old.count] = kept.touches[old.count];
    kept.count = 0;
  }
  if (touches.size() == 0) {
    out.touches = false;
    return;
  }
  out = BodyForce{};
  if (scratch.watches_contacts) scratch.body_moments[index] = ContactMoment{};
  const std::uint32_t grain = scratch.grain[candidate.sphere];
  const PairLaw& law = model.law(sphere.surface, model.materials.size() + candidate.body);
  const Body& body = bodies[candidate.body];
  const Vec3d spin(sphere.spin), velocity(sphere.velocity);
  for (const Touch& touch : touches) {
    ContactOf<double> contact;
    contact.overlap = radius - touch.distance;
    contact.normal = -touch.normal;
    const Vec3d to_contact = (radius - 0.5 * contact.overlap) * contact.normal;
    const Vec3d at = sphere.position + to_contact;
    contact.velocity = velocity + spin.cross(to_contact) - bodies.velocity_at(candidate.body, at);
    if (has_belt(body)) contact.velocity -= belt_velocity_at(body, touch.normal);
    contact.R_eff = radius;
    contact.inverse_mass = sphere.inverse_mass + body.inverse_mass();
    contact.spin = spin - body.angular_velocity;
    TouchMemory memory{touch.face, to_float(touch.normal), Vec3f(0), Vec3f(0)};
    if constexpr (kRemembers) memory = recall(touch, old);
    contact.slip = Vec3d(memory.slip);
    contact.roll = Vec3d(memory.roll);
    const ContactForceOf<double> f =
        contact_force<Normal, kTangential, kRolls, double>(normal_law, law, contact, dt);
    if constexpr (kRemembers) {
      memory.slip = to_float(f.slip);
      memory.roll = to_float(f.roll);
      CandidateMemory& kept = scratch.body_memory[index];
      kept.touches[kept.count++] = memory;
    }

    out.touches = true;
    out.force += f.force;
    out.torque += to_contact.cross(f.force) + f.couple;
    if (scratch.watches_contacts) scratch.body_moments[index].add(to_contact, f.force);
    out.reaction.add(-f.force, at - body.pose.position);
    out.reaction.angular -= f.couple;
    out.stiffness += 1.5 * f.frequency2 / contact.inverse_mass;
    out.braking += f.braking;
    if (body.is_free) out.arm2 = std::max(out.arm2, (at - body.state.center).length2());
    extremes.frequency2 = std::max(extremes.frequency2, f.frequency2);
    ++extremes.body_contacts;
    note_overlap(extremes, contact.overlap, radius, 2 * state.radius[grain], state.id[grain]);
  }
}

/// Asks for what a candidate needs before its turn: spheres at bodies lie here and there. Inlined by force:
/// GCC takes a function that only fetches for one without effect, and leaves calls out.
[[gnu::always_inline]] inline void fetch(const DemScratch& scratch, std::size_t index) {
  const std::uint32_t s = scratch.body_candidates[index].sphere;
  __builtin_prefetch(&scratch.spheres[s]);
  __builtin_prefetch(&scratch.grain[s]);
  const auto* const force = reinterpret_cast<const char*>(&scratch.body_forces[index]);
  for (std::size_t at = 0; at < sizeof(BodyForce); at += 64) __builtin_prefetch(force + at, 1);
  if (scratch.body_memory.empty()) return;
  __builtin_prefetch(&scratch.body_memory[index], 1);
}

template <class Normal, TangentialKind kTangential, bool kRolls>
ContactExtremes body_forces(const Normal& normal_law, const DemModel& model, const DemState& state,
                            const Bodies& bodies, double dt, std::size_t begin, std::size_t end,
                            DemScratch& scratch) {
  ContactExtremes extremes;
  Touches touches;  // once: it is large
  for (std::size_t k = begin; k < end; ++k) {
    fetch(scratch, std::min(k + kAhead, end - 1));
    find_body_force<Normal, kTangential, kRolls>(normal_law, model, state, bodies, dt, k, scratch, touches,
                                                 extremes);
  }
  return extremes;
}

template <class Normal, class... Args>
ContactExtremes by_tangential(const Normal& normal_law, const DemModel& model, Args&&... args) {
  using enum TangentialKind;
  const bool rolls = model.kernel.rolls;
  switch (model.kernel.tangential) {
    case memoryless:
      return rolls ? body_forces<Normal, memoryless, true>(normal_law, model, args...)
                   : body_forces<Normal, memoryless, false>(normal_law, model, args...);
    case spring:
      return rolls ? body_forces<Normal, spring, true>(normal_law, model, args...)
                   : body_forces<Normal, spring, false>(normal_law, model, args...);
    case mindlin:
      break;
  }
  return rolls ? body_forces<Normal, mindlin, true>(normal_law, model, args...)
               : body_forces<Normal, mindlin, false>(normal_law, model, args...);
}

template <class... Args>
ContactExtremes by_normal(const DemModel& model, Args&&... args) {
  switch (model.kernel.normal) {
    case NormalKind::hertz:
      return by_tangential(HertzLaw{}, model, args...);
    case NormalKind::viscoelastic:
      return by_tangential(HertzViscoelasticLaw{}, model, args...);
    case NormalKind::linear:
      return by_tangential(LinearLaw{}, model, args...);
    case NormalKind::general:
      break;
  }
  return by_tangential(GeneralLaw{model.kernel.alpha, model.kernel.beta}, model, args...);
}

}  // namespace

ContactExtremes find_body_forces(const DemModel& model, const DemState& state, const Bodies& bodies,
                                 double dt, std::size_t begin, std::size_t end, DemScratch& scratch) {
  if (begin == end) return {};
  return by_normal(model, state, bodies, dt, begin, end, scratch);
}

ContactExtremes find_body_forces(const DemModel& model, const DemState& state, const Bodies& bodies,
                                 double dt, DemScratch& scratch, Threads& threads) {
  prepare_contacts(model, scratch);
  return threads.reduce(
      scratch.body_candidates.size(), ContactExtremes{},
      [&](std::size_t begin, std::size_t end) {
        return find_body_forces(model, state, bodies, dt, begin, end, scratch);
      },
      join, kBodyChunk);
}

void push_bodies(const DemScratch& scratch, double dt, Bodies& bodies, Threads& threads) {
  const std::vector<BodyImpulse> sums = reactions_on_bodies(scratch, threads);
  for (std::size_t r = 0; r < sums.size(); ++r)
    bodies.add_impulse(scratch.body_runs[r].body, {dt * sums[r].linear, dt * sums[r].angular});
}

std::vector<BodyImpulse> reactions_on_bodies(const DemScratch& scratch, Threads& threads) {
  std::vector<BodyImpulse> sums(scratch.body_runs.size());
  const std::vector<std::uint32_t>& order = scratch.body_order;
  threads.for_chunks(sums.size(), 1, [&](std::size_t r, std::size_t, std::size_t) {
    BodyImpulse sum;
    for (std::size_t n = scratch.body_runs[r].begin; n < scratch.body_runs[r].end; ++n) {
      __builtin_prefetch(&scratch.body_forces[order[std::min(n + kAhead, order.size() - 1)]]);
      if (const BodyForce& f = scratch.body_forces[order[n]]; f.touches) sum += f.reaction;
    }
    sums[r] = sum;
  });
  return sums;
}

double longest_step_of_bodies(const DemScratch& scratch, const Bodies& bodies) {
  double longest = std::numeric_limits<double>::infinity();
  for (const BodyRun& run : scratch.body_runs) {
    const Body& body = bodies[run.body];
    if (!body.is_free) continue;
    double stiffness = 0, braking = 0;  // times mobility
    for (std::size_t n = run.begin; n < run.end; ++n) {
      const BodyForce& f = scratch.body_forces[scratch.body_order[n]];
      if (!f.touches) continue;
      const double mobility = 1 / body.mass.mass + f.arm2 * body.mass.largest_inverse_inertia;
      stiffness += f.stiffness * mobility;
      braking += f.braking * mobility;
    }
    longest = std::min(longest, stable_step(stiffness, braking, 1));
  }
  return longest;
}

}  // namespace repose
