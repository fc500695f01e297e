#include "repose/refine/spatial_order.h"

#include <algorithm>
#include <bit>
#include <span>

#include "repose/exec/algorithms.h"

namespace repose {
namespace {

/// Grains of a run at most: their data stay in the second level of cache through all steps of a frame.
constexpr std::uint32_t kLongestRun = 2048;
/// Grains of a run before it ends with the radius of influence that it lies in. Shorter ones go on to twice
/// that: looking for their guides would cost more than the sums over these.
constexpr std::uint32_t kShortRun = 384;
/// Cells by which grains are sorted, in the radius of influence: 2^2.
constexpr int kSortCellBits = 2;

/// Ten bits of each coordinate along a Morton curve: only a hint of what is near, so that it may repeat.
std::uint32_t morton(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const auto spread = [](std::uint32_t v) {
    v &= 1023U;
    v = (v | (v << 16U)) & 0x030000FFU;
    v = (v | (v << 8U)) & 0x0300F00FU;
    v = (v | (v << 4U)) & 0x030C30C3U;
    v = (v | (v << 2U)) & 0x09249249U;
    return v;
  };
  return spread(x) | (spread(y) << 1U) | (spread(z) << 2U);
}

/// The part of a column from `first` on; spare memory is as long as the order.
template <class T>
void reorder(Threads& threads, std::span<const std::uint32_t> order, std::size_t first,
             std::vector<std::uint32_t>& spare, std::vector<T>& column) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  threads.for_each(order.size(),
                   [&](std::size_t k) { spare[k] = std::bit_cast<std::uint32_t>(column[first + order[k]]); });
  threads.for_each(order.size(), [&](std::size_t k) { column[first + k] = std::bit_cast<T>(spare[k]); });
}

/// Sorts grains from `first` on, and appends the runs among them.
void sort_part(Threads& threads, std::uint32_t first, std::size_t count, SortablePairs<std::uint32_t>& pairs,
               FineGrains& grains, std::vector<std::uint32_t>& runs) {
  constexpr int shift = FinePlace::kInfluenceBits - kSortCellBits;
  pairs.keys.resize(count);
  pairs.values.resize(count);
  threads.for_each(count, [&](std::size_t k) {
    const auto cell = [&](std::int32_t c) { return static_cast<std::uint32_t>(c >> shift); };
    const std::size_t i = first + k;
    pairs.keys[k] = morton(cell(grains.x[i]), cell(grains.y[i]), cell(grains.z[i]));
    pairs.values[k] = static_cast<std::uint32_t>(k);
  });
  sort_pairs(threads, pairs);
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t differs = k == 0 ? 0 : pairs.keys[k] ^ pairs.keys[k - 1];
    const bool leaves_radius = differs >> (3 * kSortCellBits) != 0,
               leaves_two = differs >> (3 * (kSortCellBits + 1)) != 0;
    if (k == 0 || leaves_two || (leaves_radius && first + k - runs.back() >= kShortRun) ||
        first + k - runs.back() >= kLongestRun)
      runs.push_back(first + k);
  }
  for (auto* column : {&grains.vx, &grains.vy, &grains.vz})
    reorder(threads, pairs.values, first, pairs.keys, *column);
  for (auto* column : {&grains.x, &grains.y, &grains.z})
    reorder(threads, pairs.values, first, pairs.keys, *column);
  reorder(threads, pairs.values, first, pairs.keys, grains.id);
}

}  // namespace

void sort_in_space(Threads& threads, FineGrains& grains, std::vector<std::uint32_t>& runs,
                   std::size_t at_once) {
  SortablePairs<std::uint32_t> pairs;
  runs.clear();
  for (std::size_t first = 0; first < grains.size(); first += at_once)
    sort_part(threads, static_cast<std::uint32_t>(first), std::min(at_once, grains.size() - first), pairs,
              grains, runs);
  runs.push_back(static_cast<std::uint32_t>(grains.size()));
}

}  // namespace repose
