#pragma once
// Bodies that swing about their path, as sieves and vibrating feeders do: a displacement and a turn that are
// sines of time, on top of wherever the path leads. A pure function of time, as paths are.

#include "repose/bodies/keyframes.h"
#include "repose/scene/scene.h"

namespace repose {

class Swing {
 public:
  /// `start`: where the body stands at t = 0 without it.
  Swing(const Oscillation& oscillation, const Pose& start);

  /// Where a body is at time t [s] whose path leads to `path`, and how fast.
  PathPoint at(const PathPoint& path, double t) const;

  double period() const { return 2 * kPi / omega_; }  ///< [s]
  /// The fastest that it moves a place this far from the body's origin at most [m/s].
  double largest_speed(double reach) const;

 private:
  Vec3d amplitude_;  ///< [m]
  Vec3d turn_;       ///< largest angle times axis [rad]
  double omega_;     ///< [rad/s]
  double phase_;     ///< [rad]
  Vec3d pivot_;      ///< in the body's frame [m]
};

}  // namespace repose
