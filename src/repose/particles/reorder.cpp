#include "repose/particles/reorder.h"

#include "repose/exec/algorithms.h"
#include "repose/particles/extent.h"
#include "repose/particles/morton.h"

namespace repose {

void spatial_order(Threads& threads, std::span<const Vec3d> positions, double width,
                   std::vector<std::uint32_t>& order) {
  assert(width > 0);
  const Extent extent = find_extent(threads, positions);
  constexpr double kLastCell = (1U << kMortonBits) - 1;
  // Wider cells where the numbers of narrow ones would not fit. Comparing this way round, a particle that is
  // nowhere (not a number) goes into cell 0.
  const auto cell = [&](double x, unsigned axis) {
    const double scale = std::min(1 / width, kLastCell / (extent.max[axis] - extent.min[axis]));
    const double c = (x - extent.min[axis]) * scale;
    return c > 0 ? static_cast<std::uint64_t>(std::min(c, kLastCell)) : 0;
  };
  SortablePairs<std::uint64_t> pairs;
  pairs.keys.resize(positions.size());
  pairs.values.resize(positions.size());
  threads.for_each(positions.size(), [&](std::size_t i) {
    const Vec3d& x = positions[i];
    pairs.keys[i] = morton_code(cell(x.x, 0), cell(x.y, 1), cell(x.z, 2));
    pairs.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs);
  order = std::move(pairs.values);
}

}  // namespace repose
