#include "repose/particles/packing/carve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "repose/core/error.h"
#include "repose/core/random.h"

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kVolumeCells = 64;       ///< along each axis of the box that is sampled
constexpr double kFurthestOut = 1.5;   ///< that a fill reaches beyond its shape, in mean diameters [-]
constexpr double kLookingStep = 0.25;  ///< between places where a wall in between is looked for [-]

/// How deep a place is in the fill and in the nearest wall; negative: inside the fill, outside of walls [m].
struct Depth {
  double fill, wall;
};

double distance_to_bounds(const Box3d& box, const Vec3d& x) {
  double d = -kInfinity;
  for (int axis = 0; axis < 3; ++axis) d = std::max({d, box.min[axis] - x[axis], x[axis] - box.max[axis]});
  return d;
}

double depth_in_walls(const CarveRegion& region, const Vec3d& x) {
  double depth = -kInfinity;
  for (const Shape& wall : region.walls) depth = std::max(depth, -signed_distance(wall, x));
  return depth;
}

Depth depth_at(const CarveRegion& region, const Vec3d& x) {
  return {std::max(signed_distance(region.shape, x), distance_to_bounds(region.bounds, x)),
          depth_in_walls(region, x)};
}

/// Whether nothing stands between a place outside the shape and the nearest place of its surface.
bool reaches_shape(const CarveRegion& region, const Vec3d& x, double step) {
  const SurfacePoint surface = distance_and_normal(region.shape, x);
  for (double way = step; way < surface.distance + step; way += step)
    if (depth_in_walls(region, x - std::min(way, surface.distance) * surface.normal) >= 0) return false;
  return true;
}

bool is_in_others(const CarveRegion& region, const Vec3d& x) {
  return std::any_of(region.others.begin(), region.others.end(),
                     [&](const Shape& other) { return signed_distance(other, x) < 0; });
}

Box3d box_of(const CarveRegion& region) {
  Box3d box = bounds(region.shape);
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::max(box.min[axis], region.bounds.min[axis]);
    box.max[axis] = std::min(box.max[axis], region.bounds.max[axis]);
    if (!std::isfinite(box.min[axis]) || !std::isfinite(box.max[axis]))
      throw Error(ExitCode::bad_scene,
                  "a shape without bounds cannot be filled: give the scene a domain, or the fill a bounded "
                  "shape");
  }
  return box;
}

bool is_empty(const Box3d& box) {
  return !(box.min.x < box.max.x && box.min.y < box.max.y && box.min.z < box.max.z);
}

/// A grain that may be taken.
struct Candidate {
  std::uint32_t row;  ///< in the tile
  Vec3d position;
  double depth;  ///< by which grains are taken, least first [m]
  bool beside_wall;
};

struct Copies {
  std::array<std::int64_t, 3> first, count;
};

/// Which copies of the tile the box meets.
Copies copies_over(const Box3d& box, const Vec3d& origin, const Vec3d& lengths) {
  Copies copies{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    copies.first[axis] =
        static_cast<std::int64_t>(std::floor((box.min[axis] - origin[axis]) / lengths[axis]));
    copies.count[axis] =
        static_cast<std::int64_t>(std::floor((box.max[axis] - origin[axis]) / lengths[axis])) -
        copies.first[axis] + 1;
  }
  return copies;
}

double mean_radius_of(const PackedGrains& grains) {
  double mean = 0;
  for (const double r : grains.radius) mean += r / static_cast<double>(grains.size());
  return mean;
}

/// The grains that may be taken, copy by copy of the tile.
std::vector<Candidate> find_candidates(const Tile& tile, const CarveRegion& region,
                                       const CarveBetween& between, Threads& threads) {
  const std::size_t n = tile.grains.size();
  const double mean_radius = mean_radius_of(tile.grains);
  const double ball = std::cbrt(between.solid / (4.0 / 3 * kPi));
  Box3d box = box_of(region);
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::max(box.min[axis] - between.furthest, region.bounds.min[axis]);
    box.max[axis] = std::min(box.max[axis] + between.furthest, region.bounds.max[axis]);
  }
  Vec3d origin(0);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (region.box.periodic[axis]) origin[axis] = region.box.min[axis];
  const Copies copies = copies_over(box, origin, tile.lengths);
  const auto copy_count = static_cast<std::size_t>(copies.count[0] * copies.count[1] * copies.count[2]);
  std::vector<std::vector<Candidate>> found(copy_count);
  threads.for_chunks(copy_count, 1, [&](std::size_t copy, std::size_t, std::size_t) {
    const auto c = static_cast<std::int64_t>(copy);
    const std::int64_t layer = c / (copies.count[0] * copies.count[1]);
    const Vec3d number(static_cast<double>(copies.first[0] + c % copies.count[0]),
                       static_cast<double>(copies.first[1] + c / copies.count[0] % copies.count[1]),
                       static_cast<double>(copies.first[2] + layer));
    const Vec3d corner = origin + number * tile.lengths;
    for (std::uint32_t row = 0; row < n; ++row) {
      const Vec3d x = corner + tile.grains.position[row];
      if (!box.intersects(x)) continue;
      Depth depth = depth_at(region, x);
      if (depth.wall >= 0 || depth.fill >= between.furthest) continue;
      if (depth.fill > 0 &&
          (is_in_others(region, x) || !reaches_shape(region, x, kLookingStep * mean_radius)))
        continue;
      depth.fill -= between.reach;
      const double gap = region.wall_gap * ball * 2 * tile.grains.radius[row];
      depth.wall = std::max(depth.wall, between.larger.depth(x, gap));
      if (depth.wall >= 0) continue;
      const bool beside = depth.wall > -gap;
      if (beside && depth.fill >= 0) continue;
      found[copy].push_back({row, x, beside ? depth.wall : depth.fill, beside});
    }
  });
  std::vector<Candidate> candidates;
  for (const auto& part : found) candidates.insert(candidates.end(), part.begin(), part.end());
  return candidates;
}

}  // namespace

double region_volume(const CarveRegion& region, Threads& threads) {
  const Box3d own = bounds(region.shape), box = box_of(region);
  if (is_empty(box)) return 0;
  const Vec3d middle = box.center();
  const double reach = 0.5 * box.size().length();
  bool cut = own.min != box.min || own.max != box.max;
  for (const Shape& wall : region.walls) cut = cut || signed_distance(wall, middle) < reach;
  if (!cut) return volume(region.shape);

  const Vec3d cell = box.size() / kVolumeCells;
  const std::size_t total = std::size_t{kVolumeCells} * kVolumeCells * kVolumeCells;
  const double inside = threads.reduce(
      total, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double count = 0;
        for (std::size_t i = begin; i < end; ++i) {
          Random random(1, Stream::tile_order, 2, i);
          const std::size_t n = kVolumeCells, layer = i / (n * n);
          const Vec3d at(static_cast<double>(i % n) + random.uniform(),
                         static_cast<double>(i / n % n) + random.uniform(),
                         static_cast<double>(layer) + random.uniform());
          const Depth depth = depth_at(region, box.min + at * cell);
          count += depth.fill < 0 && depth.wall < 0 ? 1 : 0;
        }
        return count;
      },
      [](double a, double b) { return a + b; });
  return inside * cell.x * cell.y * cell.z;
}

Carved carve(const Tile& tile, const CarveRegion& region, double fraction, double solid, Threads& threads) {
  Carved carved;
  carved.wanted = fraction * region_volume(region, threads);
  if (carved.wanted <= 0 || is_empty(box_of(region)) || tile.grains.size() == 0) return carved;
  const std::vector<Candidate> candidates =
      find_candidates(tile, region, {{}, 0, furthest_out(tile.grains), solid, 0}, threads);
  std::vector<std::uint32_t> order(candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Candidate &p = candidates[a], &q = candidates[b];
    if (p.beside_wall != q.beside_wall) return q.beside_wall;
    return p.depth != q.depth ? p.depth < q.depth : a < b;
  });

  // Take them until the volume is there.
  std::vector<std::uint8_t> taken(candidates.size(), 0);
  for (const std::uint32_t i : order) {
    const double r = tile.grains.radius[candidates[i].row], more = solid * r * r * r;
    if (carved.solid + 0.5 * more > carved.wanted) break;
    carved.solid += more;
    taken[i] = 1;
  }
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (taken[i] != 0) carved.grains.add_from(tile.grains, candidates[i].row, candidates[i].position);
  return carved;
}

double furthest_out(const PackedGrains& grains) { return kFurthestOut * 2 * mean_radius_of(grains); }

LargerGrains::LargerGrains(const PackedGrains& grains, std::span<const GrainShape> shapes,
                           const DomainBox& box, Threads& threads) {
  std::vector<Vec3d> centers;
  for (std::size_t g = 0; g < grains.size(); ++g)
    for (const ShapeSphere& sphere : shapes[grains.shape[g]].spheres) {
      centers.push_back(grains.position[g] + rotate(grains.orientation[g], grains.radius[g] * sphere.center));
      radii_.push_back(grains.radius[g] * sphere.radius);
    }
  search_.build(threads, centers, radii_, 0, box);
}

double LargerGrains::depth(const Vec3d& x, double reach) const {
  double deepest = -kInfinity;
  if (radii_.empty()) return deepest;
  search_.for_each_within(x, reach, [&](std::uint32_t j, const Vec3d& d) {
    deepest = std::max(deepest, radii_[j] - d.length());
  });
  return deepest;
}

double solid_between(const Tile& tile, const CarveRegion& region, const CarveBetween& between,
                     Threads& threads) {
  if (is_empty(box_of(region))) return 0;
  double solid = 0;
  CarveBetween inside = between;
  inside.furthest = between.reach;
  for (const Candidate& c : find_candidates(tile, region, inside, threads)) {
    const double r = tile.grains.radius[c.row];
    if (!c.beside_wall) solid += between.solid * r * r * r;
  }
  return solid;
}

PackedGrains carve_between(const Tile& tile, const CarveRegion& region, std::span<const SizeCount> wanted,
                           const CarveBetween& between, Threads& threads) {
  PackedGrains grains;
  if (is_empty(box_of(region))) return grains;
  const std::vector<Candidate> candidates = find_candidates(tile, region, between, threads);
  struct Ranked {
    int turn;  ///< inside, beyond the shape, beside a wall
    double key;
    std::uint32_t candidate;
    bool operator<(const Ranked& other) const {
      return std::tie(turn, key, candidate) < std::tie(other.turn, other.key, other.candidate);
    }
  };
  std::vector<std::uint8_t> taken(candidates.size(), 0);
  for (const SizeCount& size : wanted) {
    std::vector<Ranked> ranked;
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      const Candidate& c = candidates[i];
      if (tile.grains.radius[c.row] != size.radius) continue;
      Random random(between.seed, Stream::tile_order, 3, i);
      const int turn = c.beside_wall ? 2 : c.depth < 0 ? 0 : 1;
      ranked.push_back({turn, turn == 0 ? random.uniform() : c.depth, i});
    }
    std::sort(ranked.begin(), ranked.end());
    for (std::size_t k = 0; k < std::min(size.count, ranked.size()); ++k) taken[ranked[k].candidate] = 1;
  }
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (taken[i] != 0) grains.add_from(tile.grains, candidates[i].row, candidates[i].position);
  return grains;
}

}  // namespace repose
