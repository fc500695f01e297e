#include "repose/solvers/flip/placement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/math/random_normal.h"

namespace repose {
namespace {

/// How far from solids particles start at least, in spacings.
constexpr double kClearance = 0.25;

constexpr double kMostPlaces = 1e12;

/// How far a particle stands from the middle of its place, as a share of the place. The less, the flatter is
/// the surface at first; and the sooner does a flow that stretches the liquid show the lattice.
constexpr double kJitter = 0.65;

/// The places of one particle each, eight a cell of the grid, that meet a shape.
struct Places {
  Vec3d corner;  ///< of the first [m]
  std::array<std::size_t, 3> size{};

  Places(const FlipModel& model, const Shape& shape) {
    const Box3d box = bounds(shape);
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double origin = model.place.origin[axis];
      const double low = std::max(box.min[axis], model.domain.min[axis]);
      const double high = std::min(box.max[axis], model.domain.max[axis]);
      const double first = std::floor((low - origin) / model.spacing + kRounding);
      const double end = std::ceil((high - origin) / model.spacing - kRounding);
      corner[axis] = origin + first * model.spacing;
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
  FillSurface(const Scene& scene, const FlipModel& model, const Bodies& bodies, std::uint32_t fill)
      : scene_(scene), model_(model), bodies_(bodies), fill_(fill) {}

  /// A point inside and within one spacing of the free surface is moved to half a spacing inside of it.
  Vec3d layered(const Vec3d& point) const {
    const SurfacePoint surface = distance_and_normal(*scene_.fills[fill_].shape, point);
    if (surface.distance <= -model_.spacing) return point;
    const Vec3d beyond = point + (kBeyond * model_.spacing - surface.distance) * surface.normal;
    return is_free(beyond) ? point - (surface.distance + 0.5 * model_.spacing) * surface.normal : point;
  }

 private:
  static constexpr double kBeyond = 0.25;  ///< how far outside is looked, in spacings

  /// Whether there is neither a solid, nor liquid, nor the end of the domain.
  bool is_free(const Vec3d& x) const {
    if (!is_in_domain(model_.domain, x)) return false;
    for (std::size_t b = 0; b < bodies_.first_wall(); ++b)
      if (bodies_.distance_bound(b, x) < 0 && bodies_.nearest(b, x).distance < 0) return false;
    for (std::uint32_t other = 0; other < scene_.fills.size(); ++other)
      if (other != fill_ && scene_.fills[other].shape && signed_distance(*scene_.fills[other].shape, x) < 0)
        return false;
    return true;
  }

  const Scene& scene_;
  const FlipModel& model_;
  const Bodies& bodies_;
  std::uint32_t fill_;
};

/// A place gets its particle when a random point of it is in the shape: so often as its share is, and the
/// mass is right on average however the shape lies. The particle stands nearer to the middle where that is in
/// the shape too.
std::vector<Vec3d> points_in_shape(const Scene& scene, const FlipModel& model, const Bodies& bodies,
                                   std::uint32_t index, Threads& threads) {
  const Fill& fill = scene.fills[index];
  const Shape& shape = *fill.shape;
  const Places places(model, shape);
  if (static_cast<double>(places.size[0]) * static_cast<double>(places.size[1]) *
          static_cast<double>(places.size[2]) >
      kMostPlaces)
    throw Error(ExitCode::bad_scene,
                fmt::format("{}fill '{}': its bounds hold more places for particles than can be told apart: "
                            "make it smaller, or solver.spacing larger",
                            scene.where("fill." + fill.name + ".shape"), fill.name));
  const double d = model.spacing, jitter = fill.packing == Packing::lattice ? 0 : kJitter;
  const FillSurface surface(scene, model, bodies, index);
  std::vector<std::vector<Vec3d>> layers(places.size[2]);
  threads.for_each(
      layers.size(),
      [&](std::size_t z) {
        for (std::size_t y = 0; y < places.size[1]; ++y)
          for (std::size_t x = 0; x < places.size[0]; ++x) {
            Random random(model.seed, Stream::fill_position, index,
                          x + places.size[0] * (y + places.size[1] * z));
            const double a = random.uniform(-0.5, 0.5), b = random.uniform(-0.5, 0.5),
                         c = random.uniform(-0.5, 0.5);
            const Vec3d middle =
                places.corner + d * Vec3d(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5,
                                          static_cast<double>(z) + 0.5);
            const Vec3d anywhere = middle + d * Vec3d(a, b, c);
            if (signed_distance(shape, anywhere) >= 0) continue;
            const Vec3d nearer = middle + jitter * d * Vec3d(a, b, c);
            layers[z].push_back(surface.layered(signed_distance(shape, nearer) < 0 ? nearer : anywhere));
          }
      },
      1);
  std::vector<Vec3d> points;
  for (const std::vector<Vec3d>& layer : layers) points.insert(points.end(), layer.begin(), layer.end());
  return points;
}

/// Whether a particle can start here: not in a solid, and not where another fill has put liquid already.
bool is_free(const Scene& scene, const FlipModel& model, const Bodies& bodies, std::uint32_t fill,
             const Vec3d& x) {
  if (!is_in_domain(model.domain, x)) return false;
  const double clear = kClearance * model.spacing;
  for (std::size_t b = 0; b < bodies.first_wall(); ++b)
    if (bodies.distance_bound(b, x) < clear && bodies.nearest(b, x).distance < clear) return false;
  for (std::uint32_t other = 0; other < fill; ++other)
    if (scene.fills[other].shape && scene.fills[fill].shape &&
        signed_distance(*scene.fills[other].shape, x) < 0)
      return false;
  return true;
}

}  // namespace

std::vector<FlipFill> place_liquid(const Scene& scene, const FlipModel& model, const Bodies& bodies,
                                   Threads& threads, FlipState& state) {
  std::vector<FlipFill> fills;
  for (std::uint32_t f = 0; f < scene.fills.size(); ++f) {
    const Fill& fill = scene.fills[f];
    if (fill.fixed)
      throw Error(ExitCode::bad_scene,
                  fmt::format("{}fill '{}': the flip solver holds no particles; leave 'fixed' out, or use a "
                              "[body]",
                              scene.where("fill." + fill.name + ".fixed"), fill.name));
    const std::vector<Vec3d> points = fill.shape          ? points_in_shape(scene, model, bodies, f, threads)
                                      : fill.file.empty() ? fill.points
                                                          : fill.rows.position;
    FlipFill placed{fill.name};
    const std::uint8_t material = flip_material(scene, fill.material);
    std::vector<char> free(points.size());
    threads.for_each(points.size(),
                     [&](std::size_t k) { free[k] = is_free(scene, model, bodies, f, points[k]) ? 1 : 0; });
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (free[k] == 0) {
        ++placed.rejected;
        continue;
      }
      Vec3d velocity = fill.rows.velocity.empty() ? fill.velocity : fill.rows.velocity[k];
      if (fill.velocity_spread > 0) {
        Random random(model.seed, Stream::fill_velocity, f, k);
        velocity += fill.velocity_spread * random_normal(random);
      }
      add_particle(state, points[k], velocity, material);
      ++placed.count;
    }
    fills.push_back(placed);
  }
  return fills;
}

}  // namespace repose
