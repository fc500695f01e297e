#include "repose/grid/friction_stress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/exec/widest.h"

namespace repose {
namespace {

constexpr float kAir = 0, kMatter = 1, kClosed = 2;

/// Faces with less matter around them are air; the others count at least kLeastMass, lest they make steps
/// short.
constexpr float kLeastShare = 0.1F, kLeastMass = 0.2F;
/// Largest eigenvalue of the strain's square: that of a wave along the diagonal of the grid.
constexpr float kStiffness = 8;
constexpr float kNoLimit = 1e30F;

/// The corner of each sample.
constexpr int kCorner[kStressSamples][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};

constexpr std::size_t nine(int x, int y, int z) { return static_cast<std::size_t>(x + 9 * (y + 9 * z)); }
using Edges = std::array<float, 9 * 9 * 9>;

float share(float inside) { return std::clamp(inside - 0.5F, 0.0F, 1.0F); }

using Trial = std::array<std::array<float, kTileEdge>, kStressValues>;

float square_of(float xx, float yy, float xy, float xz, float yz) {
  const float zz = -(xx + yy);
  return (xx * xx + yy * yy) + zz * zz + 2 * ((xy * xy + xz * xz) + yz * yz);
}

/// Holds the traction of a sample on a plane within its limit, then all of it.
void keep_at_wall(const WallCell& wall, bool touches, float& xx, float& yy, float& xy, float& xz, float& yz) {
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
  std::array<std::array<float, kTileCells>, 2> diagonal;  ///< xx and yy, less a third of the sum
  Edges xy, xz, yz;
};

using BlockValues = std::array<float, TileBlock<1>::kCells>;

void find_strain(const std::array<BlockValues, 3>& block, Strain& strain) {
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
        strain.diagonal[0][to + x] = xx - mean;
        strain.diagonal[1][to + x] = yy - mean;
      }
    }
  for (int z = 0; z < 9; ++z)
    for (int y = 0; y < 9; ++y) {
      const std::size_t at = Block::place(0, y, z), low_y = Block::place(0, y - 1, z),
                        low_z = Block::place(0, y, z - 1), to = nine(0, y, z);
      for (std::size_t x = 0; x < 9; ++x) {
        strain.xy[to + x] = 0.5F * ((u[at + x] - u[low_y + x]) + (v[at + x] - v[at + x - 1]));
        strain.xz[to + x] = 0.5F * ((u[at + x] - u[low_z + x]) + (w[at + x] - w[at + x - 1]));
        strain.yz[to + x] = 0.5F * ((v[at + x] - v[low_z + x]) + (w[at + x] - w[low_y + x]));
      }
    }
}

}  // namespace

FrictionSystem::FrictionSystem(const TileSet& tiles, const std::vector<float>& phi, double cell,
                               const SolidCells& solids, const FaceWeight& weight, Threads& threads)
    : tiles_(tiles), phi_(phi), solids_(solids), threads_(threads), cell_(static_cast<float>(cell)) {
  rank_.assign(tiles.size(), kNoTile);
  std::vector<std::uint8_t> is_near(tiles.size());
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile) {
    const float* own = &phi[tile * kTileCells];
    if (std::all_of(own, own + kTileCells, [](float p) { return p >= 0; })) continue;
    rank_[tile] = static_cast<std::uint32_t>(active_.size());
    active_.emplace_back().index = tile;
    for (std::size_t slot = 0; slot < 27; ++slot)
      if (const std::uint32_t near = tiles.neighbor(tile, slot); near != kNoTile) is_near[near] = 1;
  }
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile)
    if (is_near[tile] != 0) near_.push_back(tile);
  pushes_.resize(active_.size());
  force_.resize(tiles.cell_count());
  find_faces(weight);
  threads_.for_each(
      active_.size(),
      [&](std::size_t k) {
        Tile& tile = active_[k];
        tile.limit.fill(0);
        find_ratios(tile);
        find_steps(tile);
        tile.now.assign(kStressValues * kTileCells, 0.0F);
      },
      1);
}

void FrictionSystem::find_faces(const FaceWeight& weight) {
  kind_.resize(tiles_.cell_count());
  inverse_mass_.resize(tiles_.cell_count());
  threads_.for_each(
      near_.size(),
      [&](std::size_t k) {
        const std::size_t tile = near_[k];
        BlockValues phi;
        TileBlock<1>::fill(tiles_, tile, phi_, phi.data());
        const auto inside = [&](int x, int y, int z) {
          const float p = phi[TileBlock<1>::place(x, y, z)];
          return 1 + std::clamp(-p / cell_, -1.0F, 1.0F);
        };
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
                const float open = solids_.open[axis][face];
                const float high = inside(x, y, z), low = inside(x - sx, y - sy, z - sz);
                const float matter = open * share(0.5F * (low + high));
                float& kind = kind_.u[axis][face];
                if (open <= 0)
                  kind = kClosed;
                else if (high > 1 || low > 1 || (matter > kLeastShare && weight.u[axis][face] > 0))
                  kind = kMatter;
                if (kind == kMatter) inverse_mass_.u[axis][face] = 1 / std::max(matter, kLeastMass);
              }
        }
      },
      1);
}

/// Edges with a face in the air count nothing; at solids the cells outside of them count for all.
void FrictionSystem::find_ratios(Tile& tile) const {
  std::array<BlockValues, 3> kind;
  BlockValues outside;
  for (std::size_t axis = 0; axis < 3; ++axis)
    TileBlock<1>::fill(tiles_, tile.index, kind_.u[axis], kind[axis].data());
  TileBlock<1>::fill(tiles_, tile.index, solids_.distance, outside.data());
  bool is_plain = true;
  for (float& d : outside) {
    d = std::clamp(0.5F + d / cell_, 0.0F, 1.0F);
    is_plain = is_plain && d == 1;
  }
  for (const BlockValues& faces : kind)
    is_plain = is_plain && std::all_of(faces.begin(), faces.end(), [](float k) { return k == kMatter; });
  tile.ratio.clear();
  tile.touches.fill(0);
  if (is_plain) return;
  tile.ratio.resize(3 * kStressSamples);
  // An edge where faces across a and across b meet.
  const auto weigh = [&](std::size_t e, std::size_t a, std::size_t b) {
    const Vec3i step_a(kAxisStep[a][0], kAxisStep[a][1], kAxisStep[a][2]),
        step_b(kAxisStep[b][0], kAxisStep[b][1], kAxisStep[b][2]);
    for (std::size_t k = 0; k < kStressSamples; ++k)
      for (int z = 0; z < 8; ++z)
        for (int y = 0; y < 8; ++y)
          for (int x = 0; x < 8; ++x) {
            const Vec3i cell(x, y, z);
            const Vec3i edge = cell + kCorner[k][a] * step_a + kCorner[k][b] * step_b;
            const auto at = [](const BlockValues& field, const Vec3i& c) {
              return field[TileBlock<1>::place(c.x, c.y, c.z)];
            };
            const std::array<float, 4> faces{at(kind[a], edge), at(kind[a], edge - step_b),
                                             at(kind[b], edge), at(kind[b], edge - step_a)};
            const bool counts = std::all_of(faces.begin(), faces.end(), [](float f) { return f != kAir; });
            if (std::any_of(faces.begin(), faces.end(), [](float f) { return f == kClosed; }))
              tile.touches[cell_in_tile(x, y, z)] |= static_cast<std::uint8_t>(1U << k);
            const float sum = (at(outside, edge) + at(outside, edge - step_a)) +
                              (at(outside, edge - step_b) + at(outside, edge - step_a - step_b));
            tile.ratio[3 * k + e][cell_in_tile(x, y, z)] =
                counts && sum > 0 ? 4 * at(outside, cell) / sum : 0;
          }
  };
  weigh(0, 0, 1);
  weigh(1, 0, 2);
  weigh(2, 1, 2);
}

/// A step that is short enough for the lightest face that the cell's samples move.
void FrictionSystem::find_steps(Tile& tile) const {
  std::array<BlockValues, 3> inverse;
  for (std::size_t axis = 0; axis < 3; ++axis)
    TileBlock<1>::fill(tiles_, tile.index, inverse_mass_.u[axis], inverse[axis].data());
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        float most = 0, ratio = 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (int c = -1; c < 2; ++c)
            for (int b = -1; b < 2; ++b)
              for (int a = -1; a < 2; ++a) {
                const int along = axis == 0 ? a : axis == 1 ? b : c;
                if (along < 0) continue;
                most = std::max(most, inverse[axis][TileBlock<1>::place(x + a, y + b, z + c)]);
              }
        const std::size_t i = cell_in_tile(x, y, z);
        for (const auto& one : tile.ratio) ratio = std::max(ratio, one[i]);
        tile.step[i] = 1 / (kStiffness * ratio * std::max(most, 1.0F));
      }
}

std::vector<std::uint32_t> FrictionSystem::wall_cells() const {
  std::vector<std::uint32_t> cells;
  for (const Tile& tile : active_)
    for (std::size_t i = 0, at = tile.index * kTileCells; i < kTileCells; ++i, ++at)
      if (tile.touches[i] != 0 && phi_[at] < 0) cells.push_back(static_cast<std::uint32_t>(at));
  return cells;
}

void FrictionSystem::set_limits(FrictionLimits limits) {
  limits_ = std::move(limits);
  for (Tile& tile : active_) {
    const auto first = std::lower_bound(
        limits_.walls.begin(), limits_.walls.end(), tile.index * kTileCells,
        [](const WallCell& wall, std::size_t cell) { return wall.cell < cell; });
    tile.first_wall = static_cast<std::size_t>(first - limits_.walls.begin());
    tile.end_wall = tile.first_wall;
    std::copy_n(&limits_.inside[tile.index * kTileCells], kTileCells, tile.limit.begin());
    for (; tile.end_wall < limits_.walls.size(); ++tile.end_wall) {
      const std::size_t cell = limits_.walls[tile.end_wall].cell;
      if (cell / kTileCells != tile.index) break;
      tile.limit[cell % kTileCells] = kNoLimit;
    }
  }
}

void FrictionSystem::set_stress(const StressField& stress, float scale) {
  threads_.for_each(
      stress.tile.size(),
      [&](std::size_t k) {
        const std::uint32_t tile = tiles_.find({stress.tile[k][0], stress.tile[k][1], stress.tile[k][2]});
        if (tile == kNoTile || rank_[tile] == kNoTile) return;
        std::vector<float>& to = active_[rank_[tile]].now;
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = scale * stress.value[k * to.size() + i];
      },
      1);
}

StressField FrictionSystem::stress(float scale) const {
  StressField stress;
  stress.tile.resize(active_.size());
  stress.value.resize(active_.size() * kStressValues * kTileCells);
  threads_.for_each(
      active_.size(),
      [&](std::size_t k) {
        const Vec3i& at = tiles_.coordinate(active_[k].index);
        stress.tile[k] = {at.x, at.y, at.z};
        const std::vector<float>& from = active_[k].now;
        for (std::size_t i = 0; i < from.size(); ++i) stress.value[k * from.size() + i] = scale * from[i];
      },
      1);
  return stress;
}

/// What the stress in one tile does to faces in it and around it.
void FrictionSystem::push_from(const Tile& tile, std::array<Values, 3>& block) {
  Edges xy{}, xz{}, yz{};
  for (auto& values : block) values.fill(0);
  float *u = block[0].data(), *v = block[1].data(), *w = block[2].data();
  const bool is_plain = tile.ratio.empty();
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const std::size_t row = cell_in_tile(0, y, z);
      std::array<float, 8> xx{}, yy{};
      for (std::size_t k = 0; k < kStressSamples; ++k) {
        const auto [i, j, l] = kCorner[k];
        float* to_xy = &xy[nine(i, y + j, z)];
        float* to_xz = &xz[nine(i, y, z + l)];
        float* to_yz = &yz[nine(0, y + j, z + l)];
        const float* s = &tile.now[5 * k * kTileCells + row];
        for (std::size_t x = 0; x < 8; ++x) {
          xx[x] += 0.25F * s[x];
          yy[x] += 0.25F * s[kTileCells + x];
        }
        if (is_plain) {
          for (std::size_t x = 0; x < 8; ++x) to_xy[x] += 0.25F * s[2 * kTileCells + x];
          for (std::size_t x = 0; x < 8; ++x) to_xz[x] += 0.25F * s[3 * kTileCells + x];
          for (std::size_t x = 0; x < 8; ++x) to_yz[x] += 0.25F * s[4 * kTileCells + x];
        } else {
          const float *a = tile.ratio[3 * k].data() + row, *b = tile.ratio[3 * k + 1].data() + row,
                      *c = tile.ratio[3 * k + 2].data() + row;
          for (std::size_t x = 0; x < 8; ++x) to_xy[x] += 0.25F * a[x] * s[2 * kTileCells + x];
          for (std::size_t x = 0; x < 8; ++x) to_xz[x] += 0.25F * b[x] * s[3 * kTileCells + x];
          for (std::size_t x = 0; x < 8; ++x) to_yz[x] += 0.25F * c[x] * s[4 * kTileCells + x];
        }
      }
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
      const std::size_t from = nine(0, y, z);
      float *u_here = u + Block::place(0, y, z), *v_here = v + Block::place(0, y, z),
            *w_here = w + Block::place(0, y, z);
      float *u_low_y = u + Block::place(0, y - 1, z), *u_low_z = u + Block::place(0, y, z - 1);
      float *v_low_z = v + Block::place(0, y, z - 1), *w_low_y = w + Block::place(0, y - 1, z);
      for (std::size_t x = 0; x < 9; ++x) {
        u_here[x] -= xy[from + x] + xz[from + x];
        v_here[x] -= xy[from + x] + yz[from + x];
        w_here[x] -= xz[from + x] + yz[from + x];
      }
      for (std::size_t x = 0; x < 9; ++x) u_low_y[x] += xy[from + x];
      for (std::size_t x = 0; x < 9; ++x) u_low_z[x] += xz[from + x];
      for (std::size_t x = 0; x < 9; ++x) v_low_z[x] += yz[from + x];
      for (std::size_t x = 0; x < 9; ++x) w_low_y[x] += yz[from + x];
      float *v_before = v_here - 1, *w_before = w_here - 1;
      for (std::size_t x = 0; x < 9; ++x) v_before[x] += xy[from + x];
      for (std::size_t x = 0; x < 9; ++x) w_before[x] += xz[from + x];
    }
}

/// One step of the gradient, from the stress `ahead` of the present one by the last change.
FrictionSystem::TileSums FrictionSystem::improve(Tile& tile, const FaceVelocity& velocity,
                                                 float ahead) const {
  std::array<BlockValues, 3> block;
  for (std::size_t axis = 0; axis < 3; ++axis)
    Block::fill(tiles_, tile.index, velocity.u[axis], block[axis].data());
  Strain strain;
  find_strain(block, strain);
  TileSums sums;
  std::size_t next_wall = tile.first_wall;
  const bool is_plain = tile.ratio.empty();
  std::array<float, 8> against{}, most{};
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const std::size_t row = cell_in_tile(0, y, z);
      const float *step = &tile.step[row], *limit = &tile.limit[row];
      Trial start, trial;
      for (std::size_t n = 0; n < kStressValues; ++n)
        for (std::size_t x = 0; x < 8; ++x) {
          const float now = tile.now[n * kTileCells + row + x];
          start[n][x] = now + ahead * (now - tile.last[n * kTileCells + row + x]);
        }
      for (std::size_t k = 0; k < kStressSamples; ++k) {
        const auto [i, j, l] = kCorner[k];
        const float *xx = &strain.diagonal[0][row], *yy = &strain.diagonal[1][row];
        const std::array<const float*, 3> edge{&strain.xy[nine(i, y + j, z)], &strain.xz[nine(i, y, z + l)],
                                               &strain.yz[nine(0, y + j, z + l)]};
        for (std::size_t x = 0; x < 8; ++x) trial[5 * k][x] = start[5 * k][x] + step[x] * xx[x];
        for (std::size_t x = 0; x < 8; ++x) trial[5 * k + 1][x] = start[5 * k + 1][x] + step[x] * yy[x];
        for (std::size_t e = 0; e < 3; ++e) {
          const std::size_t n = 5 * k + 2 + e;
          if (is_plain) {
            for (std::size_t x = 0; x < 8; ++x) trial[n][x] = start[n][x] + step[x] * edge[e][x];
          } else {
            const float* ratio = &tile.ratio[3 * k + e][row];
            for (std::size_t x = 0; x < 8; ++x)
              trial[n][x] = ratio[x] > 0 ? start[n][x] + step[x] * ratio[x] * edge[e][x] : 0;
          }
        }
      }
      if (next_wall < tile.end_wall) keep_at_walls(tile, row, next_wall, trial);
      for (std::size_t k = 0; k < kStressSamples; ++k) {
        std::array<float, 8> factor;
        const auto* t = &trial[5 * k];
        for (std::size_t x = 0; x < 8; ++x) {
          const float size = std::sqrt(square_of(t[0][x], t[1][x], t[2][x], t[3][x], t[4][x]));
          factor[x] = size > limit[x] ? limit[x] / size : 1.0F;
        }
        for (std::size_t n = 5 * k; n < 5 * k + 5; ++n)
          for (std::size_t x = 0; x < 8; ++x) trial[n][x] *= factor[x];
        std::array<float, 8> change{}, turn{};
        for (std::size_t n = 5 * k; n < 5 * k + 5; ++n) {
          const float weight = n < 5 * k + 2 ? 1 : 2;
          for (std::size_t x = 0; x < 8; ++x) {
            const float moved = trial[n][x] - start[n][x];
            change[x] += weight * moved * moved;
            turn[x] -= weight * moved * (trial[n][x] - tile.now[n * kTileCells + row + x]);
          }
        }
        for (std::size_t x = 0; x < 8; ++x) against[x] += turn[x] / step[x];
        for (std::size_t x = 0; x < 8; ++x) most[x] = std::max(most[x], change[x] / (step[x] * step[x]));
      }
      for (std::size_t n = 0; n < kStressValues; ++n)
        for (std::size_t x = 0; x < 8; ++x) tile.last[n * kTileCells + row + x] = trial[n][x];
    }
  std::swap(tile.now, tile.last);
  for (std::size_t x = 0; x < 8; ++x) sums.against += against[x];
  sums.residual = std::sqrt(*std::max_element(most.begin(), most.end()));
  return sums;
}

void FrictionSystem::keep_at_walls(const Tile& tile, std::size_t row, std::size_t& next,
                                   Trial& trial) const {
  for (; next < tile.end_wall; ++next) {
    const WallCell& wall = limits_.walls[next];
    const std::size_t cell = wall.cell % kTileCells;
    if (cell >= row + 8) return;
    const std::size_t x = cell - row;
    for (std::size_t k = 0; k < kStressSamples; ++k) {
      auto* t = &trial[5 * k];
      keep_at_wall(wall, (tile.touches[cell] >> k & 1) != 0, t[0][x], t[1][x], t[2][x], t[3][x], t[4][x]);
    }
  }
}

void FrictionSystem::sum_forces() {
  threads_.for_each(
      active_.size(), [&](std::size_t k) { push_from(active_[k], pushes_[k]); }, 1);
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          float* force = &force_.u[axis][near_[n] * kTileCells];
          std::fill_n(force, kTileCells, 0.0F);
          for_each_block_near(tiles_, near_[n], rank_, [&](std::uint32_t from, int dx, int dy, int dz) {
            Block::add_overlap(pushes_[from][axis].data(), dx, dy, dz, force);
          });
        }
      },
      1);
}

namespace {

Vec6 gather(const FrictionPart& part, const FaceVelocity& force) {
  Vec6 sum{};
  for (const FrictionPart::Face& at : part.faces)
    for (std::size_t i = 0; i < 6; ++i) sum[i] += at.row[i] * static_cast<double>(force.u[at.axis][at.face]);
  return sum;
}

void spread(const FrictionPart& part, const Vec6& motion, FaceVelocity& field) {
  for (const FrictionPart::Face& at : part.faces)
    field.u[at.axis][at.face] = static_cast<float>(dot(at.row, motion));
}

Vec6 plus(const Vec6& a, double factor, const Vec6& b) {
  Vec6 sum;
  for (std::size_t i = 0; i < 6; ++i) sum[i] = a[i] + factor * b[i];
  return sum;
}

}  // namespace

void FrictionSystem::add_forces(FaceVelocity& velocity, std::span<FrictionPart> parts) {
  sum_forces();
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i)
            velocity.u[axis][i] += inverse_mass_.u[axis][i] * force_.u[axis][i];
      },
      1);
  for (FrictionPart& part : parts) {
    part.impulse = gather(part, force_);
    part.velocity = plus(part.velocity, 1, times(part.inverse_mass, part.impulse));
  }
}

FrictionResult FrictionSystem::solve(const FaceVelocity& velocity, std::span<const FrictionPart> parts,
                                     double tolerance, int max_iterations) {
  FaceVelocity base = velocity, now = velocity, ahead_of = velocity;
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i)
            if (solids_.open[axis][i] <= 0)
              base.u[axis][i] = now.u[axis][i] = ahead_of.u[axis][i] = solids_.velocity[axis][i];
      },
      1);
  for (const FrictionPart& part : parts) spread(part, part.velocity, base);
  std::vector<Vec6> motion(parts.size());
  const auto find_velocity = [&](float ahead) {
    sum_forces();
    threads_.for_each(
        near_.size(),
        [&](std::size_t n) {
          for (std::size_t axis = 0; axis < 3; ++axis)
            for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i) {
              const float u = base.u[axis][i] + inverse_mass_.u[axis][i] * force_.u[axis][i];
              ahead_of.u[axis][i] = u + ahead * (u - now.u[axis][i]);
              now.u[axis][i] = u;
            }
        },
        1);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Vec6 u = plus(parts[p].velocity, 1, times(parts[p].inverse_mass, gather(parts[p], force_)));
      spread(parts[p], plus(plus(u, static_cast<double>(ahead), u), -static_cast<double>(ahead), motion[p]),
             ahead_of);
      motion[p] = u;
    }
  };
  threads_.for_each(
      active_.size(), [&](std::size_t k) { active_[k].last = active_[k].now; }, 1);
  find_velocity(0);
  find_velocity(0);
  FrictionResult result;
  double t = 1;
  float ahead = 0;
  for (;;) {
    const TileSums sums = threads_.reduce(
        active_.size(), TileSums{},
        [&](std::size_t k, std::size_t) { return improve(active_[k], ahead_of, ahead); },
        [](const TileSums& a, const TileSums& b) {
          return TileSums{a.against + b.against, std::max(a.residual, b.residual)};
        },
        1);
    ++result.iterations;
    result.residual = sums.residual;
    result.converged = result.residual <= tolerance;
    if (result.converged || result.iterations >= max_iterations) break;
    if (sums.against > 0) t = 1;
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    ahead = static_cast<float>(sums.against > 0 ? 0 : (t - 1) / next);
    t = next;
    find_velocity(ahead);
  }
  sum_forces();
  take_energy_only(base, parts);
  return result;
}

void FrictionSystem::take_energy_only(const FaceVelocity& velocity, std::span<const FrictionPart> parts) {
  struct Work {
    double first = 0, second = 0;  ///< of the force on what was there, and on what it adds
  };
  Work work = threads_.reduce(
      near_.size(), Work{},
      [&](std::size_t n, std::size_t) {
        Work sum;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i) {
            const double f = force_.u[axis][i];
            sum.first += f * static_cast<double>(velocity.u[axis][i]);
            sum.second += f * f * static_cast<double>(inverse_mass_.u[axis][i]);
          }
        return sum;
      },
      [](const Work& a, const Work& b) { return Work{a.first + b.first, a.second + b.second}; }, 1);
  for (const FrictionPart& part : parts) {
    const Vec6 f = gather(part, force_);
    work.second += dot(f, times(part.inverse_mass, f));
    // What stands at its faces in `velocity` is how it moved before.
  }
  if (work.first + 0.5 * work.second <= 0) return;
  const auto factor = static_cast<float>(work.first < 0 ? std::min(1.0, -work.first / work.second) : 0.0);
  threads_.for_each(
      active_.size(),
      [&](std::size_t k) {
        for (float& value : active_[k].now) value *= factor;
      },
      1);
  sum_forces();
}

}  // namespace repose
