#include "repose/grid/transfer.h"

#include <algorithm>
#include <cmath>

#include "repose/grid/tile_block.h"

namespace repose {
namespace {

constexpr int kCells = 3;  ///< in place of an axis: the middles of cells

/// Where a point stands between the eight faces across one axis around it, or between the middles of cells.
template <int kPad>
struct Hat {
  std::size_t place;             ///< of the lowest of them
  std::array<float, 2> x, y, z;  ///< weights along each axis

  /// `p` in cells from the tile's corner.
  Hat(const Vec3f& p, int axis) {
    const Vec3f q(axis == 0 ? p.x : p.x - 0.5F, axis == 1 ? p.y : p.y - 0.5F, axis == 2 ? p.z : p.z - 0.5F);
    const Vec3f low(std::floor(q.x), std::floor(q.y), std::floor(q.z));
    place = TileBlock<kPad>::place(static_cast<int>(low.x), static_cast<int>(low.y), static_cast<int>(low.z));
    const Vec3f t = q - low;
    x = {1 - t.x, t.x};
    y = {1 - t.y, t.y};
    z = {1 - t.z, t.z};
  }

  /// Calls f(place, weight) for the eight faces.
  template <class F>
  void for_each(F&& f) const {
    constexpr std::size_t kRow = TileBlock<kPad>::kEdge, kLayer = kRow * kRow;
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 2; ++j) {
        const float w = y[j] * z[k];
        f(place + j * kRow + k * kLayer, w * x[0]);
        f(place + j * kRow + k * kLayer + 1, w * x[1]);
      }
  }
  float mean(const float* block) const {
    float sum = 0;
    for_each([&](std::size_t at, float weight) { sum += weight * block[at]; });
    return sum;
  }
};

Vec3f clamped(const Vec3f& p, float low, float high) {
  return {std::clamp(p.x, low, high), std::clamp(p.y, low, high), std::clamp(p.z, low, high)};
}

using Own = TileBlock<1>;

/// What the particles of one tile give to the faces around them, by axis: momentum and weight.
struct Sums {
  std::array<std::array<float, Own::kCells>, 3> momentum, weight;
};

void sum_particles(std::span<const Vec3d> positions, std::span<const Vec3f> velocities,
                   const ParticleCells& cells, const GridPlace& place, std::size_t tile, Sums& sums) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sums.momentum[axis].fill(0);
    sums.weight[axis].fill(0);
  }
  const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
  for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p) {
    const Vec3f local = in_tile(place, corner, positions[p]);
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const float v = velocities[p][axis];
      Hat<1>(local, axis).for_each([&](std::size_t at, float weight) {
        sums.momentum[a][at] += weight * v;
        sums.weight[a][at] += weight;
      });
    }
  }
}

/// Adds the part of `from`, the sums of the tile at offset (dx, dy, dz), that lies in this tile.
void add_overlap(const std::array<float, Own::kCells>& from, int dx, int dy, int dz, float* to) {
  const auto low = [](int d) { return d > 0 ? 7 : 0; };
  const auto high = [](int d) { return d < 0 ? 0 : 7; };
  for (int z = low(dz); z <= high(dz); ++z)
    for (int y = low(dy); y <= high(dy); ++y)
      for (int x = low(dx); x <= high(dx); ++x)
        to[cell_in_tile(x, y, z)] += from[Own::place(x - 8 * dx, y - 8 * dy, z - 8 * dz)];
}

}  // namespace

void particles_to_faces(std::span<const Vec3d> positions, std::span<const Vec3f> velocities,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        FaceVelocity& velocity, FaceWeight& weight) {
  const std::size_t tile_count = cells.tiles.size();
  std::vector<Sums> sums(cells.occupied.size());
  std::vector<std::uint32_t> which(tile_count, kNoTile);  // of the sums, by tile
  for (std::size_t k = 0; k < cells.occupied.size(); ++k)
    which[cells.occupied[k]] = static_cast<std::uint32_t>(k);
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) { sum_particles(positions, velocities, cells, place, cells.occupied[k], sums[k]); },
      1);

  velocity.resize(cells.tiles.cell_count());
  weight.resize(cells.tiles.cell_count());
  threads.for_each(
      tile_count,
      [&](std::size_t tile) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          float* u = &velocity.u[axis][tile * kTileCells];
          float* w = &weight.u[axis][tile * kTileCells];
          for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
              for (int dx = -1; dx <= 1; ++dx) {
                const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
                if (from == kNoTile || which[from] == kNoTile) continue;
                add_overlap(sums[which[from]].momentum[axis], dx, dy, dz, u);
                add_overlap(sums[which[from]].weight[axis], dx, dy, dz, w);
              }
          for (std::size_t cell = 0; cell < kTileCells; ++cell) u[cell] = w[cell] > 0 ? u[cell] / w[cell] : 0;
        }
      },
      4);
}

void particles_to_cells(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                        Threads& threads, std::vector<float>& weight) {
  std::vector<std::array<float, Own::kCells>> sums(cells.occupied.size());
  std::vector<std::uint32_t> which(cells.tiles.size(), kNoTile);
  for (std::size_t k = 0; k < cells.occupied.size(); ++k)
    which[cells.occupied[k]] = static_cast<std::uint32_t>(k);
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        sums[k].fill(0);
        for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p)
          Hat<1>(in_tile(place, corner, positions[p]), kCells).for_each([&](std::size_t at, float w) {
            sums[k][at] += w;
          });
      },
      1);
  weight.assign(cells.tiles.cell_count(), 0.0F);
  threads.for_each(
      cells.tiles.size(),
      [&](std::size_t tile) {
        for (int dz = -1; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
              if (from == kNoTile || which[from] == kNoTile) continue;
              add_overlap(sums[which[from]], dx, dy, dz, &weight[tile * kTileCells]);
            }
      },
      4);
}

void cells_to_particles(const std::vector<float>& field, std::span<const Vec3d> positions,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        std::span<float> values) {
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        std::array<float, Own::kCells> block;
        Own::fill(cells.tiles, tile, field, block.data());
        for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p)
          values[p] = Hat<1>(in_tile(place, corner, positions[p]), kCells).mean(block.data());
      },
      1);
}

void faces_to_particles(const FaceVelocity& before, const FaceVelocity& after, double blend,
                        std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                        Threads& threads, std::span<Vec3f> velocities) {
  const auto flip = static_cast<float>(blend), pic = static_cast<float>(1 - blend);
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        std::array<float, Own::kCells> old_block, new_block;
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = static_cast<std::size_t>(axis);
          Own::fill(cells.tiles, tile, before.u[a], old_block.data());
          Own::fill(cells.tiles, tile, after.u[a], new_block.data());
          for (std::size_t i = 0; i < Own::kCells; ++i) old_block[i] = new_block[i] - old_block[i];
          for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p) {
            const Hat<1> hat(in_tile(place, corner, positions[p]), axis);
            const float change = hat.mean(old_block.data()), grid = hat.mean(new_block.data());
            velocities[p][axis] = flip * (velocities[p][axis] + change) + pic * grid;
          }
        }
      },
      1);
}

void move_particles(const FaceVelocity& velocity, const ParticleCells& cells, const GridPlace& place,
                    double dt, int substeps, Threads& threads, std::span<Vec3d> positions) {
  using Wide = TileBlock<3>;
  const auto h = static_cast<float>(dt / substeps / place.cell);  // turns m/s into cells a substep
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        std::array<std::array<float, Wide::kCells>, 3> block;
        for (std::size_t axis = 0; axis < 3; ++axis)
          Wide::fill(cells.tiles, tile, velocity.u[axis], block[axis].data());
        const auto sample = [&](const Vec3f& point) {
          const Vec3f at = clamped(point, -2.49F, 9.99F);
          return Vec3f(Hat<3>(at, 0).mean(block[0].data()), Hat<3>(at, 1).mean(block[1].data()),
                       Hat<3>(at, 2).mean(block[2].data()));
        };
        for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p) {
          const Vec3f start = in_tile(place, corner, positions[p]);
          Vec3f at = start;
          for (int step = 0; step < substeps; ++step) at += h * sample(at + 0.5F * h * sample(at));
          positions[p] += place.cell * Vec3d(at - start);
        }
      },
      1);
}

}  // namespace repose
