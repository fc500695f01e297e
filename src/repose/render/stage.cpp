#include "repose/render/stage.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "repose/render/camera.h"
#include "repose/render/clip.h"
#include "repose/render/coat.h"
#include "repose/render/color_fields.h"
#include "repose/render/facets.h"
#include "repose/render/grain_colors.h"
#include "repose/render/lighting.h"
#include "repose/render/snow_look.h"

namespace repose {
namespace {

/// How far a ray starts off a sphere, share of its radius; off a mesh or the ground, share of the scene.
constexpr float kSphereLift = 1e-3F;
constexpr float kFlatLift = 5e-5F;
/// Off a fine grain, share of its radius; at least this share of how far it is from the middle of the scene,
/// where single precision has steps of up to 1.2e-7.
constexpr float kFineLift = 2e-3F, kLeastLift = 2.5e-7F;

/// Bounces of light between fine grains of sand, at most.
constexpr int kFineBounces = 16;

/// Clear coat of bodies.
constexpr float kBodyCoat = 0.4F;

/// Of the sun's image in a liquid.
constexpr float kWaterRoughness = 0.08F;
/// Liquids and the solids that they wet lie this far apart in pictures, in spacings.
constexpr double kFilm = 1.5;

/// Where the ground begins to fade into the horizon and where nothing of it is left, in sizes of the scene.
constexpr float kFadeStart = 1.2F, kFadeEnd = 9;

/// Unit normal at a hit on a mesh, on the side that the ray comes from: of the triangle, and smooth.
struct MeshNormals {
  Vec3f flat, smooth;
};

MeshNormals mesh_normals(const RayBatch& rays, const HitBatch& hits, std::size_t i,
                         const std::vector<std::array<std::uint32_t, 3>>& triangles,
                         const std::vector<Vec3f>& normals) {
  const Vec3f direction = rays.direction(i);
  const float side = hits.normal(i).dot(direction) > 0 ? -1.0F : 1.0F;
  const Vec3f flat = unit(hits.normal(i)) * side;
  if (normals.empty()) return {flat, flat};
  const std::array<std::uint32_t, 3>& t = triangles[hits.primitive[i]];
  const float u = hits.u[i], v = hits.v[i];
  const Vec3f smooth = unit(normals[t[0]] * (1 - u - v) + normals[t[1]] * u + normals[t[2]] * v) * side;
  // Near the outline a smooth normal may face away from the eye; the triangle's own never does.
  return {flat, smooth.dot(direction) > 0 ? flat : smooth};
}

/// Of a liquid that leaves the share `color` of light that has gone this far [1/m].
Vec3f absorption_of(const Color& color, float way) {
  constexpr float kLeast = 1e-3F;
  const auto at = [&](float share) { return -std::log(std::clamp(share, kLeast, 1.0F)) / way; };
  return {at(color.x), at(color.y), at(color.z)};
}

}  // namespace

Stage::Stage(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads)
    : scene_(scene),
      shapes_(std::move(shapes)),
      threads_(threads),
      shutter_(scene.render.motion_blur / scene.info.fps),
      rays_(threads),
      clear_rays_(threads) {
  const Box3d content = content_bounds(scene);
  origin_ = content.center();
  size_ = static_cast<float>(0.5 * content.size().length());
  // Where there is none, so far below that no ray straight down, whose slope rounding may make steeper than
  // 1, ends there.
  ground_ = scene.render.ground ? static_cast<float>(ground_height(scene) - origin_.z) : -2 * kFar;
  meshes_ = make_body_meshes(scene, size_);
}

void Stage::set(const Frame& frame, const TriangleMesh* surface, const FineGrains* fine,
                const Viewpoint& viewpoint) {
  viewpoint_ = viewpoint;
  fine_ = surface == nullptr && fine != nullptr;
  snow_ = surface == nullptr && is_drawn_as_snow(scene_, frame);
  rays_.clear();
  clear_rays_.clear();
  grains_object_ = kNoObject;
  add_bodies(frame);
  if (surface != nullptr)
    add_surface(*surface);
  else if (fine != nullptr)
    add_fine_grains(frame, *fine);
  else
    add_grains(frame);
  rays_.commit(threads_);
  clear_rays_.commit(threads_);
}

void Stage::add_grains(const Frame& frame) {
  make_spheres(scene_, shapes_, frame, origin_, shutter_, threads_, grains_);
  if (!grains_.at_open.empty()) grains_object_ = rays_.add_spheres(grains_.at_open, grains_.at_close);
}

void Stage::add_fine_grains(const Frame& frame, const FineGrains& fine) {
  make_fine_spheres(scene_, frame, fine, origin_, shutter_, viewpoint_, threads_, grains_);
  if (grains_.at_open.empty()) return;
  glints_ = !snow_ && !scene_.refine.color_by_guide && scene_.render.color_by == "material";
  facetted_ = std::any_of(grains_.colors.begin(), grains_.colors.end(),
                          [](std::uint32_t word) { return word >> 24 != kBallShape; });
  // Balls are quicker to meet as such.
  grains_object_ = facetted_ ? rays_.add_grains(grains_.at_open, grains_.at_close, grains_.colors)
                             : rays_.add_spheres(grains_.at_open, grains_.at_close);
}

void Stage::add_surface(const TriangleMesh& surface) {
  TriangleMesh mesh = surface;
  for (Vec3f& p : mesh.positions) p = Vec3f(Vec3d(p) - origin_);
  if (scene_.render.clip) mesh = clip_mesh(mesh, ClipPlane(*scene_.render.clip), origin_);
  if (mesh.triangles.empty()) return;
  const Material matter = scene_.materials.empty() ? Material{} : scene_.materials[0];
  Placed placed{std::move(mesh.normals), std::move(mesh.triangles), matter.color, 1, 0, false};
  if (matter.clarity) placed.absorption = absorption_of(matter.color, static_cast<float>(*matter.clarity));
  (matter.clarity ? clear_rays_ : rays_).add_mesh(mesh.positions, placed.triangles);
  (matter.clarity ? clear_ : solid_).push_back(std::move(placed));
}

void Stage::add_bodies(const Frame& frame) {
  solid_.clear();
  clear_.clear();
  for (const BodyMesh& body : meshes_) {
    const auto row = std::find_if(frame.bodies.begin(), frame.bodies.end(),
                                  [&](const BodyRow& r) { return r.name == body.name; });
    if (row != frame.bodies.end() && row->present && body.opacity > 0) add_body(body, *row);
  }
}

void Stage::add_body(const BodyMesh& body, const BodyRow& row) {
  TriangleMesh mesh = place_mesh(body.mesh, row, -0.5 * shutter_, origin_);
  TriangleMesh at_close;
  if (scene_.render.clip)  // What is cut open is drawn without blur: a cut is not the same at both ends.
    mesh = clip_mesh(place_mesh(body.mesh, row, 0, origin_), ClipPlane(*scene_.render.clip), origin_);
  else if (is_moving())
    at_close = place_mesh(body.mesh, row, 0.5 * shutter_, origin_);
  if (mesh.triangles.empty()) return;
  const bool solid = body.opacity >= 1;
  std::vector<Placed>& placed = solid ? solid_ : clear_;
  // Embree numbers objects from zero on in the order they come, and bodies come first.
  const std::uint32_t object =
      (solid ? rays_ : clear_rays_).add_mesh(mesh.positions, mesh.triangles, at_close.positions);
  assert(object == placed.size());
  static_cast<void>(object);
  placed.push_back({std::move(mesh.normals), std::move(mesh.triangles), body.color, body.opacity, kBodyCoat,
                    body.thin || scene_.render.clip.has_value()});
}

int Stage::most_bounces() const { return snow_ ? kSnowBounces : fine_ ? kFineBounces : 0; }

float Stage::fade(const Vec3f& position) const {
  const float distance = std::sqrt(position.x * position.x + position.y * position.y) / size_;
  const float k = std::clamp((distance - kFadeStart) / (kFadeEnd - kFadeStart), 0.0F, 1.0F);
  return k * k * (3 - 2 * k);
}

Surface Stage::surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  if (hits.object[i] == kNoObject) {
    Vec3f p = rays.origin(i) + rays.direction(i) * rays.tmax[i];
    p.z = ground_ + kFlatLift * size_;
    return {p, {0, 0, 1}, scene_.render.ground_color, true, 0};
  }
  if (hits.object[i] != grains_object_) return body_surface(rays, hits, i);
  return fine_ ? fine_surface(rays, hits, i) : grain_surface(rays, hits, i);
}

Color Stage::grain_albedo(std::uint32_t k) const {
  const Color color = unpack_color(grains_.colors[k]);
  return snow_ ? snow_grain_albedo(color) : color;
}

Surface Stage::grain_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  const std::uint32_t k = hits.primitive[i];
  const Sphere& sphere = grains_.at_open[k];
  Vec3f center = sphere.center;
  if (!grains_.at_close.empty()) center += (grains_.at_close[k].center - center) * rays.time[i];
  // From the centre and the normal: more exact than along the ray, which may come from far away.
  const Vec3f normal = unit(hits.normal(i));
  return {center + normal * (sphere.radius * (1 + kSphereLift)), normal, grain_albedo(k), false, 0};
}

Surface Stage::fine_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  const std::uint32_t k = hits.primitive[i], word = grains_.colors[k], shape = word >> 24;
  const Sphere& ball = grains_.at_open[k];
  Vec3f center = ball.center;
  if (!grains_.at_close.empty()) center += (grains_.at_close[k].center - center) * rays.time[i];
  const Vec3f normal = unit(hits.normal(i));
  const float lift = std::max(kFineLift * ball.radius, kLeastLift * center.length());
  const int facet = facetted_ ? static_cast<int>(hits.u[i]) : FacetHit::kRound;
  Vec3f p = normal * (ball.radius + lift);
  if (facet != FacetHit::kRound) {
    p = rays.origin(i) + rays.direction(i) * hits.t[i] - center;
    const float height = facet_shapes()[shape].offset[static_cast<std::size_t>(facet)] * ball.radius;
    p += normal * (height + lift - normal.dot(p));
  }
  const bool quartz = glints_ && shape != kBallShape && shape <= kLastQuartz;
  const float coat = quartz ? kQuartzCoat * viewpoint_.seen(2 * ball.radius, Vec3d(center) + origin_,
                                                            kGlintLeast, kGlintMost)
                            : 0.0F;
  Surface surface{center + p, normal, grain_albedo(k), false, coat};
  if (!grains_.ids.empty()) {
    surface.glint = static_cast<float>(scene_.render.sparkle);
    surface.facet = ice_facet(grains_.ids[k]);
  }
  return surface;
}

Surface Stage::body_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  const Placed& body = solid_[hits.object[i]];
  const MeshNormals normals = mesh_normals(rays, hits, i, body.triangles, body.normals);
  const Vec3f p = rays.origin(i) + rays.direction(i) * hits.t[i];
  return {p + normals.flat * (kFlatLift * size_), normals.smooth, body.color, false, body.coat};
}

ClearSurface Stage::clear_surface(const RayBatch& rays, const HitBatch& hits, std::size_t i) const {
  const Placed& body = clear_[hits.object[i]];
  const Vec3f normal = mesh_normals(rays, hits, i, body.triangles, body.normals).smooth;
  const bool entering = hits.normal(i).dot(rays.direction(i)) < 0;
  if (body.absorption)
    return {normal,          body.color,       0,
            false,           entering,         kWaterIndex,
            kWaterRoughness, *body.absorption, static_cast<float>(kFilm * scene_.solver.spacing)};
  // A ray through a solid crosses its skin twice, and the opacity is that of the whole.
  const float opacity = body.thin ? body.opacity : 1 - std::sqrt(1 - body.opacity);
  return {normal, body.color, opacity, body.thin, entering, kGlassIndex, kCoatRoughness, Vec3f(0, 0, 0), 0};
}

}  // namespace repose
