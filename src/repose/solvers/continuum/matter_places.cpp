#include "repose/solvers/continuum/matter_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

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

/// A position that may get a particle. What is random about a particle goes by its candidate's number.
struct Candidate {
  Vec3d position;
  bool is_free = true;
};

/// Strides of an even spread of points in a cube: the R3 sequence (Roberts 2018, "The unreasonable
/// effectiveness of quasirandom sequences").
Vec3d even_stride() {
  constexpr double kRoot = 1.2207440846057596;  // of x^4 = x + 1
  return {1 / kRoot, 1 / (kRoot * kRoot), 1 / (kRoot * kRoot * kRoot)};
}

/// What of a fill's bounds is free: inside its shape and the domain, and neither in a body nor in an earlier
/// fill.
class FreeSpace {
 public:
  FreeSpace(const Scene& scene, const MatterSettings& settings, const Bodies& bodies, std::uint32_t fill)
      : scene_(scene), settings_(settings), bodies_(bodies), fill_(fill) {}

  /// Bodies whose surface or clearance may reach into the site around `middle`.
  std::vector<std::size_t> bodies_near(const Vec3d& middle) const {
    const double reach = (kHalfDiagonal + settings_.clearance) * settings_.spacing;
    std::vector<std::size_t> near;
    for (std::size_t b = 0; b < bodies_.first_wall(); ++b)
      if (bodies_.distance_bound(b, middle) < reach && bodies_.nearest(b, middle).distance < reach)
        near.push_back(b);
    return near;
  }

  /// Whether a site of the lattice reaches beyond the domain. It begins at the lower faces.
  bool is_cut_by_domain(const Vec3d& middle) const {
    constexpr double kRounding = 1e-6;
    for (int axis = 0; axis < 3; ++axis)
      if (middle[axis] + (0.5 - kRounding) * settings_.spacing > settings_.domain.max[axis]) return true;
    return false;
  }

  bool is_outside_others(const Vec3d& x) const {
    if (!is_in_domain(settings_.domain, x)) return false;
    for (std::uint32_t other = 0; other < fill_; ++other)
      if (scene_.fills[other].shape && scene_.fills[fill_].shape &&
          signed_distance(*scene_.fills[other].shape, x) < 0)
        return false;
    return true;
  }

  bool is_free(const Vec3d& x, std::span<const std::size_t> near) const {
    return signed_distance(*scene_.fills[fill_].shape, x) < 0 && is_outside_others(x) && room(x, near) >= 0;
  }

  /// Whether none of these bodies is between two points of a site.
  bool is_same_side(const Vec3d& from, const Vec3d& to, std::span<const std::size_t> near) const {
    constexpr int kSteps = 64;
    const double length = (to - from).length(), least = 1e-3 * settings_.spacing;
    double at = 0;
    for (int k = 0; k < kSteps && at < length; ++k) {
      const double free = room(from + at / length * (to - from), near);
      if (free < 0) return false;
      at += std::max(free, least);
    }
    return room(to, near) >= 0;
  }

  /// Distance to the nearest of these bodies [m].
  double room(const Vec3d& x, std::span<const std::size_t> near) const {
    double room = std::numeric_limits<double>::infinity();
    for (const std::size_t b : near) room = std::min(room, bodies_.nearest(b, x).distance);
    return room;
  }

  /// Moves a point off these bodies to the clearance, or as it is where there is no room for that.
  Vec3d cleared(const Vec3d& x, std::span<const std::size_t> near) const {
    constexpr int kRounds = 4;  // bodies that meet at an angle push one after the other
    const double clear = settings_.clearance * settings_.spacing, past = clear + 1e-9 * settings_.spacing;
    Vec3d out = x;
    for (int round = 0; round < kRounds; ++round)
      for (const std::size_t b : near) {
        const SurfacePoint surface = bodies_.nearest(b, out);
        if (surface.distance < clear) out += (past - surface.distance) * surface.normal;
      }
    return is_in_domain(settings_.domain, out) && room(out, near) >= std::min(clear, room(x, near)) ? out : x;
  }

 private:
  static constexpr double kHalfDiagonal = 0.8660254037844386;  ///< of a cube

  const Scene& scene_;
  const MatterSettings& settings_;
  const Bodies& bodies_;
  std::uint32_t fill_;
};

/// Finds the candidates of one fill's shape, site by site.
class FillSites {
 public:
  FillSites(const Scene& scene, const MatterSettings& settings, const Bodies& bodies, std::uint32_t fill)
      : shape_(*scene.fills[fill].shape),
        settings_(settings),
        fill_(fill),
        jitter_(scene.fills[fill].packing == Packing::lattice ? 0 : settings.jitter),
        surface_(scene, settings, bodies, fill),
        space_(scene, settings, bodies, fill) {}

  /// Of the site with this number, in whole spacings from the first along each axis.
  void add(const Vec3d& middle, const Vec3d& site, std::uint64_t number, std::vector<Candidate>& out) const {
    Random random(settings_.seed, Stream::fill_position, fill_, number);
    const double a = random.uniform(-0.5, 0.5), b = random.uniform(-0.5, 0.5), c = random.uniform(-0.5, 0.5);
    const std::vector<std::size_t> near = space_.bodies_near(middle);
    if (near.empty() && !space_.is_cut_by_domain(middle))
      add_whole(middle, {a, b, c}, out);
    else
      add_cut(middle, site, {a, b, c}, near, random, out);
  }

 private:
  static constexpr int kSamples = 16;  ///< points at which a cut site is looked at

  /// A site gets its particle when a random point of it is in the shape: as often as its share is, so the
  /// mass is right on average however the shape lies. The particle stands nearer to the middle where that is
  /// in the shape too.
  void add_whole(const Vec3d& middle, const Vec3d& shift, std::vector<Candidate>& out) const {
    const Vec3d anywhere = middle + settings_.spacing * shift;
    if (signed_distance(shape_, anywhere) >= 0) return;
    const Vec3d nearer = middle + jitter_ * settings_.spacing * shift;
    const Vec3d point = layered(signed_distance(shape_, nearer) < 0 ? nearer : anywhere);
    out.push_back({point, space_.is_outside_others(point)});
  }

  /// A site at bodies or at the end of the domain is looked at in an even spread of points, shifted at random
  /// so that no place on the lattice is favoured. Where the share that is free is above a threshold that is
  /// spread evenly over sites, it gets a particle: along any surface as many as there is room for. That is at
  /// one of the free points: where a thin plate parts a site, each side gets its share. The particle stands
  /// where it would without bodies if that is on the same side.
  void add_cut(const Vec3d& middle, const Vec3d& site, const Vec3d& shift, std::span<const std::size_t> near,
               Random& random, std::vector<Candidate>& out) const {
    const Vec3d stride = even_stride();
    std::array<Vec3d, kSamples> points;
    std::size_t free = 0;
    for (int k = 0; k < kSamples; ++k) {
      Vec3d at = shift + static_cast<double>(k) * stride;
      for (int axis = 0; axis < 3; ++axis) at[axis] -= std::floor(at[axis] + 0.5);
      const Vec3d sample = middle + settings_.spacing * at;
      if (space_.is_free(sample, near)) points[free++] = sample;
    }
    const double along = site.dot(stride), threshold = kSamples * (along - std::floor(along));
    if (!(static_cast<double>(free) > threshold)) return;
    Vec3d point = points[static_cast<std::size_t>(random.uniform() * static_cast<double>(free))];
    const Vec3d nearer = middle + jitter_ * settings_.spacing * shift;
    if (space_.is_free(nearer, near) && space_.is_same_side(point, nearer, near)) point = nearer;
    if (const Vec3d flat = layered(point); space_.is_same_side(point, flat, near)) point = flat;
    out.push_back({space_.cleared(point, near)});
  }

  Vec3d layered(const Vec3d& point) const {
    return settings_.has_flat_surface ? surface_.layered(point) : point;
  }

  const Shape& shape_;
  const MatterSettings& settings_;
  std::uint32_t fill_;
  double jitter_;
  FillSurface surface_;
  FreeSpace space_;
};

std::vector<Candidate> candidates_in_shape(const Scene& scene, const MatterSettings& settings,
                                           const Bodies& bodies, std::uint32_t index, Threads& threads) {
  const Fill& fill = scene.fills[index];
  const Places places(settings, *fill.shape);
  if (static_cast<double>(places.size[0]) * static_cast<double>(places.size[1]) *
          static_cast<double>(places.size[2]) >
      kMostPlaces)
    throw Error(ExitCode::bad_scene,
                fmt::format("{}fill '{}': its bounds hold more places for particles than can be told apart: "
                            "make it smaller, or solver.spacing larger",
                            scene.where("fill." + fill.name + ".shape"), fill.name));
  const FillSites sites(scene, settings, bodies, index);
  std::vector<std::vector<Candidate>> layers(places.size[2]);
  threads.for_each(
      layers.size(),
      [&](std::size_t z) {
        for (std::size_t y = 0; y < places.size[1]; ++y)
          for (std::size_t x = 0; x < places.size[0]; ++x) {
            const Vec3d site(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
            const Vec3d middle = places.corner + settings.spacing * (site + Vec3d(0.5));
            sites.add(middle, site, x + places.size[0] * (y + places.size[1] * z), layers[z]);
          }
      },
      1);
  std::vector<Candidate> candidates;
  for (const std::vector<Candidate>& layer : layers)
    candidates.insert(candidates.end(), layer.begin(), layer.end());
  return candidates;
}

/// Points as they are given, but for those outside the domain and inside of bodies.
std::vector<Candidate> candidates_at(const std::vector<Vec3d>& points, const MatterSettings& settings,
                                     const Bodies& bodies, Threads& threads) {
  std::vector<Candidate> candidates(points.size());
  threads.for_each(points.size(), [&](std::size_t k) {
    const Vec3d& x = candidates[k].position = points[k];
    bool is_free = is_in_domain(settings.domain, x);
    for (std::size_t b = 0; b < bodies.first_wall() && is_free; ++b)
      is_free = !(bodies.distance_bound(b, x) < 0 && bodies.nearest(b, x).distance < 0);
    candidates[k].is_free = is_free;
  });
  return candidates;
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
    const std::vector<Candidate> candidates =
        fill.shape
            ? candidates_in_shape(scene, settings, bodies, f, threads)
            : candidates_at(fill.file.empty() ? fill.points : fill.rows.position, settings, bodies, threads);
    const auto material = static_cast<std::uint8_t>(material_index(scene, fill.material));
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (!candidates[k].is_free) continue;
      Vec3d velocity = fill.rows.velocity.empty() ? fill.velocity : fill.rows.velocity[k];
      if (fill.velocity_spread > 0) {
        Random random(settings.seed, Stream::fill_velocity, f, k);
        velocity += fill.velocity_spread * random_normal(random);
      }
      placed.add(candidates[k].position, velocity, material, f);
    }
  }
  return placed;
}

}  // namespace repose
