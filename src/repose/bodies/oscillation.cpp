#include "repose/bodies/oscillation.h"

#include <cmath>

#include "repose/math/rotation.h"

namespace repose {

Swing::Swing(const Oscillation& oscillation, const Pose& start)
    : amplitude_(oscillation.amplitude),
      turn_(kPi / 180 * oscillation.rotation),
      omega_(2 * kPi * oscillation.frequency),
      phase_(oscillation.phase),
      pivot_(oscillation.pivot ? start.to_local(*oscillation.pivot) : Vec3d(0)) {}

PathPoint Swing::at(const PathPoint& path, double t) const {
  // Whole periods are taken out before the sine, lest it loses digits in a long run.
  const double cycles = omega_ / (2 * kPi) * t;
  const double angle = 2 * kPi * (cycles - std::floor(cycles)) + phase_;
  const double s = std::sin(angle), rate = omega_ * std::cos(angle);
  const Quatd turn = exp_rotation(s * turn_);
  const Vec3d pivot = path.pose.to_world(pivot_), arm = rotate(turn, path.pose.position - pivot);
  PathPoint point;
  point.pose = {pivot + arm + s * amplitude_, turn * path.pose.rotation};
  point.angular_velocity = rate * turn_ + rotate(turn, path.angular_velocity);
  const Vec3d of_pivot = path.velocity + path.angular_velocity.cross(pivot - path.pose.position);
  point.velocity = of_pivot + point.angular_velocity.cross(arm) + rate * amplitude_;
  return point;
}

double Swing::largest_speed(double reach) const {
  const double turning = turn_.length();
  return omega_ * (amplitude_.length() + (turning > 0 ? turning * (pivot_.length() + reach) : 0.0));
}

}  // namespace repose
