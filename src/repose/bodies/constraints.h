#pragma once
// Sequential impulses: contacts as rows that push two movers until their relative velocity is allowed, one
// row after the other, several times over (Catto 2005, "Iterative dynamics with temporal coherence").
// Impulses add up over the iterations and over the steps: each step starts with those of the last one.
//
// A row pushes both bodies with opposite impulses at one and the same point, so that momentum and angular
// momentum are conserved to rounding, however far from solved the rows are.

#include <cstdint>
#include <span>

#include "repose/math/rotation.h"

namespace repose {

/// A body as rows see it. What pushes do not move has no inverse mass and no inverse inertia.
struct Mover {
  Vec3d center{0, 0, 0};  ///< of mass; any point of the body where pushes do not move it [m]
  Quatd rotation{1, 0, 0, 0};
  Vec3d velocity{0, 0, 0};                                 ///< of that point [m/s]
  Vec3d spin{0, 0, 0};                                     ///< [rad/s]
  Vec3d belt{0, 0, 0};                                     ///< body.h [m/s]
  Vec3d angular_momentum{0, 0, 0};                         ///< [kg m2/s]
  double inverse_mass = 0;                                 ///< [1/kg]
  Imath::M33d inverse_inertia{0, 0, 0, 0, 0, 0, 0, 0, 0};  ///< in the world [1/(kg m2)]

  Vec3d velocity_at(const Vec3d& p) const { return velocity + spin.cross(p - center); }
  void push(const Vec3d& impulse, const Vec3d& at) {
    if (inverse_mass == 0) return;
    velocity += inverse_mass * impulse;
    twist((at - center).cross(impulse));
  }
  void twist(const Vec3d& angular_impulse) {
    if (inverse_mass == 0) return;
    angular_momentum += angular_impulse;
    spin += apply(inverse_inertia, angular_impulse);
  }
};

/// A contact that lasts: part of the saved state. Points and normal are fixed to the bodies, so that the gap
/// follows their motion until contacts are looked for again.
struct BodyContact {
  std::uint64_t a = 0, b = 0;  ///< bodies
  std::uint64_t feature = 0;   ///< contact_points.h
  std::uint64_t normal_turns_with_a = 0;
  Vec3d on_a{0, 0, 0}, on_b{0, 0, 0};  ///< in the frames of a and b about their centres of mass [m]
  Vec3d normal{0, 0, 1};               ///< from b to a, in the frame of the one whose surface gave it
  double radius_a = 0, radius_b = 0;   ///< [m]
  double friction = 0, restitution = 0;
  double impulse = 0;               ///< along the normal, of the last step [N s]
  Vec3d friction_impulse{0, 0, 0};  ///< in the world [N s]
  double approach = 0;              ///< speed at which the gap closed before the step [m/s]
};

/// What a row needs besides, made anew wherever the bodies stand.
struct ContactRow {
  Vec3d normal, place;        ///< in the world, [m]
  double gap;                 ///< [m]
  double mass, tangent_mass;  ///< impulse by velocity, along and across the normal [kg]
  Vec3d belt{0, 0, 0};        ///< of a's surface against b's, without their motion, across the normal [m/s]
};

ContactRow prepare_contact(const BodyContact& contact, std::span<const Mover> movers);

/// Relative velocity of a to b at the contact [m/s].
Vec3d relative_velocity(const BodyContact& contact, const ContactRow& row, std::span<const Mover> movers);

/// One turn of a contact's friction, within its cone.
void solve_friction(BodyContact& contact, const ContactRow& row, std::span<Mover> movers);
/// Adds to the impulse `push` [N s], which is never negative, until the normal velocity is at least `target`.
void solve_push(double& push, const BodyContact& contact, const ContactRow& row, double target,
                std::span<Mover> movers);
/// Gives an impulse along the normal [N s] to a, and takes it from b.
void push_apart(double push, const BodyContact& contact, const ContactRow& row, std::span<Mover> movers);

/// Gives the impulses of the last step once more, times `share`.
void warm_start(BodyContact& contact, const ContactRow& row, double share, std::span<Mover> movers);

}  // namespace repose
