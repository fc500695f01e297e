#include "repose/render/body_meshes.h"

#include <algorithm>
#include <cmath>

#include "repose/geometry/tessellate.h"
#include "repose/render/camera.h"
#include "repose/scene/copies.h"

namespace repose {
namespace {

/// How far meshes may be off their shape, and how wide planes are drawn, share of the scene.
constexpr double kTolerance = 3e-5;
constexpr double kPlaneSize = 40;
/// A solid without end around the matter would hide all of it: it is drawn as thin as glass.
constexpr double kInvertedOpacity = 0.1;

/// Whether the body is the floor that the ground already shows.
bool is_ground(const BodyDefinition& body, double ground, double tolerance) {
  const Shape& shape = body.shape;
  return shape.kind == ShapeKind::plane && !shape.invert && shape.thickness <= 0 &&
         body.motion == Motion::fixed && rotate(shape.pose.rotation, Vec3d(0, 0, 1)).z > 0.9999 &&
         std::fabs(shape.pose.position.z - ground) < tolerance;
}

}  // namespace

std::vector<BodyMesh> make_body_meshes(const Scene& scene, double size) {
  std::vector<BodyMesh> meshes;
  for (const BodyDefinition& body : lay_out_bodies(scene)) {
    if (!body.visible || (scene.render.ground && is_ground(body, ground_height(scene), 1e-3 * size)))
      continue;
    Shape shape = body.shape;
    shape.pose = Pose{};
    const bool around = shape.invert && shape.thickness <= 0 && shape.kind != ShapeKind::plane;
    // What has no closed skin is looked through as a sheet.
    const bool open = shape.kind == ShapeKind::plane && shape.thickness <= 0;
    const double opacity = around ? std::min(body.opacity, kInvertedOpacity) : body.opacity;
    meshes.push_back({body.name, tessellate(shape, kTolerance * size, kPlaneSize * size), body.color,
                      static_cast<float>(opacity), around || open});
  }
  return meshes;
}

TriangleMesh place_mesh(const TriangleMesh& mesh, const BodyRow& row, double later, const Vec3d& origin) {
  Pose pose = row.pose;
  if (later != 0) {
    pose.position += row.velocity * later;
    pose.rotation = exp_rotation(row.angular_velocity * later) * pose.rotation;
  }
  TriangleMesh placed = mesh;
  for (Vec3f& p : placed.positions) p = Vec3f(pose.to_world(Vec3d(p)) - origin);
  for (Vec3f& n : placed.normals) n = Vec3f(rotate(pose.rotation, Vec3d(n)));
  return placed;
}

}  // namespace repose
