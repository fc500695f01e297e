#include "repose/grid/friction_stress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/friction_kernel.h"

namespace repose {
using namespace friction;
namespace {

constexpr float kAir = 0, kMatter = 1, kClosed = 2;

/// Faces with less matter around them are air; the others count at least kLeastMass, lest they make steps
/// short.
constexpr float kLeastShare = 0.1F, kLeastMass = 0.2F;
/// Largest eigenvalue of the strain's square: that of a wave along the diagonal of the grid.
constexpr float kStiffness = 8;
constexpr float kNoLimit = 1e30F;

}  // namespace

FrictionSystem::FrictionSystem(const TileSet& tiles, const std::vector<float>& phi, double cell,
                               const SolidCells& solids, const FaceWeight& weight, Threads& threads)
    : tiles_(tiles), phi_(phi), solids_(solids), threads_(threads), cell_(static_cast<float>(cell)) {
  rank_.assign(tiles.size(), kNoTile);
  std::vector<std::uint8_t> is_near(tiles.size());
  for (std::uint32_t tile = 0; tile < tiles.size(); ++tile) {
    if (!has_matter(tile)) continue;
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
        for (std::size_t i = 0; i < kTileCells; ++i)
          if (is_matter(tile.index * kTileCells + i)) tile.has_matter[i / kLayer] = true;
        find_ratios(tile);
        find_steps(tile);
        tile.now.assign(kStressValues * kTileCells, 0.0F);
      },
      1);
}

bool FrictionSystem::has_matter(std::size_t tile) const {
  for (std::size_t i = tile * kTileCells; i < (tile + 1) * kTileCells; ++i)
    if (is_matter(i)) return true;
  return false;
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
          return depth_inside(phi[TileBlock<1>::place(x, y, z)] / cell_);
        };
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const auto [sx, sy, sz] = kAxisStep[axis];
          for (int z = 0; z < 8; ++z)
            for (int y = 0; y < 8; ++y)
              for (int x = 0; x < 8; ++x) {
                const std::size_t face = tile * kTileCells + cell_in_tile(x, y, z);
                const float open = solids_.open[axis][face];
                const float high = inside(x, y, z), low = inside(x - sx, y - sy, z - sz);
                const float matter = open * share_of_matter(0.5F * (low + high));
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
            const std::array<float, 4> faces{at(kind[a], edge), at(kind[a], edge - step_b), at(kind[b], edge),
                                             at(kind[b], edge - step_a)};
            const bool counts = std::all_of(faces.begin(), faces.end(), [](float f) { return f != kAir; });
            if (std::any_of(faces.begin(), faces.end(), [](float f) { return f == kClosed; }))
              tile.touches[cell_in_tile(x, y, z)] |= static_cast<std::uint8_t>(1U << k);
            const float sum = (at(outside, edge) + at(outside, edge - step_a)) +
                              (at(outside, edge - step_b) + at(outside, edge - step_a - step_b));
            tile.ratio[3 * k + e][cell_in_tile(x, y, z)] =
                counts && sum > 0 ? at(outside, cell) / (kShareOfSample * sum) : 0;
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
  samples_ =
      kStressSamples * static_cast<std::size_t>(std::count_if(limits_.inside.begin(), limits_.inside.end(),
                                                              [](float limit) { return limit > 0; }));
  for (Tile& tile : active_) {
    const auto first =
        std::lower_bound(limits_.walls.begin(), limits_.walls.end(), tile.index * kTileCells,
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
  Stresses sum;
  for (int z = 0; z < 8; ++z) {
    if (!tile.has_matter[static_cast<std::size_t>(z)]) continue;
    const std::size_t first = cell_in_tile(0, 0, z);
    for (std::size_t k = 0; k < kStressSamples; ++k) {
      const auto [i, j, l] = kCorner[k];
      const auto side = static_cast<std::size_t>(i);
      const float* s = &tile.now[5 * k * kTileCells + first];
      const std::array<float*, 3> edges{&sum.xy[side][edge_row(j, z)], &sum.xz[side][edge_row(0, z + l)],
                                        &sum.yz[edge_row(j, z + l)]};
      add_share(s, &sum.xx[first]);
      add_share(s + kTileCells, &sum.yy[first]);
      for (std::size_t e = 0; e < 3; ++e)
        if (tile.ratio.empty())
          add_share(s + (2 + e) * kTileCells, edges[e]);
        else
          add_share(s + (2 + e) * kTileCells, &tile.ratio[3 * k + e][first], edges[e]);
    }
  }
  push_faces(sum, block);
}

/// One step of the gradient, from the stress `ahead` of the present one by the last change.
FrictionSystem::TileSums FrictionSystem::improve(Tile& tile, const FaceVelocity& velocity,
                                                 float ahead) const {
  std::array<BlockValues, 3> block;
  for (std::size_t axis = 0; axis < 3; ++axis)
    Block::fill(tiles_, tile.index, velocity.u[axis], block[axis].data());
  Strain strain;
  find_strain(block, strain);
  std::size_t wall = tile.first_wall;
  Layer against{}, squares{};
  for (int z = 0; z < 8; ++z) {
    if (!tile.has_matter[static_cast<std::size_t>(z)]) continue;
    const std::size_t first = cell_in_tile(0, 0, z);
    const float *step = &tile.step[first], *limit = &tile.limit[first];
    const std::size_t first_wall = wall;
    while (wall < tile.end_wall && limits_.walls[wall].cell % kTileCells < first + kLayer) ++wall;
    for (std::size_t k = 0; k < kStressSamples; ++k) {
      const auto [i, j, l] = kCorner[k];
      const auto side = static_cast<std::size_t>(i);
      const float* now = &tile.now[5 * k * kTileCells + first];
      float* last = &tile.last[5 * k * kTileCells + first];
      const std::array<const float*, 3> edges{&strain.xy[side][edge_row(j, z)],
                                              &strain.xz[side][edge_row(0, z + l)],
                                              &strain.yz[edge_row(j, z + l)]};
      Sample start, trial;
      for (std::size_t n = 0; n < 5; ++n)
        look_ahead(now + n * kTileCells, last + n * kTileCells, ahead, start[n]);
      add_step(start[0], step, &strain.xx[first], trial[0]);
      add_step(start[1], step, &strain.yy[first], trial[1]);
      for (std::size_t e = 0; e < 3; ++e)
        if (tile.ratio.empty())
          add_step(start[2 + e], step, edges[e], trial[2 + e]);
        else
          add_step(start[2 + e], step, edges[e], &tile.ratio[3 * k + e][first], trial[2 + e]);
      for (std::size_t n = first_wall; n < wall; ++n) {
        const std::size_t cell = limits_.walls[n].cell % kTileCells, c = cell - first;
        keep_at_wall(limits_.walls[n], (tile.touches[cell] >> k & 1) != 0, trial[0][c], trial[1][c],
                     trial[2][c], trial[3][c], trial[4][c]);
      }
      keep_within(limit, trial);
      compare(start, trial, now, step, against, squares);
      for (std::size_t n = 0; n < 5; ++n) std::copy(trial[n].begin(), trial[n].end(), last + n * kTileCells);
    }
  }
  std::swap(tile.now, tile.last);
  TileSums sums;
  for (const float a : against) sums.against += a;
  for (const float square : squares) sums.squares += square;
  return sums;
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
          return TileSums{a.against + b.against, a.squares + b.squares};
        },
        1);
    ++result.iterations;
    result.residual = std::sqrt(sums.squares / static_cast<double>(std::max<std::size_t>(1, samples_)));
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
      [](const Work& a, const Work& b) {
        return Work{a.first + b.first, a.second + b.second};
      },
      1);
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
