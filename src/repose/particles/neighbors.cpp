#include "repose/particles/neighbors.h"

#include <atomic>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/particles/cell_levels.h"
#include "repose/particles/extent.h"

namespace repose {

namespace {
constexpr double kColumnsPerWidth = 2;  ///< cells along x are that much narrower
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
  if (period == 0) return cell >= 0 && cell <= last ? static_cast<std::uint64_t>(cell) & (fold - 1) : 0;
  const double length = static_cast<double>(period), wrapped = cell - length * std::floor(cell / length);
  return wrapped > 0 ? static_cast<std::uint64_t>(std::min(wrapped, length - 1)) : 0;
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
  make_directories(threads);
  fill_table(threads);
}

void NeighborSearch::make_levels(Threads& threads, std::span<const Vec3d> positions,
                                 std::span<const double> radii) {
  const std::vector<CellLevel> plans = plan_cell_levels(threads, radii, margin_);
  if (!plans.empty()) check_periodic_lengths(box_, 2 * plans.front().max_radius + margin_);
  const Extent extent = find_extent(threads, positions);
  double scale = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    scale =
        std::max({scale, std::abs(extent.min[axis]), std::abs(extent.max[axis]), std::abs(box_.min[axis])});
  }
  levels_.clear();
  for (const CellLevel& plan : plans) {
    Level level{.axes = {},
                .scale = scale,
                .max_radius = plan.max_radius,
                .limit = plan.limit,
                .code = std::uint64_t{levels_.size()} << (3 * kMortonBits)};
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double width = axis == 0 ? plan.width / kColumnsPerWidth : plan.width;
      level.axes[axis] = make_axis(width, axis == 0 ? kFold * kSegmentCells : kFold, extent.min[axis],
                                   extent.max[axis], axis);
    }
    levels_.push_back(level);
  }
}

NeighborSearch::Axis NeighborSearch::make_axis(double width, std::uint64_t fold, double min, double max,
                                               unsigned axis) const {
  if (!box_.periodic[axis]) {
    // Cell numbers stay exact in a double, however far the spheres are apart.
    const double inverse_width = 1 / std::max(width, std::ldexp(max - min, -50));
    return {.origin = min,
            .inverse_width = inverse_width,
            .last = std::floor((max - min) * inverse_width),
            .period = 0,
            .fold = fold};
  }
  const double length = box_.max[axis] - box_.min[axis];
  const double count = std::clamp(std::floor(length / width), 1.0, static_cast<double>(fold));
  return {.origin = box_.min[axis],
          .inverse_width = count / length,
          .last = count - 1,
          .period = static_cast<std::uint64_t>(count),
          .fold = fold};
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
  index_.swap(pairs_.values);
  threads.for_each(n, [&](std::size_t k) {
    const std::uint32_t i = index_[k];
    slots_[k] = {positions[i], radii[i]};
    slot_of_[i] = static_cast<std::uint32_t>(k);
  });
}

void NeighborSearch::make_segments(Threads& threads) {
  const std::vector<std::uint64_t>& keys = pairs_.keys;
  const auto key_of = [&](std::size_t k) { return keys[k] >> kSegmentBits; };
  select_indices(
      threads, keys.size(), [&](std::size_t k) { return k == 0 || key_of(k) != key_of(k - 1); },
      segment_begin_);
  const std::size_t count = segment_begin_.size();
  segment_begin_.push_back(static_cast<std::uint32_t>(keys.size()));

  constexpr std::size_t kStarts = kSegmentCells + 1;
  segment_key_.resize(count + 1);
  cell_start_.resize((count + 1) * kStarts);
  segment_key_[0] = 0;
  std::fill_n(cell_start_.begin(), kStarts, 0U);
  threads.for_each(count, [&](std::size_t s) {
    const std::size_t begin = segment_begin_[s], end = segment_begin_[s + 1];
    segment_key_[s + 1] = key_of(begin);
    std::uint32_t* starts = &cell_start_[(s + 1) * kStarts];
    std::size_t k = begin;
    for (std::size_t c = 0; c < kSegmentCells; ++c) {
      starts[c] = static_cast<std::uint32_t>(k);
      while (k < end && keys[k] % kSegmentCells == c) ++k;
    }
    starts[kSegmentCells] = static_cast<std::uint32_t>(end);
  });

  for (Level& level : levels_) {
    const auto first = segment_key_.begin() + 1, last = segment_key_.end();
    const auto begin = std::lower_bound(first, last, level.code);
    const auto end = std::lower_bound(begin, last, level.code + (1ULL << (3 * kMortonBits)));
    level.segment_begin = static_cast<std::size_t>(begin - segment_key_.begin());
    level.segment_end = static_cast<std::size_t>(end - segment_key_.begin());
  }
}

/// Gives a table of rows to each level whose bounding box has not many more segments than hold spheres.
void NeighborSearch::make_directories(Threads& threads) {
  constexpr double kEntriesPerSegment = 16;
  std::size_t size = 0;
  for (Level& level : levels_) {
    const double length = std::floor(level.axes[0].last / kSegmentCells) + 1;
    const double entries = length * (level.axes[1].last + 1) * (level.axes[2].last + 1);
    const double limit =
        kEntriesPerSegment * static_cast<double>(level.segment_end - level.segment_begin) + 64;
    level.has_directory =
        entries <= limit && std::max({length, level.axes[1].last, level.axes[2].last}) < kFold;
    if (!level.has_directory) continue;
    level.directory_begin = size;
    level.row_length = static_cast<std::size_t>(length);
    level.layer_length = level.row_length * static_cast<std::size_t>(level.axes[1].last + 1);
    size += static_cast<std::size_t>(entries);
  }
  directory_.assign(size, 0);
  for (const Level& level : levels_) {
    if (!level.has_directory) continue;
    threads.for_each(level.segment_end - level.segment_begin, [&](std::size_t i) {
      const std::size_t s = level.segment_begin + i;
      const std::uint64_t key = segment_key_[s];
      directory_[level.directory_begin + collect_bits(key >> 2) * level.layer_length +
                 collect_bits(key >> 1) * level.row_length + collect_bits(key)] =
          static_cast<std::uint32_t>(s);
    });
  }
}

/// The segments of the other levels. The order in which they enter the table depends on the threads; what is
/// found in it does not.
void NeighborSearch::fill_table(Threads& threads) {
  std::size_t needed = 0, size = 16;
  for (const Level& level : levels_)
    needed += level.has_directory ? 0 : level.segment_end - level.segment_begin;
  while (size < 2 * needed) size *= 2;
  table_keys_.assign(size, kNoKey);
  table_values_.resize(size);
  for (const Level& level : levels_) {
    if (level.has_directory) continue;
    threads.for_each(level.segment_end - level.segment_begin, [&](std::size_t i) {
      const std::uint64_t key = segment_key_[level.segment_begin + i];
      for (std::size_t place = (key * 0x9E3779B97F4A7C15ULL) >> 32;; ++place) {
        std::uint64_t expected = kNoKey;
        const std::atomic_ref<std::uint64_t> entry(table_keys_[place & (size - 1)]);
        if (!entry.compare_exchange_strong(expected, key, std::memory_order_relaxed)) continue;
        table_values_[place & (size - 1)] = static_cast<std::uint32_t>(level.segment_begin + i);
        return;
      }
    });
  }
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
