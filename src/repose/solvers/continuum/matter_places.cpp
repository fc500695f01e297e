#include "repose/solvers/continuum/matter_places.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/math/random_normal.h"
#include "repose/scene/materials.h"

namespace repose {
namespace {

constexpr double kMostPlaces = 1e12;

/// The places of one particle each that meet a shape, on a lattice from the corner of the domain.
struct Places {
  Vec3d corner;  ///< of the first [m]
  std::array<std::size_t, 3> size{};

  Places(const MatterSettings& settings, const Shape& shape) {
    const Box3d box = bounds(shape);
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double origin = settings.domain.min[axis];
      const double low = std::max(box.min[axis], settings.domain.min[axis]);
      const double high = std::min(box.max[axis], settings.domain.max[axis]);
      const double first = std::floor((low - origin) / settings.spacing + kRounding);
      const double end = std::ceil((high - origin) / settings.spacing - kRounding);
      corner[axis] = origin + first * settings.spacing;
      size[a] = end > first ? static_cast<std::size_t>(end - first) : 0;
    }
  }

 private:
  static constexpr double kRounding = 1e-6;  ///< a face on the lattice is not past it
};

bool is_in_domain(const Domain& domain, const Vec3d& x) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(x[axis] >= domain.min[axis] && x[axis] < domain.max[axis])) return false;
  return true;
}

/// The surface of one fill, and what is beyond it.
class FillSurface {
 public:
  FillSurface(const Scene& scene, const MatterSettings& settings, const Bodies& bodies, std::uint32_t fill)
      : scene_(scene), settings_(settings), bodies_(bodies), fill_(fill) {}

  /// A point inside and within one spacing of the free surface is moved to half a spacing inside of it.
  Vec3d layered(const Vec3d& point) const {
    const SurfacePoint surface = distance_and_normal(*scene_.fills[fill_].shape, point);
    if (surface.distance <= -settings_.spacing) return point;
    const Vec3d beyond = point + (kBeyond * settings_.spacing - surface.distance) * surface.normal;
    return is_free(beyond) ? point - (surface.distance + 0.5 * settings_.spacing) * surface.normal : point;
  }

 private:
  static constexpr double kBeyond = 0.25;  ///< how far outside is looked, in spacings

  /// Whether there is neither a solid, nor matter, nor the end of the domain.
  bool is_free(const Vec3d& x) const {
    if (!is_in_domain(settings_.domain, x)) return false;
    for (std::size_t b = 0; b < bodies_.first_wall(); ++b)
      if (bodies_.distance_bound(b, x) < 0 && bodies_.nearest(b, x).distance < 0) return false;
    for (std::uint32_t other = 0; other < scene_.fills.size(); ++other)
      if (other != fill_ && scene_.fills[other].shape && signed_distance(*scene_.fills[other].shape, x) < 0)
        return false;
    return true;
  }

  const Scene& scene_;
  const MatterSettings& settings_;
  const Bodies& bodies_;
  std::uint32_t fill_;
};

/// A place gets its particle when a random point of it is in the shape: so often as its share is, and the
/// mass is right on average however the shape lies. The particle stands nearer to the middle where that is in
/// the shape too.
std::vector<Vec3d> points_in_shape(const Scene& scene, const MatterSettings& settings, const Bodies& bodies,
                                   std::uint32_t index, Threads& threads) {
  const Fill& fill = scene.fills[index];
  const Shape& shape = *fill.shape;
  const Places places(settings, shape);
  if (static_cast<double>(places.size[0]) * static_cast<double>(places.size[1]) *
          static_cast<double>(places.size[2]) >
      kMostPlaces)
    throw Error(ExitCode::bad_scene,
                fmt::format("{}fill '{}': its bounds hold more places for particles than can be told apart: "
                            "make it smaller, or solver.spacing larger",
                            scene.where("fill." + fill.name + ".shape"), fill.name));
  const double d = settings.spacing, jitter = fill.packing == Packing::lattice ? 0 : settings.jitter;
  const FillSurface surface(scene, settings, bodies, index);
  std::vector<std::vector<Vec3d>> layers(places.size[2]);
  threads.for_each(
      layers.size(),
      [&](std::size_t z) {
        for (std::size_t y = 0; y < places.size[1]; ++y)
          for (std::size_t x = 0; x < places.size[0]; ++x) {
            Random random(settings.seed, Stream::fill_position, index,
                          x + places.size[0] * (y + places.size[1] * z));
            const double a = random.uniform(-0.5, 0.5), b = random.uniform(-0.5, 0.5),
                         c = random.uniform(-0.5, 0.5);
            const Vec3d middle =
                places.corner + d * Vec3d(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                                          static_cast<double>(z) + 0.5);
            const Vec3d anywhere = middle + d * Vec3d(a, b, c);
            if (signed_distance(shape, anywhere) >= 0) continue;
            const Vec3d nearer = middle + jitter * d * Vec3d(a, b, c);
            const Vec3d point = signed_distance(shape, nearer) < 0 ? nearer : anywhere;
            layers[z].push_back(settings.has_flat_surface ? surface.layered(point) : point);
          }
      },
      1);
  std::vector<Vec3d> points;
  for (const std::vector<Vec3d>& layer : layers) points.insert(points.end(), layer.begin(), layer.end());
  return points;
}

/// Whether a particle can start here: not in a solid, and not where another fill has put matter already.
bool is_free(const Scene& scene, const MatterSettings& settings, const Bodies& bodies, std::uint32_t fill,
             const Vec3d& x) {
  if (!is_in_domain(settings.domain, x)) return false;
  const double clear = settings.clearance * settings.spacing;
  for (std::size_t b = 0; b < bodies.first_wall(); ++b)
    if (bodies.distance_bound(b, x) < clear && bodies.nearest(b, x).distance < clear) return false;
  for (std::uint32_t other = 0; other < fill; ++other)
    if (scene.fills[other].shape && scene.fills[fill].shape &&
        signed_distance(*scene.fills[other].shape, x) < 0)
      return false;
  return true;
}

}  // namespace

NewMatter place_matter(const Scene& scene, const MatterSettings& settings, const Bodies& bodies,
                       Threads& threads) {
  NewMatter placed;
  for (std::uint32_t f = 0; f < scene.fills.size(); ++f) {
    const Fill& fill = scene.fills[f];
    if (fill.fixed)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}fill '{}': the {} solver holds no particles; leave 'fixed' out, or use a "
                              "[body]",
                              scene.where("fill." + fill.name + ".fixed"), fill.name, settings.solver));
    const std::vector<Vec3d> points = fill.shape ? points_in_shape(scene, settings, bodies, f, threads)
                                      : fill.file.empty() ? fill.points
                                                          : fill.rows.position;
    const auto material = static_cast<std::uint8_t>(material_index(scene, fill.material));
    std::vector<char> free(points.size());
    threads.for_each(points.size(), [&](std::size_t k) {
      free[k] = is_free(scene, settings, bodies, f, points[k]) ? 1 : 0;
    });
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (free[k] == 0) continue;
      Vec3d velocity = fill.rows.velocity.empty() ? fill.velocity : fill.rows.velocity[k];
      if (fill.velocity_spread > 0) {
        Random random(settings.seed, Stream::fill_velocity, f, k);
        velocity += fill.velocity_spread * random_normal(random);
      }
      placed.add(points[k], velocity, material, f);
    }
  }
  return placed;
}

}  // namespace repose
