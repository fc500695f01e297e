#pragma once
// What grid/friction_stress.cpp does to one tile: loops over layers of cells, long enough to be vectorised,
// and nothing that knows of threads, limits or iterations.
//
// A tile is gone through from below, one layer of cells after the other, so that what is at hand stays in the
// first cache: the strain of a layer and of the edges on it, the stress of its samples, their sums on cells
// and edges, and what these do to the faces of the layer.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "repose/exec/widest.h"
#include "repose/grid/friction_stress.h"
#include "repose/grid/tile_block.h"
#include "repose/grid/tiles.h"

namespace repose::friction {

/// The corner of each sample.
inline constexpr int kCorner[kStressSamples][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
/// Of each sample in the stress of its cell, and of its edges where nothing is in the way.
inline constexpr float kShareOfSample = 0.25F;

/// Values on edges at one height, for the cells after them along x or before them: nine rows of eight, so
/// that those of a layer of cells stand in the order of the cells. With room around for whole vectors.
struct alignas(64) EdgeRows {
  std::array<float, 16 + 72 + 16> value{};

  float* row(int y) { return &value[static_cast<std::size_t>(16 + 8 * y)]; }
  const float* row(int y) const { return &value[static_cast<std::size_t>(16 + 8 * y)]; }
};

/// Strains, sums of stress or weights of edges: those across z within a layer, those across y and x on it.
struct EdgesIn {
  std::array<EdgeRows, 2> xy;  ///< at the start of cells along x, and at their end
};
struct EdgesOn {
  std::array<EdgeRows, 2> xz;
  EdgeRows yz;
};

/// How much edges count in the mean of their samples.
struct EdgeWeights {
  std::array<EdgesIn, 8> in;
  std::array<EdgesOn, 9> on;
};

/// Of the edges of cell (x, y, z) that meet in its corner (i, j, l).
inline std::array<float, 3> edges_of(const EdgeWeights& weight, int x, int y, int z, const int (&corner)[3]) {
  const auto [i, j, l] = corner;
  const auto side = static_cast<std::size_t>(i), layer = static_cast<std::size_t>(z),
             on = static_cast<std::size_t>(z + l);
  return {weight.in[layer].xy[side].row(y + j)[x], weight.on[on].xz[side].row(y)[x],
          weight.on[on].yz.row(y + j)[x]};
}

/// Solids at the cells of a tile, where there are any: no normal and no limit of traction elsewhere.
struct TileWalls {
  std::array<float, kTileCells> x{}, y{}, z{};  ///< of the normal
  std::array<float, kTileCells> traction{}, tension{};
  std::array<bool, kTileEdge> in_layer{};
};

using BlockValues = std::array<float, TileBlock<1>::kCells>;
using Block3 = std::array<BlockValues, 3>;

/// Strain of cells, less a third of its trace.
struct CellRows {
  alignas(64) std::array<float, kLayer> xx{}, yy{};
};

inline void find_strain(const Block3& block, int z, CellRows& strain) {
  using Block = TileBlock<1>;
  const float *u = block[0].data(), *v = block[1].data(), *w = block[2].data();
  for (int y = 0; y < 8; ++y) {
    const std::size_t at = Block::place(0, y, z), in_y = Block::place(0, y + 1, z),
                      in_z = Block::place(0, y, z + 1), to = cell_in_tile(0, y, 0);
    for (std::size_t x = 0; x < 8; ++x) {
      const float xx = u[at + x + 1] - u[at + x], yy = v[in_y + x] - v[at + x], zz = w[in_z + x] - w[at + x];
      const float mean = (xx + yy + zz) * (1.0F / 3);
      strain.xx[to + x] = xx - mean;
      strain.yy[to + x] = yy - mean;
    }
  }
}

inline void find_strain(const Block3& block, int z, EdgesIn& strain) {
  using Block = TileBlock<1>;
  const float *u = block[0].data(), *v = block[1].data();
  for (int y = 0; y < 9; ++y)
    for (int i = 0; i < 2; ++i) {
      const std::size_t at = Block::place(i, y, z), low_y = Block::place(i, y - 1, z);
      float* to = strain.xy[static_cast<std::size_t>(i)].row(y);
      for (std::size_t x = 0; x < 8; ++x)
        to[x] = 0.5F * ((u[at + x] - u[low_y + x]) + (v[at + x] - v[at + x - 1]));
    }
}

inline void find_strain(const Block3& block, int z, EdgesOn& strain) {
  using Block = TileBlock<1>;
  const float *u = block[0].data(), *v = block[1].data(), *w = block[2].data();
  for (int y = 0; y < 9; ++y) {
    for (int i = 0; i < 2; ++i) {
      const std::size_t at = Block::place(i, y, z), low_z = Block::place(i, y, z - 1);
      float* to = strain.xz[static_cast<std::size_t>(i)].row(y);
      for (std::size_t x = 0; x < 8; ++x)
        to[x] = 0.5F * ((u[at + x] - u[low_z + x]) + (w[at + x] - w[at + x - 1]));
    }
    const std::size_t at = Block::place(0, y, z), low_y = Block::place(0, y - 1, z),
                      low_z = Block::place(0, y, z - 1);
    float* to = strain.yz.row(y);
    for (std::size_t x = 0; x < 8; ++x)
      to[x] = 0.5F * ((v[at + x] - v[low_z + x]) + (w[at + x] - w[low_y + x]));
  }
}

inline void weigh(const EdgeRows& weight, EdgeRows& values) {
  for (std::size_t e = 0; e < values.value.size(); ++e) values.value[e] *= weight.value[e];
}
inline void weigh(const EdgesIn& weight, EdgesIn& values) {
  for (std::size_t i = 0; i < 2; ++i) weigh(weight.xy[i], values.xy[i]);
}
inline void weigh(const EdgesOn& weight, EdgesOn& values) {
  for (std::size_t i = 0; i < 2; ++i) weigh(weight.xz[i], values.xz[i]);
  weigh(weight.yz, values.yz);
}

/// Values on the cells of a layer, or on the edges around them, with zeros beyond: rows of sixteen from
/// x = -1 on, y from -1 to 9.
struct alignas(64) Plane {
  std::array<float, 11 * 16 + 16> value{};

  float* row(int y) { return &value[static_cast<std::size_t>(16 * (y + 1))]; }
  const float* row(int y) const { return &value[static_cast<std::size_t>(16 * (y + 1))]; }
};

inline constexpr std::array<float, 16> kFirstEight{0, 1, 1, 1, 1, 1, 1, 1, 1},
    kLastEight{0, 0, 1, 1, 1, 1, 1, 1, 1, 1};

/// Sums of both sides to the stress of edges.
inline void join_sides(const std::array<EdgeRows, 2>& sums, int rows, Plane& plane) {
  for (int y = 0; y < rows; ++y) {
    const float *first = sums[0].row(y) - 1, *last = sums[1].row(y) - 2;
    float* to = plane.row(y);
    for (std::size_t l = 0; l < 16; ++l)
      to[l] = kShareOfSample * (kFirstEight[l] * first[l] + kLastEight[l] * last[l]);
  }
}
inline void spread_rows(const float* sums, int rows, Plane& plane) {
  for (int y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      plane.row(y)[1 + x] = kShareOfSample * sums[8 * static_cast<std::size_t>(y) + x];
}

/// The stresses of cells and edges that the samples of a tile make up, as far as faces at one height need
/// them, and what they do to these.
class FacePush {
 public:
  /// The sums of the samples of layer z, and of the edges below it, which are complete by then. Writes u and
  /// v at height z - 1, and w at height z.
  void add(int z, const CellRows& cells, const EdgesIn& in, const EdgesOn& on, Block3& block) {
    Level& here = level_[next_];
    spread_rows(cells.xx.data(), 8, here.xx);
    spread_rows(cells.yy.data(), 8, here.yy);
    join_sides(in.xy, 9, here.xy);
    join_sides(on.xz, 8, here.xz);
    spread_rows(on.yz.row(0), 9, here.yz);
    write(z, block);
    next_ = 1 - next_;
  }

  /// After the last layer: the edges on top of it.
  void add_top(int z, const EdgesOn& on, Block3& block) {
    level_[next_] = {};
    join_sides(on.xz, 8, level_[next_].xz);
    spread_rows(on.yz.row(0), 9, level_[next_].yz);
    write(z, block);
    next_ = 1 - next_;
    level_[next_] = {};
    for (int y = -1; y < 9; ++y) write_sides(z, y, block);
  }

 private:
  struct Level {
    Plane xx, yy, xy, xz, yz;
  };

  void write(int z, Block3& block) const {
    const Level &here = level_[next_], &below = level_[1 - next_];
    for (int y = -1; y < 9; ++y) {
      write_sides(z - 1, y, block);
      std::array<float, 16> w;
      const float *xx = here.xx.row(y), *yy = here.yy.row(y), *low_xx = below.xx.row(y),
                  *low_yy = below.yy.row(y), *xz = here.xz.row(y), *yz = here.yz.row(y),
                  *next_yz = here.yz.row(y + 1);
      for (std::size_t l = 0; l < 16; ++l)
        w[l] = ((low_xx[l] + low_yy[l]) - (xx[l] + yy[l])) + ((xz[l + 1] - xz[l]) + (next_yz[l] - yz[l]));
      copy_row(w, y, z, block[2]);
    }
  }
  /// u and v at the height of below.
  void write_sides(int z, int y, Block3& block) const {
    const Level &here = level_[next_], &below = level_[1 - next_];
    std::array<float, 16> u, v;
    const float *xx = below.xx.row(y), *yy = below.yy.row(y),
                *low_yy = y < 0 ? kZeros.data() : below.yy.row(y - 1), *xy = below.xy.row(y),
                *next_xy = below.xy.row(y + 1), *xz = below.xz.row(y), *next_xz = here.xz.row(y),
                *yz = below.yz.row(y), *next_yz = here.yz.row(y);
    u[0] = 0;
    for (std::size_t l = 1; l < 16; ++l)
      u[l] = (xx[l] - xx[l - 1]) + ((next_xy[l] - xy[l]) + (next_xz[l] - xz[l]));
    for (std::size_t l = 0; l < 16; ++l)
      v[l] = (yy[l] - low_yy[l]) + ((xy[l + 1] - xy[l]) + (next_yz[l] - yz[l]));
    copy_row(u, y, z, block[0]);
    copy_row(v, y, z, block[1]);
  }
  static void copy_row(const std::array<float, 16>& from, int y, int z, BlockValues& block) {
    std::copy_n(from.begin(), TileBlock<1>::kEdge, &block[TileBlock<1>::place(-1, y, z)]);
  }

  static constexpr std::array<float, 16> kZeros{};
  std::array<Level, 2> level_{};
  std::size_t next_ = 0;
};

/// Tells the processor what will be needed soon, the sample after the next: the stress of all tiles is more
/// than caches hold. Addresses are numbers here, since that may lie beyond the tile.
inline void fetch_ahead(const SampleStress& sample) {
  const auto first = reinterpret_cast<std::uintptr_t>(&sample) + 2 * sizeof(SampleStress);
  for (std::size_t byte = 0; byte < sizeof(SampleStress); byte += 64)
    __builtin_prefetch(reinterpret_cast<const void*>(first + byte));  // NOLINT(performance-no-int-to-ptr)
}

/// What one sample of a layer of cells works with. Pointers are to the first cell of the layer, or its edges.
struct SampleInput {
  float ahead;
  const float *step, *stiffness, *limit, *outside;
  std::array<const float*, 5> strain;
  // Used at walls alone.
  std::array<const float*, 3> weight;  ///< of the edges
  const TileWalls* walls;
  std::size_t first;
  const std::uint32_t* touches;
  unsigned corner;
};

/// The five numbers of a sample of one cell.
struct Stress {
  float xx, yy, xy, xz, yz;

  /// |s|_F^2
  float square() const {
    const float zz = -(xx + yy);
    return (xx * xx + yy * yy) + zz * zz + 2 * ((xy * xy + xz * xz) + yz * yz);
  }
};

/// Holds the traction on a plane across n within its limits. `at_corner`: whether the corner of the sample is
/// at the solid, 1 or 0; in_xy, in_xz, in_yz: likewise, and the edge counts.
inline void keep_traction(float nx, float ny, float nz, float limit, float tension, float at_corner,
                          float in_xy, float in_xz, float in_yz, Stress& s) {
  const float zz = -(s.xx + s.yy);
  const float xy = at_corner * s.xy, xz = at_corner * s.xz, yz = at_corner * s.yz;
  float tx = (s.xx * nx + xy * ny) + xz * nz, ty = (xy * nx + s.yy * ny) + yz * nz,
        tz = (xz * nx + yz * ny) + zz * nz;
  const float along = (tx * nx + ty * ny) + tz * nz;
  tx -= along * nx, ty -= along * ny, tz -= along * nz;
  const float size = std::sqrt((tx * tx + ty * ty) + tz * tz);
  const float beyond = size > limit ? 1 - limit / size : 0.0F;
  tx *= beyond, ty *= beyond, tz *= beyond;
  // The least change without trace that takes `pull` off n s n.
  const float pull = 1.5F * (along > tension ? along - tension : 0.0F), third = pull * (1.0F / 3);
  s.xx -= 2 * tx * nx + (pull * nx * nx - third);
  s.yy -= 2 * ty * ny + (pull * ny * ny - third);
  s.xy -= in_xy * ((tx * ny + ty * nx) + pull * nx * ny);
  s.xz -= in_xz * ((tx * nz + tz * nx) + pull * nx * nz);
  s.yz -= in_yz * ((ty * nz + tz * ny) + pull * ny * nz);
}

/// One step of the gradient for one sample of a layer, from the stress `ahead` of the present one by the last
/// change; the result stands in `last`, is added to the sums of cells and edges, and to those that tell how
/// the iteration goes.
template <bool kIsPlain, bool kHasWalls>
void improve_sample(const SampleStress& now_in, SampleStress& last_in, const SampleInput& in,
                    const std::array<float*, 5>& sum, float* against, float* squares) {
  const float *now0 = now_in[0].data(), *now1 = now_in[1].data(), *now2 = now_in[2].data(),
              *now3 = now_in[3].data(), *now4 = now_in[4].data();
  float *last0 = last_in[0].data(), *last1 = last_in[1].data(), *last2 = last_in[2].data(),
        *last3 = last_in[3].data(), *last4 = last_in[4].data();
  const float *d0 = in.strain[0], *d1 = in.strain[1], *d2 = in.strain[2], *d3 = in.strain[3],
              *d4 = in.strain[4];
  float *sum0 = sum[0], *sum1 = sum[1], *sum2 = sum[2], *sum3 = sum[3], *sum4 = sum[4];
  const float *weight2 = in.weight[0], *weight3 = in.weight[1], *weight4 = in.weight[2];
  const float ahead = in.ahead;
  const float *step = in.step, *stiffness = in.stiffness, *limit = in.limit, *outside = in.outside;
  const float *nx = nullptr, *ny = nullptr, *nz = nullptr, *traction = nullptr, *tension = nullptr;
  if constexpr (kHasWalls) {
    nx = &in.walls->x[in.first], ny = &in.walls->y[in.first], nz = &in.walls->z[in.first];
    traction = &in.walls->traction[in.first], tension = &in.walls->tension[in.first];
  }
  const std::uint32_t* touches = in.touches;
  const unsigned corner = in.corner;
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t c = 0; c < kLayer; ++c) {
    const float s0 = now0[c] + ahead * (now0[c] - last0[c]), s1 = now1[c] + ahead * (now1[c] - last1[c]),
                s2 = now2[c] + ahead * (now2[c] - last2[c]), s3 = now3[c] + ahead * (now3[c] - last3[c]),
                s4 = now4[c] + ahead * (now4[c] - last4[c]);
    const float on_edges = kIsPlain ? step[c] : step[c] * outside[c];
    Stress t{s0 + step[c] * d0[c], s1 + step[c] * d1[c], s2 + on_edges * d2[c], s3 + on_edges * d3[c],
             s4 + on_edges * d4[c]};
    if constexpr (kHasWalls) {
      const auto at_corner = static_cast<float>(static_cast<std::int32_t>(touches[c] >> corner & 1U));
      const float counts = outside[c] > 0 ? at_corner : 0.0F;
      keep_traction(nx[c], ny[c], nz[c], traction[c], tension[c], at_corner, weight2[c] > 0 ? counts : 0.0F,
                    weight3[c] > 0 ? counts : 0.0F, weight4[c] > 0 ? counts : 0.0F, t);
    }
    const float size = std::sqrt(t.square());
    const float factor = size > limit[c] ? limit[c] / size : 1.0F;
    t = {factor * t.xx, factor * t.yy, factor * t.xy, factor * t.xz, factor * t.yz};
    const float m0 = t.xx - s0, m1 = t.yy - s1, m2 = t.xy - s2, m3 = t.xz - s3, m4 = t.yz - s4;
    const float change = (m0 * m0 + m1 * m1) + 2 * ((m2 * m2 + m3 * m3) + m4 * m4);
    const float turn = (m0 * (now0[c] - t.xx) + m1 * (now1[c] - t.yy)) +
                       2 * ((m2 * (now2[c] - t.xy) + m3 * (now3[c] - t.xz)) + m4 * (now4[c] - t.yz));
    against[c] += turn * stiffness[c];
    squares[c] += change * (stiffness[c] * stiffness[c]);
    last0[c] = t.xx, last1[c] = t.yy, last2[c] = t.xy, last3[c] = t.xz, last4[c] = t.yz;
    const float share = kIsPlain ? 1.0F : outside[c];
    sum0[c] += t.xx, sum1[c] += t.yy;
    sum2[c] += share * t.xy, sum3[c] += share * t.xz, sum4[c] += share * t.yz;
  }
}

/// Adds the stress of one sample of a layer to the sums of cells and edges.
inline void add_sample(const SampleStress& now, const float* outside, const std::array<float*, 5>& sum) {
  for (std::size_t c = 0; c < kLayer; ++c) sum[0][c] += now[0][c];
  for (std::size_t c = 0; c < kLayer; ++c) sum[1][c] += now[1][c];
  for (std::size_t e = 2; e < 5; ++e)
    for (std::size_t c = 0; c < kLayer; ++c) sum[e][c] += outside[c] * now[e][c];
}

/// Where the numbers of a sample with this corner stand, from those of a layer and of the edges on it and
/// above.
template <class Number, class Cells, class In, class On>
std::array<Number*, 5> of_sample(const int (&corner)[3], Cells& cells, In& in, On& below, On& above) {
  const auto side = static_cast<std::size_t>(corner[0]);
  On& on = corner[2] == 0 ? below : above;
  return {cells.xx.data(), cells.yy.data(), in.xy[side].row(corner[1]), on.xz[side].row(0),
          on.yz.row(corner[1])};
}

}  // namespace repose::friction
