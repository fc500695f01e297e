#pragma once
// Shapes: solids given by a few numbers, with exact signed distance. A scene's fills, bodies, emitters,
// sinks, zones and probes are all made of them. Signed distance is negative inside, in metres; normals point
// outwards.
//
// Meshes and height fields are solids too, of triangles (mesh/mesh_solid.h).
//
// A shape stands at its own pose and scale in the frame of whatever holds it (the world, or a body that
// moves). Solids of revolution are worked out in the half-plane (r, z) of their axis (profile.h).
//
// Distances are Euclidean everywhere, inside as well as outside, with one exception: inside the wall of a
// shell the depth is half the thickness less the distance to the middle surface. That is the distance to the
// wall's nearest side except close to an inner corner, where it is less. Where several surface points are
// equally near (on an axis, in the middle of a ball) the normal of one of them is taken, always the same.
// Points on the surface have the outward normal. Beyond 1e140 m points count as if they were there.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repose/math/vec.h"

namespace repose {

enum class ShapeKind { box, sphere, cylinder, cone, capsule, torus, plane, lathe, heightfield, mesh };

class MeshSolid;

struct Shape {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{1, 1, 1};  ///< box: edge lengths [m]
  /// Sphere, cylinder, capsule; cone: at the bottom; torus: of the ring's middle line [m].
  double radius = 0.5;
  double radius_top = 0;  ///< cone: at the top [m]
  double tube = 0.1;      ///< torus: radius of the tube [m]
  double height = 1;      ///< cylinder, cone: along z, centred; capsule: between the centres of its caps [m]
  /// Lathe: points (r, z), turned about z [m]. Open ends are closed along z = const to r = 0; a profile whose
  /// last point repeats its first is a ring, closed as it is.
  std::vector<Vec2d> profile;
  std::string file;             ///< mesh, heightfield: path as resolved against the scene's folder
  std::optional<Vec2d> extent;  ///< heightfield: edges of its rectangle along x and y [m]
  double height_scale = 1;      ///< heightfield: what a height of 1 in the file is [m]
  std::optional<double> base;   ///< heightfield: how far it goes on below its lowest point [m]
  /// Mesh, heightfield: what the file holds, shared (mesh/mesh_cache.h loads it).
  std::shared_ptr<const MeshSolid> mesh;
  Pose pose;            ///< plane: the solid lies below z = 0 of its own frame
  double scale = 1;     ///< uniform [-]
  bool invert = false;  ///< the solid is everything outside the shape; a shell stays the same
  /// > 0: not the solid but a shell of this thickness around its surface [m], whatever the scale. A lathe's
  /// shell follows its profile only, so that it stays open where the profile is open; a mesh may be open too.
  double thickness = 0;
  Vec3d rotation_degrees{0, 0, 0};  ///< as a scene file gives it [deg, XYZ]; only pose.rotation counts
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

/// Volume of the solid [m3]; infinity for planes and inverted solids. In closed form but for shells of cones
/// and lathes, which are integrated to 1e-4 of the volume, and of meshes, to 1e-3.
double volume(const Shape& shape);

}  // namespace repose
