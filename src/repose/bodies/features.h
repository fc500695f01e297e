#pragma once
// What touches first when a body meets another: corners, edges and rims, in the body's frame. Contacts are
// found by measuring these against the signed distance of the other body (contact_points.h), so any two
// shapes can meet without a routine for each pair.
//
//   point   a corner, or the centre of a ball             box, sphere, capsule, tip of a cone, mesh
//   edge    a line between two corners, or the middle line of a capsule or cylinder
//   ring    a circle about the body's z axis with a tube: a rim, a torus
//
// Each has a radius, that of the ball (tube, capsule) around it. Corners and edges of boxes and cylinders are
// rounded by one part in a hundred of their least extent: the distance is measured to the solid shrunk by as
// much (`core`), so that a corner that sinks in a little still knows which way is out. Faces stay where they
// are. Meshes are rounded at their corners and edges alone (mesh_features.h).

#include <vector>

#include "repose/geometry/shape.h"

namespace repose {

struct ContactPoint {
  Vec3d center;   ///< [m]
  double radius;  ///< [m]
};
struct ContactEdge {
  Vec3d a, b;     ///< its ends [m]
  double radius;  ///< [m]
};
struct ContactRing {
  double height, radius;  ///< where along z, and of the circle [m]
  double tube;            ///< [m]
};

/// Neighbouring points, to be passed over at once.
struct ContactGroup {
  Vec3d center;
  double radius;             ///< of a ball around the balls of its points [m]
  std::size_t first, count;  ///< among the points
};

struct ContactFeatures {
  std::vector<ContactPoint> points;
  std::vector<ContactGroup> groups;  ///< of all points; none where there are few
  std::vector<ContactEdge> edges;
  std::vector<ContactRing> rings;
  Shape core;           ///< what others measure their distance to
  double rounding = 0;  ///< by which the surface stands out from the core [m]
};

/// Of a shape in its own frame: its pose is left out. Planes and inverted solids have none: everything else
/// touches them.
ContactFeatures contact_features(const Shape& shape);

}  // namespace repose
