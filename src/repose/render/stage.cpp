#include "repose/render/stage.h"

#include <algorithm>
#include <cmath>

#include "repose/geometry/tessellate.h"
#include "repose/render/camera.h"
#include "repose/render/grain_colors.h"
#include "repose/render/lighting.h"

namespace repose {
namespace {

/// How far a ray starts off a sphere, share of its radius; off a mesh or the ground, share of the scene.
constexpr float kSphereLift = 1e-3F;
constexpr float kFlatLift = 2e-5F;

/// How far drawn bodies may be off their shape, and how wide planes are drawn, share of the scene.
constexpr double kTolerance = 2e-4;
constexpr double kPlaneSize = 40;

/// Where the ground begins to fade into the horizon and where nothing of it is left, in sizes of the scene.
constexpr float kFadeStart = 1.2F, kFadeEnd = 9;

/// Whether the body is the floor that the ground already shows.
bool is_ground(const BodyDefinition& body, double ground, double tolerance) {
  const Shape& shape = body.shape;
  return shape.kind == ShapeKind::plane && !shape.invert && shape.thickness <= 0 &&
         body.motion == Motion::fixed && rotate(shape.pose.rotation, Vec3d(0, 0, 1)).z > 0.9999 &&
         std::fabs(shape.pose.position.z - ground) < tolerance;
}

Vec3f relative(const Vec3d& p, const Vec3d& origin) { return Vec3f(p - origin); }

}  // namespace

Stage::Stage(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads)
    : scene_(scene), shapes_(std::move(shapes)), threads_(threads) {
  const Box3d content = content_bounds(scene);
  origin_ = content.center();
  size_ = static_cast<float>(0.5 * content.size().length());
  const double ground = ground_height(scene);
  ground_ = scene.render.ground ? static_cast<float>(ground - origin_.z) : -kFar;
  for (const BodyDefinition& body : scene.bodies) {
    if (!body.visible || (scene.render.ground && is_ground(body, ground, 1e-3 * size_))) continue;
    Shape shape = body.shape;
    shape.pose = Pose{};
    drawn_.push_back({body.name, tessellate(shape, kTolerance * size_, kPlaneSize * size_), body.color, {}});
  }
}

void Stage::set(const Frame& frame) {
  rays_.clear();
  add_bodies(frame);
  add_grains(frame);
  rays_.commit(threads_);
}

void Stage::add_bodies(const Frame& frame) {
  drawn_of_object_.clear();
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    Drawn& body = drawn_[i];
    const auto row = std::find_if(frame.bodies.begin(), frame.bodies.end(),
                                  [&](const BodyRow& r) { return r.name == body.name; });
    if (row == frame.bodies.end() || !row->present || body.mesh.triangles.empty()) continue;
    std::vector<Vec3f> positions(body.mesh.positions.size());
    std::transform(body.mesh.positions.begin(), body.mesh.positions.end(), positions.begin(),
                   [&](const Vec3f& p) { return relative(row->pose.to_world(Vec3d(p)), origin_); });
    body.placed_normals.resize(body.mesh.normals.size());
    std::transform(body.mesh.normals.begin(), body.mesh.normals.end(), body.placed_normals.begin(),
                   [&](const Vec3f& n) { return Vec3f(rotate(row->pose.rotation, Vec3d(n))); });
    const std::uint32_t object = rays_.add_mesh(positions, body.mesh.triangles);
    drawn_of_object_.resize(object + 1, drawn_.size());
    drawn_of_object_[object] = i;
  }
}

void Stage::add_grains(const Frame& frame) {
  const std::size_t grains = frame.particle_count();
  const bool compound =
      !shapes_.empty() && frame.shape.size() == grains && frame.orientation.size() == grains;
  std::vector<std::uint32_t> colors = grain_colors(scene_, frame, threads_);
  if (!compound) {
    spheres_.resize(grains);
    threads_.for_each(grains, [&](std::size_t i) {
      spheres_[i] = {relative(frame.position[i], origin_), frame.radius[i]};
    });
    colors_ = std::move(colors);
  } else {
    std::vector<std::size_t> first(grains + 1, 0);
    for (std::size_t i = 0; i < grains; ++i) first[i + 1] = first[i] + shapes_[frame.shape[i]].spheres.size();
    spheres_.resize(first[grains]);
    colors_.resize(first[grains]);
    threads_.for_each(grains, [&](std::size_t i) {
      const Vec3d center = frame.position[i] - origin_;
      const Quatd turn(frame.orientation[i]);
      std::size_t at = first[i];
      for (const ShapeSphere& part : shapes_[frame.shape[i]].spheres) {
        const Vec3d p = center + rotate(turn, part.center) * static_cast<double>(frame.radius[i]);
        spheres_[at] = {Vec3f(p), static_cast<float>(part.radius) * frame.radius[i]};
        colors_[at++] = colors[i];
      }
    });
  }
  spheres_object_ = spheres_.empty() ? kNoObject : rays_.add_spheres(spheres_);
}

float Stage::fade(const Vec3f& position) const {
  const float distance = std::sqrt(position.x * position.x + position.y * position.y) / size_;
  const float k = std::clamp((distance - kFadeStart) / (kFadeEnd - kFadeStart), 0.0F, 1.0F);
  return k * k * (3 - 2 * k);
}

Surface Stage::surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  if (hits.object[i] == kNoObject) {
    Vec3f p = rays.origin(i) + rays.direction(i) * rays.tmax[i];
    p.z = ground_ + kFlatLift * size_;
    return {p, {0, 0, 1}, scene_.render.ground_color, true};
  }
  return hits.object[i] == spheres_object_ ? grain_surface(hits, i) : body_surface(rays, hits, i);
}

Surface Stage::grain_surface(const HitBatch& hits, std::size_t i) const {
  const Sphere& sphere = spheres_[hits.primitive[i]];
  // From the centre and the normal: more exact than along the ray, which may come from far away.
  const Vec3f normal = unit(hits.normal(i));
  return {sphere.center + normal * (sphere.radius * (1 + kSphereLift)), normal,
          unpack_color(colors_[hits.primitive[i]]), false};
}

Surface Stage::body_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  const Drawn& body = drawn_[drawn_of_object_[hits.object[i]]];
  const Vec3f direction = rays.direction(i);
  const float side = hits.normal(i).dot(direction) > 0 ? -1.0F : 1.0F;
  const Vec3f flat = unit(hits.normal(i)) * side;
  Vec3f normal = flat;
  if (!body.placed_normals.empty()) {
    const std::array<std::uint32_t, 3>& t = body.mesh.triangles[hits.primitive[i]];
    const float u = hits.u[i], v = hits.v[i];
    normal = unit(body.placed_normals[t[0]] * (1 - u - v) + body.placed_normals[t[1]] * u +
                  body.placed_normals[t[2]] * v) *
             side;
    // Near the outline a smooth normal may face away from the eye; the triangle's own never does.
    if (normal.dot(direction) > 0) normal = flat;
  }
  const Vec3f p = rays.origin(i) + direction * hits.t[i];
  return {p + flat * (kFlatLift * size_), normal, body.color, false};
}

}  // namespace repose
