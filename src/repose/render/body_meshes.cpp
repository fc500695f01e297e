#include "repose/render/body_meshes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/bodies/body.h"
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
const Color kWallColor(0.55F, 0.56F, 0.58F);

/// Whether the body is the floor that the ground already shows.
bool is_ground(const BodyDefinition& body, double ground, double tolerance) {
  const Shape& shape = body.shape;
  return shape.kind == ShapeKind::plane && !shape.invert && shape.thickness <= 0 &&
         body.motion == Motion::fixed && rotate(shape.pose.rotation, Vec3d(0, 0, 1)).z > 0.9999 &&
         std::fabs(shape.pose.position.z - ground) < tolerance;
}

/// A wall of the domain as a sheet of glass, in the frame of its body.
BodyMesh wall_mesh(const Domain& domain, std::size_t face) {
  const Body wall = make_wall(domain, face);
  const int axis = static_cast<int>(face / 2), u = (axis + 1) % 3, v = (axis + 2) % 3;
  BodyMesh mesh{wall.name, {}, kWallColor, static_cast<float>(kInvertedOpacity), true};
  for (const auto& [a, b] : {std::pair(0, 0), std::pair(1, 0), std::pair(1, 1), std::pair(0, 1)}) {
    Vec3d corner = wall.pose.position;
    corner[u] = a == 0 ? domain.min[u] : domain.max[u];
    corner[v] = b == 0 ? domain.min[v] : domain.max[v];
    mesh.mesh.positions.emplace_back(wall.pose.to_local(corner));
  }
  mesh.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
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
  // The ground shows the floor.
  for (std::size_t face = 0; scene.render.walls && face < kFaceNames.size(); ++face)
    if (scene.domain.faces[face] == FaceKind::wall && !(scene.render.ground && face == 4))
      meshes.push_back(wall_mesh(scene.domain, face));
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
