#pragma once
// Outlines of solids and shells of revolution in the half-plane (r, z), as polylines with normals, for
// drawing.

#include <vector>

#include "repose/geometry/shape.h"

namespace repose {

struct OutlinePoint {
  Vec2d point;   ///< (r, z) [m]
  Vec2d normal;  ///< unit, outwards
};

/// A run along which the normal changes smoothly. Outside is to the right of its direction. Between runs that
/// meet there is a crease.
using OutlineRun = std::vector<OutlinePoint>;

/// All runs of a shape at scale 1 that stands at its own origin and is not inverted, with its thickness; none
/// for boxes and planes. Arcs are cut so that chords are within `tolerance` [m]. Where a shell is thicker
/// than the folds of its profile, parts of its outline lie hidden inside it.
std::vector<OutlineRun> shape_outline(const Shape& shape, double tolerance);

/// In how many equal parts an arc is cut so that its chords are within `tolerance` of it.
int arc_parts(double radius, double angle, double tolerance);

}  // namespace repose
