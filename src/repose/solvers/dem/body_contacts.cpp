#include "repose/solvers/dem/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/physics/time_scales.h"
#include "repose/solvers/dem/contact_law.h"

namespace repose {
namespace {

constexpr std::size_t kBodyChunk = 256;

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
    const double cosine = old.touches[t].face == touch.face ? 2 : old.touches[t].normal.dot(touch.normal);
    if (cosine > nearest) nearest = cosine, best = t;
  }
  if (best == old.count) return {touch.face, touch.normal, Vec3d(0), Vec3d(0)};
  TouchMemory found = old.touches[best];
  old.touches[best] = old.touches[--old.count];
  found.face = touch.face;
  found.normal = touch.normal;
  return found;
}

/// One sphere against one body: against a plane of the body's material through each place that it touches.
template <class Normal, TangentialKind kTangential, bool kRolls>
BodyForce body_force(const Normal& normal_law, const DemModel& model, const DemState& state,
                     const Bodies& bodies, double dt, std::size_t index, DemScratch& scratch,
                     ContactExtremes& extremes) {
  constexpr bool kRemembers = kRolls || kTangential != TangentialKind::memoryless;
  const BodyCandidate& candidate = scratch.body_candidates[index];
  const Sphere& sphere = scratch.spheres[candidate.sphere];
  const std::uint32_t grain = scratch.grain[candidate.sphere];
  const double radius = sphere.radius;
  const PairLaw& law = model.law(sphere.surface, model.materials.size() + candidate.body);
  const Body& body = bodies[candidate.body];
  const Vec3d spin(sphere.spin), velocity(sphere.velocity);
  BodyForce out;
  Touches touches;
  bodies.find_touches(candidate.body, sphere.position, radius, touches);
  CandidateMemory old;
  if constexpr (kRemembers) {
    old = scratch.body_memory[index];
    scratch.body_memory[index].count = 0;
  }
  for (const Touch& touch : touches) {
    ContactOf<double> contact;
    contact.overlap = radius - touch.distance;
    contact.normal = -touch.normal;
    const Vec3d to_contact = (radius - 0.5 * contact.overlap) * contact.normal;
    const Vec3d at = sphere.position + to_contact;
    contact.velocity = velocity + spin.cross(to_contact) - bodies.velocity_at(candidate.body, at);
    contact.R_eff = radius;
    contact.inverse_mass = scratch.inverse_mass[grain] + body.inverse_mass();
    contact.spin = spin - body.angular_velocity;
    TouchMemory memory{touch.face, touch.normal, Vec3d(0), Vec3d(0)};
    if constexpr (kRemembers) memory = recall(touch, old);
    contact.slip = memory.slip;
    contact.roll = memory.roll;
    const ContactForceOf<double> f =
        contact_force<Normal, kTangential, kRolls, double>(normal_law, law, contact, dt);
    if constexpr (kRemembers) {
      memory.slip = f.slip;
      memory.roll = f.roll;
      CandidateMemory& kept = scratch.body_memory[index];
      kept.touches[kept.count++] = memory;
    }

    out.touches = true;
    out.force += f.force;
    out.torque += (scratch.arm[candidate.sphere] + to_contact).cross(f.force) + f.couple;
    out.moment.add(scratch.arm[candidate.sphere] + to_contact, f.force);
    out.reaction.add(-f.force, at - body.pose.position);
    out.reaction.angular -= f.couple;
    out.stiffness += 1.5 * f.frequency2 / contact.inverse_mass;
    out.braking += f.braking;
    if (body.is_free) out.arm2 = std::max(out.arm2, (at - body.state.center).length2());
    extremes.frequency2 = std::max(extremes.frequency2, f.frequency2);
    ++extremes.body_contacts;
    note_overlap(extremes, contact.overlap, radius, 2 * state.radius[grain], state.id[grain]);
  }
  return out;
}

template <class Normal, TangentialKind kTangential, bool kRolls>
ContactExtremes body_forces(const Normal& normal_law, const DemModel& model, const DemState& state,
                            const Bodies& bodies, double dt, DemScratch& scratch, Threads& threads) {
  return threads.reduce(
      scratch.body_candidates.size(), ContactExtremes{},
      [&](std::size_t begin, std::size_t end) {
        ContactExtremes part;
        for (std::size_t k = begin; k < end; ++k)
          scratch.body_forces[k] =
              body_force<Normal, kTangential, kRolls>(normal_law, model, state, bodies, dt, k, scratch, part);
        return part;
      },
      join, kBodyChunk);
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

void accumulate_body_contacts(const DemModel& model, const DemState& state, const Bodies& bodies, double dt,
                              DemScratch& scratch, Threads& threads) {
  scratch.extremes = join(scratch.extremes, by_normal(model, state, bodies, dt, scratch, threads));
}

void push_bodies(const DemScratch& scratch, double dt, Bodies& bodies) {
  for (std::size_t k = 0; k < scratch.body_candidates.size(); ++k) {
    const BodyForce& f = scratch.body_forces[k];
    if (f.touches)
      bodies.add_impulse(scratch.body_candidates[k].body, {dt * f.reaction.linear, dt * f.reaction.angular});
  }
}

double longest_step_of_bodies(const DemScratch& scratch, const Bodies& bodies) {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scratch.body_candidates.size();) {
    const std::uint32_t b = scratch.body_candidates[k].body;
    const Body& body = bodies[b];
    double stiffness = 0, braking = 0;  // times mobility
    for (; k < scratch.body_candidates.size() && scratch.body_candidates[k].body == b; ++k) {
      const BodyForce& f = scratch.body_forces[k];
      if (!f.touches || !body.is_free) continue;
      const double mobility = 1 / body.mass.mass + f.arm2 * body.mass.largest_inverse_inertia;
      stiffness += f.stiffness * mobility;
      braking += f.braking * mobility;
    }
    longest = std::min(longest, stable_step(stiffness, braking, 1));
  }
  return longest;
}

}  // namespace repose
