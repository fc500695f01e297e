#include "repose/solvers/sph/sph_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "repose/exec/compact.h"
#include "repose/exec/widest.h"
#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Particles around a cell, with those of other tiles where they appear from here. Arrays are filled up to a
/// whole number of lanes.
struct Candidates {
  std::size_t size = 0;
  std::vector<Row4d> place;     ///< [m]
  std::vector<float> x, y, z;   ///< the same from the corner of the cell's tile, roughly
  std::vector<float> distance;  ///< to a particle, squared, roughly [m2]
  std::vector<std::uint32_t> row;

  // Of those that are near to it.
  std::vector<std::uint32_t> near;  ///< of the above
  std::vector<Row4f> apart;         ///< from the other to the particle [m]
  std::vector<double> square;       ///< of that
  std::vector<float> slope, density;

  void reserve(std::size_t count) {
    if (count + 2 * kCompactLanes <= row.size()) return;
    const auto grow = [&](auto&... arrays) { (arrays.resize(2 * (count + kCompactLanes)), ...); };
    grow(place, x, y, z, distance, row, near, apart, square, slope, density);
  }
};

constexpr std::size_t in_lanes(std::size_t n) {
  return (n + kCompactLanes - 1) / kCompactLanes * kCompactLanes;
}

Vec3d image_shift(const SphModel& model, const TileSet& tiles, std::size_t tile, const Vec3i& offset) {
  const std::uint32_t other = tiles.neighbor(tile, neighbor_slot(offset.x, offset.y, offset.z));
  const Vec3i apart = tiles.coordinate(tile) + offset - tiles.coordinate(other);
  return (kTileEdge * model.place.cell) * Vec3d(apart);
}

/// Adds the particles of some cells.
void add_run(const SphModel& model, const SphScratch& scratch, std::size_t tile, const Vec3i& offset,
             std::uint32_t begin, std::uint32_t end, Candidates& out) {
  const std::size_t n = end - begin;
  out.reserve(out.size + n);
  Row4d shift;
  to_row(image_shift(model, scratch.cells.tiles, tile, offset), shift);
  const Vec3f away = to_float((kTileEdge * model.place.cell) * Vec3d(offset));
  const Row4d* place = &scratch.place[begin];
  const float *x = &scratch.x[begin], *y = &scratch.y[begin], *z = &scratch.z[begin];
  Row4d* out_place = &out.place[out.size];
  float *out_x = &out.x[out.size], *out_y = &out.y[out.size], *out_z = &out.z[out.size];
  std::uint32_t* row = &out.row[out.size];
  for (std::size_t k = 0; k < n; ++k) out_place[k] = place[k] + shift;
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t k = 0; k < n; ++k) {
    out_x[k] = x[k] + away.x;
    out_y[k] = y[k] + away.y;
    out_z[k] = z[k] + away.z;
    row[k] = begin + static_cast<std::uint32_t>(k);
  }
  out.size += n;
}

void collect(const SphModel& model, const SphScratch& scratch, std::size_t tile, const Vec3i& cell,
             Candidates& out) {
  out.size = 0;
  for_each_run(scratch.cells, tile, cell - Vec3i(1), cell + Vec3i(1),
               [&](std::uint32_t begin, std::uint32_t end, const Vec3i& offset) {
                 add_run(model, scratch, tile, offset, begin, end, out);
               });
  std::fill_n(&out.x[out.size], kCompactLanes, std::numeric_limits<float>::infinity());
}

/// Of a particle at x, among the first `count` that are near.
void find_contacts(const SphModel& model, std::uint32_t row, const Vec3d& x, const Candidates& candidates,
                   std::size_t count, std::vector<SphContact>& contacts) {
  const double least = kClosePair * model.spacing;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t c = candidates.near[k];
    const double square = candidates.square[k];
    if (!(square < least * least) || candidates.row[c] == row || square == 0) continue;
    const Vec3d d = x - to_vec(candidates.place[c]);
    const double r = std::sqrt(square);
    contacts.push_back({row, candidates.row[c], to_float(d / r), static_cast<float>(1 - r / least)});
  }
}

/// Which of the candidates are within reach of a particle, and few beyond. Returns how many.
std::size_t find_near(const SphModel& model, const SphScratch& scratch, std::uint32_t row,
                      Candidates& candidates) {
  // Rounding moves places by 1e-6 spacings.
  const double reach = (kSphSupport + 1e-4) * model.spacing;
  const std::size_t n = in_lanes(candidates.size);
  const float px = scratch.x[row], py = scratch.y[row], pz = scratch.z[row];
  const float *x = candidates.x.data(), *y = candidates.y.data(), *z = candidates.z.data();
  float* distance = candidates.distance.data();
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t c = 0; c < n; ++c) {
    const float dx = px - x[c], dy = py - y[c], dz = pz - z[c];
    distance[c] = dx * dx + dy * dy + dz * dz;
  }
  const std::size_t count =
      indices_below(distance, n, static_cast<float>(reach * reach), candidates.near.data());
  const Row4d own = scratch.place[row];
  for (std::size_t k = 0; k < count; ++k) {
    const Row4d apart = own - candidates.place[candidates.near[k]], square = apart * apart;
    narrow(apart, candidates.apart[k]);
    candidates.square[k] = square[0] + square[1] + square[2];
  }
  return count;
}

/// The kernel and its slope between a particle and the first `count` that are near. Returns how many of them
/// may be too close, with the particle itself.
int find_kernels(const SphModel& model, std::size_t count, Candidates& candidates) {
  const double inverse = 1 / model.spacing, far = kSphSupport * model.spacing;
  const auto scale = static_cast<float>(inverse * inverse);
  std::fill_n(&candidates.square[count], kCompactLanes, far * far);
  const double* square = candidates.square.data();
  float *density = candidates.density.data(), *slope = candidates.slope.data();
  const std::size_t n = in_lanes(count);
  int close = 0;
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t k = 0; k < n; ++k) {
    const float r = std::sqrt(static_cast<float>(square[k] * inverse * inverse));
    density[k] = sph_kernel(r);
    slope[k] = scale * sph_kernel_slope(r);
    close += r < 1.001F * static_cast<float>(kClosePair) ? 1 : 0;
  }
  return close;
}

void set_pair(const Row4f& gradient, std::uint32_t row, SphPair& out) {
  Row4f whole = gradient;
  whole[3] = std::bit_cast<float>(row);
  std::memcpy(&out, &whole, sizeof out);
}

struct Found {
  std::size_t pairs = 0;
  float density = 0;   ///< over that at rest
  Vec3f gradient{0};   ///< of that [1/m]
  float squares = 0;   ///< of the pairs' gradients [1/m2]
  float pressure = 0;  ///< of the particles, weighted as in the density, summed [Pa]
  Vec3f apart{0};      ///< from them to the particle, likewise [m]
};
/// Writes the pairs of one particle from `out` on.
Found find_pairs_of(const SphModel& model, const SphState& state, const SphScratch& scratch,
                    std::uint32_t row, Candidates& candidates, SphPair* out,
                    std::vector<SphContact>& contacts) {
  const std::size_t count = find_near(model, scratch, row, candidates);
  const int close = find_kernels(model, count, candidates);
  const double reach = kSphSupport * model.spacing, limit = reach * reach;
  Found found;
  Row4f sum{}, weighted{};
  for (std::size_t k = 0; k < count; ++k) {
    const Row4f g = candidates.slope[k] * candidates.apart[k], squared = g * g;
    const std::uint32_t other = candidates.row[candidates.near[k]];
    set_pair(g, other, out[found.pairs]);
    found.pairs += candidates.square[k] < limit && other != row ? 1 : 0;
    found.density += candidates.density[k];
    sum += g;
    Row4f of_other = candidates.apart[k];
    of_other[3] = state.stress[other].pressure;
    weighted += candidates.density[k] * of_other;
    found.squares += squared[0] + squared[1] + squared[2];
  }
  found.gradient = {sum[0], sum[1], sum[2]};
  found.apart = {weighted[0], weighted[1], weighted[2]};
  found.pressure = weighted[3];
  if (close > 1) find_contacts(model, row, to_vec(scratch.place[row]), candidates, count, contacts);
  return found;
}

/// The mean of the pressures around a particle, each taken to its height by the weight between. That is
/// hydrostatic, which sand that falls is not: it changes the mean by half at most.
float pressure_around(const SphModel& model, const SphMaterial& material, const Found& found) {
  const float mean = found.pressure / found.density, most = 0.5F * std::abs(mean);
  const auto weight = static_cast<float>(material.density * model.gravity.dot(Vec3d(found.apart)) /
                                         static_cast<double>(found.density));
  return mean + std::clamp(weight, -most, most);
}

void fill_slab(const SphModel& model, SphState& state, SphScratch& scratch, SphSlab& slab) {
  Candidates candidates;
  slab.offset.clear();
  slab.contacts.clear();
  std::size_t count = 0;
  const std::size_t base = slab.tile * kTileCells;
  for (int y = 0; y < kTileEdge; ++y)
    for (int x = 0; x < kTileEdge; ++x) {
      const std::size_t cell = base + cell_in_tile(x, y, slab.z);
      const std::uint32_t first = scratch.cells.cell_first[cell], end = scratch.cells.cell_first[cell + 1];
      if (first == end) continue;
      bool is_collected = false;
      for (std::uint32_t p = first; p < end; ++p) {
        slab.offset.push_back(static_cast<std::uint32_t>(count));
        scratch.squares[p] = 0, scratch.gradients[p] = Vec3f(0);
        if (scratch.is_deep[p] != 0) continue;
        if (!is_collected) collect(model, scratch, slab.tile, Vec3i(x, y, slab.z), candidates);
        is_collected = true;
        if (slab.pairs.size() < count + candidates.size) slab.pairs.resize(2 * (count + candidates.size));
        const Found found =
            find_pairs_of(model, state, scratch, p, candidates, &slab.pairs[count], slab.contacts);
        state.density[p] = found.density;
        scratch.squares[p] = found.squares;
        scratch.gradients[p] = found.gradient;
        scratch.bearing[p] = pressure_around(model, model.materials[state.material[p]], found);
        count += found.pairs;
      }
    }
  slab.offset.push_back(static_cast<std::uint32_t>(count));
}

/// Places of the particles, for the search.
void find_places(const SphModel& model, Threads& threads, const SphState& state, SphScratch& scratch) {
  const std::size_t n = state.size();
  scratch.place.resize(n), scratch.x.resize(n), scratch.y.resize(n), scratch.z.resize(n);
  threads.for_each(
      scratch.cells.occupied.size(),
      [&](std::size_t o) {
        const std::uint32_t tile = scratch.cells.occupied[o];
        const Vec3d corner = tile_corner(model.place, scratch.cells.tiles.coordinate(tile));
        for (std::uint32_t p = scratch.cells.tile_first(tile); p < scratch.cells.tile_end(tile); ++p) {
          const Vec3d& x = state.position[p];
          const Vec3f in_tile = to_float(x - corner);
          to_row(x, scratch.place[p]);
          scratch.x[p] = in_tile.x, scratch.y[p] = in_tile.y, scratch.z[p] = in_tile.z;
        }
      },
      1);
}

}  // namespace

void find_pairs(const SphModel& model, Threads& threads, SphState& state, SphScratch& scratch) {
  const std::size_t n = state.size();
  scratch.squares.resize(n), scratch.gradients.resize(n), scratch.bearing.resize(n);
  find_places(model, threads, state, scratch);
  scratch.slab_count = 0;
  for (const std::uint32_t tile : scratch.cells.occupied)
    for (int z = 0; z < kTileEdge; ++z) {
      const std::size_t base = tile * kTileCells;
      const std::uint32_t first = scratch.cells.cell_first[base + cell_in_tile(0, 0, z)],
                          end = scratch.cells.cell_first[base + cell_in_tile(0, 0, z) + 64];
      if (first == end) continue;
      if (scratch.slab_count == scratch.slabs.size()) scratch.slabs.emplace_back();
      SphSlab& slab = scratch.slabs[scratch.slab_count++];
      slab.tile = tile, slab.z = z, slab.first = first, slab.end = end;
    }
  threads.for_each(
      scratch.slab_count, [&](std::size_t s) { fill_slab(model, state, scratch, scratch.slabs[s]); }, 1);
}

}  // namespace repose
