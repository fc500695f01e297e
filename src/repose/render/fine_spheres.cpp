#include "repose/render/fine_spheres.h"

#include <algorithm>

#include "repose/exec/algorithms.h"
#include "repose/render/clip.h"
#include "repose/render/color_fields.h"
#include "repose/render/grain_colors.h"

namespace repose {
namespace {

/// Rows of a frame by the ids of its particles; of those that are not there the first.
std::vector<std::uint32_t> rows_by_id(const Frame& frame) {
  std::vector<std::uint32_t> rows(frame.id.empty() ? 1 : std::size_t{frame.id.back()} + 1, 0);
  for (std::size_t i = 0; i < frame.id.size(); ++i) rows[frame.id[i]] = static_cast<std::uint32_t>(i);
  return rows;
}

void paint(const Scene& scene, const Frame& frame, const FineGrains& fine,
           std::span<const std::uint32_t> drawn, Threads& threads, std::vector<std::uint32_t>& colors) {
  const std::vector<std::uint32_t> row_of = rows_by_id(frame);
  const auto guide_row = [&](std::uint32_t grain) {
    const std::uint32_t guide = grain / fine.ratio;
    return guide < row_of.size() ? row_of[guide] : 0;
  };
  colors.resize(drawn.size());
  if (frame.particle_count() == 0) return;
  if (scene.refine.color_by_guide || colors_show_a_value(scene.render.color_by) ||
      scene.render.color_by == "id") {
    const std::vector<std::uint32_t> of_guides = grain_colors(scene, frame, threads);
    threads.for_each(drawn.size(),
                     [&](std::size_t k) { colors[k] = of_guides[guide_row(fine.id[drawn[k]])]; });
    return;
  }
  const std::vector<Color> base = material_colors(scene, frame);
  threads.for_each(drawn.size(), [&](std::size_t k) {
    const std::uint32_t id = fine.id[drawn[k]];
    colors[k] = pack_color(vary_color(base[guide_row(id)], scene.render.color_variation, id));
  });
}

}  // namespace

void make_fine_spheres(const Scene& scene, const Frame& frame, const FineGrains& fine, const Vec3d& origin,
                       double shutter, Threads& threads, GrainSpheres& spheres) {
  std::vector<std::uint32_t> drawn;
  if (scene.render.clip) {
    const ClipPlane plane(*scene.render.clip);
    select_indices(
        threads, fine.size(),
        [&](std::size_t i) { return plane.keeps(fine.place.to_world(fine.x[i], fine.y[i], fine.z[i])); },
        drawn);
  } else {
    drawn.resize(fine.size());
    threads.for_each(drawn.size(), [&](std::size_t i) { drawn[i] = static_cast<std::uint32_t>(i); });
  }
  paint(scene, frame, fine, drawn, threads, spheres.colors);
  const auto put = [&](double time, std::vector<Sphere>& out) {
    out.resize(drawn.size());
    threads.for_each(drawn.size(), [&](std::size_t k) {
      const std::uint32_t i = drawn[k];
      const Vec3d at = fine.place.to_world(fine.x[i], fine.y[i], fine.z[i]) +
                       time * Vec3d(fine.vx[i], fine.vy[i], fine.vz[i]) - origin;
      out[k] = {Vec3f(at), static_cast<float>(fine.radius)};
    });
  };
  put(-0.5 * shutter, spheres.at_open);
  spheres.at_close.clear();
  if (shutter > 0) put(0.5 * shutter, spheres.at_close);
}

}  // namespace repose
