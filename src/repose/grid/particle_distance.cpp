#include "repose/grid/particle_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/grid/padded_tile.h"
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

/// Adds a particle at `p`, in cells from the tile's corner.
void add_particle(const Vec3f& p, float support, Sums& sums) {
  const Range in_z(p.z, support), in_y(p.y, support), in_x(p.x, support);
  if (in_x.last < in_x.first) return;
  const float inverse = 1 / (support * support);
  for (int k = in_z.first; k <= in_z.last; ++k) {
    const float dz = p.z - (static_cast<float>(k) + 0.5F);
    for (int j = in_y.first; j <= in_y.last; ++j) {
      const float dy = p.y - (static_cast<float>(j) + 0.5F);
      const float rest = 1 - (dy * dy + dz * dz) * inverse;
      if (rest <= 0) continue;
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

/// Calls out(cell, sums, place within the sums) for every cell; lengths are in cells.
template <class Out>
void sum_near_cells(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                    float support, Threads& threads, const Out& out) {
  threads.for_each(
      cells.tiles.size(),
      [&](std::size_t tile) {
        Sums sums;
        sums.clear();
        for (int dz = -1; dz <= 1; ++dz)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
              const std::uint32_t from = cells.tiles.neighbor(tile, neighbor_slot(dx, dy, dz));
              if (from == kNoTile) continue;
              const Vec3d corner = tile_corner(place, cells.tiles.coordinate(from));
              for (std::uint32_t p = cells.tile_first(from); p < cells.tile_end(from); ++p)
                add_particle(
                    in_tile(place, corner, positions[p]) +
                        8.0F * Vec3f(static_cast<float>(dx), static_cast<float>(dy), static_cast<float>(dz)),
                    support, sums);
            }
        for (std::size_t i = 0; i < kTileCells; ++i) out(tile * kTileCells + i, sums, i);
      },
      1);
}

}  // namespace

void particle_distance(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                       const DistanceSettings& settings, Threads& threads, std::vector<float>& phi) {
  const auto radius = static_cast<float>(settings.radius / place.cell),
             far = static_cast<float>(settings.support), cell = static_cast<float>(place.cell);
  phi.resize(cells.tiles.cell_count());
  sum_near_cells(positions, cells, place, static_cast<float>(settings.support / place.cell), threads,
                 [&](std::size_t at, const Sums& sums, std::size_t i) {
                   const bool near = sums.weight[i] > 0;
                   const float in_cells =
                       averaged_distance(near ? sums.weight[i] : 1, sums.x[i], sums.y[i], sums.z[i], radius);
                   phi[at] = near ? cell * in_cells : far;
                 });
}

void find_near_matter(std::span<const Vec3d> positions, const ParticleCells& cells, const GridPlace& place,
                      double support, Threads& threads, std::vector<NearMatter>& near) {
  const auto cell = static_cast<float>(place.cell);
  near.resize(cells.tiles.cell_count());
  sum_near_cells(positions, cells, place, static_cast<float>(support / place.cell), threads,
                 [&](std::size_t at, const Sums& sums, std::size_t i) {
                   const float scale = sums.weight[i] > 0 ? cell / sums.weight[i] : 0;
                   near[at] = {scale * Vec3f(sums.x[i], sums.y[i], sums.z[i]), sums.weight[i]};
                 });
}

void lower_bumps(const TileSet& tiles, float outside, Threads& threads, std::vector<float>& phi) {
  std::vector<float> lowered(phi.size());
  threads.for_each(
      tiles.size(),
      [&](std::size_t tile) {
        PaddedTile<float> padded;
        padded.fill(
            tiles, tile, [&](std::size_t i) { return phi[i]; }, outside);
        for (int z = 0; z < 8; ++z)
          for (int y = 0; y < 8; ++y) {
            const float *here = padded.row(y, z), *south = padded.row(y - 1, z),
                        *north = padded.row(y + 1, z), *below = padded.row(y, z - 1),
                        *above = padded.row(y, z + 1);
            float* out = &lowered[tile * kTileCells + cell_in_tile(0, y, z)];
            for (std::size_t x = 0; x < 8; ++x)
              out[x] = std::min(here[x], (here[x] + (*(here + x - 1) + here[x + 1]) + (south[x] + north[x]) +
                                          (below[x] + above[x])) /
                                             7);
          }
      },
      4);
  phi.swap(lowered);
}

}  // namespace repose
