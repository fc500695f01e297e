#include "repose/refine/obstacles.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

/// Out of one solid may be into the next.
constexpr int kRounds = 4;
/// Of its radius: a grain that was put onto a surface is there but for rounding.
constexpr double kTouching = 1 - 1e-9;

/// The pose of a body between two rows, at a share of the time T [s] between them.
Pose pose_between(const BodyRow& from, const BodyRow& to, double T, double share) {
  const double s = share, s2 = s * s, s3 = s2 * s;
  Pose pose;
  pose.position = (2 * s3 - 3 * s2 + 1) * from.pose.position + (3 * s2 - 2 * s3) * to.pose.position +
                  T * ((s3 - 2 * s2 + s) * from.velocity + (s3 - s2) * to.velocity);
  // The turn between both as one vector; of those that differ by whole turns the one that the spin comes
  // nearest to.
  Quatd turn = to.pose.rotation * from.pose.rotation.inverse();
  if (turn.r < 0) turn = -turn;
  const double sine = turn.v.length(), angle = 2 * std::atan2(sine, turn.r);
  const Vec3d spun = 0.5 * T * (from.angular_velocity + to.angular_velocity);
  Vec3d axis = sine > 1e-12 ? turn.v / sine : Vec3d(0);
  if (sine <= 1e-12 && spun.length() > kPi) axis = spun.normalized();
  const double whole = std::round((spun.dot(axis) - angle) / (2 * kPi));
  pose.rotation = exp_rotation(share * (angle + 2 * kPi * whole) * axis) * from.pose.rotation;
  pose.rotation.normalize();
  return pose;
}

bool stands_still(const BodyRow& from, const BodyRow& to) {
  return from.pose.position == to.pose.position && from.pose.rotation == to.pose.rotation &&
         from.velocity == Vec3d(0) && to.velocity == Vec3d(0) && from.angular_velocity == Vec3d(0) &&
         to.angular_velocity == Vec3d(0);
}

}  // namespace

SurfacePoint Obstacle::nearest_of_shape(const Vec3d& point) const {
  SurfacePoint at = distance_in_own_frame(body->shape, to.to_local(point));
  at.normal = rotate(to.rotation, at.normal);
  return at;
}

std::vector<Obstacle> obstacles_over_step(const RefineModel& model, const Frame& from, const Frame& to,
                                          double begin, double end) {
  std::vector<Obstacle> obstacles;
  const double T = to.time - from.time;
  for (std::size_t b = 0; b < model.bodies.size() && b < from.bodies.size() && b < to.bodies.size(); ++b) {
    const BodyRow &first = from.bodies[b], &last = to.bodies[b];
    if (!first.present || !last.present) continue;
    const Body& body = model.bodies[b];
    Obstacle obstacle;
    obstacle.body = &body;
    obstacle.is_still = stands_still(first, last);
    obstacle.from = obstacle.is_still ? last.pose : pose_between(first, last, T, begin);
    obstacle.to = obstacle.is_still ? last.pose : pose_between(first, last, T, end);
    obstacle.center = obstacle.to.to_world(body.ball_center);
    obstacle.radius = body.ball_radius;
    if (body.shape.kind == ShapeKind::plane && !(body.shape.thickness > 0)) {
      obstacle.is_plane = true;
      obstacle.normal = rotate(obstacle.to.rotation, Vec3d(0, 0, body.shape.invert ? -1 : 1));
      obstacle.offset = obstacle.normal.dot(obstacle.to.position);
    }
    obstacles.push_back(obstacle);
  }
  return obstacles;
}

double collide(std::span<MetObstacle> obstacles, double radius, double dt, FineMotion& grain) {
  double way = 0;
  for (int round = 0; round < kRounds; ++round) {
    bool moved = false;
    for (auto& [obstacle, free_way] : obstacles) {
      if (way < free_way || obstacle->distance_bound(grain.position) > radius) continue;
      const SurfacePoint at = obstacle->nearest(grain.position);
      free_way = way + (at.distance - radius);
      if (at.distance >= kTouching * radius) continue;
      grain.position += (radius - at.distance) * at.normal;
      way += radius - at.distance;
      moved = true;
      const Vec3d body_velocity = obstacle->velocity_at(grain.position, dt);
      const Vec3d relative = grain.velocity - body_velocity;
      const double into = -at.normal.dot(relative);
      if (into <= 0) continue;
      Vec3d along = relative + into * at.normal;
      const double speed = along.length(), lost = obstacle->body->friction * into;
      along *= speed > lost ? 1 - lost / speed : 0.0;
      grain.velocity = body_velocity + along;
    }
    if (!moved) break;
  }
  return way;
}

}  // namespace repose
