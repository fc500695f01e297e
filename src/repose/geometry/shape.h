#pragma once
// Shapes: solids given by a few numbers, with exact signed distance. A scene's fills, bodies, emitters,
// sinks, zones and probes are all made of them. Signed distance is negative inside, in metres; normals point
// outwards.
//
// A shape stands at its own pose and scale in the frame of whatever holds it (the world, or a body that
// moves).

#include <string>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

enum class ShapeKind { box, sphere, cylinder, cone, capsule, torus, plane, lathe, heightfield, mesh };

struct Shape {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{1, 1, 1};  ///< box: edge lengths [m]
  double radius =
      0.5;  ///< sphere, cylinder, capsule; cone: at the bottom; torus: of the ring's middle line [m]
  double radius_top = 0;  ///< cone: at the top [m]
  double tube = 0.1;      ///< torus: radius of the tube [m]
  double height = 1;      ///< cylinder, cone: along z, centred; capsule: between the centres of its caps [m]
  std::vector<Vec2d>
      profile;  ///< lathe: points (r, z), turned about z [m]; open ends are closed along z = const to r = 0
  std::string file;     ///< mesh, heightfield: path as resolved against the scene's folder
  Pose pose;            ///< plane: the solid lies below z = 0 of its own frame
  double scale = 1;     ///< uniform [-]
  bool invert = false;  ///< the solid is everything outside the shape
  double thickness =
      0;  ///< > 0: not the solid but a shell of this thickness around its surface [m]; a lathe's
          ///< shell follows its profile only, so that it stays open where the profile is open
};

struct SurfacePoint {
  double distance;  ///< signed [m]
  Vec3d normal;     ///< unit, gradient of the distance
};

double signed_distance(const Shape& shape, const Vec3d& point);
SurfacePoint distance_and_normal(const Shape& shape, const Vec3d& point);
/// The same with the point and the normal in the shape's own frame: the pose is left out, scale is not.
SurfacePoint distance_in_own_frame(const Shape& shape, const Vec3d& point);

/// Axis-aligned box around the solid; infinite where the solid is (planes, inverted shapes).
Box3d bounds(const Shape& shape);

/// Volume of the solid [m3], in closed form where there is one; infinity for planes and inverted shapes.
double volume(const Shape& shape);

}  // namespace repose
