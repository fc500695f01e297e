#include "repose/refine/crowding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace repose {
namespace {

/// Grains that a cell of a bed holds at least: fewer, and chance alone makes it too full.
constexpr double kLeastInCell = 24;
/// Over the mean of a bed at rest; chance alone makes one cell in a hundred fuller.
constexpr double kLimit = 1.5;
/// Rate at which differences between neighbouring cells are evened out [1/s], and the most of it in one
/// frame, which keeps an explicit step of diffusion in three dimensions stable (1/6).
constexpr double kRate = 3, kMostInFrame = 0.12;
/// A grain goes no farther in a frame, in cells.
constexpr double kFarthest = 0.25;
constexpr std::size_t kGrainsAtOnce = 65536;

}  // namespace

Crowding::Crowding(const RefineModel& model, std::uint32_t parts)
    : model_(model), shift_(FinePlace::kInfluenceBits - 2), edge_(0), room_(0) {
  const double by_volume = model.ratio / std::pow(model.guide_spacing, 3) / parts;
  const auto update = [&] {
    edge_ = std::ldexp(model.place.unit, shift_);
    room_ = by_volume * edge_ * edge_ * edge_;
  };
  for (update(); room_ < kLeastInCell && shift_ < 28; update()) ++shift_;
}

void Crowding::count(const FineGrains& grains, double frame, Threads& threads) {
  frame_ = frame;
  has_crowded_ = false;
  using Counted = std::vector<std::pair<Key, std::uint32_t>>;
  std::vector<Counted> counted((grains.size() + kGrainsAtOnce - 1) / kGrainsAtOnce);
  threads.for_chunks(grains.size(), kGrainsAtOnce,
                     [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                       for (std::size_t i = begin; i < end; ++i) {
                         const Key key = key_of(cell_of(grains.x[i], grains.y[i], grains.z[i]));
                         // Neighbours in memory are neighbours in space.
                         if (counted[chunk].empty() || counted[chunk].back().first != key)
                           counted[chunk].emplace_back(key, 0);
                         ++counted[chunk].back().second;
                       }
                     });
  std::size_t entries = 0;
  for (const Counted& part : counted) entries += part.size();
  cells_.assign(std::bit_ceil(2 * entries + 2), Cell{});
  for (const Counted& part : counted) {
    for (const auto& [key, count] : part) {
      Cell& cell = cells_[find(key)];
      cell.key = key;
      cell.count += count;
    }
  }
  for (Cell& cell : cells_) {
    if (cell.count <= kLimit * room_) continue;
    const auto coordinate = [&](int axis) {
      return static_cast<std::int32_t>((cell.key >> (21 * axis)) & 0x1FFFFF) - (1 << 20);
    };
    cell.drift = drift_from({coordinate(0), coordinate(1), coordinate(2)});
    has_crowded_ = has_crowded_ || cell.drift != Vec3f(0);
  }
}

std::size_t Crowding::find(Key key) const {
  const std::size_t mask = cells_.size() - 1;
  std::size_t at = (key * 0x9E3779B97F4A7C15U >> 20U) & mask;
  while (cells_[at].key != key && cells_[at].key != ~Key{0}) at = (at + 1) & mask;
  return at;
}

void Crowding::look(const std::array<std::int32_t, 3>& low, const std::array<std::int32_t, 3>& high,
                    Block& block) const {
  block.first = cell_of(low[0], low[1], low[2]);
  const auto last = cell_of(high[0], high[1], high[2]);
  for (std::size_t axis = 0; axis < 3; ++axis) block.size[axis] = last[axis] - block.first[axis] + 1;
  block.drift.clear();
  bool is_crowded = false;
  for (std::int32_t z = block.first[2]; z <= last[2]; ++z)
    for (std::int32_t y = block.first[1]; y <= last[1]; ++y)
      for (std::int32_t x = block.first[0]; x <= last[0]; ++x) {
        block.drift.push_back(cells_[find(key_of({x, y, z}))].drift);
        is_crowded = is_crowded || block.drift.back() != Vec3f(0);
      }
  if (!is_crowded) block.drift.clear();
}

std::array<std::int32_t, 3> Crowding::cell_of(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return {x >> shift_, y >> shift_, z >> shift_};
}

Crowding::Key Crowding::key_of(const std::array<std::int32_t, 3>& cell) {
  const auto part = [](std::int32_t c) { return static_cast<Key>(c + (1 << 20)) & 0x1FFFFF; };
  return part(cell[0]) | (part(cell[1]) << 21) | (part(cell[2]) << 42);
}

double Crowding::fill_of(const std::array<std::int32_t, 3>& cell) const {
  return cells_[find(key_of(cell))].count / room_;
}

double Crowding::fill(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return fill_of(cell_of(x, y, z));
}

bool Crowding::is_in_domain(const std::array<std::int32_t, 3>& cell) const {
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = model_.place.origin[axis] + (cell[static_cast<std::size_t>(axis)] + 0.5) * edge_;
    if (middle < model_.domain.min[axis] || middle > model_.domain.max[axis]) return false;
  }
  return true;
}

/// Down the slope of the fill. What lies beyond the domain counts as full as the cell itself.
Vec3f Crowding::drift_from(const std::array<std::int32_t, 3>& cell) const {
  const double own = fill_of(cell);
  Vec3d slope(0);
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      auto next = cell;
      next[static_cast<std::size_t>(axis)] += side;
      const double other = is_in_domain(next) ? fill_of(next) : own;
      if (other < own) slope[axis] += side * (own - other);
    }
  }
  // Grains go down the slope of the fill as heat does, those of this cell alike: v = -D grad(ln fill).
  Vec3d drift = slope * (std::min(kRate, kMostInFrame / frame_) * edge_ / own);
  const double cells = drift.length() * frame_ / edge_;
  if (cells > kFarthest) drift *= kFarthest / cells;
  return to_float(drift);
}

Vec3f Crowding::drift(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return cells_[find(key_of(cell_of(x, y, z)))].drift;
}

}  // namespace repose
