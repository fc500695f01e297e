#include "repose/grid/particle_distance.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "repose/grid/padded_tile.h"
#include "repose/grid/tile_block.h"
#include "repose/physics/level_set.h"

namespace repose {
namespace {

/// Sums over the particles near each cell of a tile, eight cells of a row side by side.
struct Sums {
  std::array<float, kTileCells> weight, x, y, z;  ///< of k, and of k times the way to the particle [cells]

  void clear() {
    for (std::array<float, kTileCells>* part : {&weight, &x, &y, &z}) part->fill(0);
  }
};

/// First and last cell of a row of eight whose middle is within `reach` of `at`, in cells; none if last <
/// first.
struct Range {
  int first, last;

  Range(float at, float reach)
      : first(std::max(0, static_cast<int>(std::ceil(at - reach - 0.5F)))),
        last(std::min(7, static_cast<int>(std::floor(at + reach - 0.5F)))) {}
};

/// Which halves of a tile's rows are worth summing up, by half along y and z.
using RowsWanted = std::array<std::array<bool, 2>, 2>;

/// Adds a particle at `p`, in cells from the tile's corner.
void add_particle(const Vec3f& p, float support, const RowsWanted& wanted, Sums& sums) {
  const Range in_z(p.z, support), in_y(p.y, support), in_x(p.x, support);
  if (in_x.last < in_x.first) return;
  const float inverse = 1 / (support * support);
  for (int k = in_z.first; k <= in_z.last; ++k) {
    const float dz = p.z - (static_cast<float>(k) + 0.5F);
    for (int j = in_y.first; j <= in_y.last; ++j) {
      const float dy = p.y - (static_cast<float>(j) + 0.5F);
      const float rest = 1 - (dy * dy + dz * dz) * inverse;
      if (rest <= 0 || !wanted[static_cast<std::size_t>(j >> 2)][static_cast<std::size_t>(k >> 2)]) continue;
      const std::size_t row = cell_in_tile(0, j, k);
      for (std::size_t i = 0; i < 8; ++i) {
        const float dx = p.x - (static_cast<float>(i) + 0.5F);
        const float weight = neighborhood_weight(rest - dx * dx * inverse);
        sums.weight[row + i] += weight;
        sums.x[row + i] += weight * dx;
        sums.y[row + i] += weight * dy;
        sums.z[row + i] += weight * dz;
      }
    }
  }
}

/// The blocks of four cells an edge, eight a tile: which have matter all around.
class FullBlocks {
 public:
  FullBlocks(const ParticleCells& cells, std::uint32_t full, Threads& threads)
      : tiles_(cells.tiles), is_full_(cells.tiles.size() * 8) {
    if (full == 0) return;
    threads.for_each(
        cells.occupied.size(),
        [&](std::size_t k) {
          for (int n = 0; n < 8; ++n) {
            std::uint32_t count = 0;
            const Vec3i low(4 * (n & 1), 4 * (n >> 1 & 1), 4 * (n >> 2));
            for_each_run(cells, cells.occupied[k], low, low + Vec3i(3),
                         [&](std::uint32_t begin, std::uint32_t end, const Vec3i&) { count += end - begin; });
            is_full_[cells.occupied[k] * 8 + static_cast<std::size_t>(n)] = count >= full ? 1 : 0;
          }
        },
        4);
  }

  /// Whether block (x, y, z) of a tile, each 0 or 1, and all 26 around it are full.
  bool inside(std::size_t tile, int x, int y, int z) const {
    for (int k = z - 1; k <= z + 1; ++k)
      for (int j = y - 1; j <= y + 1; ++j)
        for (int i = x - 1; i <= x + 1; ++i) {
          const std::uint32_t from = tiles_.neighbor(tile, neighbor_slot(i >> 1, j >> 1, k >> 1));
          const int block = (i & 1) + 2 * (j & 1) + 4 * (k & 1);
          if (from == kNoTile || is_full_[from * 8 + static_cast<std::size_t>(block)] == 0) return false;
        }
    return true;
  }

 private:
  const TileSet& tiles_;
  std::vector<std::uint8_t> is_full_;
};

/// phi of one tile, in cells; R where no particle is in reach, else what phi_of(sums, cell) says.
template <class PhiOf>
void fill_tile(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
               const FullBlocks& blocks, float radius, float support, const PhiOf& phi_of, std::size_t tile,
               float* phi) {
  std::array<bool, 8> inside;
  RowsWanted wanted{};
  for (int n = 0; n < 8; ++n) {
    const int x = n & 1, y = n >> 1 & 1, z = n >> 2;
    inside[static_cast<std::size_t>(n)] = blocks.inside(tile, x, y, z);
    if (!inside[static_cast<std::size_t>(n)])
      wanted[static_cast<std::size_t>(y)][static_cast<std::size_t>(z)] = true;
  }
  Sums sums;
  sums.clear();
  if (std::find(inside.begin(), inside.end(), false) != inside.end()) {
    const int reach = static_cast<int>(std::ceil(support - 0.5F));
    for_each_run(cells, tile, Vec3i(-reach), Vec3i(7 + reach),
                 [&](std::uint32_t begin, std::uint32_t end, const Vec3i& offset) {
                   const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile) + offset);
                   const Vec3f shift = 8.0F * Vec3f(offset);
                   for (std::uint32_t p = begin; p < end; ++p)
                     add_particle(in_tile(place, corner, positions[p]) + shift, support, wanted, sums);
                 });
  }
  for (int cell = 0; cell < static_cast<int>(kTileCells); ++cell) {
    const auto i = static_cast<std::size_t>(cell);
    const int block = (cell >> 2 & 1) + 2 * (cell >> 5 & 1) + 4 * (cell >> 8);
    const bool near = sums.weight[i] > 0;
    if (inside[static_cast<std::size_t>(block)])
      phi[i] = -radius;
    else
      phi[i] = near ? phi_of(sums, i) : support;
  }
}

}  // namespace

void particle_distance(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                       const DistanceSettings& settings, Threads& threads, std::vector<float>& phi) {
  const auto radius = static_cast<float>(settings.radius / place.cell),
             support = static_cast<float>(settings.support / place.cell),
             cell = static_cast<float>(place.cell);
  phi.resize(cells.tiles.cell_count());
  const FullBlocks blocks(cells, settings.full, threads);
  const auto fill = [&](const auto& phi_of) {
    threads.for_each(
        cells.tiles.size(),
        [&](std::size_t tile) {
          float* own = &phi[tile * kTileCells];
          fill_tile(positions, cells, place, blocks, radius, support, phi_of, tile, own);
          for (std::size_t i = 0; i < kTileCells; ++i) own[i] *= cell;
        },
        1);
  };
  if (settings.blobbies)
    fill([&](const Sums& sums, std::size_t i) { return blobby_distance(sums.weight[i], support, radius); });
  else
    fill([&](const Sums& sums, std::size_t i) {
      return averaged_distance(sums.weight[i], sums.x[i], sums.y[i], sums.z[i], radius);
    });
}

namespace {

/// What the particles of one tile give to the cells around them, as Sums.
using Near = TileBlock<2>;
struct NearSums {
  std::array<float, Near::kCells> weight, x, y, z;
};

static_assert(kShortSupport <= 1.5, "a particle reaches three cells along each axis");
constexpr int kReached = 3;
constexpr std::size_t kLanes = 4;  ///< cells of a row worked on at once; the last is out of reach

void add_to_block(const Vec3f& p, float support, NearSums& sums) {
  const float inverse = 1 / (support * support);
  const auto first = [&](float at) { return static_cast<int>(std::ceil(at - support - 0.5F)); };
  const int i = first(p.x), j = first(p.y), k = first(p.z);
  std::array<float, kLanes> dx, rest_x;
  for (std::size_t l = 0; l < kLanes; ++l) {
    dx[l] = p.x - (static_cast<float>(i) + static_cast<float>(l) + 0.5F);
    rest_x[l] = 1 - dx[l] * dx[l] * inverse;
  }
  for (int m = 0; m < kReached; ++m) {
    const float dz = p.z - (static_cast<float>(k + m) + 0.5F);
    for (int n = 0; n < kReached; ++n) {
      const float dy = p.y - (static_cast<float>(j + n) + 0.5F);
      const float less = (dy * dy + dz * dz) * inverse;
      const std::size_t row = Near::place(i, j + n, k + m);
      std::array<float, kLanes> w;
      for (std::size_t l = 0; l < kLanes; ++l) w[l] = neighborhood_weight(rest_x[l] - less);
      for (std::size_t l = 0; l < kLanes; ++l) sums.weight[row + l] += w[l];
      for (std::size_t l = 0; l < kLanes; ++l) sums.x[row + l] += w[l] * dx[l];
      for (std::size_t l = 0; l < kLanes; ++l) sums.y[row + l] += w[l] * dy;
      for (std::size_t l = 0; l < kLanes; ++l) sums.z[row + l] += w[l] * dz;
    }
  }
}

/// Which cells of a tile and of the layer around it have matter all around.
class Inside {
 public:
  Inside(const ParticleCells& cells, std::size_t tile, std::uint32_t full) {
    using Wide = TileBlock<2>;
    std::array<std::uint8_t, Wide::kCells> is_full;
    std::size_t at = 0;
    for (int z = -2; z < 10; ++z)
      for (int y = -2; y < 10; ++y)
        for (int x = -2; x < 10; ++x) {
          const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(x >> 3, y >> 3, z >> 3));
          const std::size_t cell = from * kTileCells + cell_in_tile(x & 7, y & 7, z & 7);
          is_full[at++] = from != kNoTile && cells.cell_first[cell + 1] - cells.cell_first[cell] >= full;
        }
    // All of three along one axis after the other.
    all_of_three<1>(is_full);
    all_of_three<Wide::kEdge>(is_full);
    all_of_three<Wide::kEdge * Wide::kEdge>(is_full);
    inside_ = is_full;
    all_of_three<1>(is_full);
    all_of_three<Wide::kEdge>(is_full);
    all_of_three<Wide::kEdge * Wide::kEdge>(is_full);
    surrounded_ = is_full;
  }
  bool inside(int x, int y, int z) const { return inside_[TileBlock<2>::place(x, y, z)] != 0; }
  /// Whether all the cells that particles of this one reach are inside.
  bool surrounded(int x, int y, int z) const { return surrounded_[TileBlock<2>::place(x, y, z)] != 0; }

 private:
  using Flags = std::array<std::uint8_t, TileBlock<2>::kCells>;

  /// Only places that have neighbours on both sides in the block are right afterwards.
  template <std::size_t kStride>
  static void all_of_three(Flags& flags) {
    const Flags before = flags;
    for (std::size_t i = kStride; i + kStride < flags.size(); ++i)
      flags[i] = before[i - kStride] & before[i] & before[i + kStride];
  }

  Flags inside_, surrounded_;
};

}  // namespace

void find_near_matter(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                      double support, std::uint32_t full, Threads& threads, std::vector<NearMatter>& near) {
  assert(support <= (kShortSupport + 1e-6) * place.cell);
  const auto in_cells = static_cast<float>(support / place.cell);
  near.resize(cells.tiles.cell_count());
  const std::vector<std::uint32_t> rank = rank_of_tiles(cells.tiles.size(), cells.occupied);
  std::vector<NearSums> blocks(cells.occupied.size());
  threads.for_each(
      blocks.size(),
      [&](std::size_t k) {
        const std::size_t tile = cells.occupied[k];
        const Vec3d corner = tile_corner(place, cells.tiles.coordinate(tile));
        const Inside inside(cells, tile, full);
        for (int cell = 0; cell < static_cast<int>(kTileCells); ++cell) {
          if (inside.surrounded(cell % 8, cell / 8 % 8, cell / 64)) continue;
          const std::size_t at = tile * kTileCells + static_cast<std::size_t>(cell);
          for (std::uint32_t p = cells.cell_first[at]; p < cells.cell_first[at + 1]; ++p)
            add_to_block(in_tile(place, corner, positions[p]), in_cells, blocks[k]);
        }
      },
      1);
  const auto cell = static_cast<float>(place.cell);
  threads.for_each(
      cells.tiles.size(),
      [&](std::size_t tile) {
        Sums sums;
        sums.clear();
        for_each_block_near(cells.tiles, tile, rank, [&](std::uint32_t from, int dx, int dy, int dz) {
          Near::add_overlap(blocks[from].weight.data(), dx, dy, dz, sums.weight.data());
          Near::add_overlap(blocks[from].x.data(), dx, dy, dz, sums.x.data());
          Near::add_overlap(blocks[from].y.data(), dx, dy, dz, sums.y.data());
          Near::add_overlap(blocks[from].z.data(), dx, dy, dz, sums.z.data());
        });
        NearMatter* out = &near[tile * kTileCells];
        for (std::size_t i = 0; i < kTileCells; ++i) {
          const float scale = sums.weight[i] > 0 ? cell / sums.weight[i] : 0;
          out[i] = {scale * Vec3f(sums.x[i], sums.y[i], sums.z[i]), sums.weight[i]};
        }
        if (rank[tile] == kNoTile) return;
        const Inside inside(cells, tile, full);
        for (int i = 0; i < static_cast<int>(kTileCells); ++i)
          if (inside.inside(i % 8, i / 8 % 8, i / 64)) out[i] = {Vec3f(0), kAllAround};
      },
      1);
}

namespace {

/// One round over a tile: the mean over each cell and its six neighbours, at most `most`.
void smooth_tile(const TileSet& tiles, std::size_t tile, float outside, const std::vector<float>& phi,
                 const float* most, float* smooth) {
  PaddedTile<float> padded;
  padded.fill(
      tiles, tile, [&](std::size_t i) { return phi[i]; }, outside);
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y) {
      const float *here = padded.row(y, z), *south = padded.row(y - 1, z), *north = padded.row(y + 1, z),
                  *below = padded.row(y, z - 1), *above = padded.row(y, z + 1);
      const std::size_t row = cell_in_tile(0, y, z);
      for (std::size_t x = 0; x < 8; ++x)
        smooth[row + x] = std::min(
            most[row + x],
            (here[x] + (*(here + x - 1) + here[x + 1]) + (south[x] + north[x]) + (below[x] + above[x])) / 7);
    }
}

}  // namespace

void lower_bumps(const TileSet& tiles, float outside, Threads& threads, std::vector<float>& phi) {
  std::vector<float> lowered(phi.size());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        const std::size_t first = tile * kTileCells;
        smooth_tile(tiles, tile, outside, phi, &phi[first], &lowered[first]);
      },
      4);
  phi.swap(lowered);
}

namespace {

/// Tiles without a cell as near to the surface as this are left as they are [cells].
constexpr float kNearSurface = 2;

/// The tiles that hold some of the surface.
std::vector<std::uint32_t> surface_tiles(const std::vector<float>& phi, float near, Threads& threads) {
  std::vector<std::uint8_t> has_surface(phi.size() / kTileCells);
  threads.for_each(
      has_surface.size(),
      [&](std::size_t tile) {
        const float* own = &phi[tile * kTileCells];
        has_surface[tile] = std::any_of(own, own + kTileCells, [&](float p) { return std::abs(p) < near; });
      },
      16);
  std::vector<std::uint32_t> chosen;
  for (std::size_t tile = 0; tile < has_surface.size(); ++tile)
    if (has_surface[tile] != 0) chosen.push_back(static_cast<std::uint32_t>(tile));
  return chosen;
}

/// The distance to a flat surface at which matter has this phi, from a table.
class TrueDistance {
 public:
  explicit TrueDistance(const DistanceSettings& settings)
      : radius_(static_cast<float>(settings.radius)), support_(static_cast<float>(settings.support)) {
    const float at_zero = half_space_depth(radius_ / support_);
    for (std::size_t k = 0; k <= kEntries; ++k)
      table_[k] = support_ * (at_zero - half_space_depth(static_cast<float>(k) / kEntries));
    table_[kEntries + 1] = table_[kEntries];
  }

  float operator()(float phi) const {
    const float at = std::clamp((phi + radius_) / support_, 0.0F, 1.0F) * kEntries;
    const auto k = static_cast<std::size_t>(at);
    return table_[k] + (at - static_cast<float>(k)) * (table_[k + 1] - table_[k]);
  }

 private:
  static constexpr std::size_t kEntries = 256;
  float radius_, support_;
  std::array<float, kEntries + 2> table_;
};

}  // namespace

void even_out(const TileSet& tiles, const GridPlace& place, const EveningSettings& settings, Threads& threads,
              std::vector<float>& phi) {
  const std::vector<std::uint32_t> chosen =
      surface_tiles(phi, kNearSurface * static_cast<float>(place.cell), threads);
  const TrueDistance distance(settings.distance);
  std::vector<float> smooth(phi.size()), ceiling(chosen.size() * kTileCells);
  threads.for_each(
      phi.size(), [&](std::size_t i) { smooth[i] = phi[i] = distance(phi[i]); }, kTileCells);
  const auto most = static_cast<float>(settings.most),
             far = distance(static_cast<float>(settings.distance.support));
  threads.for_each(
      chosen.size(),
      [&](std::size_t k) {
        for (std::size_t i = 0; i < kTileCells; ++i)
          ceiling[k * kTileCells + i] = phi[chosen[k] * kTileCells + i] + most;
      },
      4);
  for (int round = 0; round < settings.rounds; ++round) {
    threads.for_each(
        chosen.size(),
        [&](std::size_t k) {
          smooth_tile(tiles, chosen[k], far, phi, &ceiling[k * kTileCells], &smooth[chosen[k] * kTileCells]);
        },
        4);
    phi.swap(smooth);
  }
}

}  // namespace repose
