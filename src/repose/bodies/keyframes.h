#pragma once
// Paths of bodies that nothing pushes. That of a keyframed body: position and turning angles as functions of
// time, by component.
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

/// A path without end: a steady velocity, and a steady turn about a point that goes along.
struct SteadyPath {
  Pose start;
  Vec3d pivot{0, 0, 0};             ///< at t = 0 [m]
  Vec3d velocity{0, 0, 0};          ///< of the pivot [m/s]
  Vec3d angular_velocity{0, 0, 0};  ///< [rad/s]

  PathPoint at(double t) const;
};

class KeyframePath {
 public:
  /// Keys sorted by time, at least one.
  KeyframePath(const std::vector<Keyframe>& keys, Interpolation interpolation);

  PathPoint at(double t) const;

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
