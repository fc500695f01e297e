#pragma once
// What grid/friction_stress.cpp does to one tile: loops over layers of cells, long enough to be vectorised,
// and nothing that knows of threads, limits or iterations.

#include <array>
#include <cmath>
#include <cstddef>

#include "repose/grid/friction_stress.h"
#include "repose/grid/tile_block.h"
#include "repose/grid/tiles.h"

namespace repose::friction {

/// The corner of each sample.
inline constexpr int kCorner[kStressSamples][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
/// Of each sample in the stress of its cell, and of its edges where nothing is in the way.
inline constexpr float kShareOfSample = 0.25F;

/// Cells of a tile at one height: loops go over whole layers, which are long enough to be vectorised.
inline constexpr std::size_t kLayer = kTileEdge * kTileEdge;
using Layer = std::array<float, kLayer>;

/// Values on edges, for the cells before them along x or after them: rows of 8, 9 rows, 9 layers, so that
/// those of a layer of cells stand in the order of the cells.
using Edges = std::array<float, 9 * 9 * kTileEdge>;
constexpr std::size_t edge_row(int y, int z) { return static_cast<std::size_t>(kTileEdge * (y + 9 * z)); }

using Sample = std::array<Layer, 5>;  ///< xx, yy, xy, xz, yz

inline float square_of(float xx, float yy, float xy, float xz, float yz) {
  const float zz = -(xx + yy);
  return (xx * xx + yy * yy) + zz * zz + 2 * ((xy * xy + xz * xz) + yz * yz);
}

/// Holds the traction of a sample on a plane within its limit, then all of it.
inline void keep_at_wall(const WallCell& wall, bool touches, float& xx, float& yy, float& xy, float& xz,
                         float& yz) {
  const Vec3f& n = wall.normal;
  const float zz = -(xx + yy);
  const float ex = touches ? xy : 0, ey = touches ? xz : 0, ez = touches ? yz : 0;
  Vec3f t(xx * n.x + ex * n.y + ey * n.z, ex * n.x + yy * n.y + ez * n.z, ey * n.x + ez * n.y + zz * n.z);
  t -= t.dot(n) * n;
  const float size = t.length();
  if (size > wall.traction) {
    t *= 1 - wall.traction / size;
    xx -= 2 * t.x * n.x;
    yy -= 2 * t.y * n.y;
    if (touches) {
      xy -= t.x * n.y + t.y * n.x;
      xz -= t.x * n.z + t.z * n.x;
      yz -= t.y * n.z + t.z * n.y;
    }
  }
  const float all = std::sqrt(square_of(xx, yy, xy, xz, yz));
  if (all > wall.limit) {
    const float factor = wall.limit / all;
    xx *= factor, yy *= factor, xy *= factor, xz *= factor, yz *= factor;
  }
}

/// Strain over a tile: of cells along each axis, and on edges.
struct Strain {
  std::array<float, kTileCells> xx, yy;  ///< less a third of the sum
  std::array<Edges, 2> xy, xz;           ///< of the edges at the start of cells along x, and at their end
  Edges yz;
};

using BlockValues = std::array<float, TileBlock<1>::kCells>;

inline void find_strain(const std::array<BlockValues, 3>& block, Strain& strain) {
  using Block = TileBlock<1>;
  const float *u = block[0].data(), *v = block[1].data(), *w = block[2].data();
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const std::size_t at = Block::place(0, y, z), in_y = Block::place(0, y + 1, z),
                        in_z = Block::place(0, y, z + 1), to = cell_in_tile(0, y, z);
      for (std::size_t x = 0; x < 8; ++x) {
        const float xx = u[at + x + 1] - u[at + x], yy = v[in_y + x] - v[at + x],
                    zz = w[in_z + x] - w[at + x];
        const float mean = (xx + yy + zz) * (1.0F / 3);
        strain.xx[to + x] = xx - mean;
        strain.yy[to + x] = yy - mean;
      }
    }
  for (int z = 0; z < 9; ++z)
    for (int y = 0; y < 9; ++y) {
      const std::size_t at = Block::place(0, y, z), low_y = Block::place(0, y - 1, z),
                        low_z = Block::place(0, y, z - 1), to = edge_row(y, z);
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t x = 0, e = at + i; x < 8; ++x, ++e) {
          strain.xy[i][to + x] = 0.5F * ((u[e] - u[low_y + i + x]) + (v[e] - v[e - 1]));
          strain.xz[i][to + x] = 0.5F * ((u[e] - u[low_z + i + x]) + (w[e] - w[e - 1]));
        }
      for (std::size_t x = 0; x < 8; ++x)
        strain.yz[to + x] = 0.5F * ((v[at + x] - v[low_z + x]) + (w[at + x] - w[low_y + x]));
    }
}

/// start = now + ahead (now - last).
inline void look_ahead(const float* now, const float* last, float ahead, Layer& start) {
  for (std::size_t c = 0; c < kLayer; ++c) start[c] = now[c] + ahead * (now[c] - last[c]);
}

inline void add_step(const Layer& start, const float* step, const float* strain, Layer& trial) {
  for (std::size_t c = 0; c < kLayer; ++c) trial[c] = start[c] + step[c] * strain[c];
}

inline void add_step(const Layer& start, const float* step, const float* strain, const float* ratio,
                     Layer& trial) {
  for (std::size_t c = 0; c < kLayer; ++c)
    trial[c] = ratio[c] > 0 ? start[c] + step[c] * ratio[c] * strain[c] : 0.0F;
}

/// Scales what is beyond the limit back to it.
inline void keep_within(const float* limit, Sample& trial) {
  Layer factor;
  for (std::size_t c = 0; c < kLayer; ++c) {
    const float size = std::sqrt(square_of(trial[0][c], trial[1][c], trial[2][c], trial[3][c], trial[4][c]));
    factor[c] = size > limit[c] ? limit[c] / size : 1.0F;
  }
  for (Layer& values : trial)
    for (std::size_t c = 0; c < kLayer; ++c) values[c] *= factor[c];
}

/// Adds to the sums that tell how the iteration goes.
inline void compare(const Sample& start, const Sample& trial, const float* now, const float* step,
                    Layer& against, Layer& squares) {
  Layer change{}, turn{};
  for (std::size_t n = 0; n < 5; ++n) {
    const float weight = n < 2 ? 1 : 2;
    const float* before = now + n * kTileCells;
    for (std::size_t c = 0; c < kLayer; ++c) {
      const float moved = trial[n][c] - start[n][c];
      change[c] += weight * moved * moved;
      turn[c] += weight * moved * (before[c] - trial[n][c]);
    }
  }
  for (std::size_t c = 0; c < kLayer; ++c) {
    against[c] += turn[c] / step[c];
    squares[c] += change[c] / (step[c] * step[c]);
  }
}

inline void add_share(const float* stress, float* sum) {
  for (std::size_t c = 0; c < kLayer; ++c) sum[c] += kShareOfSample * stress[c];
}
inline void add_share(const float* stress, const float* ratio, float* sum) {
  for (std::size_t c = 0; c < kLayer; ++c) sum[c] += kShareOfSample * ratio[c] * stress[c];
}

/// The stresses of cells and edges that the samples of a tile make up.
struct Stresses {
  std::array<float, kTileCells> xx{}, yy{};
  std::array<Edges, 2> xy{}, xz{};
  Edges yz{};
};

/// What they do to the faces of the tile and around it.
inline void push_faces(const Stresses& stress, std::array<BlockValues, 3>& block) {
  using Block = TileBlock<1>;
  for (auto& values : block) values.fill(0);
  float *u = block[0].data(), *v = block[1].data(), *w = block[2].data();
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const float *xx = &stress.xx[cell_in_tile(0, y, z)], *yy = &stress.yy[cell_in_tile(0, y, z)];
      float* u_row = u + Block::place(0, y, z);
      float *v_low = v + Block::place(0, y, z), *v_high = v + Block::place(0, y + 1, z);
      float *w_low = w + Block::place(0, y, z), *w_high = w + Block::place(0, y, z + 1);
      for (std::size_t x = 0; x < 8; ++x) u_row[x] += xx[x];
      for (std::size_t x = 0; x < 8; ++x) u_row[x + 1] -= xx[x];
      for (std::size_t x = 0; x < 8; ++x) v_low[x] += yy[x];
      for (std::size_t x = 0; x < 8; ++x) v_high[x] -= yy[x];
      for (std::size_t x = 0; x < 8; ++x) w_low[x] -= xx[x] + yy[x];
      for (std::size_t x = 0; x < 8; ++x) w_high[x] += xx[x] + yy[x];
    }
  // Edges of the tile's own cells alone: others have none here.
  for (int z = 0; z < 9; ++z)
    for (int y = 0; y < 9; ++y) {
      const std::size_t from = edge_row(y, z), here = Block::place(0, y, z),
                        low_y = Block::place(0, y - 1, z), low_z = Block::place(0, y, z - 1);
      for (std::size_t i = 0; i < 2; ++i) {
        const float *xy = &stress.xy[i][from], *xz = &stress.xz[i][from];
        for (std::size_t x = 0; x < 8; ++x) u[here + i + x] -= xy[x] + xz[x];
        for (std::size_t x = 0; x < 8; ++x) u[low_y + i + x] += xy[x];
        for (std::size_t x = 0; x < 8; ++x) u[low_z + i + x] += xz[x];
        for (std::size_t x = 0; x < 8; ++x) v[here + i + x] -= xy[x];
        for (std::size_t x = 0; x < 8; ++x) v[here + i + x - 1] += xy[x];
        for (std::size_t x = 0; x < 8; ++x) w[here + i + x] -= xz[x];
        for (std::size_t x = 0; x < 8; ++x) w[here + i + x - 1] += xz[x];
      }
      const float* yz = &stress.yz[from];
      for (std::size_t x = 0; x < 8; ++x) v[here + x] -= yz[x];
      for (std::size_t x = 0; x < 8; ++x) v[low_z + x] += yz[x];
      for (std::size_t x = 0; x < 8; ++x) w[here + x] -= yz[x];
      for (std::size_t x = 0; x < 8; ++x) w[low_y + x] += yz[x];
    }
}

}  // namespace repose::friction
