#include "repose/render/fine_spheres.h"

#include <algorithm>
#include <cmath>

#include "repose/exec/algorithms.h"
#include "repose/render/clip.h"
#include "repose/render/color_fields.h"
#include "repose/render/facets.h"
#include "repose/render/grain_colors.h"
#include "repose/render/snow_look.h"

namespace repose {
namespace {

/// Rows of a frame by the ids of its particles; of those that are not there the first.
std::vector<std::uint32_t> rows_by_id(const Frame& frame) {
  std::vector<std::uint32_t> rows(frame.id.empty() ? 1 : std::size_t{frame.id.back()} + 1, 0);
  for (std::size_t i = 0; i < frame.id.size(); ++i) rows[frame.id[i]] = static_cast<std::uint32_t>(i);
  return rows;
}

/// Grains narrower than this have no colour of their own; wider than that, all of it [pixels].
constexpr double kColorLeast = 0.25, kColorMost = 1;
/// Narrower grains are drawn as balls [pixels].
constexpr double kFacetsLeast = 0.5;

/// What share of the grains these are.
constexpr float kQuartzShare = static_cast<float>(kLastQuartz) / static_cast<float>(kShapes - 1),
                kDarkShare = static_cast<float>(kShapes - kFirstDark) / static_cast<float>(kShapes - 1);
constexpr Color kQuartz{0.80F, 0.78F, 0.74F}, kDark{0.06F, 0.05F, 0.05F};

/// The colours of a sand's minerals: they differ by as much as its grains do.
struct Minerals {
  Color common, quartz, dark;

  Minerals(const Color& base, double variation) : common(base) {
    const auto towards = [&](const Color& other, double share) {
      return base + (other - base) * static_cast<float>(std::min(1.0, share * variation));
    };
    quartz = towards(kQuartz, 1.4);
    dark = towards(kDark, 4);
  }
  Color of_shape(std::uint32_t shape) const {
    return shape <= kLastQuartz ? quartz : shape >= kFirstDark ? dark : common;
  }
  Color mean() const {
    return common * (1 - kQuartzShare - kDarkShare) + quartz * kQuartzShare + dark * kDarkShare;
  }
};

/// One grain's colour, of which the share `seen` is its own and the rest the mean of all.
Color grain_color(const Color& base, double variation, std::uint32_t id, float seen) {
  const Minerals minerals(base, variation);
  const Color mean = minerals.mean() * mean_shade(variation);
  if (seen <= 0) return mean;
  return mean + (vary_color(minerals.of_shape(grain_form(id).shape), variation, id) - mean) * seen;
}

/// Fine grains that are drawn, and where.
struct Drawn {
  const FineGrains& fine;
  std::vector<std::uint32_t> rows;  ///< of `fine`; empty: all of them

  std::size_t size() const { return rows.empty() ? fine.size() : rows.size(); }
  std::size_t row(std::size_t k) const { return rows.empty() ? k : rows[k]; }
  std::uint32_t id(std::size_t k) const { return fine.id[row(k)]; }
  Vec3d position(std::size_t k) const {
    const std::size_t i = row(k);
    return fine.place.to_world(fine.x[i], fine.y[i], fine.z[i]);
  }
  Vec3d velocity(std::size_t k) const {
    const std::size_t i = row(k);
    return Vec3d(fine.vx[i], fine.vy[i], fine.vz[i]);
  }
};

void paint(const Scene& scene, const Frame& frame, const Drawn& drawn, const Viewpoint& viewpoint,
           Threads& threads, std::vector<std::uint32_t>& colors) {
  const std::vector<std::uint32_t> row_of = rows_by_id(frame);
  const auto guide_row = [&](std::uint32_t grain) {
    const std::uint32_t guide = grain / drawn.fine.ratio;
    return guide < row_of.size() ? row_of[guide] : 0;
  };
  colors.assign(drawn.size(), 0);
  if (frame.particle_count() == 0) return;
  if (scene.refine.color_by_guide || colors_show_a_value(scene.render.color_by) ||
      scene.render.color_by == "id" || is_drawn_as_snow(scene, frame)) {
    const std::vector<std::uint32_t> of_guides = grain_colors(scene, frame, threads);
    threads.for_each(drawn.size(), [&](std::size_t k) { colors[k] = of_guides[guide_row(drawn.id(k))]; });
    return;
  }
  const std::vector<Color> base = material_colors(scene, frame);
  threads.for_each(drawn.size(), [&](std::size_t k) {
    const std::uint32_t id = drawn.id(k);
    const float seen = viewpoint.seen(2 * drawn.fine.radius, drawn.position(k), kColorLeast, kColorMost);
    colors[k] = pack_color(grain_color(base[guide_row(id)], scene.render.color_variation, id, seen));
  });
}

/// Gives each grain its shape and finds the radii of the balls around them [m].
void give_shapes(const Drawn& drawn, const Viewpoint& viewpoint, bool round, Threads& threads,
                 std::vector<std::uint32_t>& colors, std::vector<Sphere>& balls) {
  balls.resize(drawn.size());
  const auto shapes = facet_shapes();
  threads.for_each(drawn.size(), [&](std::size_t k) {
    const GrainForm form = grain_form(drawn.id(k));
    const double radius = drawn.fine.radius * form.size;
    const bool ball =
        round || viewpoint.seen(2 * drawn.fine.radius, drawn.position(k), kFacetsLeast, kFacetsLeast) <= 0;
    const std::uint32_t shape = ball ? kBallShape : form.shape;
    colors[k] |= shape << 24;
    balls[k].radius = static_cast<float>(radius) * shapes[shape].ball;
  });
}

/// Places the balls as they are `later` seconds after the frame.
void place(const Drawn& drawn, const Vec3d& origin, double later, Threads& threads,
           std::vector<Sphere>& balls) {
  threads.for_each(drawn.size(), [&](std::size_t k) {
    balls[k].center = Vec3f(drawn.position(k) + later * drawn.velocity(k) - origin);
  });
}

}  // namespace

float Viewpoint::seen(double width, const Vec3d& at, double least, double most) const {
  if (pixel <= 0) return 1;
  const double pixels = width / (pixel * (at - eye).length());
  if (pixels <= least) return 0;
  if (pixels >= most) return 1;
  const double k = (pixels - least) / (most - least);
  return static_cast<float>(k * k * (3 - 2 * k));
}

void make_fine_spheres(const Scene& scene, const Frame& frame, const FineGrains& fine, const Vec3d& origin,
                       double shutter, const Viewpoint& viewpoint, Threads& threads, GrainSpheres& spheres) {
  Drawn drawn{fine, {}};
  spheres.at_close.clear();
  spheres.ids.clear();
  if (scene.render.clip) {
    const ClipPlane plane(*scene.render.clip);
    std::vector<std::uint32_t> kept;
    select_indices(
        threads, fine.size(), [&](std::size_t i) { return plane.keeps(drawn.position(i)); }, kept);
    drawn.rows = std::move(kept);
    if (drawn.rows.empty()) {
      spheres.at_open.clear();
      spheres.colors.clear();
      return;
    }
  }
  paint(scene, frame, drawn, viewpoint, threads, spheres.colors);
  const bool snow = is_drawn_as_snow(scene, frame);
  give_shapes(drawn, viewpoint, snow, threads, spheres.colors, spheres.at_open);
  if (snow && scene.render.sparkle > 0) {
    spheres.ids.resize(drawn.size());
    threads.for_each(drawn.size(), [&](std::size_t k) { spheres.ids[k] = drawn.id(k); });
  }
  if (shutter > 0) {
    spheres.at_close = spheres.at_open;
    place(drawn, origin, 0.5 * shutter, threads, spheres.at_close);
  }
  place(drawn, origin, -0.5 * shutter, threads, spheres.at_open);
}

}  // namespace repose
