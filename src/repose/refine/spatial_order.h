#pragma once
// The order of fine grains in memory: neighbours in space are neighbours in memory, in runs that lie within
// one or two radii of influence. Any order gives the same grains.

#include <array>
#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/refine/fine_grains.h"

namespace repose {

/// Grains that are sorted together: the sort takes 16 bytes for each. Parts of more grains overlap in space,
/// which makes their runs shorter.
inline constexpr std::size_t kSortedAtOnce = 1U << 22U;

/// Sorts grains in space, part by part, and says where runs of grains begin that are near each other; the
/// last entry is the number of grains.
void sort_in_space(Threads& threads, FineGrains& grains, std::vector<std::uint32_t>& runs,
                   std::size_t at_once = kSortedAtOnce);

/// A box in units of FinePlace, with the places at its borders.
struct PlaceBox {
  std::array<std::int32_t, 3> low, high;

  void include(const PlaceBox& other) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (other.low[axis] < low[axis]) low[axis] = other.low[axis];
      if (other.high[axis] > high[axis]) high[axis] = other.high[axis];
    }
  }
  double extent(std::size_t axis) const {
    return static_cast<double>(high[axis]) - static_cast<double>(low[axis]);
  }
};

/// Around the grains [begin, end), at least one.
inline PlaceBox box_of(const FineGrains& grains, std::uint32_t begin, std::uint32_t end) {
  PlaceBox box;
  const std::array<const std::int32_t*, 3> columns{grains.x.data(), grains.y.data(), grains.z.data()};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int32_t* c = columns[axis];
    std::int32_t low = c[begin], high = c[begin];
    for (std::uint32_t i = begin; i < end; ++i) {
      low = c[i] < low ? c[i] : low;
      high = c[i] > high ? c[i] : high;
    }
    box.low[axis] = low, box.high[axis] = high;
  }
  return box;
}

}  // namespace repose
