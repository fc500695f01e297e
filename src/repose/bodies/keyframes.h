#pragma once
// The path of a keyframed body: position and turning angles as functions of time, by component.
//
// "smooth" is a cubic in each interval whose slopes at the keys are the weighted harmonic mean of the two
// neighbouring slopes (Fritsch and Butland 1984, "A method for constructing local monotone piecewise cubic
// interpolants", eq. 5 with the weights of the interval lengths) and zero at the ends and where the path
// turns back: continuous in velocity, never beyond the keyed values. "linear" goes straight, with jumps in
// velocity. Before the first key and after the last the body stands still.

#include <array>
#include <vector>

#include "repose/math/vec.h"
#include "repose/scene/scene.h"

namespace repose {

struct PathPoint {
  Pose pose;
  Vec3d velocity{0, 0, 0};          ///< [m/s]
  Vec3d angular_velocity{0, 0, 0};  ///< [rad/s]
};

/// How far a path goes within a span of time.
struct PathTravel {
  Vec3d distance{0, 0, 0};  ///< by component, back and forth counted [m]
  Vec3d angle{0, 0, 0};     ///< of the angles about x, y, z, likewise [rad]
};

class KeyframePath {
 public:
  /// Keys sorted by time, at least one.
  KeyframePath(const std::vector<Keyframe>& keys, Interpolation interpolation);

  PathPoint at(double t) const;
  PathTravel travel(double t0, double t1) const;
  /// Whether the angle about this axis (0, 1, 2) is the same at all keys.
  bool angle_is_constant(int axis) const;
  double first_angle(int axis) const { return values_.front()[3 + static_cast<std::size_t>(axis)]; }

 private:
  using Values = std::array<double, 6>;  ///< x y z [m], then the angles about x y z [rad]
  struct Sample {
    Values value, rate;
  };
  Sample sample(double t) const;

  std::vector<double> times_;
  std::vector<Values> values_;
  std::vector<Values> slopes_;  ///< at the keys; empty for linear
};

}  // namespace repose
