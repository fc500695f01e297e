#include "repose/solvers/dem/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/physics/contact.h"

namespace repose {
namespace {

constexpr std::size_t kGrainChunk = 256;
constexpr std::size_t kBodyChunk = 256;

/// Two surfaces that touch, seen from sphere 1. Seen from the other side normal and velocity have the
/// opposite sign and the same bits, and so has the force.
struct Contact {
  Vec3d normal;         ///< N, from 1 to 2 (Bell 2005, eq. 2)
  Vec3d velocity;       ///< V = v_1 - v_2 at the contact point (eq. 3) [m/s]
  double overlap;       ///< (eq. 1) [m]
  double R_eff;         ///< (eq. 13) [m]
  double inverse_mass;  ///< 1 / m_eff (eq. 11) [1/kg]
};

struct ContactForce {
  Vec3d force;        ///< on sphere 1 [N]
  double frequency2;  ///< k_r sqrt(overlap) / m_eff [1/s2]
  double braking;     ///< normal or tangential force by velocity, the larger [N s/m]
};

/// Bell 2005, eq. 4 to 7 and 18. A contact does not pull.
template <class Law>
inline ContactForce contact_force(const Law& law, const PairLaw& pair, const TangentialRate& tangential,
                                  const Contact& contact) {
  const double m_eff = 1 / contact.inverse_mass;
  const double k_r = hertz_stiffness(pair.modulus, contact.R_eff);
  const double k_d = pair.damping * std::sqrt(m_eff * k_r);
  const double rate = contact.velocity.dot(contact.normal);
  const double repulsion = std::max(0.0, law.repulsion(k_r, k_d, contact.overlap, rate));
  const Vec3d V_t = contact.velocity - rate * contact.normal;
  const double k_t = tangential.fixed + tangential.rate * m_eff;
  const double friction = coulomb_viscous_factor(pair.friction, repulsion, k_t, std::sqrt(V_t.dot(V_t)));
  return {-(repulsion * contact.normal + friction * V_t),
          k_r * std::sqrt(contact.overlap) * contact.inverse_mass,
          std::max(k_d * std::sqrt(std::sqrt(contact.overlap)), k_t)};
}

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

/// Sums over the contacts of grain g in the order of its spheres and of the neighbours' ranks.
template <class Law, bool kPeriodic, bool kWatched>
void sum_grain(const Law& law, const DemModel& model, const DemState& state, std::size_t g,
               DemScratch& scratch, ContactExtremes& extremes) {
  Vec3d force(0), torque(0);
  [[maybe_unused]] ContactMoment moment;
  const double diameter = 2 * state.radius[g];
  for (std::uint32_t s = scratch.first_sphere[g]; s < scratch.first_sphere[g + 1]; ++s) {
    const SpherePlace own = scratch.place[s];
    const SphereMotion& motion = scratch.motion[s];
    for (const std::uint32_t j : scratch.neighbors.of(s)) {
      const SpherePlace& other = scratch.place[j];
      Vec3d d = other.position - own.position;
      if constexpr (kPeriodic) d = model.box.minimum_image(d);
      const double reach = own.radius + other.radius, distance2 = d.dot(d);
      if (!(distance2 < reach * reach)) continue;

      const SphereMotion& partner = scratch.motion[j];
      const double distance = std::sqrt(distance2);
      Contact contact;
      contact.overlap = reach - distance;
      contact.normal = d * (1 / distance);
      const double a_1 = own.radius - 0.5 * contact.overlap, a_2 = other.radius - 0.5 * contact.overlap;
      contact.velocity = (motion.velocity - partner.velocity) +
                         (a_1 * motion.spin + a_2 * partner.spin).cross(contact.normal);
      contact.R_eff = own.radius * other.radius / reach;
      contact.inverse_mass = motion.inverse_mass + partner.inverse_mass;
      const ContactForce f =
          contact_force(law, model.law(motion.material, partner.material), model.tangential, contact);

      force += f.force;
      torque += (scratch.arm[s] + a_1 * contact.normal).cross(f.force);
      if constexpr (kWatched) moment.add(scratch.arm[s] + a_1 * contact.normal, f.force);
      extremes.frequency2 = std::max(extremes.frequency2, f.frequency2);
      ++extremes.pair_sides;
      note_overlap(extremes, contact.overlap, std::min(own.radius, other.radius),
                   std::min(diameter, 2 * state.radius[partner.grain]), state.id[g]);
    }
  }
  scratch.force[g] = force;
  scratch.torque[g] = torque;
  if constexpr (kWatched) scratch.moments[g] = moment;
}

template <class Law, bool kPeriodic, bool kWatched>
void sum_grains(const Law& law, const DemModel& model, const DemState& state, DemScratch& scratch,
                Threads& threads) {
  scratch.extremes = threads.reduce(
      state.size(), ContactExtremes{},
      [&](std::size_t begin, std::size_t end) {
        ContactExtremes extremes;
        for (std::size_t g = begin; g < end; ++g)
          if (scratch.inverse_mass[g] > 0)
            sum_grain<Law, kPeriodic, kWatched>(law, model, state, g, scratch, extremes);
        return extremes;
      },
      join, kGrainChunk);
}

/// One sphere against one body: against a plane of the body's material through each place that it touches.
template <class Law>
BodyForce body_force(const Law& law, const DemModel& model, const DemState& state, const Bodies& bodies,
                     const BodyCandidate& candidate, const DemScratch& scratch, ContactExtremes& extremes) {
  const SpherePlace& place = scratch.place[candidate.sphere];
  const SphereMotion& motion = scratch.motion[candidate.sphere];
  const PairLaw& pair = model.law(motion.material, model.materials.size() + candidate.body);
  const Body& body = bodies[candidate.body];
  BodyForce out;
  Touches touches;
  bodies.find_touches(candidate.body, place.position, place.radius, touches);
  for (const Touch& touch : touches) {
    Contact contact;
    contact.overlap = place.radius - touch.distance;
    contact.normal = -touch.normal;
    const Vec3d to_contact = (place.radius - 0.5 * contact.overlap) * contact.normal;
    const Vec3d at = place.position + to_contact;
    contact.velocity =
        motion.velocity + motion.spin.cross(to_contact) - bodies.velocity_at(candidate.body, at);
    contact.R_eff = place.radius;
    contact.inverse_mass = motion.inverse_mass + body.inverse_mass();
    const ContactForce f = contact_force(law, pair, model.tangential, contact);

    out.touches = true;
    out.force += f.force;
    out.torque += (scratch.arm[candidate.sphere] + to_contact).cross(f.force);
    out.moment.add(scratch.arm[candidate.sphere] + to_contact, f.force);
    out.reaction.add(-f.force, at - body.pose.position);
    if (body.is_free) {
      out.stiffness += 1.5 * f.frequency2 / contact.inverse_mass;
      out.braking += f.braking;
      out.arm2 = std::max(out.arm2, (at - body.state.center).length2());
    }
    extremes.frequency2 = std::max(extremes.frequency2, f.frequency2);
    ++extremes.body_contacts;
    note_overlap(extremes, contact.overlap, place.radius, 2 * state.radius[motion.grain],
                 state.id[motion.grain]);
  }
  return out;
}

}  // namespace

void accumulate_contact_forces(const DemModel& model, const DemState& state, DemScratch& scratch,
                               Threads& threads) {
  const bool watched = scratch.watches_contacts;
  scratch.moments.assign(watched ? state.size() : 0, ContactMoment{});
  const auto sum = model.box.any_periodic()
                       ? (watched ? sum_grains<HertzLaw, true, true> : sum_grains<HertzLaw, true, false>)
                       : (watched ? sum_grains<HertzLaw, false, true> : sum_grains<HertzLaw, false, false>);
  sum(HertzLaw{}, model, state, scratch, threads);
}

void accumulate_body_contacts(const DemModel& model, const DemState& state, const Bodies& bodies,
                              DemScratch& scratch, Threads& threads) {
  const ContactExtremes extremes = threads.reduce(
      scratch.body_candidates.size(), ContactExtremes{},
      [&](std::size_t begin, std::size_t end) {
        ContactExtremes part;
        for (std::size_t k = begin; k < end; ++k)
          scratch.body_forces[k] =
              body_force(HertzLaw{}, model, state, bodies, scratch.body_candidates[k], scratch, part);
        return part;
      },
      join, kBodyChunk);
  scratch.extremes = join(scratch.extremes, extremes);

  threads.for_each(state.size(), [&](std::size_t g) {
    for (std::uint32_t k = scratch.grain_candidate_first[g]; k < scratch.grain_candidate_first[g + 1]; ++k) {
      const BodyForce& f = scratch.body_forces[scratch.grain_candidates[k]];
      if (!f.touches) continue;
      scratch.force[g] += f.force;
      scratch.torque[g] += f.torque;
      if (scratch.watches_contacts) scratch.moments[g] += f.moment;
    }
  });
}

void push_bodies(const DemScratch& scratch, double dt, Bodies& bodies) {
  for (std::size_t k = 0; k < scratch.body_candidates.size(); ++k) {
    const BodyForce& f = scratch.body_forces[k];
    if (f.touches)
      bodies.add_impulse(scratch.body_candidates[k].body, {dt * f.reaction.linear, dt * f.reaction.angular});
  }
}

double longest_step_of_bodies(const DemScratch& scratch, const Bodies& bodies) {
  // Half a swing in a step is the edge of stability: frequency^2 h^2 + 2 braking h < 4 (stable_phase).
  constexpr double kReserve = 0.3;
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scratch.body_candidates.size();) {
    const std::uint32_t b = scratch.body_candidates[k].body;
    const Body& body = bodies[b];
    double frequency2 = 0, braking = 0;
    for (; k < scratch.body_candidates.size() && scratch.body_candidates[k].body == b; ++k) {
      const BodyForce& f = scratch.body_forces[k];
      if (!f.touches || !body.is_free) continue;
      const double mobility = 1 / body.mass.mass + f.arm2 * body.mass.largest_inverse_inertia;
      frequency2 += f.stiffness * mobility;
      braking += f.braking * mobility;
    }
    if (frequency2 > 0)
      longest = std::min(longest,
                         (std::sqrt(braking * braking + 4 * kReserve * frequency2) - braking) / frequency2);
  }
  return longest;
}

}  // namespace repose
