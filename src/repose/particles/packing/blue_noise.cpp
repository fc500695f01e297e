#include "repose/particles/packing/blue_noise.h"

#include <algorithm>
#include <cmath>

#include "repose/core/random.h"

namespace repose {
namespace {

constexpr double kTileEdge = 13;   ///< in spacings [-]
constexpr double kPushing = 1.25;  ///< distance at which points begin to push each other, in spacings [-]
constexpr int kIterations = 400;
constexpr double kResidual = 0.02;

}  // namespace

Tile make_blue_noise_tile(double spacing, const Vec3d& lengths, std::uint64_t seed, Threads& threads) {
  Tile tile;
  for (int axis = 0; axis < 3; ++axis)
    tile.lengths[axis] = lengths[axis] > 0 ? lengths[axis] : kTileEdge * spacing;
  const double cells = tile.lengths.x * tile.lengths.y * tile.lengths.z / (spacing * spacing * spacing);
  const auto count = static_cast<std::size_t>(std::max(1.0, std::round(cells)));
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, Stream::tile_place, 1, i);
    Vec3d x;
    for (int axis = 0; axis < 3; ++axis) x[axis] = random.uniform(0, tile.lengths[axis]);
    tile.grains.add(x, {1, 0, 0, 0}, 0.5 * kPushing * spacing, 0, Freedom::moves);
  }
  const GrainShape balls[] = {{"ball", {{{0, 0, 0}, 1}}}};
  Crowd crowd(tile.grains, balls, {}, {Vec3d(0), tile.lengths, {true, true, true}}, threads);
  tile.iterations = crowd.relax({.iterations = kIterations, .allowed_residual = kResidual}).iterations;
  wrap_into_cell(tile.grains, tile.lengths);
  // From here on a point stands for its cell.
  std::fill(tile.grains.radius.begin(), tile.grains.radius.end(), 0.5 * spacing);
  tile.contacts.assign(count, 0);
  tile.fraction = 1;
  return tile;
}

std::vector<Vec3d> sample_blue_noise(const Shape& shape, const BlueNoise& noise, Threads& threads) {
  CarveRegion region{shape, noise.walls, {}, noise.box, noise.bounds};
  region.wall_gap = 0;
  const Box3d own = bounds(shape);
  Vec3d lengths(0);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!noise.box.periodic[axis]) continue;
    const double low = noise.box.min[axis], high = noise.box.max[axis];
    region.bounds.min[axis] = std::max(region.bounds.min[axis], low);
    region.bounds.max[axis] = std::min(region.bounds.max[axis], std::nextafter(high, low));
    if (own.min[axis] <= low + 0.5 * noise.spacing && own.max[axis] >= high - 0.5 * noise.spacing)
      lengths[axis] = (high - low) / std::max(1.0, std::round((high - low) / (kTileEdge * noise.spacing)));
  }
  const Tile tile = make_blue_noise_tile(noise.spacing, lengths, noise.seed, threads);
  constexpr double kCell = 8;  // a ball of half a spacing stands for a cell of one spacing
  return carve(tile, region, 1, kCell, threads).grains.position;
}

}  // namespace repose
