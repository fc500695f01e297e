#pragma once
// One rigid object: its shape, where it is, how it moves, and what it takes to move it.

#include <limits>
#include <optional>
#include <string>

#include "repose/bodies/features.h"
#include "repose/bodies/keyframes.h"
#include "repose/bodies/oscillation.h"
#include "repose/geometry/shape.h"
#include "repose/scene/scene.h"

namespace repose {

/// What matter has done to a body: impulse, and angular impulse about the body's origin.
struct BodyImpulse {
  Vec3d linear{0, 0, 0};   ///< [N s]
  Vec3d angular{0, 0, 0};  ///< [N m s]

  /// Adds an impulse that acts at `arm` from the body's origin [m].
  void add(const Vec3d& impulse, const Vec3d& arm) {
    linear += impulse;
    angular += arm.cross(impulse);
  }
  BodyImpulse& operator+=(const BodyImpulse& other) {
    linear += other.linear;
    angular += other.angular;
    return *this;
  }
};

/// Mass and how it is spread, about the centre of mass. Of dynamic bodies only.
struct BodyMass {
  double mass = 0;                     ///< [kg]
  Vec3d center{0, 0, 0};               ///< of mass, in the body's frame [m]
  Imath::M33d inertia;                 ///< in the body's frame [kg m2]
  Imath::M33d inverse_inertia;         ///< likewise [1/(kg m2)]
  double largest_inverse_inertia = 0;  ///< about any axis, at most [1/(kg m2)]
};

/// What a dynamic body is doing: all that its future depends on, besides contacts.
struct BodyMotion {
  Vec3d center{0, 0, 0};  ///< of mass, in the world [m]
  Quatd rotation{1, 0, 0, 0};
  Vec3d velocity{0, 0, 0};          ///< of the centre of mass [m/s]
  Vec3d angular_momentum{0, 0, 0};  ///< about the centre of mass [kg m2/s]
};

struct Body {
  std::string name;
  std::string family;  ///< the table that it came from, which [contact] tables name
  Shape shape;         ///< in the body's frame: identity pose, scale kept
  Motion motion = Motion::fixed;
  bool present = true;   ///< false once it was removed
  bool is_free = false;  ///< a dynamic body that was let go: pushes move it
  Pose pose;
  Vec3d velocity{0, 0, 0};          ///< of the origin [m/s]
  Vec3d angular_velocity{0, 0, 0};  ///< [rad/s]
  double friction = 0.5;            ///< infinity: no slip
  double restitution = 0.4;
  std::optional<double> young;  ///< none: rigid [Pa]
  double poisson = 0.3;
  BodySurface surface = BodySurface::smooth;
  std::optional<double> particle_radius;  ///< of spheres that cover it; none: the solver's choice [m]
  double roughness = 0;                   ///< radius of a second layer over that of the first [-]

  std::optional<KeyframePath> path;  ///< keyframed bodies only
  std::optional<SteadyPath> steady;  ///< moving bodies only; static ones too that swing
  std::optional<Swing> swing;        ///< about the path
  Vec3d belt_velocity{0, 0, 0};      ///< of its surface against its material, in the body's frame [m/s]
  BodyMass mass;                     ///< dynamic bodies only, as the next two
  BodyMotion state;
  Vec3d first_velocity{0, 0, 0}, first_spin{0, 0, 0};         ///< when it is let go [m/s], [rad/s]
  double release = -std::numeric_limits<double>::infinity();  ///< held before [s]
  double remove = std::numeric_limits<double>::infinity();    ///< gone from then on [s]

  Vec3d belt{0, 0, 0};           ///< belt_velocity in the world; zero before t = 0 and once it is gone [m/s]
  Vec3d up{0, 0, 1};             ///< the frame's z axis in the world: a plane's normal
  Vec3d ball_center{0, 0, 0};    ///< of a ball around the shape, in the body's frame [m]
  Vec3d ball_position{0, 0, 0};  ///< the same in the world [m]
  double ball_radius = 0;        ///< infinite for unbounded solids [m]
  double surface_reach = 0;      ///< largest distance of the surface from the body's origin [m]
  double thinness = 0;           ///< least extent of the shape; infinite for planes [m]
  ContactFeatures features;      ///< what touches other bodies first

  /// 1/m while pushes move it, else 0 [1/kg].
  double inverse_mass() const { return is_free ? 1 / mass.mass : 0.0; }
  /// The fastest that any of its surface moves [m/s].
  double surface_speed() const;
};

/// Makes a body from a laid-out definition (scene/copies.h). Throws Error(bad_scene) where a dynamic body has
/// no mass.
Body make_body(const BodyDefinition& definition);

/// A half-space for a wall of the domain, face 0 to 5.
Body make_wall(const Domain& domain, std::size_t face);

/// Whether the shape is a half-space whose normal is the body's z axis: the walls, met by every grain.
inline bool is_plain_plane(const Shape& shape) {
  return shape.kind == ShapeKind::plane && !shape.invert && shape.thickness <= 0;
}

/// How a body moves over a step: steadily.
struct BodyRate {
  Vec3d velocity{0, 0, 0};  ///< of the origin [m/s]
  Vec3d spin{0, 0, 0};      ///< [rad/s]
};

/// Velocity of the body's surface against its material where the normal is this one: of the belt, what lies
/// along the surface [m/s]. What sticks or rubs goes by it; what is pushed goes by the material alone.
inline Vec3d belt_velocity_at(const Body& body, const Vec3d& normal) {
  return body.belt - body.belt.dot(normal) * normal;
}
inline bool has_belt(const Body& body) { return body.belt != Vec3d(0); }

/// What takes a body to where its path leads at time t [s], dt from where it stands. Of one without a path,
/// what it has.
BodyRate rate_towards(const Body& body, double dt, double t);

/// Puts the body where its path leads at time t [s]; before 0 it waits where it starts. Leaves others alone.
void follow_path(Body& body, double t);

/// Sets the body's belt as it runs at time t [s]; before 0 it waits.
void run_belt(Body& body, double t);

/// Sets pose and velocities of a dynamic body from its state.
void follow_state(Body& body);

/// Bound on how much the distance of any fixed point to the body has changed since it stood at `then` [m]:
/// the way of the body's surface, where a solid that turns about its own axis stands still. Infinite for a
/// plane that turned.
double shift_since(const Body& body, const Pose& then);

}  // namespace repose
