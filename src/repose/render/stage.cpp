#include "repose/render/stage.h"

#include <algorithm>
#include <cmath>

#include "repose/render/camera.h"
#include "repose/render/grain_colors.h"
#include "repose/render/lighting.h"

namespace repose {
namespace {

/// How far a ray starts off a sphere, share of its radius; off a mesh or the ground, share of the scene.
constexpr float kSphereLift = 1e-3F;
constexpr float kFlatLift = 2e-5F;

Vec3f relative(const Vec3d& p, const Vec3d& origin) { return Vec3f(p - origin); }

}  // namespace

Stage::Stage(const Scene& scene, std::vector<GrainShape> shapes, Threads& threads)
    : scene_(scene), shapes_(std::move(shapes)), threads_(threads) {
  const Box3d content = content_bounds(scene);
  origin_ = content.center();
  size_ = static_cast<float>(0.5 * content.size().length());
  ground_ = static_cast<float>(ground_height(scene) - origin_.z);
}

void Stage::set(const Frame& frame) {
  rays_.clear();
  add_grains(frame);
  rays_.commit(threads_);
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

float Stage::reach(const Vec3f& from, const Vec3f& direction) const {
  if (!scene_.render.ground || direction.z >= 0) return kFar;
  const float t = (ground_ - from.z) / direction.z;
  return t > 0 ? std::min(t, kFar) : kFar;
}

Surface Stage::surface(const Ray& ray, const Hit& hit) const {
  if (hit.object == spheres_object_ && hit.object != kNoObject) return grain_surface(hit, ray);
  Vec3f p = ray.origin + ray.direction * ray.tmax;
  p.z = ground_ + kFlatLift * size_;
  return {p, {0, 0, 1}, scene_.render.ground_color, true};
}

Surface Stage::grain_surface(const Hit& hit, const Ray&) const {
  const Sphere& sphere = spheres_[hit.primitive];
  // From the centre and the normal: more exact than along the ray, which may come from far away.
  const Vec3f normal = unit(hit.normal);
  return {sphere.center + normal * (sphere.radius * (1 + kSphereLift)), normal,
          unpack_color(colors_[hit.primitive]), false};
}

}  // namespace repose
