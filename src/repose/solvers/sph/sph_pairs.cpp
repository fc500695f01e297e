#include "repose/solvers/sph/sph_pairs.h"

#include <array>
#include <cmath>

#include "repose/exec/widest.h"
#include "repose/physics/sph.h"

namespace repose {
namespace {

/// Particles around a cell, with those of other tiles where they appear from here.
struct Candidates {
  std::size_t size = 0;
  std::vector<double> x, y, z, square;
  std::vector<std::uint32_t> row, near;
  std::vector<float> density, gx, gy, gz;  ///< of those that are near

  void reserve(std::size_t count) {
    if (count <= row.size()) return;
    for (std::vector<double>* v : {&x, &y, &z, &square}) v->resize(2 * count);
    for (std::vector<std::uint32_t>* v : {&row, &near}) v->resize(2 * count);
    for (std::vector<float>* v : {&density, &gx, &gy, &gz}) v->resize(2 * count);
  }
};

Vec3d image_shift(const SphModel& model, const TileSet& tiles, std::size_t tile, const Vec3i& offset) {
  const std::uint32_t other = tiles.neighbor(tile, neighbor_slot(offset.x, offset.y, offset.z));
  const Vec3i apart = tiles.coordinate(tile) + offset - tiles.coordinate(other);
  return (kTileEdge * model.place.cell) * Vec3d(apart);
}

void collect(const SphModel& model, const SphScratch& scratch, std::size_t tile, const Vec3i& cell,
             Candidates& out) {
  out.size = 0;
  const ParticleCells& cells = scratch.cells;
  for_each_run(cells, tile, cell - Vec3i(1), cell + Vec3i(1),
               [&](std::uint32_t begin, std::uint32_t end, const Vec3i& offset) {
                 const Vec3d shift = image_shift(model, cells.tiles, tile, offset);
                 out.reserve(out.size + (end - begin));
                 for (std::uint32_t p = begin; p < end; ++p) {
                   const std::size_t k = out.size + (p - begin);
                   out.x[k] = scratch.x[p] + shift.x;
                   out.y[k] = scratch.y[p] + shift.y;
                   out.z[k] = scratch.z[p] + shift.z;
                   out.row[k] = p;
                 }
                 out.size += end - begin;
               });
}

/// Of a particle at x, among the first `count` that are near.
void find_contacts(const SphModel& model, std::uint32_t row, const Vec3d& x, const Candidates& candidates,
                   std::size_t count, std::vector<SphContact>& contacts) {
  const double least = kClosePair * model.spacing;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t c = candidates.near[k];
    if (!(candidates.square[c] < least * least) || candidates.row[c] == row || candidates.square[c] == 0)
      continue;
    const Vec3d d = x - Vec3d(candidates.x[c], candidates.y[c], candidates.z[c]);
    const double r = std::sqrt(candidates.square[c]);
    contacts.push_back({row, candidates.row[c], to_float(d / r), static_cast<float>(1 - r / least)});
  }
}

struct Found {
  std::size_t pairs;
  float density;  ///< over that at rest
};
/// Writes the pairs of one particle from `out` on.
Found find_pairs_of(const SphModel& model, const SphScratch& scratch, std::uint32_t row,
                    Candidates& candidates, SphPair* out, std::vector<SphContact>& contacts) {
  const double px = scratch.x[row], py = scratch.y[row], pz = scratch.z[row];
  const double reach = kSphSupport * model.spacing, limit = reach * reach;
  const std::size_t n = candidates.size;
  const double *cx = candidates.x.data(), *cy = candidates.y.data(), *cz = candidates.z.data();
  double* square = candidates.square.data();
  std::uint32_t* near = candidates.near.data();
  for (std::size_t c = 0; c < n; ++c) {
    const double dx = px - cx[c], dy = py - cy[c], dz = pz - cz[c];
    square[c] = dx * dx + dy * dy + dz * dz;
  }
  std::size_t count = 0;
  for (std::uint32_t c = 0; c < n; ++c) {
    near[count] = c;
    count += square[c] < limit ? 1 : 0;
  }
  const double inverse = 1 / model.spacing;
  const auto scale = static_cast<float>(inverse * inverse);
  float *density = candidates.density.data(), *gx = candidates.gx.data(), *gy = candidates.gy.data(),
        *gz = candidates.gz.data();
  int close = 0;  // with the particle itself
  REPOSE_INDEPENDENT_TURNS
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t c = near[k];
    const float r = std::sqrt(static_cast<float>(square[c] * inverse * inverse));
    const float slope = scale * sph_kernel_slope(r);
    density[k] = sph_kernel(r);
    gx[k] = slope * static_cast<float>(px - cx[c]);
    gy[k] = slope * static_cast<float>(py - cy[c]);
    gz[k] = slope * static_cast<float>(pz - cz[c]);
    close += r < 1.001F * static_cast<float>(kClosePair) ? 1 : 0;
  }
  float sum = 0;
  std::size_t pairs = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t other = candidates.row[near[k]];
    sum += density[k];
    out[pairs] = {gx[k], gy[k], gz[k], other};
    pairs += other != row ? 1 : 0;
  }
  if (close > 1) find_contacts(model, row, {px, py, pz}, candidates, count, contacts);
  return {pairs, sum};
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
        if (scratch.is_deep[p] != 0) continue;
        if (!is_collected) collect(model, scratch, slab.tile, Vec3i(x, y, slab.z), candidates);
        is_collected = true;
        if (slab.pairs.size() < count + candidates.size) slab.pairs.resize(2 * (count + candidates.size));
        const Found found = find_pairs_of(model, scratch, p, candidates, &slab.pairs[count], slab.contacts);
        state.density[p] = found.density;
        count += found.pairs;
      }
    }
  slab.offset.push_back(static_cast<std::uint32_t>(count));
  for (std::uint32_t p = slab.first; p < slab.end; ++p) {
    float squares = 0, sx = 0, sy = 0, sz = 0;
    for (std::uint32_t k = slab.offset[p - slab.first]; k < slab.offset[p - slab.first + 1]; ++k) {
      const SphPair& g = slab.pairs[k];
      squares += g.x * g.x + g.y * g.y + g.z * g.z;
      sx += g.x, sy += g.y, sz += g.z;
    }
    scratch.squares[p] = squares;
    scratch.gradients[p] = {sx, sy, sz};
  }
}

}  // namespace

void find_pairs(const SphModel& model, Threads& threads, SphState& state, SphScratch& scratch) {
  const std::size_t n = state.size();
  scratch.x.resize(n), scratch.y.resize(n), scratch.z.resize(n), scratch.squares.resize(n),
      scratch.gradients.resize(n);
  threads.for_each(n, [&](std::size_t p) {
    const Vec3d& x = state.position[p];
    scratch.x[p] = x.x, scratch.y[p] = x.y, scratch.z[p] = x.z;
  });
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
