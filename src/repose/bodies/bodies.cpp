#include "repose/bodies/bodies.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Whether the solid stays the same when it turns about its z axis.
bool is_round(const Shape& shape) {
  return shape.kind != ShapeKind::box && shape.kind != ShapeKind::heightfield &&
         shape.kind != ShapeKind::mesh;
}

/// A half-space whose normal is the body's z axis: the walls, met by every grain.
bool is_plain_plane(const Shape& shape) {
  return shape.kind == ShapeKind::plane && !shape.invert && shape.thickness <= 0;
}

/// Sets the ball around the shape and the reach of its surface. A plane's surface has no end; that of an
/// inverted shape has.
void set_extent(Body& body) {
  if (body.shape.kind == ShapeKind::plane) {
    body.ball_radius = body.surface_reach = kInfinity;
    return;
  }
  Shape surface = body.shape;
  surface.invert = false;
  const Box3d box = bounds(surface);
  const Vec3d far(std::max(-box.min.x, box.max.x), std::max(-box.min.y, box.max.y),
                  std::max(-box.min.z, box.max.z));
  body.surface_reach = far.length();
  body.ball_center = box.center();
  const bool unbounded = body.shape.invert && body.shape.thickness <= 0;
  body.ball_radius = unbounded ? kInfinity : 0.5 * box.size().length();
}

void place(Body& body, const PathPoint& point) {
  body.pose = point.pose;
  body.velocity = point.velocity;
  body.angular_velocity = point.angular_velocity;
  body.up = rotate(body.pose.rotation, Vec3d(0, 0, 1));
  body.ball_position = body.pose.to_world(body.ball_center);
}

}  // namespace

Bodies::Bodies(const Scene& scene) {
  for (const BodyDefinition& definition : scene.bodies) add_scene_body(definition);
  first_wall_ = bodies_.size();
  add_walls(scene.domain);
  impulses_.resize(bodies_.size());
  move_to(0);
}

void Bodies::add_scene_body(const BodyDefinition& definition) {
  assert(definition.motion == Motion::fixed || definition.motion == Motion::keyframed);
  Body body;
  body.name = definition.name;
  body.shape = definition.shape;
  body.shape.pose = Pose{};
  body.motion = definition.motion;
  body.friction = definition.friction;
  body.restitution = definition.restitution;
  body.young = definition.young;
  body.poisson = definition.poisson;
  if (definition.motion == Motion::keyframed && !definition.keyframes.empty())
    body.path.emplace(definition.keyframes, definition.interpolation);
  set_extent(body);
  place(body, PathPoint{.pose = definition.shape.pose});
  bodies_.push_back(std::move(body));
}

void Bodies::add_walls(const Domain& domain) {
  // From z up to the face's inward normal; axes are given apart since a quaternion of 90 degrees is not
  // exact.
  const double s = std::sqrt(0.5);
  const std::array<Quatd, 6> turns{Quatd(s, 0, s, 0), Quatd(s, 0, -s, 0), Quatd(s, -s, 0, 0),
                                   Quatd(s, s, 0, 0), Quatd(1, 0, 0, 0),  Quatd(0, 1, 0, 0)};
  const Vec3d center = 0.5 * (domain.min + domain.max);
  for (std::size_t face = 0; face < 6; ++face) {
    if (domain.faces[face] != FaceKind::wall) continue;
    const int axis = static_cast<int>(face / 2);
    const bool low = face % 2 == 0;
    Body body;
    body.name = std::string("domain.") + kFaceNames[face];
    body.shape.kind = ShapeKind::plane;
    body.pose = {center, turns[face]};
    body.pose.position[axis] = low ? domain.min[axis] : domain.max[axis];
    body.up = Vec3d(0);
    body.up[axis] = low ? 1 : -1;
    body.friction = domain.friction[face];
    set_extent(body);
    bodies_.push_back(std::move(body));
  }
}

void Bodies::move_to(double t) {
  time_ = t;
  for (Body& body : bodies_)
    if (body.path) place(body, t < 0 ? PathPoint{.pose = body.path->at(0).pose} : body.path->at(t));
}

SurfacePoint Bodies::nearest(std::size_t index, const Vec3d& point) const {
  const Body& body = bodies_[index];
  if (is_plain_plane(body.shape)) return {body.up.dot(point - body.pose.position), body.up};
  SurfacePoint s = distance_in_own_frame(body.shape, body.pose.to_local(point));
  s.normal = rotate(body.pose.rotation, s.normal);
  return s;
}

void Bodies::find_touches(std::size_t index, const Vec3d& point, double reach, Touches& touches) const {
  const Body& body = bodies_[index];
  touches.clear();
  if (is_plain_plane(body.shape)) {
    const double distance = body.up.dot(point - body.pose.position);
    if (distance < reach) touches.add({distance, body.up, 0});
    return;
  }
  repose::find_touches(body.shape, body.pose.to_local(point), reach, touches);
  for (Touch& touch : touches) touch.normal = rotate(body.pose.rotation, touch.normal);
}

Shape Bodies::world_shape(std::size_t index) const {
  Shape shape = bodies_[index].shape;
  shape.pose = bodies_[index].pose;
  return shape;
}

double Bodies::distance_bound(std::size_t index, const Vec3d& point) const {
  const Body& body = bodies_[index];
  return (point - body.ball_position).length() - body.ball_radius;
}

Vec3d Bodies::velocity_at(std::size_t index, const Vec3d& point) const {
  const Body& body = bodies_[index];
  return body.velocity + body.angular_velocity.cross(point - body.pose.position);
}

double Bodies::max_shift(std::size_t index, double t0, double t1) const {
  const Body& body = bodies_[index];
  if (!body.path) return 0;
  const PathTravel way = body.path->travel(std::max(t0, 0.0), std::max(t1, 0.0));
  // The angle that the frame turns by, at most; for a round solid the angle of its axis alone. The axis keeps
  // its angle to y while the frame turns about y, and to z while it turns about z.
  double about_x = way.angle.x, about_y = way.angle.y, about_z = way.angle.z;
  if (is_round(body.shape)) {
    if (body.shape.kind == ShapeKind::sphere) about_x = about_y = about_z = 0;
    const Vec3d after_x = rotate(exp_rotation({body.path->first_angle(0), 0, 0}), Vec3d(0, 0, 1));
    const Vec3d after_y = rotate(exp_rotation({0, body.path->first_angle(1), 0}), after_x);
    if (body.path->angle_is_constant(0)) {
      about_y *= std::hypot(after_x.x, after_x.z);
      if (body.path->angle_is_constant(1)) about_z *= std::hypot(after_y.x, after_y.y);
    }
  }
  const double angle = about_x + about_y + about_z;
  return way.distance.length() + (angle > 0 ? angle * body.surface_reach : 0.0);
}

void Bodies::begin_interval(double t) {
  interval_start_ = t;
  std::fill(impulses_.begin(), impulses_.end(), BodyImpulse{});
}

void Bodies::add_impulse(std::size_t body, const Vec3d& impulse, const Vec3d& at) {
  impulses_[body].add(impulse, at - bodies_[body].pose.position);
}

void Bodies::fill_rows(std::vector<BodyRow>& rows, double t) const {
  const double span = t - interval_start_;
  const double rate = span > 0 ? 1.0 / span : 0.0;
  rows.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    rows[i] = {.name = body.name,
               .pose = body.pose,
               .velocity = body.velocity,
               .angular_velocity = body.angular_velocity,
               .force = impulses_[i].linear * rate,
               .torque = impulses_[i].angular * rate};
  }
}

void Bodies::save(ArchiveWriter& out) const {
  out.put("bodies.time", time_);
  out.put("bodies.interval_start", interval_start_);
  std::vector<double> numbers;
  for (const BodyImpulse& sum : impulses_)
    for (const Vec3d& v : {sum.linear, sum.angular}) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  out.put("bodies.impulses", numbers);
}

void Bodies::load(ArchiveReader& in) {
  double time = 0;
  in.get("bodies.time", time);
  in.get("bodies.interval_start", interval_start_);
  std::vector<double> numbers;
  in.get("bodies.impulses", numbers);
  if (numbers.size() != 6 * bodies_.size())
    throw Error(ExitCode::run_failed, fmt::format("the saved state has {} bodies and the scene has {}: it "
                                                  "belongs to another scene",
                                                  numbers.size() / 6, bodies_.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* n = &numbers[6 * i];
    impulses_[i] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  }
  move_to(time);
}

}  // namespace repose
