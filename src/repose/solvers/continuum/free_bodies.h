#pragma once
// Bodies that matter pushes and that push it, as a solve for both at once sees them in a step.

#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/math/mat6.h"
#include "repose/math/vec.h"

namespace repose {

/// How a body moves, as matter sees it in a step.
struct BodyVelocity {
  Vec3d center{0, 0, 0};    ///< a point of it [m]
  Vec3d velocity{0, 0, 0};  ///< there [m/s]
  Vec3d spin{0, 0, 0};      ///< [rad/s]

  Vec3d at(const Vec3d& point) const { return velocity + spin.cross(point - center); }
};

/// Of all bodies as they are; those that are free about their centre of mass.
std::vector<BodyVelocity> body_velocities(const Bodies& bodies);

/// The same over the dt [s] to come: those on paths get as far in it as what goes along with them. With the
/// velocity at its start matter would lag behind a body that speeds up.
std::vector<BodyVelocity> body_velocities_over(const Bodies& bodies, double dt);

/// Mass and inertia in the world, about the centre of mass.
Mat6 mass_matrix(const Body& body);

/// Holds a body along the contacts with what is not free that would close in dt [s]: takes these directions
/// out of the inverse of its mass, and what would go on into them out of its velocity u. Else a ball on the
/// floor would set out to fall in every step, and the matter below it would be squeezed out.
void hold_at_contacts(const Bodies& bodies, std::size_t body, double dt, Mat6& inverse_mass, Vec6& u);

}  // namespace repose
