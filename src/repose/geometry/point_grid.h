#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/math/vec.h"

namespace repose {

/// Finds points near a place, by cells of a fixed size. Points of a cell stand in the order of their numbers,
/// so a sum over neighbours does not depend on threads.
class PointGrid {
 public:
  /// `cell` is the largest reach that will be asked for [m].
  void build(std::span<const Vec3d> points, double cell, Threads& threads);

  /// Calls visit(number) for every point of the cells around p: all within one cell size, and others.
  template <class Visit>
  void for_each_near(const Vec3d& p, Visit&& visit) const {
    if (numbers_.empty()) return;
    const auto [x, y, z] = cell_of(p);
    for (std::int64_t k = z - 1; k <= z + 1; ++k)
      for (std::int64_t j = y - 1; j <= y + 1; ++j) {
        // Three cells along x follow each other.
        const std::uint64_t low = key(x - 1, j, k), high = key(x + 1, j, k);
        for (std::size_t i = first_not_below(low); i < keys_.size() && keys_[i] <= high; ++i)
          visit(numbers_[i]);
      }
  }

 private:
  struct Cell {
    std::int64_t x, y, z;
  };
  Cell cell_of(const Vec3d& p) const;
  /// Cells are numbered from 1 along each axis, so that neighbours below the first one have a number too.
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return (static_cast<std::uint64_t>(z) << 42U) | (static_cast<std::uint64_t>(y) << 21U) |
           static_cast<std::uint64_t>(x);
  }
  std::size_t first_not_below(std::uint64_t key) const;

  Vec3d low_{0, 0, 0};
  double cell_ = 1;
  std::vector<std::uint64_t> keys_;     // sorted
  std::vector<std::uint32_t> numbers_;  // likewise
};

}  // namespace repose
