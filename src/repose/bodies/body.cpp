#include "repose/bodies/body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/geometry/mass_properties.h"
#include "repose/math/rotation.h"
#include "repose/physics/rigid_body.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Whether the solid stays the same when it turns about its z axis.
bool is_round(const Shape& shape) {
  return shape.kind != ShapeKind::box && shape.kind != ShapeKind::heightfield &&
         shape.kind != ShapeKind::mesh;
}

/// Sets the ball around the shape and the reach of its surface. A plane's surface has no end; that of an
/// inverted shape has.
void set_extent(Body& body) {
  if (body.shape.kind == ShapeKind::plane) {
    body.ball_radius = body.surface_reach = body.thinness = kInfinity;
    return;
  }
  Shape surface = body.shape;
  surface.invert = false;
  const Box3d box = bounds(surface);
  const Vec3d far(std::max(-box.min.x, box.max.x), std::max(-box.min.y, box.max.y),
                  std::max(-box.min.z, box.max.z));
  body.surface_reach = far.length();
  body.ball_center = box.center();
  const Vec3d size = box.size();
  body.thinness = std::min({size.x, size.y, size.z});
  const bool unbounded = body.shape.invert && body.shape.thickness <= 0;
  body.ball_radius = unbounded ? kInfinity : 0.5 * size.length();
}

void refresh(Body& body) {
  body.up = rotate(body.pose.rotation, Vec3d(0, 0, 1));
  body.ball_position = body.pose.to_world(body.ball_center);
}

void place(Body& body, const PathPoint& point) {
  body.pose = point.pose;
  body.velocity = point.velocity;
  body.angular_velocity = point.angular_velocity;
  refresh(body);
}

/// Where the path leads at t = 0, without a swing.
Pose path_start(const Body& body) { return (body.path ? body.path->at(0) : body.steady->at(0)).pose; }

PathPoint path_point(const Body& body, double t) {
  const double now = std::max(t, 0.0);
  const PathPoint point = body.path ? body.path->at(now) : body.steady->at(now);
  return body.swing ? body.swing->at(point, now) : point;
}

void set_mass(const BodyDefinition& definition, Body& body) {
  const MassProperties properties = mass_properties(body.shape);
  if (!std::isfinite(properties.volume) || !(properties.volume > 0))
    throw Error(
        ExitCode::bad_scene,
        fmt::format("body '{}' cannot be dynamic: its shape has no volume of its own (planes, inverted "
                    "and open shapes have none; a thickness gives one)",
                    definition.name));
  if (!definition.mass && !definition.density)
    throw Error(ExitCode::bad_scene,
                fmt::format("body '{}' is dynamic and needs a 'density' or a 'mass'", definition.name));
  const double density = definition.mass ? *definition.mass / properties.volume : *definition.density;
  body.mass.mass = density * properties.volume;
  body.mass.center = properties.center;
  body.mass.inertia = density * properties.inertia;
  body.mass.inverse_inertia = body.mass.inertia.inverse();
  // The norm of a symmetric matrix by rows is no less than its largest eigenvalue.
  for (int i = 0; i < 3; ++i) {
    double row = 0;
    for (int k = 0; k < 3; ++k) row += std::fabs(body.mass.inverse_inertia[i][k]);
    body.mass.largest_inverse_inertia = std::max(body.mass.largest_inverse_inertia, row);
  }
  body.state.center = body.pose.to_world(body.mass.center);
  body.state.rotation = body.pose.rotation;
}

}  // namespace

double Body::surface_speed() const {
  const double spin = angular_velocity.length();
  return velocity.length() + (spin > 0 && std::isfinite(surface_reach) ? spin * surface_reach : 0.0);
}

Body make_body(const BodyDefinition& definition) {
  Body body;
  body.name = definition.name;
  body.family = definition.family.empty() ? definition.name : definition.family;
  body.shape = definition.shape;
  body.shape.pose = Pose{};
  body.motion = definition.motion;
  body.friction = definition.friction;
  body.restitution = definition.restitution;
  body.surface = definition.surface;
  body.particle_radius = definition.particle_radius;
  body.roughness = definition.roughness;
  body.young = definition.young;
  body.poisson = definition.poisson;
  body.remove = definition.remove.value_or(kInfinity);
  set_extent(body);
  body.features = contact_features(body.shape);
  body.belt_velocity = definition.surface_velocity;
  place(body, PathPoint{.pose = definition.shape.pose});
  if (definition.motion == Motion::keyframed && !definition.keyframes.empty())
    body.path.emplace(definition.keyframes, definition.interpolation);
  if (definition.motion == Motion::moving)
    body.steady = SteadyPath{.start = body.pose,
                             .pivot = definition.pivot.value_or(body.pose.position),
                             .velocity = definition.velocity,
                             .angular_velocity = definition.angular_velocity};
  if (definition.oscillation.frequency > 0 && definition.motion != Motion::dynamic) {
    // One that would stand still moves from here on, on a path that leads nowhere.
    if (definition.motion == Motion::fixed) {
      body.motion = Motion::moving;
      body.steady = SteadyPath{.start = body.pose, .pivot = body.pose.position};
    }
    body.swing.emplace(definition.oscillation, path_start(body));
  }
  if (definition.motion == Motion::dynamic) {
    set_mass(definition, body);
    body.first_velocity = definition.velocity;
    body.first_spin = definition.angular_velocity;
    // What is thrown waits for t = 0, as keyframes do; what is only put down may settle before.
    const bool is_thrown = definition.velocity != Vec3d(0) || definition.angular_velocity != Vec3d(0);
    body.release = definition.release.value_or(is_thrown ? 0.0 : -kInfinity);
  }
  return body;
}

Body make_wall(const Domain& domain, std::size_t face) {
  // From z up to the face's inward normal; axes are given apart since a quaternion of 90 degrees is not
  // exact.
  const double s = std::sqrt(0.5);
  const std::array<Quatd, 6> turns{Quatd(s, 0, s, 0), Quatd(s, 0, -s, 0), Quatd(s, -s, 0, 0),
                                   Quatd(s, s, 0, 0), Quatd(1, 0, 0, 0),  Quatd(0, 1, 0, 0)};
  const int axis = static_cast<int>(face / 2);
  const bool low = face % 2 == 0;
  Body body;
  body.name = body.family = std::string("domain.") + kFaceNames[face];
  body.shape.kind = ShapeKind::plane;
  body.pose = {0.5 * (domain.min + domain.max), turns[face]};
  body.pose.position[axis] = low ? domain.min[axis] : domain.max[axis];
  body.up = Vec3d(0);
  body.up[axis] = low ? 1 : -1;
  body.friction = domain.friction[face];
  set_extent(body);
  body.features = contact_features(body.shape);
  return body;
}

BodyRate rate_towards(const Body& body, double dt, double t) {
  if (!body.path && !body.steady) return {body.velocity, body.angular_velocity};
  const Pose then = path_point(body, t).pose;
  return {(then.position - body.pose.position) / dt, turn_between(body.pose.rotation, then.rotation) / dt};
}

void follow_path(Body& body, double t) {
  if (!body.path && !body.steady) return;
  PathPoint point = path_point(body, t);
  if (t < 0) point.velocity = point.angular_velocity = Vec3d(0);
  place(body, point);
}

void run_belt(Body& body, double t) {
  if (body.belt_velocity == Vec3d(0)) return;
  body.belt = t < 0 || !body.present ? Vec3d(0) : rotate(body.pose.rotation, body.belt_velocity);
}

void follow_state(Body& body) {
  body.angular_velocity =
      spin_from_momentum(body.mass.inverse_inertia, body.state.rotation, body.state.angular_momentum);
  const Vec3d to_origin = rotate(body.state.rotation, -body.mass.center);
  body.pose = {body.state.center + to_origin, body.state.rotation};
  body.velocity = body.state.velocity + body.angular_velocity.cross(to_origin);
  refresh(body);
}

double shift_since(const Body& body, const Pose& then) {
  const double way = (body.pose.position - then.position).length();
  const bool is_ball = body.shape.kind == ShapeKind::sphere;
  double angle = 0;
  if (is_round(body.shape) && !is_ball) {
    // Of the axis alone.
    const double chord = (body.up - rotate(then.rotation, Vec3d(0, 0, 1))).length();
    angle = 2 * std::asin(std::min(1.0, 0.5 * chord));
  } else if (!is_ball) {
    angle = angle_between(body.pose.rotation, then.rotation);
  }
  if (std::isfinite(body.surface_reach)) return way + angle * body.surface_reach;
  constexpr double kNoAngle =
      1e-9;  // [rad]: what rounding leaves of a plane that only turns about its normal
  return angle > kNoAngle ? kInfinity : way;
}

}  // namespace repose
