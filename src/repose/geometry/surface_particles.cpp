#include "repose/geometry/surface_particles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/geometry/point_grid.h"
#include "repose/geometry/tessellate.h"

namespace repose {
namespace {

constexpr double kMostParticles = 5e7;
constexpr std::size_t kChunk = 256;
// Discs of this diameter, in units of the final spacing, are scattered without overlap. Thrown one after the
// other, discs fill 0.547 of a plane at most; hexagons fill 0.907, so 0.777 would be the end of the road.
constexpr double kScatterDistance = 0.72;
constexpr std::size_t kDartsPerParticle = 30;
// Range of the repulsion in units of the spacing: just beyond the second neighbours of a hexagon. With the
// cube of eq. 20's kernel the mean distance to the nearest neighbour came to 0.91 of the spacing; with the
// square to 0.88, with a straight line and a range of 1.5 to 0.80.
constexpr double kRange = 1.8;
// Of the range, for a push of 1. Steps shrink as they go, or particles would swing over sharp edges for ever.
constexpr double kStep = 0.3;
constexpr double kStepsToHalf = 40;
constexpr double kLongestStep = 0.3;  // in units of the spacing
constexpr int kProjections = 60;      // at a sharp edge they close in on it step by step

/// The level set phi = offset of a shape.
class LevelSet {
 public:
  LevelSet(const Shape& shape, double offset) : shape_(shape), offset_(offset) {}

  /// Moves a point onto the level set along the normals; false where it does not get there.
  bool project(Vec3d& p, Vec3d& normal, double tolerance) const {
    for (int i = 0; i < kProjections; ++i) {
      const SurfacePoint s = distance_and_normal(shape_, p);
      normal = s.normal;
      const double miss = s.distance - offset_;
      if (std::abs(miss) <= tolerance) return true;
      p -= miss * s.normal;
    }
    return std::abs(signed_distance(shape_, p) - offset_) <= tolerance;
  }

 private:
  const Shape& shape_;
  double offset_;  // [m]
};

/// Triangles near the level set, and points on them by share of the area.
class Canvas {
 public:
  /// Triangles are cut until no edge is longer than `edge` [m], with new corners on the level set: so round
  /// edges get their area, which a shell's drawing leaves out.
  Canvas(const Shape& shape, const LevelSet& level_set, double tolerance, double edge) {
    const TriangleMesh drawn = tessellate(shape, tolerance);
    std::vector<Vec3d> moved;
    for (const Vec3f& p : drawn.positions) {
      Vec3d q(p), normal;
      level_set.project(q, normal, tolerance);
      moved.push_back(q);
    }
    for (const auto& t : drawn.triangles)
      add(level_set, {moved[t[0]], moved[t[1]], moved[t[2]]}, edge, tolerance);
  }
  double area() const { return area_; }

  Vec3d random_point(Random& random) const {
    const double at = random.uniform(0, area_);
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
    const auto index = std::min(static_cast<std::size_t>(found - sums_.begin()), triangles_.size() - 1);
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    const auto& [a, b, c] = triangles_[index];
    return a + u * (b - a) + v * (c - a);
  }

 private:
  using Corners = std::array<Vec3d, 3>;

  void add(const LevelSet& level_set, const Corners& whole, double edge, double tolerance) {
    std::vector<Corners> left{whole};
    while (!left.empty()) {
      const Corners c = left.back();
      left.pop_back();
      std::size_t longest = 0;
      std::array<double, 3> lengths;
      for (std::size_t k = 0; k < 3; ++k) lengths[k] = (c[(k + 1) % 3] - c[k]).length();
      for (std::size_t k = 1; k < 3; ++k)
        if (lengths[k] > lengths[longest]) longest = k;
      if (lengths[longest] <= edge) {
        area_ += 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).length();
        triangles_.push_back(c);
        sums_.push_back(area_);
        continue;
      }
      const Vec3d &a = c[longest], &b = c[(longest + 1) % 3], &opposite = c[(longest + 2) % 3];
      const Vec3d flat = 0.5 * (a + b);
      Vec3d middle = flat, normal;
      // So both halves are shorter by a quarter at least, and the cutting ends.
      if (!level_set.project(middle, normal, tolerance) || (middle - flat).length() > 0.25 * lengths[longest])
        middle = flat;
      left.push_back({a, middle, opposite});
      left.push_back({middle, b, opposite});
    }
  }

  std::vector<Corners> triangles_;
  std::vector<double> sums_;  // of the areas up to each [m2]
  double area_ = 0;           // [m2]
};

/// Points thrown one after the other; those that come too near to an earlier one are left out.
class Scatterer {
 public:
  explicit Scatterer(double distance) : distance_(distance) {}

  bool take(const Vec3d& p) {
    const auto cell = [this](double x) { return static_cast<std::int64_t>(std::floor(x / distance_)); };
    const std::int64_t x = cell(p.x), y = cell(p.y), z = cell(p.z);
    for (std::int64_t k = z - 1; k <= z + 1; ++k)
      for (std::int64_t j = y - 1; j <= y + 1; ++j)
        for (std::int64_t i = x - 1; i <= x + 1; ++i)
          for (auto [at, end] = cells_.equal_range(key(i, j, k)); at != end; ++at)
            if ((points_[at->second] - p).length() < distance_) return false;
    cells_.emplace(key(x, y, z), static_cast<std::uint32_t>(points_.size()));
    points_.push_back(p);
    return true;
  }
  std::vector<Vec3d> take_points() { return std::move(points_); }

 private:
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4FULL ^
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9ULL;
  }
  double distance_;  // [m]
  std::vector<Vec3d> points_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> cells_;
};

std::vector<Vec3d> scatter(const Canvas& canvas, std::size_t count, double distance,
                           const SurfaceSampling& sampling) {
  Scatterer scatterer(distance);
  std::size_t taken = 0;
  for (std::size_t dart = 0; dart < kDartsPerParticle * count && taken < count; ++dart) {
    Random random(sampling.seed, Stream::surface_particle, sampling.substream, dart);
    if (scatterer.take(canvas.random_point(random))) ++taken;
  }
  return scatterer.take_points();
}

/// The distance of neighbours in hexagons: each particle has an area of sqrt(3) / 2 d^2.
double hexagon_distance(double area, std::size_t count) {
  return count > 0 ? std::sqrt(2 / std::sqrt(3.0) * area / static_cast<double>(count)) : 0.0;
}

/// Bell 2005, eq. 20: how far the neighbours push a particle, K(d) = (1 - d / range)^3.
Vec3d repulsion(std::span<const Vec3d> points, const PointGrid& grid, std::size_t i, double range) {
  Vec3d sum(0);
  grid.for_each_near(points[i], [&](std::uint32_t j) {
    const Vec3d d = points[i] - points[j];
    const double square = d.dot(d);
    if (j == i || !(square < range * range)) return;
    const double distance = std::sqrt(square);
    // Two in one place part along an axis, each its own way.
    const Vec3d direction = distance > 1e-12 * range ? d / distance : Vec3d(i < j ? -1 : 1, 0, 0);
    const double K = 1 - distance / range;
    sum += K * K * K * direction;
  });
  return sum;
}

/// Moves all particles once; the mean square of the way [m2].
double float_once(const LevelSet& level_set, double tolerance, SurfaceParticles& particles,
                  std::vector<Vec3d>& next, Threads& threads) {
  const std::size_t n = particles.positions.size();
  const double spacing = particles.spacing, step = kStep / (1 + particles.steps / kStepsToHalf);
  const double range = kRange * spacing;
  PointGrid grid;
  grid.build(particles.positions, range, threads);
  next.resize(n);
  const double sum = threads.reduce(
      n, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec3d& normal = particles.normals[i];
          Vec3d way = step * range * repulsion(particles.positions, grid, i, range);
          way -= way.dot(normal) * normal;
          const double length = way.length();
          if (length > kLongestStep * spacing) way *= kLongestStep * spacing / length;
          next[i] = particles.positions[i] + way;
          Vec3d new_normal = normal;
          if (level_set.project(next[i], new_normal, tolerance))
            particles.normals[i] = new_normal;
          else
            next[i] = particles.positions[i];
          part += (next[i] - particles.positions[i]).dot(next[i] - particles.positions[i]);
        }
        return part;
      },
      [](double a, double b) { return a + b; }, kChunk);
  particles.positions.swap(next);
  return n > 0 ? sum / static_cast<double>(n) : 0.0;
}

void remove_lost(SurfaceParticles& particles, const std::vector<char>& is_lost) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    if (is_lost[i] != 0) continue;
    particles.positions[kept] = particles.positions[i];
    particles.normals[kept++] = particles.normals[i];
  }
  particles.positions.resize(kept);
  particles.normals.resize(kept);
}

Canvas make_canvas(const Shape& shape, const LevelSet& level_set, const SurfaceSampling& sampling) {
  return {shape, level_set, 0.05 * sampling.radius, 3 * sampling.radius};
}

/// Before any work is done: a shape has at least the area of its bounds' largest face.
void refuse_too_many(const Shape& shape, const SurfaceSampling& sampling) {
  Shape surface = shape;
  surface.invert = false;
  const Vec3d size = bounds(surface).size();
  const double area = std::max({size.x * size.y, size.y * size.z, size.z * size.x});
  const double wanted = sampling.density * area / (kPi * sampling.radius * sampling.radius);
  if (wanted > kMostParticles)
    throw Error(ExitCode::bad_scene,
                fmt::format("more than {:.3g} particles of radius {:.3g} m would cover a surface of {:.3g} x "
                            "{:.3g} x {:.3g} m: take larger ones",
                            kMostParticles, sampling.radius, size.x, size.y, size.z));
}

}  // namespace

SurfaceParticles sample_surface(const Shape& shape, const SurfaceSampling& sampling, Threads& threads) {
  if (shape.kind == ShapeKind::plane)
    throw Error(ExitCode::bad_scene, "a plane has no end: it cannot be covered with particles");
  const LevelSet level_set(shape, sampling.offset);
  refuse_too_many(shape, sampling);
  const Canvas canvas = make_canvas(shape, level_set, sampling);
  const double wanted = sampling.density * canvas.area() / (kPi * sampling.radius * sampling.radius);
  SurfaceParticles out;
  out.area = canvas.area();
  const auto count = static_cast<std::size_t>(std::llround(wanted));
  if (count == 0) return out;
  out.spacing = hexagon_distance(out.area, count);
  out.positions = scatter(canvas, count, kScatterDistance * out.spacing, sampling);
  out.normals.assign(out.positions.size(), Vec3d(0, 0, 1));
  std::vector<char> is_lost(out.positions.size(), 0);
  const double on_surface = 1e-5 * out.spacing;
  threads.for_each(
      out.positions.size(),
      [&](std::size_t i) {
        if (!level_set.project(out.positions[i], out.normals[i], on_surface)) is_lost[i] = 1;
      },
      kChunk);
  remove_lost(out, is_lost);
  std::vector<Vec3d> next;
  while (out.steps < sampling.most_steps && !out.converged && !out.positions.empty()) {
    const double square = float_once(level_set, on_surface, out, next, threads);
    ++out.steps;
    out.converged = std::sqrt(square) < sampling.tolerance * out.spacing;
  }
  return out;
}

SurfaceEvenness measure_evenness(const Shape& shape, const SurfaceSampling& sampling,
                                 const SurfaceParticles& particles, Threads& threads) {
  SurfaceEvenness out;
  const auto& points = particles.positions;
  if (points.size() < 2) return out;
  const double reach = 2 * particles.spacing;
  PointGrid grid;
  grid.build(points, reach, threads);
  const auto nearest = [&](const Vec3d& p, std::size_t without) {
    double best = reach;
    grid.for_each_near(p, [&](std::uint32_t j) {
      if (j != without) best = std::min(best, (points[j] - p).length());
    });
    return best;
  };
  std::vector<double> distances(points.size());
  threads.for_each(
      points.size(), [&](std::size_t i) { distances[i] = nearest(points[i], i); }, kChunk);
  out.mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(points.size());
  double square = 0;
  for (const double d : distances) square += (d - out.mean) * (d - out.mean);
  out.spread = std::sqrt(square / static_cast<double>(points.size())) / particles.spacing;
  out.smallest = *std::min_element(distances.begin(), distances.end()) / particles.spacing;
  out.mean /= particles.spacing;

  // Twenty places for each particle.
  const LevelSet level_set(shape, sampling.offset);
  const Canvas canvas = make_canvas(shape, level_set, sampling);
  out.gap = threads.reduce(
      20 * points.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        for (std::size_t k = begin; k < end; ++k) {
          Random random(sampling.seed + 1, Stream::surface_particle, sampling.substream, k);
          Vec3d p = canvas.random_point(random), normal;
          if (level_set.project(p, normal, 1e-3 * particles.spacing))
            worst = std::max(worst, nearest(p, points.size()));
        }
        return worst;
      },
      [](double a, double b) { return std::max(a, b); }, kChunk);
  out.gap /= particles.spacing;
  return out;
}

}  // namespace repose
