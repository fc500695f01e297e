#include "repose/bodies/bodies.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/math/rotation.h"
#include "repose/physics/rigid_body.h"
#include "repose/scene/at_place.h"
#include "repose/scene/copies.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Longest step of free bodies [s], and how much of its least extent one may cross in a step.
constexpr double kLongestStep = 1.25e-3, kLargestWay = 0.25;

/// How often at least contacts and joints are solved where a solver takes shorter steps [s].
constexpr double kSolveStep = 1.5e-4;

constexpr std::size_t kStateNumbers = 13;

bool is_finite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// A body turns by a quaternion, and no faster than steps can follow.
void check_saved_motion(const Body& body) {
  constexpr double fastest = 1e5;  // [m/s], [rad/s]
  const Quatd& q = body.state.rotation;
  if (!(std::abs(q.r * q.r + q.v.length2() - 1) < 1e-3) || !(body.velocity.length() <= fastest) ||
      !(body.angular_velocity.length() <= fastest))
    throw Error(ExitCode::run_failed,
                fmt::format("the saved state has a body '{}' that turns or moves as none can: it is damaged; "
                            "start the run anew with --force",
                            body.name));
}

}  // namespace

Bodies::Bodies(const Scene& scene) : domain_(scene.domain.min, scene.domain.max) {
  for (const BodyDefinition& definition : lay_out_bodies(scene)) {
    const std::string& table = definition.family.empty() ? definition.name : definition.family;
    bodies_.push_back(at_place(scene, "body." + table, [&] { return make_body(definition); }));
  }
  first_wall_ = bodies_.size();
  for (std::size_t face = 0; face < 6; ++face)
    if (scene.domain.faces[face] == FaceKind::wall) bodies_.push_back(make_wall(scene.domain, face));
  for (const Body& body : bodies_) any_dynamic_ = any_dynamic_ || body.motion == Motion::dynamic;
  impulses_.resize(bodies_.size());
  waiting_.resize(bodies_.size());
  move_to(-scene.info.settle);
  if (any_dynamic_ || !scene.joints.empty()) dynamics_ = BodyDynamics(scene, bodies_);
}

void Bodies::move_to(double t) {
  time_ = t;
  for (Body& body : bodies_) follow_path(body, t);
  update_events(t);
  for (Body& body : bodies_) run_belt(body, t);
}

void Bodies::update_events(double t) {
  for (Body& body : bodies_) {
    if (body.present && t >= body.remove) {
      body.present = body.is_free = false;
      body.velocity = body.angular_velocity = Vec3d(0);
      dynamics_.look_again();
    }
    if (body.motion != Motion::dynamic || body.is_free || !body.present || t < body.release) continue;
    body.is_free = true;
    body.state.velocity = body.first_velocity + body.first_spin.cross(body.state.center - body.pose.position);
    body.state.angular_momentum = momentum_from_spin(body.mass.inertia, body.state.rotation, body.first_spin);
    follow_state(body);
    dynamics_.look_again();
  }
}

void Bodies::drift(double h, double t) {
  for (Body& body : bodies_) {
    if (!body.is_free) continue;
    body.state.center += h * body.state.velocity;
    body.state.rotation =
        turned_freely(body.mass.inverse_inertia, body.state.rotation, body.state.angular_momentum, h);
    follow_state(body);
  }
  move_to(t);
}

void Bodies::apply_impulses(double share) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (!body.is_free) continue;
    body.state.velocity += share / body.mass.mass * waiting_[i].linear;
    body.state.angular_momentum += share * waiting_[i].angular;
    follow_state(body);
  }
}

void Bodies::kick(double h) {
  if (!any_dynamic_) return;
  apply_impulses(1);
  std::fill(waiting_.begin(), waiting_.end(), BodyImpulse{});
  // Contacts and joints need not be looked at as often as grains: what they do not take up at once is little.
  unsolved_ += h;
  if (unsolved_ + 0.5 * h < std::min(kSolveStep, longest_step())) return;
  dynamics_.kick(bodies_, time_, unsolved_, h);
  unsolved_ = 0;
}

void Bodies::relax() {
  if (any_dynamic_) dynamics_.relax(bodies_);
}

void Bodies::advance(double dt, double t) {
  if (!any_dynamic_) {
    std::fill(waiting_.begin(), waiting_.end(), BodyImpulse{});
    return move_to(t);
  }
  // A body that was thrown at a speed beyond all sense ends the run by that, not by steps without end.
  constexpr double kMostSteps = 1e5;
  const double wanted = std::ceil(dt / longest_step() * (1 - 1e-12));
  const int steps = wanted > 1 ? static_cast<int>(std::min(wanted, kMostSteps)) : 1;
  const double h = dt / steps, start = t - dt;
  for (int k = 0; k < steps; ++k) {
    drift(0.5 * h, start + (k + 0.5) * h);
    apply_impulses(1.0 / steps);
    dynamics_.kick(bodies_, time_, h, h);
    drift(0.5 * h, k + 1 == steps ? t : start + (k + 1) * h);
    dynamics_.relax(bodies_);
  }
  std::fill(waiting_.begin(), waiting_.end(), BodyImpulse{});
}

bool Bodies::is_in_domain(const Body& body) const {
  for (int axis = 0; axis < 3; ++axis)
    if (body.ball_position[axis] + body.ball_radius < domain_.min[axis] ||
        body.ball_position[axis] - body.ball_radius > domain_.max[axis])
      return false;
  return true;
}

double Bodies::longest_step() const {
  const double swinging = shortest_period() / kStepsPerPeriod;
  if (!any_dynamic_) return swinging;
  double step = std::min(kLongestStep, swinging);
  for (const Body& body : bodies_)
    if (body.is_free && is_in_domain(body)) {
      const double speed = body.surface_speed();
      if (speed * step > kLargestWay * body.thinness) step = kLargestWay * body.thinness / speed;
    }
  return step;
}

double Bodies::shortest_period() const {
  double shortest = kInfinity;
  for (const Body& body : bodies_)
    if (body.swing && body.present) shortest = std::min(shortest, body.swing->period());
  return shortest;
}

double Bodies::largest_speed() const {
  double fastest = 0;
  for (const Body& body : bodies_)
    if (body.is_free && is_in_domain(body)) fastest = std::max(fastest, body.surface_speed());
  return fastest;
}

SurfacePoint Bodies::nearest(std::size_t index, const Vec3d& point) const {
  const Body& body = bodies_[index];
  if (is_plain_plane(body.shape)) return {body.up.dot(point - body.pose.position), body.up};
  SurfacePoint s = distance_in_own_frame(body.shape, body.pose.to_local(point));
  s.normal = rotate(body.pose.rotation, s.normal);
  return s;
}

bool Bodies::is_near(std::size_t index, const Vec3d& point, double reach) const {
  const Body& body = bodies_[index];
  if (is_plain_plane(body.shape)) return body.up.dot(point - body.pose.position) < reach;
  return is_nearer_than(body.shape, body.pose.to_local(point), reach);
}

void Bodies::find_touches(std::size_t index, const Vec3d& point, double reach, Touches& touches) const {
  const Body& body = bodies_[index];
  touches.clear();
  if (!body.present) return;
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
  if (!body.present) return kInfinity;
  if (is_plain_plane(body.shape)) return body.up.dot(point - body.pose.position);
  return (point - body.ball_position).length() - body.ball_radius;
}

Vec3d Bodies::velocity_at(std::size_t index, const Vec3d& point) const {
  const Body& body = bodies_[index];
  return body.velocity + body.angular_velocity.cross(point - body.pose.position);
}

Vec3d Bodies::belt_velocity(std::size_t index, const Vec3d& normal) const {
  return belt_velocity_at(bodies_[index], normal);
}

void Bodies::begin_interval(double t) {
  interval_start_ = t;
  std::fill(impulses_.begin(), impulses_.end(), BodyImpulse{});
}

void Bodies::add_impulse(std::size_t body, const Vec3d& impulse, const Vec3d& at) {
  BodyImpulse sum;
  sum.add(impulse, at - bodies_[body].pose.position);
  add_impulse(body, sum);
}

void Bodies::add_impulse(std::size_t body, const BodyImpulse& sum) {
  impulses_[body] += sum;
  if (!bodies_[body].is_free) return;
  const Vec3d to_center = bodies_[body].state.center - bodies_[body].pose.position;
  waiting_[body].linear += sum.linear;
  waiting_[body].angular += sum.angular - to_center.cross(sum.linear);
}

void Bodies::set_off(std::size_t body, const Vec3d& velocity, const Vec3d& spin) {
  Body& b = bodies_[body];
  if (!b.is_free) return;
  const Vec3d momentum = apply(turned_matrix(b.mass.inertia, b.state.rotation), spin);
  waiting_[body].linear -= b.mass.mass * (velocity - b.state.velocity);
  waiting_[body].angular -= momentum - b.state.angular_momentum;
  b.state.velocity = velocity;
  b.state.angular_momentum = momentum;
  follow_state(b);
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
               .torque = impulses_[i].angular * rate,
               .present = body.present};
  }
}

std::optional<std::string> Bodies::broken() const {
  for (const Body& body : bodies_)
    if (body.is_free && !(is_finite(body.state.center) && is_finite(body.state.velocity) &&
                          is_finite(body.state.angular_momentum)))
      return body.name;
  return std::nullopt;
}

void Bodies::save(ArchiveWriter& out) const {
  out.put("bodies.time", time_);
  out.put("bodies.interval_start", interval_start_);
  out.put("bodies.unsolved", unsolved_);
  std::vector<double> numbers;
  for (const BodyImpulse& sum : impulses_)
    for (const Vec3d& v : {sum.linear, sum.angular}) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  out.put("bodies.impulses", numbers);
  numbers.clear();
  std::vector<std::uint8_t> free;
  for (const Body& body : bodies_) {
    if (body.motion != Motion::dynamic) continue;
    const BodyMotion& m = body.state;
    free.push_back(body.is_free ? 1 : 0);
    numbers.insert(numbers.end(), {m.center.x, m.center.y, m.center.z, m.rotation.r, m.rotation.v.x,
                                   m.rotation.v.y, m.rotation.v.z, m.velocity.x, m.velocity.y, m.velocity.z,
                                   m.angular_momentum.x, m.angular_momentum.y, m.angular_momentum.z});
  }
  out.put("bodies.free", free);
  out.put("bodies.motions", numbers);
  dynamics_.save(out);
}

void Bodies::load(ArchiveReader& in) {
  double time = 0;
  in.get("bodies.time", time);
  in.get("bodies.interval_start", interval_start_);
  in.get("bodies.unsolved", unsolved_);
  std::vector<double> numbers;
  in.get("bodies.impulses", numbers);
  if (numbers.size() != 6 * bodies_.size())
    throw Error(ExitCode::run_failed,
                fmt::format("the saved state has {} bodies and the scene has {}: it belongs to another scene",
                            numbers.size() / 6, bodies_.size()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* n = &numbers[6 * i];
    impulses_[i] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
  }
  std::vector<std::uint8_t> free;
  in.get("bodies.free", free);
  in.get("bodies.motions", numbers);
  const auto dynamic = std::count_if(bodies_.begin(), bodies_.end(),
                                     [](const Body& body) { return body.motion == Motion::dynamic; });
  check_saved_numbers({time, interval_start_});
  check_saved_numbers(numbers);
  if (free.size() != static_cast<std::size_t>(dynamic) || numbers.size() != kStateNumbers * free.size())
    throw Error(ExitCode::run_failed, "the saved state has other dynamic bodies than the scene");
  std::size_t k = 0;
  for (Body& body : bodies_) {
    body.present = true;
    if (body.motion != Motion::dynamic) continue;
    const double* n = &numbers[kStateNumbers * k];
    body.is_free = free[k++] != 0;
    body.state = {
        {n[0], n[1], n[2]}, Quatd(n[3], n[4], n[5], n[6]), {n[7], n[8], n[9]}, {n[10], n[11], n[12]}};
    follow_state(body);
    check_saved_motion(body);
  }
  move_to(time);
  dynamics_.load(in, bodies_.size());
}

}  // namespace repose
