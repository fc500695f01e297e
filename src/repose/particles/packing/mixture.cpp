#include "repose/particles/packing/mixture.h"

#include <algorithm>
#include <cmath>

namespace repose {
namespace {

constexpr double kGroupRatio = 3;  ///< of the largest to the smallest radius in a group, at most [-]

// Grains in the tile of a group: few enough that it is made in seconds.
constexpr double kFewestInTile = 200, kMostInTile = 2500, kTileToFill = 1.2;
constexpr double kGuessedFraction = 0.58;
/// Of the densest packing of the largest group that it is given at most, in the middle of a fill: it keeps
/// off walls, beside which smaller grains take its place [-].
constexpr double kLargeAmongSmall = 0.95;

// Making room between two groups.
constexpr double kRoomOverlap = 0.003;  ///< at which it is done, in diameters [-]
constexpr int kRoomIterations = 500;

std::vector<TileSize> from_large_to_small(std::span<const TileSize> sizes) {
  std::vector<TileSize> sorted(sizes.begin(), sizes.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TileSize& a, const TileSize& b) { return a.radius > b.radius; });
  return sorted;
}

/// How far grains that are `ratio` times as large as others, less than one, push these apart [-].
double loosening(double ratio) { return std::sqrt(1 - std::pow(1 - ratio, 1.02)); }

/// How far grains are kept off the surface of others that are larger by 1 / `ratio` [-].
double wall_effect(double ratio) { return 1 - std::pow(1 - ratio, 1.5); }

/// Solid of some sizes over that of all, per grain [-].
double solid_share(std::span<const TileSize> some, std::span<const TileSize> all) {
  const auto sum = [](std::span<const TileSize> sizes) {
    double solid = 0;
    for (const TileSize& size : sizes) solid += size.probability * std::pow(size.radius, 3);
    return solid;
  };
  return sum(some) / sum(all);
}

/// A dense tile of one group of sizes, large enough to hold a solid volume [m3] if need be. The first group's
/// closes on itself along given lengths; a later one's has seams, which close when grains make room.
Tile group_tile(const TileRequest& mixture, std::span<const TileSize> group, double solid, bool is_first,
                Threads& threads) {
  TileRequest request = mixture;
  request.sizes.assign(group.begin(), group.end());
  request.fraction = mixture.fraction * solid_share(group, mixture.sizes);
  double total = 0, mean = 0;
  for (const TileSize& size : group) total += size.probability;
  for (TileSize& size : request.sizes) {
    size.probability /= total;
    mean += size.probability * request.solid * std::pow(size.radius, 3);
  }
  const double count = std::clamp(kTileToFill * solid / mean, kFewestInTile, kMostInTile);
  const double edge = std::cbrt(count * mean / kGuessedFraction);
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) {
    double& length = request.lengths[axis];
    length = is_first && length > 0 ? length / std::max(1.0, std::round(length / edge)) : 0;
    volume *= length > 0 ? length : edge;
  }
  request.count = static_cast<std::size_t>(std::max(1.0, volume * kGuessedFraction / mean));
  return make_tile(request, threads);
}

/// Moves grains of the groups so far out of walls and of each other.
void make_room_between(PackedGrains& grains, std::span<const GrainShape> shapes, const CarveRegion& region,
                       Threads& threads) {
  Crowd crowd(grains, shapes, region.walls, region.box, threads);
  crowd.stiffen_by_size();
  crowd.relax({.iterations = kRoomIterations, .allowed_overlap = kRoomOverlap});
}

}  // namespace

bool is_wide_mixture(std::span<const TileSize> sizes) {
  const auto [least, most] = std::minmax_element(
      sizes.begin(), sizes.end(), [](const TileSize& a, const TileSize& b) { return a.radius < b.radius; });
  return least != sizes.end() && most->radius > kWideMixture * least->radius;
}

std::vector<std::vector<TileSize>> size_groups(std::span<const TileSize> sizes) {
  std::vector<std::vector<TileSize>> groups;
  for (const TileSize& size : from_large_to_small(sizes)) {
    if (groups.empty() || groups.back().front().radius > kGroupRatio * size.radius) groups.emplace_back();
    groups.back().push_back(size);
  }
  return groups;
}

double mixture_fraction(std::span<const TileSize> sizes, double single) {
  const std::vector<TileSize> sorted = from_large_to_small(sizes);
  const auto solid = [](const TileSize& size) {
    return size.probability * size.radius * size.radius * size.radius;
  };
  double total = 0;
  for (const TileSize& size : sorted) total += solid(size);
  // Each size in turn carries the load: larger ones are solid inclusions among its grains, smaller ones sit
  // in their voids. The size that leaves the least room decides.
  double least = 1;
  for (const TileSize& own : sorted) {
    double saved = 0;
    for (const TileSize& other : sorted) {
      const double share = solid(other) / total;
      if (other.radius > own.radius)
        saved += share * (1 - single) * (1 - wall_effect(own.radius / other.radius));
      else if (other.radius < own.radius)
        saved += share * (1 - loosening(other.radius / own.radius));
    }
    least = std::min(least, single / (1 - saved));
  }
  return least;
}

std::vector<SizeCount> mixture_counts(std::span<const TileSize> sizes, double grain_solid, double volume) {
  const std::vector<TileSize> sorted = from_large_to_small(sizes);
  double total = 0, due = 0, left = volume;
  for (const TileSize& size : sorted) total += size.probability * std::pow(size.radius, 3);
  std::vector<SizeCount> counts;
  for (const TileSize& size : sorted) {
    const double cube = std::pow(size.radius, 3);
    due += volume * size.probability * cube / total;
    // No more than the smaller sizes can make up for.
    const double grain = grain_solid * cube;
    const bool is_last = &size == &sorted.back();
    const double most = std::max(0.0, is_last ? std::round(left / grain) : std::floor(left / grain));
    const double count = std::clamp(std::round(due / grain), 0.0, most);
    due -= count * grain;
    left -= count * grain;
    counts.push_back({size.radius, static_cast<std::size_t>(count)});
  }
  return counts;
}

Carved pack_mixture(const TileRequest& request, const CarveRegion& region, Threads& threads) {
  Carved carved;
  carved.wanted = request.fraction * region_volume(region, threads);
  if (!(carved.wanted > 0)) return carved;
  const GrainShape shapes[] = {request.shape};
  const std::vector<SizeCount> counts = mixture_counts(request.sizes, request.solid, carved.wanted);
  const std::vector<std::vector<TileSize>> groups = size_groups(request.sizes);
  const bool gives_way = !(request.lengths.x > 0 && request.lengths.y > 0 && request.lengths.z > 0);
  std::size_t first = 0;
  double furthest = 0, reach = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::span<const SizeCount> wanted = std::span(counts).subspan(first, groups[g].size());
    first += groups[g].size();
    double solid = 0;
    for (const SizeCount& size : wanted)
      solid += static_cast<double>(size.count) * request.solid * std::pow(size.radius, 3);
    if (solid <= 0) continue;
    const bool is_first = carved.grains.size() == 0;
    Tile tile = group_tile(request, groups[g], solid, is_first, threads);
    const LargerGrains larger(carved.grains, shapes, region.box, threads);
    if (is_first) furthest = furthest_out(tile.grains);
    const CarveBetween between{larger, reach, furthest, request.solid, request.seed};
    const double room = solid_between(tile, region, between, threads);
    const double most = is_first && gives_way ? kLargeAmongSmall : 1;
    const double share = room > 0 ? std::min(solid / room, most) : 1;
    if (share < 1) thin_tile(tile, share * tile.fraction, request.solid, request.seed, threads);
    const PackedGrains more = carve_between(tile, region, wanted, between, threads);
    for (std::size_t k = 0; k < more.size(); ++k) carved.grains.add_from(more, k, more.position[k]);
    if (is_first)
      for (const Vec3d& x : more.position) reach = std::max(reach, signed_distance(region.shape, x));
    if (g + 1 < groups.size()) make_room_between(carved.grains, shapes, region, threads);
  }
  for (const double r : carved.grains.radius) carved.solid += request.solid * r * r * r;
  return carved;
}

}  // namespace repose
