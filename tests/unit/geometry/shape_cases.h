#pragma once
// One of each kind of solid, plain and with everything that can be set on it, for tests that hold for all.

#include <ostream>
#include <string>
#include <vector>

#include "repose/geometry/shape.h"

namespace repose {

struct ShapeCase {
  std::string name;
  Shape shape;
};
inline void PrintTo(const ShapeCase& c, std::ostream* out) { *out << c.name; }

inline Shape make_shape(ShapeKind kind) {
  Shape shape;
  shape.kind = kind;
  shape.size = {0.8, 1.4, 0.6};
  shape.radius = 0.5;
  shape.radius_top = 0.2;
  shape.tube = 0.2;
  shape.height = 1.1;
  return shape;
}

inline Shape make_lathe(std::vector<Vec2d> profile) {
  Shape shape = make_shape(ShapeKind::lathe);
  shape.profile = std::move(profile);
  return shape;
}

/// Bounded solids at the origin: scale 1, no pose, no thickness.
inline std::vector<ShapeCase> plain_solids() {
  std::vector<ShapeCase> cases{{"box", make_shape(ShapeKind::box)},
                               {"sphere", make_shape(ShapeKind::sphere)},
                               {"cylinder", make_shape(ShapeKind::cylinder)},
                               {"frustum", make_shape(ShapeKind::cone)},
                               {"capsule", make_shape(ShapeKind::capsule)},
                               {"torus", make_shape(ShapeKind::torus)},
                               {"vase", make_lathe({{0.3, -0.5}, {0.6, -0.1}, {0.2, 0.3}, {0.45, 0.6}})},
                               {"vase_down", make_lathe({{0.45, 0.6}, {0.2, 0.3}, {0.6, -0.1}, {0.3, -0.5}})},
                               {"spinning_top", make_lathe({{0, -0.5}, {0.6, 0.1}, {0, 0.4}})},
                               {"ring", make_lathe({{0.3, 0}, {0.6, -0.1}, {0.5, 0.3}, {0.3, 0}})}};
  ShapeCase tip{"cone", make_shape(ShapeKind::cone)};
  tip.shape.radius_top = 0;
  cases.push_back(tip);
  ShapeCase funnel{"funnel", make_shape(ShapeKind::cone)};
  funnel.shape.radius = 0;
  funnel.shape.radius_top = 0.4;
  cases.push_back(funnel);
  ShapeCase spindle{"spindle_torus", make_shape(ShapeKind::torus)};
  spindle.shape.radius = 0.25;
  spindle.shape.tube = 0.4;
  cases.push_back(spindle);
  return cases;
}

/// The same as shells.
inline std::vector<ShapeCase> shells() {
  std::vector<ShapeCase> cases = plain_solids();
  for (ShapeCase& c : cases) {
    c.name += "_shell";
    c.shape.thickness = 0.06;
  }
  return cases;
}

/// A copy that is turned, moved and scaled.
inline Shape placed(Shape shape) {
  shape.pose = {{0.4, -1.2, 2.1}, rotation_from_degrees({25, -40, 130})};
  shape.scale = 1.7;
  return shape;
}

}  // namespace repose
