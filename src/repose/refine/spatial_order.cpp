#include "repose/refine/spatial_order.h"

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

/// `spare` is memory of the same size, which changes hands.
template <class T>
void reorder(Threads& threads, std::span<const std::uint32_t> order, std::vector<T>& spare,
             std::vector<T>& column) {
  spare.resize(column.size());
  gather(threads, std::span<const T>(column), order, std::span<T>(spare));
  std::swap(column, spare);
}

}  // namespace

void sort_in_space(Threads& threads, FineGrains& grains, std::vector<std::uint32_t>& runs) {
  constexpr int shift = FinePlace::kInfluenceBits - kSortCellBits;
  SortablePairs<std::uint32_t> pairs;
  pairs.keys.resize(grains.size());
  pairs.values.resize(grains.size());
  threads.for_each(grains.size(), [&](std::size_t i) {
    const auto cell = [&](std::int32_t c) { return static_cast<std::uint32_t>(c >> shift); };
    pairs.keys[i] = morton(cell(grains.x[i]), cell(grains.y[i]), cell(grains.z[i]));
    pairs.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs);
  runs.clear();
  for (std::uint32_t i = 0; i < pairs.keys.size(); ++i) {
    const std::uint32_t differs = i == 0 ? 0 : pairs.keys[i] ^ pairs.keys[i - 1];
    const bool leaves_radius = differs >> (3 * kSortCellBits) != 0,
               leaves_two = differs >> (3 * (kSortCellBits + 1)) != 0;
    if (i == 0 || leaves_two || (leaves_radius && i - runs.back() >= kShortRun) ||
        i - runs.back() >= kLongestRun)
      runs.push_back(i);
  }
  runs.push_back(static_cast<std::uint32_t>(grains.size()));
  pairs.other_keys = {};
  pairs.keys = {};
  std::vector<float> spare;
  for (auto* column : {&grains.vx, &grains.vy, &grains.vz}) reorder(threads, pairs.values, spare, *column);
  spare = {};
  std::vector<std::int32_t> places;
  for (auto* column : {&grains.x, &grains.y, &grains.z}) reorder(threads, pairs.values, places, *column);
  reorder(threads, pairs.values, pairs.other_values, grains.id);
}

}  // namespace repose
