#pragma once
// The force of one contact: Bell 2005, section 2, with the history of eq. 19, Mindlin's stiffness, cohesion
// and resistance to rolling. A template on the scalar and free of branches: the pairs of spheres run it in
// float, many at a time (contact_kernel.cpp), bodies and tests in double.
//
// Normal force: repulsion = k_r overlap^beta + k_d overlap^alpha rate (eq. 7), at least `least`, less the
// pull of cohesion. The formula of the pair law holds every way of giving k_r and k_d:
//   k_r = hertz sqrt(R_eff) + stiffness + stiffness_rate m_eff       Young's modulus; as given; contact time
//   k_d = damping_ratio sqrt(m_eff k_r) + damping + damping_time k_r restitution; as given; viscoelastic
// Tangential force: physics/contact.h, friction_traction(), with
//   k_s = spring + shear sqrt(R_eff overlap)                         eq. 19; Mindlin
//   k_t = drag + drag_rate m_eff + drag_ratio sqrt(m_eff k_s)        eq. 16 and 18; dashpot of the spring
// and the limit friction times (repulsion + pull): what presses the surfaces together (Derjaguin, Muller and
// Toporov 1975: cohesion adds to the load, not to the shape).
//
// Rolling: Luding 2008, section 3.3, the friction law once more with the rolling velocity
// R_eff N x (omega_1 - omega_2) in the place of the tangential velocity and the limit rolling_friction times
// the load. Its force makes no force on the grains but the couple R_eff N x F.
//
// The first step of a contact. The overlap x is taken in the middle of a step, and the force acts as if it
// held for all of it, but a contact begins anywhere in between. At the rate v it began x / v before the
// middle. If that is less than a step, this is the first time that the contact is seen, and from its begin to
// the end of the step it lasts x / v + dt / 2. The law is evaluated in the middle of that time and its
// impulse taken over it: the midpoint rule, so that what a bounce gives does not depend on the phase of the
// step to first order. Slip, too, is that since the touch. Contacts that pull end with a force as well: their
// last step is treated alike.
//
// Mindlin's spring is k_s(overlap) times the whole slip, as in most codes. A slip kept while the overlap
// grows then pushes harder though nothing slid: a little energy from nothing (Elata and Berryman 1996,
// "Contact force-displacement laws and the mechanical behavior of random packs of identical spheres").
// Keeping the force instead of the slip as overlaps grow (Thornton, Cummins and Cleary 2013) avoids that, but
// takes steep impacts farther from experiment: e_t at 10 degrees 0.713 against 0.701, where 0.687 was
// computed and 0.673 measured (tests/validation/dem_laws_test.cpp).

#include <cmath>
#include <limits>

#include "repose/physics/contact.h"

namespace repose {

enum class NormalKind { hertz, viscoelastic, linear, general };
enum class TangentialKind { memoryless, spring, mindlin };

/// How two surfaces meet.
template <class T>
struct PairLawOf {
  T hertz = 0;           ///< 4/3 E_eff [Pa]
  T stiffness = 0;       ///< [N/m^beta]
  T stiffness_rate = 0;  ///< [1/s2 m^(1-beta)]
  T damping_ratio = 0;   ///< k_d / sqrt(m_eff k_r) [-]
  T damping = 0;         ///< [N s/m^(1+alpha)]
  T damping_time = 0;    ///< k_d / k_r [s]
  T friction = 0;        ///< mu [-]
  T spring = 0;          ///< [N/m]
  T shear = 0;           ///< 8 G_eff [Pa]
  T drag = 0;            ///< [N s/m]
  T drag_rate = 0;       ///< [1/s]
  T drag_ratio = 0;      ///< [-]
  T least = 0;           ///< of the repulsion without cohesion: 0, or -infinity where contacts pull [N]
  T pull = 0;            ///< of cohesion, over R_eff^2 [Pa]
  T rolling = 0;         ///< rolling friction [-]

  template <class U>
  PairLawOf<U> as() const {
    const auto to = [](T value) { return static_cast<U>(value); };
    return {to(hertz),        to(stiffness),  to(stiffness_rate), to(damping_ratio), to(damping),
            to(damping_time), to(friction),   to(spring),         to(shear),         to(drag),
            to(drag_rate),    to(drag_ratio), to(least),          to(pull),          to(rolling)};
  }
};

/// Two surfaces that touch, seen from the first. Seen from the second, vectors have the opposite sign and the
/// same bits, and so has the force.
template <class T>
struct ContactOf {
  Imath::Vec3<T> normal;    ///< N, from 1 to 2 (Bell 2005, eq. 2)
  Imath::Vec3<T> velocity;  ///< V = v_1 - v_2 at the contact point (eq. 3) [m/s]
  T overlap;                ///< (eq. 1) [m]
  T R_eff;                  ///< (eq. 13) [m]
  T inverse_mass;           ///< 1 / m_eff (eq. 11) [1/kg]
  Imath::Vec3<T> spin;      ///< omega_1 - omega_2, where rolling counts [rad/s]
  Imath::Vec3<T> slip;      ///< so far [m]
  Imath::Vec3<T> roll;      ///< likewise [m]
};

template <class T>
struct ContactForceOf {
  Imath::Vec3<T> force;   ///< on 1 [N]
  Imath::Vec3<T> couple;  ///< on 1, of rolling [N m]
  Imath::Vec3<T> slip;    ///< from now on [m]
  Imath::Vec3<T> roll;    ///< likewise [m]
  T frequency2;           ///< stiffness over 3/2 m_eff [1/s2]
  T braking;              ///< normal or tangential force by velocity, the larger [N s/m]
};

/// The part of a step in which two surfaces touch: see the first step above.
template <class T>
struct TimeInContact {
  T share;    ///< of the step; 1 but for the first and last ones, where it is 1/2 to 3/2 [-]
  T overlap;  ///< in the middle of that part [m]
  T slid;     ///< time to add to the slip up to there [s]
  T since;    ///< since the touch, in the middle of the step; 0 but for the first one [s]
  T old;      ///< 0 for the first step, otherwise 1 [-]
};
/// Overlap and its rate [m], [m/s]; `bend` [m]: how much more than at this rate it may have grown in the
/// step; `last_below` [m/s]: slower ones, which part, end with a force. Both sides of each choice are
/// computed and conditions joined without a jump: so it runs in lanes.
template <class T>
inline TimeInContact<T> time_in_contact(T overlap, T rate, T bend, bool is_new, T last_below, T dt) {
  const T speed = std::abs(rate), reach = speed * dt;
  const bool begins = is_new & (rate > T(0)) & (overlap < reach + bend);
  const bool ends = (rate < last_below) & (overlap < reach);
  const bool partial = begins | ends;
  const T at_rate = overlap / speed, since = at_rate < dt ? at_rate : dt, lasts = since + T(0.5) * dt;
  const T share = lasts / dt, middle = T(0.5) * lasts, passed = speed * middle;
  return {partial ? share : T(1), partial ? passed : overlap, begins ? middle : dt, begins ? since : T(0),
          begins ? T(0) : T(1)};
}

/// The force after a step dt [s] in which the contact moved as it says; its mean over the step where the
/// contact begins or ends in it.
template <class Normal, TangentialKind kTangential, bool kRolls, class T>
[[gnu::always_inline]] inline ContactForceOf<T> contact_force(const Normal& normal_law,
                                                              const PairLawOf<T>& law, const ContactOf<T>& c,
                                                              T dt) {
  const T m_eff = T(1) / c.inverse_mass;
  const T k_r = law.hertz * std::sqrt(c.R_eff) + law.stiffness + law.stiffness_rate * m_eff;
  const T k_d = law.damping_ratio * std::sqrt(m_eff * k_r) + law.damping + law.damping_time * k_r;
  const T rate = c.velocity.dot(c.normal);
  const Imath::Vec3<T> V_t = c.velocity - rate * c.normal;
  // A contact that slid before is not new, though at a growing rate it might look so. Spheres that pass each
  // other approach at a falling rate: in a step by V_t^2 dt^2 / (2 (r_1 + r_2)) more than now, at most
  // `bend`.
  constexpr bool kRemembers = kTangential != TangentialKind::memoryless;
  const bool is_new = !kRemembers || c.slip.dot(c.slip) == T(0);
  const T bend = kRemembers ? V_t.dot(V_t) * dt * dt / (T(4) * c.R_eff) : T(0);
  const T weakest = law.least - law.pull;  // below 0 where contacts pull
  const T last_below = weakest < T(0) ? T(0) : -std::numeric_limits<T>::max();
  const TimeInContact<T> time = time_in_contact(c.overlap, rate, bend, is_new, last_below, dt);
  const T bare = normal_law.repulsion(k_r, k_d, time.overlap, rate);
  const T load = bare > law.least ? bare : law.least;
  const T repulsion = load - law.pull * c.R_eff * c.R_eff;

  ContactForceOf<T> out;
  T k_s = T(0);
  Imath::Vec3<T> D(T(0));
  if constexpr (kRemembers) {
    k_s = law.spring;
    if constexpr (kTangential == TangentialKind::mindlin) {
      k_s += law.shear * (std::sqrt(c.R_eff) * std::sqrt(time.overlap));
    }
    D = c.slip - c.slip.dot(c.normal) * c.normal + time.slid * V_t;
  }
  const T k_t = law.drag + law.drag_rate * m_eff + law.drag_ratio * std::sqrt(m_eff * k_s);
  // Not where nothing presses: infinity times zero.
  const T limit = load > T(0) ? law.friction * load : T(0);
  const Traction<T> traction = friction_traction(D, V_t, k_s, k_t, limit);
  out.slip = time.old * traction.slip + time.since * V_t;
  out.force = -time.share * (repulsion * c.normal + traction.force);

  if constexpr (kRolls) {
    const Imath::Vec3<T> velocity = c.R_eff * c.normal.cross(c.spin);
    // The spring of sliding serves rolling too; where there is none, the normal one.
    const T stiffness = k_s > T(0) ? k_s : k_r * std::sqrt(time.overlap);
    const T damping = law.drag_ratio * std::sqrt(m_eff * stiffness);
    const Imath::Vec3<T> rolled = c.roll - c.roll.dot(c.normal) * c.normal + time.slid * velocity;
    const Traction<T> held =
        friction_traction(rolled, velocity, stiffness, damping, load > T(0) ? law.rolling * load : T(0));
    out.roll = time.old * held.slip + time.since * velocity;
    out.couple = time.share * c.R_eff * c.normal.cross(held.force);
  } else {
    out.roll = out.couple = Imath::Vec3<T>(T(0));
  }
  out.frequency2 = normal_law.stiffness(k_r, c.overlap) * c.inverse_mass;
  const T brake = normal_law.brake(k_d, c.overlap);
  out.braking = brake > k_t ? brake : k_t;
  return out;
}

}  // namespace repose
