#include "repose/render/grain_spheres.h"

#include <algorithm>

#include "repose/render/clip.h"
#include "repose/render/grain_colors.h"

namespace repose {
namespace {

/// Which grains are drawn, and where the spheres of each begin.
struct Layout {
  std::vector<std::uint32_t> grains;  ///< empty: all of them
  std::vector<std::size_t> first;     ///< empty: one sphere a grain
  std::size_t grain_count, sphere_count;

  std::size_t grain(std::size_t k) const { return grains.empty() ? k : grains[k]; }
  std::size_t sphere(std::size_t k) const { return first.empty() ? k : first[k]; }
};

Layout lay_out(const Scene& scene, std::span<const GrainShape> shapes, const Frame& frame) {
  Layout layout{{}, {}, frame.particle_count(), 0};
  if (scene.render.clip) {
    const ClipPlane plane(*scene.render.clip);
    for (std::size_t i = 0; i < frame.particle_count(); ++i)
      if (plane.keeps(frame.position[i])) layout.grains.push_back(static_cast<std::uint32_t>(i));
    layout.grain_count = layout.grains.size();
  }
  layout.sphere_count = layout.grain_count;
  const bool compound = !shapes.empty() && frame.shape.size() == frame.particle_count() &&
                        frame.orientation.size() == frame.particle_count();
  if (!compound) return layout;
  layout.first.resize(layout.grain_count);
  layout.sphere_count = 0;
  for (std::size_t k = 0; k < layout.grain_count; ++k) {
    layout.first[k] = layout.sphere_count;
    layout.sphere_count += shapes[frame.shape[layout.grain(k)]].spheres.size();
  }
  return layout;
}

/// All grains as they are `later` seconds after the frame.
void place_grains(const Layout& layout, std::span<const GrainShape> shapes, const Frame& frame,
                  const Vec3d& origin, double later, Threads& threads, std::vector<Sphere>& out) {
  out.resize(layout.sphere_count);
  threads.for_each(layout.grain_count, [&](std::size_t k) {
    const std::size_t i = layout.grain(k);
    const Vec3d center = frame.position[i] - origin + Vec3d(frame.velocity[i]) * later;
    const float radius = frame.radius[i];
    std::size_t at = layout.sphere(k);
    if (layout.first.empty()) {
      out[at] = {Vec3f(center), radius};
      return;
    }
    Quatd turn(frame.orientation[i]);
    if (later != 0 && !frame.angular_velocity.empty())
      turn = exp_rotation(Vec3d(frame.angular_velocity[i]) * later) * turn;
    for (const ShapeSphere& part : shapes[frame.shape[i]].spheres)
      out[at++] = {Vec3f(center + rotate(turn, part.center) * static_cast<double>(radius)),
                   static_cast<float>(part.radius) * radius};
  });
}

void paint_grains(const Layout& layout, std::span<const GrainShape> shapes, const Frame& frame,
                  std::vector<std::uint32_t> grain_color, Threads& threads, std::vector<std::uint32_t>& out) {
  if (layout.first.empty() && layout.grains.empty()) {
    out = std::move(grain_color);
    return;
  }
  out.resize(layout.sphere_count);
  threads.for_each(layout.grain_count, [&](std::size_t k) {
    const std::size_t i = layout.grain(k);
    const std::size_t count = layout.first.empty() ? 1 : shapes[frame.shape[i]].spheres.size();
    std::fill_n(&out[layout.sphere(k)], count, grain_color[i]);
  });
}

}  // namespace

void make_spheres(const Scene& scene, std::span<const GrainShape> shapes, const Frame& frame,
                  const Vec3d& origin, double shutter, Threads& threads, GrainSpheres& spheres) {
  const Layout layout = lay_out(scene, shapes, frame);
  paint_grains(layout, shapes, frame, grain_colors(scene, frame, threads), threads, spheres.colors);
  place_grains(layout, shapes, frame, origin, -0.5 * shutter, threads, spheres.at_open);
  spheres.at_close.clear();
  spheres.ids.clear();
  if (shutter > 0) place_grains(layout, shapes, frame, origin, 0.5 * shutter, threads, spheres.at_close);
}

}  // namespace repose
