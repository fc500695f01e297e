#include "repose/grid/transfer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "repose/exec/widest.h"
#include "repose/grid/drift.h"
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
};

/// Particles side by side: what is done to one is done to all of them, by vectors where the machine has them.
constexpr std::size_t kLanes = 16;
using Lane = std::array<float, kLanes>;
struct Lanes {
  Lane x, y, z;
};

/// Two floats in one register.
using Pair = float __attribute__((vector_size(8)));
Pair pair_at(const float* from) {
  Pair pair;
  std::memcpy(&pair, from, sizeof(pair));
  return pair;
}
Pair between(const Pair& a, const Pair& b, float t) { return a + t * (b - a); }

/// A field between the eight faces across one axis, or middles of cells, around each of the points; these in
/// cells from the tile's corner.
template <int kPad>
void interpolate(const float* block, const Lanes& at, int axis, Lane& values) {
  constexpr int kRow = TileBlock<kPad>::kEdge, kLayer = kRow * kRow;
  constexpr auto kShift = static_cast<float>(kPad);  // makes all of it positive, so that to cut is to floor
  constexpr float kTop = static_cast<float>(kRow - 1) * 0.9999999F;  // rounding may not carry it past the end
  const float sx = axis == 0 ? kShift : kShift - 0.5F, sy = axis == 1 ? kShift : kShift - 0.5F,
              sz = axis == 2 ? kShift : kShift - 0.5F;
  Lane tx, ty, tz, result;
  std::array<int, kLanes> place;
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t l = 0; l < kLanes; ++l) {
    const float x = std::min(at.x[l] + sx, kTop), y = std::min(at.y[l] + sy, kTop),
                z = std::min(at.z[l] + sz, kTop);
    const int i = static_cast<int>(x), j = static_cast<int>(y), k = static_cast<int>(z);
    tx[l] = x - static_cast<float>(i);
    ty[l] = y - static_cast<float>(j);
    tz[l] = z - static_cast<float>(k);
    place[l] = i + kRow * j + kLayer * k;
  }
  // Two neighbours along x at once; vectors across the points would have to gather, which is slower.
  for (std::size_t l = 0; l < kLanes; ++l) {
    const float* c = block + place[l];
    const Pair p = between(pair_at(c), pair_at(c + kRow), ty[l]);
    const Pair q = between(pair_at(c + kLayer), pair_at(c + kLayer + kRow), ty[l]);
    const Pair r = between(p, q, tz[l]);
    result[l] = r[0] + tx[l] * (r[1] - r[0]);
  }
  values = result;
}

/// Calls f(first row, count, points) for the particles of a tile, kLanes at a time; lanes beyond the count
/// repeat the last particle.
template <class F>
void for_each_batch(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                    std::size_t tile, F&& f) {
  const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
  const std::uint32_t end = cells.tile_end(tile);
  for (std::uint32_t first = cells.tile_first(tile); first < end; first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, end - first);
    Lanes at;
    for (std::size_t l = 0; l < kLanes; ++l) {
      const Vec3f p = in_tile(place, corner, positions[first + std::min(l, count - 1)]);
      at.x[l] = p.x, at.y[l] = p.y, at.z[l] = p.z;
    }
    f(first, count, at);
  }
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

}  // namespace

void particles_to_faces(std::span<const Vec3d> positions, std::span<const Vec3f> velocities,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        FaceVelocity& velocity, FaceWeight& weight) {
  const std::size_t tile_count = cells.tiles.size();
  std::vector<Sums> sums(cells.occupied.size());
  const std::vector<std::uint32_t> rank = rank_of_tiles(tile_count, cells.occupied);
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
          for_each_block_near(cells.tiles, tile, rank, [&](std::uint32_t from, int dx, int dy, int dz) {
            Own::add_overlap(sums[from].momentum[axis].data(), dx, dy, dz, u);
            Own::add_overlap(sums[from].weight[axis].data(), dx, dy, dz, w);
          });
          for (std::size_t cell = 0; cell < kTileCells; ++cell) u[cell] = w[cell] > 0 ? u[cell] / w[cell] : 0;
        }
      },
      4);
}

namespace {

/// Sums over particles at the middle of cells: share(p) times the weight of particle p.
template <class F>
void sum_at_cells(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                  Threads& threads, std::vector<float>& sum, F&& share) {
  std::vector<std::array<float, Own::kCells>> sums(cells.occupied.size());
  const std::vector<std::uint32_t> rank = rank_of_tiles(cells.tiles.size(), cells.occupied);
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        sums[k].fill(0);
        for (std::uint32_t p = cells.tile_first(tile); p < cells.tile_end(tile); ++p)
          Hat<1>(in_tile(place, corner, positions[p]), kCells).for_each([&](std::size_t at, float w) {
            sums[k][at] += w * share(p);
          });
      },
      1);
  sum.assign(cells.tiles.cell_count(), 0.0F);
  threads.for_each(
      cells.tiles.size(),
      [&](std::size_t tile) {
        for_each_block_near(cells.tiles, tile, rank, [&](std::uint32_t from, int dx, int dy, int dz) {
          Own::add_overlap(sums[from].data(), dx, dy, dz, &sum[tile * kTileCells]);
        });
      },
      4);
}

}  // namespace

void particles_to_cells(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                        Threads& threads, std::vector<float>& weight) {
  sum_at_cells(positions, cells, place, threads, weight, [](std::uint32_t) { return 1.0F; });
}

void particle_means(std::span<const Vec3d> positions, std::span<const float> values,
                    const ParticleCells& cells, const GridPlace& place, Threads& threads,
                    std::vector<float>& mean) {
  std::vector<float> weight;
  particles_to_cells(positions, cells, place, threads, weight);
  sum_at_cells(positions, cells, place, threads, mean, [&](std::uint32_t p) { return values[p]; });
  threads.for_each(
      mean.size(), [&](std::size_t i) { mean[i] = weight[i] > 0 ? mean[i] / weight[i] : 0; }, kTileCells);
}

void cells_to_particles(const std::vector<float>& field, std::span<const Vec3d> positions,
                        const ParticleCells& cells, const GridPlace& place, Threads& threads,
                        std::span<float> values) {
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        std::array<float, Own::kCells> block;
        Own::fill(cells.tiles, tile, field, block.data());
        for_each_batch(positions, cells, place, tile,
                       [&](std::uint32_t first, std::size_t count, const Lanes& at) {
                         Lane value;
                         interpolate<1>(block.data(), at, kCells, value);
                         std::copy_n(value.begin(), count, &values[first]);
                       });
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
        // What a particle gets besides its own velocity, on the grid.
        std::array<std::array<float, Own::kCells>, 3> gain;
        std::array<float, Own::kCells> old_block;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Own::fill(cells.tiles, tile, before.u[axis], old_block.data());
          Own::fill(cells.tiles, tile, after.u[axis], gain[axis].data());
          for (std::size_t i = 0; i < Own::kCells; ++i)
            gain[axis][i] = flip * (gain[axis][i] - old_block[i]) + pic * gain[axis][i];
        }
        for_each_batch(positions, cells, place, tile,
                       [&](std::uint32_t first, std::size_t count, const Lanes& at) {
                         for (int axis = 0; axis < 3; ++axis) {
                           Lane gained;
                           interpolate<1>(gain[static_cast<std::size_t>(axis)].data(), at, axis, gained);
                           for (std::size_t l = 0; l < count; ++l) {
                             float& v = velocities[first + l][axis];
                             v = flip * v + gained[l];
                           }
                         }
                       });
      },
      1);
}

namespace {

using Wide = TileBlock<3>;
using Velocities = std::array<std::array<float, Wide::kCells>, 3>;

/// How many parts a way is cut into, so that none is longer than `longest`.
float substeps(float way, float longest) {
  constexpr float kMost = 64;  // also where the way is not a number
  return way < kMost * longest ? std::max(1.0F, std::ceil(way / longest)) : kMost;
}

/// The velocity at points; `way` turns it into cells a step.
Lanes velocity_at(const Velocities& block, const Lanes& at, float way) {
  static constexpr float kLow = -2.49F, kHigh = 9.99F;  // what the block holds
  Lanes held, v;
  // In this order what is not a number becomes one.
  const auto hold = [](const Lane& from, Lane& to) {
    for (std::size_t l = 0; l < kLanes; ++l) to[l] = std::min(kHigh, std::max(kLow, from[l]));
  };
  hold(at.x, held.x);
  hold(at.y, held.y);
  hold(at.z, held.z);
  interpolate<3>(block[0].data(), held, 0, v.x);
  interpolate<3>(block[1].data(), held, 1, v.y);
  interpolate<3>(block[2].data(), held, 2, v.z);
  for (Lane* component : {&v.x, &v.y, &v.z})
    for (float& value : *component) value *= way;
  return v;
}

Lanes gone_on(const Lanes& at, const Lanes& v, const Lane& share) {
  Lanes to;
  for (std::size_t l = 0; l < kLanes; ++l) {
    to.x[l] = at.x[l] + share[l] * v.x[l];
    to.y[l] = at.y[l] + share[l] * v.y[l];
    to.z[l] = at.z[l] + share[l] * v.z[l];
  }
  return to;
}

void subtract(const Lanes& drift, Lanes& v) {
  for (std::size_t l = 0; l < kLanes; ++l) v.x[l] -= drift.x[l], v.y[l] -= drift.y[l], v.z[l] -= drift.z[l];
}

/// The midpoint rule for all lanes, each in its own number of steps; `way` turns m/s into cells. In the frame
/// that goes with the drift [cells a step].
Lanes moved(const Velocities& block, const Lanes& start, const Lanes& drift, float way, float longest) {
  const auto velocity = [&](const Lanes& at) {
    Lanes v = velocity_at(block, at, way);
    subtract(drift, v);
    return v;
  };
  Lanes v = velocity(start);
  Lane count, share, half;
  float most = 1;
  for (std::size_t l = 0; l < kLanes; ++l) {
    count[l] = substeps(Vec3f(v.x[l], v.y[l], v.z[l]).length(), longest);
    most = std::max(most, count[l]);
  }
  Lanes at = start;
  for (float step = 0; step < most; ++step) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      share[l] = step < count[l] ? 1 / count[l] : 0.0F;
      half[l] = 0.5F * share[l];
    }
    if (step > 0) v = velocity(at);
    at = gone_on(at, velocity(gone_on(at, v, half)), share);
  }
  for (std::size_t l = 0; l < kLanes; ++l)
    at.x[l] += drift.x[l], at.y[l] += drift.y[l], at.z[l] += drift.z[l];
  return at;
}

/// The drift of each of the points, in cells a step.
Lanes drift_at(const TileDrift& drift, const Lanes& at, float way) {
  Lanes v;
  for (std::size_t l = 0; l < kLanes; ++l) {
    const Vec3f d = way * drift.at(at.x[l], at.y[l], at.z[l]);
    v.x[l] = d.x, v.y[l] = d.y, v.z[l] = d.z;
  }
  return v;
}

}  // namespace

void move_particles(const FaceVelocity& velocity, const std::vector<Vec3f>& drift, const ParticleCells& cells,
                    const GridPlace& place, double dt, double longest, Threads& threads,
                    std::span<Vec3d> positions) {
  const auto way = static_cast<float>(dt / place.cell);
  threads.for_each(
      cells.occupied.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        Velocities block;
        const TileDrift of_tile(drift, cells, tile);
        for (std::size_t axis = 0; axis < 3; ++axis)
          Wide::fill(cells.tiles, tile, velocity.u[axis], block[axis].data());
        for_each_batch(
            positions, cells, place, tile, [&](std::uint32_t first, std::size_t count, const Lanes& start) {
              const Lanes end =
                  moved(block, start, drift_at(of_tile, start, way), way, static_cast<float>(longest));
              for (std::size_t l = 0; l < count; ++l)
                positions[first + l] +=
                    place.cell * Vec3d(end.x[l] - start.x[l], end.y[l] - start.y[l], end.z[l] - start.z[l]);
            });
      },
      1);
}

}  // namespace repose
