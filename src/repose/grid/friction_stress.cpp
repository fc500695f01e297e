#include "repose/grid/friction_stress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/grid/field.h"
#include "repose/grid/friction_kernel.h"

namespace repose {
using namespace friction;

/// Of the edges below the layer and above it too.
struct FrictionSystem::LayerStrain {
  const CellRows* cells;
  const EdgesIn* in;
  const EdgesOn *below, *above;
};
struct FrictionSystem::LayerSums {
  CellRows cells;
  EdgesIn in;
  EdgesOn *below = nullptr, *above = nullptr;
  std::array<float, kLayer> against{}, squares{};
};

namespace {

constexpr float kNoLimit = 1e30F;

}  // namespace

void FrictionSystem::set_limits(FrictionLimits limits) {
  limits_ = std::move(limits);
  samples_ =
      kStressSamples * static_cast<std::size_t>(std::count_if(limits_.inside.begin(), limits_.inside.end(),
                                                              [](float limit) { return limit > 0; }));
  threads_.for_each(
      active_.size(), [&](std::size_t k) { set_limits(active_[k]); }, 4);
}

void FrictionSystem::set_limits(Tile& tile) const {
  std::copy_n(&limits_.inside[tile.index * kTileCells], kTileCells, tile.limit.begin());
  tile.walls.reset();
  for (auto wall = std::lower_bound(limits_.walls.begin(), limits_.walls.end(), tile.index * kTileCells,
                                    [](const WallCell&one, std::size_t cell) { return one.cell < cell; });
       wall != limits_.walls.end() && wall->cell / kTileCells == tile.index; ++wall) {
    if (!tile.walls) {
      tile.walls = std::make_unique<TileWalls>();
      tile.walls->traction.fill(kNoLimit);
      tile.walls->tension.fill(kNoLimit);
    }
    const std::size_t cell = wall->cell % kTileCells;
    tile.limit[cell] = wall->limit;
    tile.walls->x[cell] = wall->normal.x;
    tile.walls->y[cell] = wall->normal.y;
    tile.walls->z[cell] = wall->normal.z;
    tile.walls->traction[cell] = wall->traction;
    tile.walls->tension[cell] = wall->tension;
    tile.walls->in_layer[cell / kLayer] = true;
  }
}

float FrictionSystem::normal_stress(std::uint32_t cell, const Vec3f& normal) const {
  const std::uint32_t rank = rank_[cell / kTileCells];
  if (rank == kNoTile || !active_[rank].weight) return 0;
  const Tile& tile = active_[rank];
  const std::size_t c = cell % kTileCells, in = c % kLayer;
  const LayerStress& layer = tile.now[c / kLayer];
  const auto at = static_cast<int>(c);
  float xx = 0, yy = 0;
  std::array<float, 3> shear{}, count{};  // xy, xz, yz: of edges at the solid alone
  for (std::size_t k = 0; k < kStressSamples; ++k) {
    const SampleStress& sample = layer.sample[k];
    xx += kShareOfSample * sample[0][in];
    yy += kShareOfSample * sample[1][in];
    if ((tile.touches[c] >> k & 1U) == 0) continue;
    const std::array<float, 3> weight = edges_of(*tile.weight, at % 8, at / 8 % 8, at / 64, kCorner[k]);
    for (std::size_t e = 0; e < 3; ++e)
      if (tile.outside[c] * weight[e] > 0) shear[e] += sample[2 + e][in], count[e] += 1;
  }
  for (std::size_t e = 0; e < 3; ++e) shear[e] /= std::max(1.0F, count[e]);
  const auto [x, y, z] = std::array<float, 3>{normal.x, normal.y, normal.z};
  return (xx * x * x + yy * y * y) - (xx + yy) * z * z +
         2 * ((shear[0] * x * y + shear[1] * x * z) + shear[2] * y * z);
}

float FrictionSystem::stress_norm(std::uint32_t cell) const {
  const std::uint32_t rank = rank_[cell / kTileCells];
  if (rank == kNoTile) return 0;
  const std::size_t c = cell % kTileCells, in = c % kLayer;
  const LayerStress& layer = active_[rank].now[c / kLayer];
  std::array<float, 5> mean{};  // xx, yy, xy, xz, yz
  for (const SampleStress& sample : layer.sample)
    for (std::size_t e = 0; e < 5; ++e) mean[e] += kShareOfSample * sample[e][in];
  const float zz = -(mean[0] + mean[1]);
  return std::sqrt((mean[0] * mean[0] + mean[1] * mean[1]) + zz * zz +
                   2 * ((mean[2] * mean[2] + mean[3] * mean[3]) + mean[4] * mean[4]));
}

void FrictionSystem::set_stress(const StressField& stress, float scale) {
  is_moving_ = false;
  threads_.for_each(
      stress.tile.size(),
      [&](std::size_t k) {
        const std::uint32_t index = tiles_.find({stress.tile[k][0], stress.tile[k][1], stress.tile[k][2]});
        if (index == kNoTile || rank_[index] == kNoTile) return;
        Tile& tile = active_[rank_[index]];
        const float* from = &stress.value[k * kStressValues * kTileCells];
        for (LayerStress& layer : tile.now)
          for (SampleStress& sample : layer.sample)
            for (auto& number : sample)
              for (float& value : number) value = scale * *from++;
        leave_out(tile);
      },
      1);
}

/// Takes the stress off cells and edges that bear none.
void FrictionSystem::leave_out(Tile& tile) const {
  for (std::size_t c = 0; c < kTileCells; ++c) {
    const bool bears = is_matter(tile.index * kTileCells + c);
    if (bears && !tile.weight) continue;
    const auto at = static_cast<int>(c);
    for (std::size_t k = 0; k < kStressSamples; ++k) {
      SampleStress& sample = tile.now[c / kLayer].sample[k];
      std::array<float, 3> weight{};
      if (bears) weight = edges_of(*tile.weight, at % 8, at / 8 % 8, at / 64, kCorner[k]);
      if (!bears) sample[0][c % kLayer] = sample[1][c % kLayer] = 0;
      for (std::size_t e = 0; e < 3; ++e)
        if (!(tile.outside[c] * weight[e] > 0)) sample[2 + e][c % kLayer] = 0;
    }
  }
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
        float* to = &stress.value[k * kStressValues * kTileCells];
        for (const LayerStress& layer : active_[k].now)
          for (const SampleStress& sample : layer.sample)
            for (const auto& number : sample)
              for (const float value : number) *to++ = scale * value;
      },
      1);
  return stress;
}

void FrictionSystem::push_from(const Tile& tile, Block3& block) {
  FacePush push;
  std::array<EdgesOn, 2> on{};
  for (int z = 0; z < 8; ++z) {
    const auto layer = static_cast<std::size_t>(z);
    CellRows cells;
    EdgesIn in{};
    EdgesOn &below = on[layer % 2], &above = on[(layer + 1) % 2];
    above = {};
    if (tile.has_matter[layer])
      for (std::size_t k = 0; k < kStressSamples; ++k)
        add_sample(tile.now[layer].sample[k], &tile.outside[layer * kLayer],
                   of_sample<float>(kCorner[k], cells, in, below, above));
    if (tile.weight) {
      weigh(tile.weight->in[layer], in);
      weigh(tile.weight->on[layer], below);
    }
    push.add(z, cells, in, below, block);
  }
  if (tile.weight) weigh(tile.weight->on[8], on[0]);
  push.add_top(8, on[0], block);
}

/// One layer of the tile.
void FrictionSystem::improve_layer(Tile& tile, std::size_t layer, float ahead, const LayerStrain& strain,
                                   LayerSums& sum) {
  SampleInput in{};
  in.ahead = ahead;
  in.first = layer * kLayer;
  in.step = &tile.step[in.first], in.stiffness = &tile.stiffness[in.first];
  in.limit = &tile.limit[in.first], in.outside = &tile.outside[in.first];
  in.touches = &tile.touches[in.first];
  in.walls = tile.walls && tile.walls->in_layer[layer] ? tile.walls.get() : nullptr;
  for (std::size_t k = 0; k < kStressSamples; ++k) {
    in.corner = static_cast<unsigned>(k);
    in.strain = of_sample<const float>(kCorner[k], *strain.cells, *strain.in, *strain.below, *strain.above);
    const SampleStress& now = tile.now[layer].sample[k];
    SampleStress& last = tile.last[layer].sample[k];
    fetch_ahead(now);
    fetch_ahead(last);
    const std::array<float*, 5> to = of_sample<float>(kCorner[k], sum.cells, sum.in, *sum.below, *sum.above);
    if (in.walls) {
      const auto [xx, yy, xy, xz, yz] = of_sample<const float>(
          kCorner[k], sum.cells, tile.weight->in[layer], tile.weight->on[layer], tile.weight->on[layer + 1]);
      in.weight = {xy, xz, yz};
      improve_sample<false, true>(now, last, in, to, sum.against.data(), sum.squares.data());
    } else if (tile.weight) {
      improve_sample<false, false>(now, last, in, to, sum.against.data(), sum.squares.data());
    } else {
      improve_sample<true, false>(now, last, in, to, sum.against.data(), sum.squares.data());
    }
  }
}

FrictionSystem::TileSums FrictionSystem::improve(Tile& tile, const FaceVelocity& velocity, float ahead,
                                                 Block3& block) const {
  Block3 around;
  for (std::size_t axis = 0; axis < 3; ++axis)
    Block::fill(tiles_, tile.index, velocity.u[axis], around[axis].data());
  LayerSums sum;
  run_widest([&] {
    FacePush push;
    std::array<EdgesOn, 2> strain_on, sum_on{};
    CellRows strain_cells;
    EdgesIn strain_in;
    find_strain(around, 0, strain_on[0]);
    if (tile.weight) weigh(tile.weight->on[0], strain_on[0]);
    for (int z = 0; z < 8; ++z) {
      const auto layer = static_cast<std::size_t>(z), here = layer % 2, next = 1 - here;
      sum.cells = {};
      sum.in = {};
      sum_on[next] = {};
      find_strain(around, z + 1, strain_on[next]);
      if (tile.weight) weigh(tile.weight->on[layer + 1], strain_on[next]);
      if (tile.has_matter[layer]) {
        find_strain(around, z, strain_cells);
        find_strain(around, z, strain_in);
        if (tile.weight) weigh(tile.weight->in[layer], strain_in);
        sum.below = &sum_on[here], sum.above = &sum_on[next];
        improve_layer(tile, layer, ahead, {&strain_cells, &strain_in, &strain_on[here], &strain_on[next]},
                      sum);
        if (tile.weight) weigh(tile.weight->in[layer], sum.in);
      }
      if (tile.weight) weigh(tile.weight->on[layer], sum_on[here]);
      push.add(z, sum.cells, sum.in, sum_on[here], block);
    }
    if (tile.weight) weigh(tile.weight->on[8], sum_on[0]);
    push.add_top(8, sum_on[0], block);
  });
  std::swap(tile.now, tile.last);
  TileSums sums;
  for (const float a : sum.against) sums.against += a;
  for (const float square : sum.squares) sums.squares += square;
  return sums;
}

void FrictionSystem::sum_forces(const std::vector<std::uint32_t>& tiles) {
  threads_.for_each(
      tiles.size(), [&](std::size_t n) { sum_forces(tiles[n]); }, 1);
}

void FrictionSystem::sum_forces(std::uint32_t tile) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float* force = &force_.u[axis][tile * kTileCells];
    std::fill_n(force, kTileCells, 0.0F);
    for_each_block_near(tiles_, tile, rank_, [&](std::uint32_t from, int dx, int dy, int dz) {
      Block::add_overlap(pushes_[from][axis].data(), dx, dy, dz, force);
    });
  }
}

void FrictionSystem::push_all() {
  threads_.for_each(
      active_.size(), [&](std::size_t k) { push_from(active_[k], pushes_[k]); }, 1);
}

void FrictionSystem::find_forces() {
  if (is_moving_) return;  // known from the last solve
  push_all();
  sum_forces(near_);
  slip_walls_.hand_on_forces(threads_, force_);
}

std::vector<std::uint32_t> FrictionSystem::moving_tiles(std::span<const FrictionPart> parts) const {
  std::vector<std::uint8_t> moves(tiles_.size());
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (const std::vector<float>& inverse : inverse_mass_.u) {
          const float* own = &inverse[near_[n] * kTileCells];
          if (std::any_of(own, own + kTileCells, [](float m) { return m > 0; })) moves[near_[n]] = 1;
        }
      },
      4);
  for (const FrictionPart& part : parts)
    for (const FrictionPart::Face& at : part.faces) moves[at.face / kTileCells] = 1;
  for (const SlipFace& at : slip_walls_.faces()) moves[at.face / kTileCells] = 1;
  std::vector<std::uint32_t> tiles;
  for (const std::uint32_t tile : near_)
    if (moves[tile] != 0) tiles.push_back(tile);
  return tiles;
}

namespace {

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

Vec6 FrictionSystem::gather(std::span<const FrictionPart> parts, std::size_t part) const {
  Vec6 sum{};
  for (const FrictionPart::Face& at : parts[part].faces)
    for (std::size_t i = 0; i < 6; ++i) sum[i] += at.row[i] * static_cast<double>(force_.u[at.axis][at.face]);
  if (slip_walls_.empty()) return sum;
  return plus(sum, 1, slip_walls_.impulse_on(static_cast<std::uint32_t>(part)));
}

void FrictionSystem::add_forces(FaceVelocity& velocity, std::span<FrictionPart> parts) {
  find_forces();
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i)
            velocity.u[axis][i] += inverse_mass_.u[axis][i] * force_.u[axis][i];
      },
      1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    FrictionPart& part = parts[p];
    part.impulse = gather(parts, p);
    part.velocity = plus(part.velocity, 1, times(part.inverse_mass, part.impulse));
  }
}

/// What the next iteration starts from: what the present stress does to the velocity, and `ahead` of that by
/// the last change.
void FrictionSystem::find_velocity(std::span<const FrictionPart> parts,
                                   const std::vector<std::uint32_t>& moving, const FaceVelocity& base,
                                   FaceVelocity& ahead_of) {
  const float ahead = ahead_;
  const bool slips = !slip_walls_.empty();
  if (slips) {
    sum_forces(moving);
    slip_walls_.hand_on_forces(threads_, force_);
  }
  threads_.for_each(
      moving.size(),
      [&](std::size_t n) {
        if (!slips) sum_forces(moving[n]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t first = moving[n] * kTileCells;
          const float *inverse = &inverse_mass_.u[axis][first], *force = &force_.u[axis][first],
                      *start = &base.u[axis][first];
          float *gain = &gain_.u[axis][first], *to = &ahead_of.u[axis][first];
          REPOSE_INDEPENDENT_TURNS
          for (std::size_t i = 0; i < kTileCells; ++i) {
            const float now = inverse[i] * force[i];
            to[i] = start[i] + (now + ahead * (now - gain[i]));
            gain[i] = now;
          }
        }
      },
      1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Vec6 now = times(parts[p].inverse_mass, gather(parts, p));
    const Vec6 further = plus(now, -1, part_gain_[p]);
    part_motion_[p] = plus(plus(parts[p].velocity, 1, now), static_cast<double>(ahead), further);
    spread(parts[p], part_motion_[p], ahead_of);
    part_gain_[p] = now;
  }
  if (slips) slip_walls_.set_velocity(part_motion_, threads_, ahead_of);
}

FrictionResult FrictionSystem::solve(const FaceVelocity& velocity, std::span<const FrictionPart> parts,
                                     double tolerance, int max_iterations) {
  FaceVelocity base = velocity;
  threads_.for_each(
      near_.size(),
      [&](std::size_t n) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (std::size_t i = near_[n] * kTileCells; i < (near_[n] + 1) * kTileCells; ++i)
            if (solids_.open[axis][i] <= 0) base.u[axis][i] = solids_.surface_velocity(axis, i);
      },
      1);
  for (const FrictionPart& part : parts) spread(part, part.velocity, base);
  FaceVelocity ahead_of = base;
  const std::vector<std::uint32_t> moving = moving_tiles(parts);
  part_gain_.resize(parts.size());
  part_motion_.resize(parts.size());
  if (!is_moving_) start_afresh();
  FrictionResult result;
  while (!result.converged && result.iterations < max_iterations) {
    find_velocity(parts, moving, base, ahead_of);
    TileSums sums = threads_.reduce(
        active_.size(), TileSums{},
        [&](std::size_t k, std::size_t) { return improve(active_[k], ahead_of, ahead_, pushes_[k]); },
        [](const TileSums& a, const TileSums& b) {
          return TileSums{a.against + b.against, a.squares + b.squares};
        },
        1);
    if (!slip_walls_.empty()) {
      const SlipWalls::Sums walls = slip_walls_.improve(part_motion_, ahead_of, ahead_, threads_);
      sums = {sums.against + walls.against, sums.squares + walls.squares};
    }
    ++result.iterations;
    result.residual = std::sqrt(sums.squares / static_cast<double>(std::max<std::size_t>(1, samples_)));
    result.converged = result.residual <= tolerance;
    if (sums.against > 0) momentum_ = 1;
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * momentum_ * momentum_));
    ahead_ = static_cast<float>(sums.against > 0 ? 0 : (momentum_ - 1) / next);
    momentum_ = next;
  }
  sum_forces(near_);
  slip_walls_.hand_on_forces(threads_, force_);
  take_energy_only(base, parts);
  return result;
}

void FrictionSystem::start_afresh() {
  threads_.for_each(
      active_.size(), [&](std::size_t k) { active_[k].last = active_[k].now; }, 1);
  slip_walls_.start_afresh();
  push_all();
  momentum_ = 1;
  ahead_ = 0;
  is_moving_ = true;
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
  std::vector<Vec6> motion;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Vec6 f = gather(parts, p);
    work.second += dot(f, times(parts[p].inverse_mass, f));
    // What stands at its faces in `velocity` is how it moved before.
    motion.push_back(parts[p].velocity);
  }
  work.first += slip_walls_.work_on_solids(motion);
  if (work.first + 0.5 * work.second <= 0) return;
  const auto factor = static_cast<float>(work.first < 0 ? std::min(1.0, -work.first / work.second) : 0.0);
  threads_.for_each(
      active_.size(),
      [&](std::size_t k) {
        for (LayerStress& layer : active_[k].now)
          for (SampleStress& sample : layer.sample)
            for (auto& number : sample)
              for (float& value : number) value *= factor;
      },
      1);
  slip_walls_.scale_tractions(factor);
  is_moving_ = false;
  push_all();
  sum_forces(near_);
  slip_walls_.hand_on_forces(threads_, force_);
}

}  // namespace repose
