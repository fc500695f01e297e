#include "repose/refine/crowding.h"

#include <algorithm>
#include <cmath>

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
constexpr std::size_t kGrainsAtOnce = 65536;  // counted by one thread

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
  std::vector<CellCounts> parts((grains.size() + kGrainsAtOnce - 1) / kGrainsAtOnce);
  threads.for_chunks(grains.size(), kGrainsAtOnce,
                     [&](std::size_t begin, std::size_t end, std::size_t chunk) {
                       CellCounts& part = parts[chunk];
                       CellCounts::Tile* tile = nullptr;
                       for (std::size_t i = begin; i < end; ++i) {
                         const Cell cell = cell_of(grains.x[i], grains.y[i], grains.z[i]);
                         const Cell coordinate = CellCounts::tile_of(cell);
                         // Neighbours in memory are neighbours in space.
                         if (tile == nullptr || !CellCounts::is_same(tile->coordinate, coordinate))
                           tile = &part.at(coordinate);
                         ++tile->count[CellCounts::cell_in_tile(cell)];
                       }
                     });
  counts_.clear();
  for (const CellCounts& part : parts) counts_.add(part);
  drifts_.assign(counts_.tiles().size(), {});
  threads.for_each(
      drifts_.size(), [&](std::size_t t) { drifts_[t] = drift_in(counts_.tiles()[t]); }, 64);
  has_crowded_ = std::any_of(drifts_.begin(), drifts_.end(), [](const TileDrift& d) { return !d.empty(); });
}

Crowding::TileDrift Crowding::drift_in(const CellCounts::Tile& tile) const {
  TileDrift drift;
  for (std::size_t c = 0; c < CellCounts::kTileCells; ++c) {
    if (tile.count[c] <= kLimit * model_.packed * room_) continue;
    const Vec3f from = drift_from(CellCounts::cell_of(tile, c));
    if (from != Vec3f(0)) drift.push_back({c, from});
  }
  return drift;
}

void Crowding::look(const PlaceBox& box, double dt, Block& block) const {
  block.shift_ = shift_;
  block.first_ = cell_of(box.low[0], box.low[1], box.low[2]);
  block.way_.clear();
  block.drifts_.clear();
  const Cell last = cell_of(box.high[0], box.high[1], box.high[2]);
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    block.size_[axis] = last[axis] - block.first_[axis] + 1;
    cells *= static_cast<std::size_t>(block.size_[axis]);
  }
  const double units = dt / model_.place.unit;
  const auto in_units = [&](float v) {
    return static_cast<std::int32_t>(std::lround(static_cast<double>(v) * units));
  };
  const Cell low = CellCounts::tile_of(block.first_), high = CellCounts::tile_of(last);
  for (std::int32_t tz = low[2]; tz <= high[2]; ++tz)
    for (std::int32_t ty = low[1]; ty <= high[1]; ++ty)
      for (std::int32_t tx = low[0]; tx <= high[0]; ++tx) {
        const std::uint32_t tile = counts_.find({tx, ty, tz});
        if (tile == CellCounts::kNone) continue;
        for (const auto& [in_tile, v] : drifts_[tile]) {
          Cell cell = CellCounts::cell_of(counts_.tiles()[tile], in_tile);
          bool is_inside = true;
          for (std::size_t axis = 0; axis < 3; ++axis) {
            cell[axis] -= block.first_[axis];
            is_inside = is_inside && cell[axis] >= 0 && cell[axis] < block.size_[axis];
          }
          if (!is_inside) continue;
          block.way_.resize(cells, {});
          block.drifts_.resize(cells, 0);
          block.way_[block.row_of(cell)] = {in_units(v.x), in_units(v.y), in_units(v.z)};
          block.drifts_[block.row_of(cell)] = 1;
        }
      }
}

double Crowding::fill_of(const Cell& cell) const { return counts_.count(cell) / room_; }

double Crowding::fill(std::int32_t x, std::int32_t y, std::int32_t z) const {
  return fill_of(cell_of(x, y, z));
}

bool Crowding::is_in_domain(const Cell& cell) const {
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = model_.place.origin[axis] + (cell[static_cast<std::size_t>(axis)] + 0.5) * edge_;
    if (middle < model_.domain.min[axis] || middle > model_.domain.max[axis]) return false;
  }
  return true;
}

/// Down the slope of the fill. What lies beyond the domain counts as full as the cell itself.
Vec3f Crowding::drift_from(const Cell& cell) const {
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
  const Cell cell = cell_of(x, y, z);
  const std::uint32_t tile = counts_.find(CellCounts::tile_of(cell));
  if (tile == CellCounts::kNone) return Vec3f(0);
  for (const auto& [in_tile, velocity] : drifts_[tile])
    if (in_tile == CellCounts::cell_in_tile(cell)) return velocity;
  return Vec3f(0);
}

}  // namespace repose
