#include "repose/geometry/point_grid.h"

#include <algorithm>
#include <cmath>

#include "repose/exec/algorithms.h"

namespace repose {
namespace {

constexpr double kMostCells = 2e6;  // along an axis: 21 bits of a key

}  // namespace

void PointGrid::build(std::span<const Vec3d> points, double cell, Threads& threads) {
  Box3d box;
  for (const Vec3d& p : points) box.extendBy(p);
  low_ = points.empty() ? Vec3d(0) : box.min;
  const Vec3d size = points.empty() ? Vec3d(0) : box.size();
  cell_ = std::max(cell, std::max({size.x, size.y, size.z}) / kMostCells);
  SortablePairs<std::uint64_t> pairs;
  pairs.keys.resize(points.size());
  pairs.values.resize(points.size());
  threads.for_each(points.size(), [&](std::size_t i) {
    const auto [x, y, z] = cell_of(points[i]);
    pairs.keys[i] = key(x, y, z);
    pairs.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs);
  keys_ = std::move(pairs.keys);
  numbers_ = std::move(pairs.values);
}

PointGrid::Cell PointGrid::cell_of(const Vec3d& p) const {
  const auto along = [this](double x, double low) {
    return 1 + static_cast<std::int64_t>(std::floor(std::clamp((x - low) / cell_, 0.0, kMostCells)));
  };
  return {along(p.x, low_.x), along(p.y, low_.y), along(p.z, low_.z)};
}

std::size_t PointGrid::first_not_below(std::uint64_t key) const {
  return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
}

}  // namespace repose
