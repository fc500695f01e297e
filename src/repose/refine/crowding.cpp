#include "repose/refine/crowding.h"

#include <algorithm>
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

Crowding::Crowding(const RefineModel& model, double frame, std::uint32_t parts, const FineGrains& grains,
                   Threads& threads)
    : model_(model), frame_(frame), shift_(FinePlace::kInfluenceBits - 2), edge_(0), room_(0) {
  const double by_volume = model.ratio / std::pow(model.guide_spacing, 3) / parts;
  const auto update = [&] {
    edge_ = std::ldexp(model.place.unit, shift_);
    room_ = by_volume * edge_ * edge_ * edge_;
  };
  for (update(); room_ < kLeastInCell && shift_ < 28; update()) ++shift_;

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
  for (const Counted& part : counted)
    for (const auto& [key, count] : part) counts_[key] += count;
  for (const auto& [key, count] : counts_) {
    if (count <= kLimit * room_) continue;
    const auto coordinate = [k = key](int axis) {
      return static_cast<std::int32_t>((k >> (21 * axis)) & 0x1FFFFF) - (1 << 20);
    };
    const Vec3f drift = drift_from({coordinate(0), coordinate(1), coordinate(2)});
    if (drift != Vec3f(0)) crowded_[key] = drift;
  }
}

std::array<std::int32_t, 3> Crowding::cell_of(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return {x >> shift_, y >> shift_, z >> shift_};
}

Crowding::Key Crowding::key_of(const std::array<std::int32_t, 3>& cell) {
  const auto part = [](std::int32_t c) { return static_cast<Key>(c + (1 << 20)) & 0x1FFFFF; };
  return part(cell[0]) | (part(cell[1]) << 21) | (part(cell[2]) << 42);
}

double Crowding::fill_of(const std::array<std::int32_t, 3>& cell) const {
  const auto found = counts_.find(key_of(cell));
  return found == counts_.end() ? 0 : found->second / room_;
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
  const auto found = crowded_.find(key_of(cell_of(x, y, z)));
  return found == crowded_.end() ? Vec3f(0) : found->second;
}

}  // namespace repose
