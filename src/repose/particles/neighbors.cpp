#include "repose/particles/neighbors.h"

#include <atomic>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/particles/extent.h"

namespace repose {

namespace {
constexpr std::size_t kChunk = 16384;
constexpr int kLevelLimit = 16;         ///< what four bits of a key can tell apart
constexpr double kColumnsPerReach = 2;  ///< cells along x in one interaction length

/// The level of a radius: 0 for the largest, one more for each halving.
int level_of(double radius, double max_radius) {
  int level = 0;
  for (double limit = 0.5 * max_radius; level + 1 < kLevelLimit && radius <= limit; limit *= 0.5) ++level;
  return level;
}
}  // namespace

void check_periodic_lengths(const DomainBox& box, double reach) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    const double length = box.max[axis] - box.min[axis];
    if (!box.periodic[axis] || length >= 2 * reach) continue;
    throw Error(
        ExitCode::bad_scene,
        fmt::format(
            "the periodic domain is {:g} m long along {}, but particles interact over {:g} m: make it "
            "at least {:g} m long, or the particles smaller",
            length, "xyz"[axis], reach, 2 * reach));
  }
}

std::uint64_t NeighborSearch::Axis::cell_of(double x) const {
  const double cell = std::floor((x - origin) * inverse_width);
  if (!(std::abs(cell) < 4e15)) return 0;
  if (period == 0) return static_cast<std::uint64_t>(static_cast<std::int64_t>(cell)) & (fold - 1);
  const double length = static_cast<double>(period);
  return static_cast<std::uint64_t>(std::clamp(cell - length * std::floor(cell / length), 0.0, length - 1));
}

void NeighborSearch::build(Threads& threads, std::span<const Vec3d> positions, std::span<const double> radii,
                           double margin, const DomainBox& box) {
  assert(positions.size() == radii.size() && margin >= 0);
  assert(positions.size() < std::numeric_limits<std::uint32_t>::max());
  box_ = box;
  any_periodic_ = box.any_periodic();
  margin_ = margin;
  make_levels(threads, positions, radii);
  sort_spheres(threads, positions, radii);
  make_segments(threads);
  fill_table(threads);
}

void NeighborSearch::make_levels(Threads& threads, std::span<const Vec3d> positions,
                                 std::span<const double> radii) {
  const Extent extent = find_extent(threads, positions);
  const double max_radius = threads.reduce(
      radii.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double r = 0;
        for (std::size_t i = begin; i < end; ++i) r = std::max(r, radii[i]);
        return r;
      },
      [](double a, double b) { return std::max(a, b); }, kChunk);
  check_periodic_lengths(box_, 2 * max_radius + margin_);

  // The largest radius of each level, negative where there is none.
  using Radii = std::array<double, kLevelLimit>;
  Radii none;
  none.fill(-1);
  const Radii largest = threads.reduce(
      radii.size(), none,
      [&](std::size_t begin, std::size_t end) {
        Radii r = none;
        for (std::size_t i = begin; i < end; ++i) {
          double& level = r[static_cast<std::size_t>(level_of(radii[i], max_radius))];
          level = std::max(level, radii[i]);
        }
        return r;
      },
      [](Radii a, const Radii& b) {
        for (std::size_t l = 0; l < a.size(); ++l) a[l] = std::max(a[l], b[l]);
        return a;
      },
      kChunk);

  levels_.clear();
  for (std::size_t l = 0; l < largest.size(); ++l) {
    if (largest[l] < 0) continue;
    Level level{.axes = {},
                .max_radius = largest[l],
                .limit = std::ldexp(max_radius, -static_cast<int>(l)),
                .code = std::uint64_t{l} << (3 * kMortonBits)};
    // Points that no margin surrounds have no neighbours among themselves; any width will do for them.
    double width = std::max(2 * largest[l] + margin_, std::ldexp(max_radius, 1 - kLevelLimit));
    if (!(width > 0)) width = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      Axis& a = level.axes[axis];
      const double w = axis == 0 ? width / kColumnsPerReach : width;
      a.fold = axis == 0 ? kFold * kSegmentCells : kFold;
      if (box_.periodic[axis]) {
        const double length = box_.max[axis] - box_.min[axis];
        a.period =
            static_cast<std::uint64_t>(std::clamp(std::floor(length / w), 1.0, static_cast<double>(a.fold)));
        a.origin = box_.min[axis];
        a.inverse_width = static_cast<double>(a.period) / length;
        a.last = static_cast<double>(a.period) - 1;
      } else {
        a.period = 0;
        a.origin = extent.min[axis];
        a.inverse_width = 1 / w;
        a.last = std::floor((extent.max[axis] - a.origin) * a.inverse_width);
      }
    }
    levels_.push_back(level);
  }
}

void NeighborSearch::sort_spheres(Threads& threads, std::span<const Vec3d> positions,
                                  std::span<const double> radii) {
  const std::size_t n = positions.size();
  pairs_.keys.resize(n);
  pairs_.values.resize(n);
  threads.for_each(n, [&](std::size_t i) {
    std::size_t l = 0;
    while (l + 1 < levels_.size() && radii[i] <= levels_[l + 1].limit) ++l;
    const std::array<Axis, 3>& axes = levels_[l].axes;
    const std::uint64_t x = axes[0].cell_of(positions[i].x);
    const std::uint64_t segment =
        levels_[l].code |
        morton_code(x >> kSegmentBits, axes[1].cell_of(positions[i].y), axes[2].cell_of(positions[i].z));
    pairs_.keys[i] = segment << kSegmentBits | (x & (kSegmentCells - 1));
    pairs_.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs_);

  slots_.resize(n);
  slot_of_.resize(n);
  index_.assign(pairs_.values.begin(), pairs_.values.end());
  threads.for_each(n, [&](std::size_t k) {
    const std::uint32_t i = index_[k];
    slots_[k] = {positions[i], radii[i]};
    slot_of_[i] = static_cast<std::uint32_t>(k);
  });
}

void NeighborSearch::make_segments(Threads& threads) {
  const std::vector<std::uint64_t>& keys = pairs_.keys;
  const auto segment_key = [&](std::size_t k) { return keys[k] >> kSegmentBits; };
  select_indices(
      threads, keys.size(), [&](std::size_t k) { return k == 0 || segment_key(k) != segment_key(k - 1); },
      segment_begin_);
  const std::size_t count = segment_begin_.size();
  segment_begin_.push_back(static_cast<std::uint32_t>(keys.size()));

  segments_.resize(count);
  const auto cell = [&](std::size_t k) { return static_cast<std::uint16_t>(keys[k] & (kSegmentCells - 1)); };
  std::vector<std::uint32_t> starts(count);
  threads.for_each(count, [&](std::size_t s) {
    const std::size_t begin = segment_begin_[s], end = segment_begin_[s + 1];
    segments_[s] = {segment_key(begin), 0, cell(begin), cell(end - 1)};
    starts[s] = cell(end - 1) - cell(begin) + 2U;
  });
  cell_start_.resize(exclusive_scan<std::uint32_t>(threads, starts, starts));
  threads.for_each(count, [&](std::size_t s) {
    Segment& segment = segments_[s];
    segment.cell_start = starts[s];
    std::uint32_t* start = &cell_start_[starts[s]];
    std::size_t k = segment_begin_[s];
    for (std::uint16_t c = segment.first_cell; c <= segment.last_cell; ++c) {
      *start++ = static_cast<std::uint32_t>(k);
      while (k < segment_begin_[s + 1] && cell(k) == c) ++k;
    }
    *start = segment_begin_[s + 1];
  });

  const auto by_level = [](const Segment& segment, std::uint64_t code) { return segment.key < code; };
  for (Level& level : levels_) {
    const auto begin = std::lower_bound(segments_.begin(), segments_.end(), level.code, by_level);
    const auto end =
        std::lower_bound(begin, segments_.end(), level.code + (1ULL << (3 * kMortonBits)), by_level);
    level.first_segment = static_cast<std::size_t>(begin - segments_.begin());
    level.segment_count = static_cast<std::size_t>(end - begin);
  }
}

/// The order in which segments enter the table depends on the threads; what is found in it does not.
void NeighborSearch::fill_table(Threads& threads) {
  std::size_t size = 16;
  while (size < 2 * segments_.size()) size *= 2;
  table_keys_.assign(size, kNoSegment);
  table_values_.resize(size);
  threads.for_each(segments_.size(), [&](std::size_t s) {
    const std::uint64_t key = segments_[s].key;
    for (std::size_t place = (key * 0x9E3779B97F4A7C15ULL) >> 32;; ++place) {
      std::uint64_t expected = kNoSegment;
      const std::atomic_ref<std::uint64_t> entry(table_keys_[place & (size - 1)]);
      if (!entry.compare_exchange_strong(expected, key, std::memory_order_relaxed)) continue;
      table_values_[place & (size - 1)] = static_cast<std::uint32_t>(s);
      return;
    }
  });
}

std::uint64_t NeighborSearch::count_candidates(Threads& threads) const {
  return threads.reduce(
      size(), std::uint64_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::uint64_t count = 0;
        for (std::size_t slot = begin; slot < end; ++slot) {
          for (const Level& level : levels_) {
            const double reach = slots_[slot].radius + level.max_radius + margin_;
            for_each_range(level, slots_[slot].position, reach,
                           [&](std::size_t first, std::size_t last) { count += last - first; });
          }
        }
        return count;
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace repose
