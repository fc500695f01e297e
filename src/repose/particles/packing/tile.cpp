#include "repose/particles/packing/tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "repose/core/random.h"
#include "repose/math/random_orientation.h"

namespace repose {
namespace {

// Growth: from a size at which hardly any two grains meet, in a cell that is loose in the end.
constexpr double kFirstFraction = 0.5;  ///< of the cell that grains grow in [-]
constexpr double kFirstScale = 0.4;
constexpr int kGrowthStages = 16;
constexpr int kGrowthIterations = 40;
constexpr double kGrowthOverlap = 0.01;  ///< in diameters, between stages [-]

// Pressures that close the cell, over stiffness and mean diameter: overlaps are about as many diameters. A
// third of a tenth first, so that grains find their places; less gives looser packings, more costs more.
constexpr std::array kPressures{3e-2, 3e-3, 3e-4};
constexpr int kPressureIterations = 400;
constexpr double kResidual = 0.02;

constexpr double kTileOverlap = 0.003;  ///< allowed in a cell that cannot give way, in diameters [-]
constexpr double kCaught = 0.006;       ///< overlap of a grain that will not come free by itself [-]
constexpr int kFitIterations = 600;
constexpr int kFitRounds = 40;
constexpr double kTakenOut = 1e-3;  ///< share of the grains taken out in a round, at most [-]

constexpr double kFewestOfASize = 16;
constexpr double kMostGrains = 20000;
constexpr std::uint32_t kCarrying = 4;  ///< contacts of a grain that carries load, at least

double solid_of(const PackedGrains& grains, double solid) {
  double sum = 0;
  for (const double r : grains.radius) sum += solid * r * r * r;
  return sum;
}

double volume_of(const Vec3d& lengths) { return lengths.x * lengths.y * lengths.z; }

/// Radii of all grains, mixed.
std::vector<double> choose_radii(const TileRequest& request) {
  double count = static_cast<double>(request.count), rarest = 1, mean = 0;
  for (const TileSize& size : request.sizes) {
    rarest = std::min(rarest, size.probability);
    mean += size.probability * request.solid * size.radius * size.radius * size.radius;
  }
  count = std::min(std::max(count, kFewestOfASize / rarest), kMostGrains);
  const double given = volume_of(request.lengths);
  if (given > 0) count = request.fraction * given / mean;
  std::vector<double> radii;
  for (const TileSize& size : request.sizes)
    radii.insert(radii.end(), static_cast<std::size_t>(std::max(1.0, std::round(count * size.probability))),
                 size.radius);
  for (std::size_t k = radii.size(); k > 1; --k) {
    Random random(request.seed, Stream::tile_order, 0, k);
    std::swap(radii[k - 1], radii[random.bits() % k]);
  }
  return radii;
}

/// A cell with room for a solid volume at kFirstFraction: given lengths kept, the others equal.
Vec3d first_lengths(const TileRequest& request, double solid) {
  Vec3d lengths = request.lengths;
  double volume = solid / kFirstFraction;
  int free = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (lengths[axis] > 0)
      volume /= lengths[axis];
    else
      ++free;
  for (int axis = 0; axis < 3; ++axis)
    if (lengths[axis] <= 0) lengths[axis] = std::pow(volume, 1.0 / free);
  return lengths;
}

PackedGrains strew(const TileRequest& request, const std::vector<double>& radii, const Vec3d& lengths) {
  PackedGrains grains;
  const bool turns = request.shape.spheres.size() > 1 && !request.orientation;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    Random random(request.seed, Stream::tile_place, 0, i);
    Vec3d x;
    for (int axis = 0; axis < 3; ++axis) x[axis] = random.uniform(0, lengths[axis]);
    grains.add(x, request.orientation.value_or(random_orientation(random)), radii[i], 0,
               turns ? Freedom::moves_and_turns : Freedom::moves);
  }
  return grains;
}

}  // namespace

void wrap_into_cell(PackedGrains& grains, const Vec3d& lengths) {
  for (Vec3d& x : grains.position)
    for (int axis = 0; axis < 3; ++axis) {
      x[axis] -= lengths[axis] * std::floor(x[axis] / lengths[axis]);
      if (!(x[axis] < lengths[axis])) x[axis] = 0;
    }
}

Tile make_tile(const TileRequest& request, Threads& threads) {
  const std::vector<double> radii = choose_radii(request);
  double solid = 0, mean_diameter = 0;
  for (const double r : radii) {
    solid += request.solid * r * r * r;
    mean_diameter += 2 * r / static_cast<double>(radii.size());
  }
  Tile tile;
  DomainBox box;
  box.periodic = {true, true, true};
  box.max = first_lengths(request, solid);
  tile.grains = strew(request, radii, box.max);
  const GrainShape shapes[] = {request.shape};
  Relaxation press{.iterations = kPressureIterations, .allowed_residual = kResidual};
  for (unsigned axis = 0; axis < 3; ++axis) press.yields[axis] = request.lengths[axis] <= 0;
  const bool gives_way = press.yields[0] || press.yields[1] || press.yields[2];

  CrowdState state;
  {
    Crowd crowd(tile.grains, shapes, {}, box, threads);
    for (int stage = 0; stage <= kGrowthStages; ++stage) {
      crowd.set_scale(kFirstScale + (1 - kFirstScale) * stage / kGrowthStages);
      tile.iterations +=
          crowd.relax({.iterations = kGrowthIterations, .allowed_overlap = kGrowthOverlap}).iterations;
    }
    for (const double pressure : kPressures) {
      if (!gives_way) break;
      press.pressure = pressure / mean_diameter;
      state = crowd.relax(press);
      tile.iterations += state.iterations;
    }
    box = crowd.box();
    tile.contacts.assign(crowd.contacts().begin(), crowd.contacts().end());
  }
  // A cell that cannot give way may hold too many; and a grain may be caught inside another.
  for (int round = 0; round < kFitRounds && (!gives_way || state.deepest_overlap > kCaught); ++round) {
    Crowd crowd(tile.grains, shapes, {}, box, threads);
    state = crowd.relax({.iterations = kFitIterations, .allowed_overlap = kTileOverlap});
    tile.iterations += state.iterations;
    tile.contacts.assign(crowd.contacts().begin(), crowd.contacts().end());
    if (state.deepest_overlap <= (gives_way ? kCaught : kTileOverlap)) break;
    const double most = std::ceil(kTakenOut * static_cast<double>(tile.grains.size()));
    tile.grains.select(all_but_deepest(crowd.overlaps(), kTileOverlap, static_cast<std::size_t>(most)));
  }
  tile.contacts.resize(tile.grains.size());
  tile.lengths = box.max;
  tile.deepest_overlap = state.deepest_overlap;
  tile.fraction = solid_of(tile.grains, request.solid) / volume_of(tile.lengths);
  wrap_into_cell(tile.grains, tile.lengths);
  return tile;
}

void thin_tile(Tile& tile, double fraction, double solid, std::uint64_t seed, Threads& threads) {
  const std::size_t n = tile.grains.size();
  const double share = 1 - fraction / tile.fraction;
  if (!(share > 0) || n == 0) return;

  // Those that carry nothing go first; the others in random order.
  std::vector<std::uint32_t> order(n);
  std::vector<std::uint64_t> rank(n);
  for (std::size_t g = 0; g < n; ++g) {
    Random random(seed, Stream::tile_order, 1, g);
    const std::uint64_t idle = tile.contacts[g] < kCarrying ? 0 : 1;
    rank[g] = idle << 32 | random.bits();
  }
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });

  std::map<double, double> due;  // by radius: how many of this size have to go
  for (const double r : tile.grains.radius) due[r] += share;
  NeighborSearch search;
  const DomainBox box{.min = Vec3d(0), .max = tile.lengths, .periodic = {true, true, true}};
  search.build(threads, tile.grains.position, tile.grains.radius, 0, box);
  std::vector<std::uint8_t> keep(n, 1), beside(n, 0);
  for (const bool spread_out : {true, false})
    for (const std::uint32_t g : order) {
      double& left = due[tile.grains.radius[g]];
      if (left < 0.5 || keep[g] == 0 || (spread_out && beside[g] != 0)) continue;
      keep[g] = 0;
      left -= 1;
      search.for_each_neighbor(g, [&](std::uint32_t j, const Vec3d&) { beside[j] = 1; });
    }
  std::size_t kept = 0;
  for (std::size_t g = 0; g < n; ++g)
    if (keep[g] != 0) tile.contacts[kept++] = tile.contacts[g];
  tile.contacts.resize(kept);
  tile.grains.select(keep);
  tile.fraction = solid_of(tile.grains, solid) / volume_of(tile.lengths);
}

}  // namespace repose
