#pragma once
// Neighbour search: which spheres are within reach of which.
//
// Spheres are sorted into cells as wide as the largest interaction, so that all neighbours of a sphere lie in
// the 3 x 3 x 3 cells around it. Where sizes differ much there are several levels of cells, one for each
// factor of two in radius: a sphere is kept in the level that fits it and is searched for in all of them.
//
//  - A *row* is a line of cells along x. Spheres are kept sorted by row and along the row, so the cells that
//    a query needs of one row are one stretch of memory. Along x the cells are narrower than along y and z:
//    that costs nothing but a longer table and leaves fewer spheres to be tested.
//  - A row is cut into *segments* of 64 cells. Only segments that hold spheres exist; a hash table finds
//  them.
//    So memory goes with the number of spheres and never with the size of the world. Segments are sorted
//    along a Morton curve, which keeps neighbouring rows near each other in memory.
//  - Cell numbers are kept modulo 2^18 segments. Spheres that fall on top of each other by this are told
//    apart by their distance, like any other candidate.
//
// What is a neighbour is decided by the distance in double, by a formula that is symmetric in the two
// spheres: j is a neighbour of i exactly if i is a neighbour of j, and the result is that of comparing all
// pairs. It does not depend on threads, on the order in memory, or on earlier searches.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "repose/exec/algorithms.h"
#include "repose/exec/threads.h"
#include "repose/math/vec.h"
#include "repose/particles/domain_box.h"
#include "repose/particles/morton.h"

namespace repose {

/// The neighbours of each sphere: those of i are neighbor[offset[i]] ... neighbor[offset[i + 1] - 1].
struct NeighborLists {
  std::vector<std::uint64_t> offset;
  std::vector<std::uint32_t> neighbor;
  std::vector<std::vector<std::uint32_t>> scratch;  ///< memory that the next build uses again

  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(neighbor).subspan(offset[i], offset[i + 1] - offset[i]);
  }
};

/// Throws Error(bad_scene) if a periodic length is shorter than two interactions of length `reach` [m]: then
/// a sphere would meet two images of the same neighbour, of which only one is found.
void check_periodic_lengths(const DomainBox& box, double reach);

class NeighborSearch {
 public:
  /// Sorts the spheres into cells. Spheres i and j are neighbours if |x_j - x_i| < r_i + r_j + margin [m],
  /// between nearest images along periodic axes; positions may lie outside a periodic box. The data is
  /// copied: the spans may change afterwards. Throws as check_periodic_lengths does, for two largest spheres.
  void build(Threads& threads, std::span<const Vec3d> positions, std::span<const double> radii, double margin,
             const DomainBox& box);

  std::size_t size() const { return slots_.size(); }

  /// Calls f(j, dx) for each neighbour j of sphere i, with dx = x_j - x_i between nearest images [m].
  template <class F>
  void for_each_neighbor(std::size_t i, F&& f) const {
    visit_neighbors(slot_of_[i], f);
  }

  /// Calls f(j, dx) for each sphere that a ball about the point would overlap: |x_j - point| < r_j + radius,
  /// with dx = x_j - point between nearest images [m]. The margin does not count here.
  template <class F>
  void for_each_within(const Vec3d& point, double radius, F&& f) const {
    visit_near(point, radius, 0, [&](std::uint32_t k, const Vec3d& d) { f(index_[k], d); });
  }

  /// Makes the lists of those neighbours j of each i for which accept(i, j), in the order of rank(j) (any
  /// type with <, different for all spheres). Both are called from several threads.
  template <class Accept, class Rank>
  void build_lists(Threads& threads, Accept&& accept, Rank&& rank, NeighborLists& lists) const;
  /// The same in the order in which they are found: that of the cells.
  template <class Accept>
  void build_lists(Threads& threads, Accept&& accept, NeighborLists& lists) const {
    build_lists(threads, accept, AsFound{}, lists);
  }
  /// All neighbours, in the order of their indices.
  void build_lists(Threads& threads, NeighborLists& lists) const {
    build_lists(
        threads, [](std::size_t, std::size_t) { return true; }, [](std::uint32_t j) { return j; }, lists);
  }

  /// How many distances are computed to visit all neighbours of all spheres: what a search costs.
  std::uint64_t count_candidates(Threads& threads) const;

  /// The spheres in the order of the cells: neighbours in space are mostly near each other.
  std::span<const std::uint32_t> order() const { return index_; }

 private:
  struct AsFound {};
  static constexpr std::size_t kListChunk = 2048;
  static constexpr int kSegmentBits = 5;  ///< a segment has 32 cells
  static constexpr std::uint64_t kSegmentCells = 1U << kSegmentBits;
  static constexpr std::uint64_t kFold = 1ULL << kMortonBits;  ///< cell numbers count modulo this
  static constexpr std::uint64_t kNoKey = ~0ULL;

  /// What a query reads of a sphere, in the order of the cells.
  struct Slot {
    Vec3d position;
    double radius;
  };
  struct CellRange {
    std::uint64_t first, count;
  };
  /// Cells along one axis.
  struct Axis {
    double origin;         ///< where cell 0 begins [m]
    double inverse_width;  ///< [1/m]
    double last;           ///< the last cell that may hold spheres; cell 0 is the first
    std::uint64_t period;  ///< number of cells until they repeat, or 0
    std::uint64_t fold;    ///< what cell numbers are kept modulo of, a power of two

    std::uint64_t cell_of(double x) const;
    CellRange cells_within(double x, double reach) const;
    std::uint64_t wrap(std::uint64_t cell) const {
      return (period != 0 && cell >= period ? cell - period : cell) & (fold - 1);
    }
  };
  struct Level {
    std::array<Axis, 3> axes;
    double scale;        ///< the largest number that coordinates are computed from [m]
    double max_radius;   ///< of the spheres in this level [m]
    double limit;        ///< spheres in this level have at most this radius [m]
    std::uint64_t code;  ///< the level's number, where it stands in a segment's key
    std::size_t segment_begin = 0, segment_end = 0;
    // Where a level fills its box well, segments are found in a plain table of rows instead of the hash
    // table.
    bool has_directory = false;
    std::size_t directory_begin = 0, row_length = 0, layer_length = 0;
  };

  void make_levels(Threads& threads, std::span<const Vec3d> positions, std::span<const double> radii);
  Axis make_axis(double width, std::uint64_t fold, double min, double max, unsigned axis) const;
  void sort_spheres(Threads& threads, std::span<const Vec3d> positions, std::span<const double> radii);
  void make_segments(Threads& threads);
  void make_directories(Threads& threads);
  void fill_table(Threads& threads);
  std::uint32_t find_segment(const Level& level, std::uint64_t s, std::uint64_t y, std::uint64_t z) const;

  template <class F>
  void for_each_range(const Level& level, const Vec3d& point, double reach, F&& f) const;
  template <class F>
  void visit_rows(const Level& level, const std::array<CellRange, 3>& cells, std::uint64_t first,
                  std::uint64_t last, F&& f) const;
  template <class F>
  void visit_segments(const Level& level, const std::array<CellRange, 3>& cells, F&& f) const;
  template <class F>
  void visit_neighbors(std::size_t slot, F&& f) const;
  template <class F>
  void visit_near(const Vec3d& point, double radius, double margin, F&& f) const;

  DomainBox box_;
  bool any_periodic_ = false;
  double margin_ = 0;
  std::vector<Level> levels_;               ///< from large to small spheres, none empty
  std::vector<Slot> slots_;                 ///< the spheres, sorted
  std::vector<std::uint32_t> index_;        ///< slot to sphere
  std::vector<std::uint32_t> slot_of_;      ///< sphere to slot
  std::vector<std::uint64_t> segment_key_;  ///< level and Morton code; segment 0 is empty and stands for none
  std::vector<std::uint32_t> cell_start_;   ///< by segment: first slot of each cell, and one past the last
  std::vector<std::uint32_t> directory_;
  std::vector<std::uint64_t> table_keys_;  ///< open addressing, a power of two long
  std::vector<std::uint32_t> table_values_;
  SortablePairs<std::uint64_t> pairs_;
  std::vector<std::uint32_t> segment_begin_;
};

inline NeighborSearch::CellRange NeighborSearch::Axis::cells_within(double x, double reach) const {
  const double low = (x - reach - origin) * inverse_width, high = (x + reach - origin) * inverse_width;
  if (period == 0) {
    if (!(high >= 0 && low < last + 1)) return {0, 0};
    const auto first = static_cast<std::int64_t>(std::max(0.0, low));
    const auto end = static_cast<std::int64_t>(std::min(last, high)) + 1;
    return {static_cast<std::uint64_t>(first), std::min(static_cast<std::uint64_t>(end - first), fold)};
  }
  const double length = static_cast<double>(period), floor_low = std::floor(low);
  const double count = std::floor(high) - floor_low + 1;
  if (!(count >= 1)) return {0, 0};
  if (count >= length) return {0, period};
  const double first = std::clamp(floor_low - length * std::floor(floor_low / length), 0.0, length - 1);
  return {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count)};
}

inline std::uint32_t NeighborSearch::find_segment(const Level& level, std::uint64_t s, std::uint64_t y,
                                                  std::uint64_t z) const {
  if (level.has_directory) {
    return directory_[level.directory_begin + z * level.layer_length + y * level.row_length + s];
  }
  const std::uint64_t key = level.code | morton_code(s & (kFold - 1), y, z);
  const std::size_t mask = table_keys_.size() - 1;
  for (std::size_t place = (key * 0x9E3779B97F4A7C15ULL) >> 32;; ++place) {
    const std::uint64_t found = table_keys_[place & mask];
    if (found == key) return table_values_[place & mask];
    if (found == kNoKey) return 0;
  }
}

/// Calls f(begin, end) for stretches of slots that together hold every sphere of the level whose coordinates
/// are within `reach` of the point's, each sphere once.
template <class F>
void NeighborSearch::for_each_range(const Level& level, const Vec3d& point, double reach, F&& f) const {
  std::array<CellRange, 3> cells;
  // A little wider than asked: rounding here must not lose what the distance test would take.
  const double padded = reach + 1e-13 * (reach + level.scale);
  for (unsigned axis = 0; axis < 3; ++axis) {
    cells[axis] = level.axes[axis].cells_within(point[axis], padded);
    if (cells[axis].count == 0) return;
  }
  const std::uint64_t lookups = (cells[0].count / kSegmentCells + 1) * cells[1].count * cells[2].count;
  if (lookups > level.segment_end - level.segment_begin) {
    visit_segments(level, cells, f);
    return;
  }
  // A range that wraps around a periodic axis is two pieces.
  const std::uint64_t end = cells[0].first + cells[0].count, period = level.axes[0].period;
  const bool wraps = period != 0 && end > period;
  visit_rows(level, cells, cells[0].first, wraps ? period - 1 : end - 1, f);
  if (wraps) visit_rows(level, cells, 0, end - period - 1, f);
}

/// The stretches of all rows of a query from cell `first` to cell `last` along x.
template <class F>
void NeighborSearch::visit_rows(const Level& level, const std::array<CellRange, 3>& cells,
                                std::uint64_t first, std::uint64_t last, F&& f) const {
  const std::uint64_t first_segment = first >> kSegmentBits, last_segment = last >> kSegmentBits;
  for (std::uint64_t s = first_segment; s <= last_segment; ++s) {
    const std::uint64_t from = s == first_segment ? first % kSegmentCells : 0;
    const std::uint64_t to = s == last_segment ? last % kSegmentCells + 1 : kSegmentCells;
    for (std::uint64_t k = 0; k < cells[2].count; ++k) {
      const std::uint64_t z = level.axes[2].wrap(cells[2].first + k);
      for (std::uint64_t j = 0; j < cells[1].count; ++j) {
        const std::uint64_t y = level.axes[1].wrap(cells[1].first + j);
        const std::uint32_t* starts = &cell_start_[find_segment(level, s, y, z) * (kSegmentCells + 1)];
        f(starts[from], starts[to]);
      }
    }
  }
}

/// The same by looking at each segment of the level: for a query much larger than the level's cells.
template <class F>
void NeighborSearch::visit_segments(const Level& level, const std::array<CellRange, 3>& cells, F&& f) const {
  const auto contains = [&](unsigned axis, std::uint64_t cell) {
    const std::uint64_t period = level.axes[axis].period, first = cells[axis].first;
    const std::uint64_t ahead = period != 0 && cell < first ? cell + period - first : cell - first;
    return (period != 0 ? ahead : ahead & (kFold - 1)) < cells[axis].count;
  };
  for (std::size_t s = level.segment_begin; s < level.segment_end; ++s) {
    const std::uint64_t key = segment_key_[s];
    if (!contains(1, collect_bits(key >> 1)) || !contains(2, collect_bits(key >> 2))) continue;
    const std::uint32_t* starts = &cell_start_[s * (kSegmentCells + 1)];
    f(starts[0], starts[kSegmentCells]);
  }
}

/// Calls f(slot, dx) for all spheres with |dx| < (r + radius) + margin, dx = x - point.
///
/// Candidates are first collected from all rows, eight at a time, and then tested without a branch: a
/// processor that guesses the length of each short stretch and the outcome of each test spends much of its
/// time on wrong guesses (testing in the rows takes 1.6 times as long).
template <class F>
void NeighborSearch::visit_near(const Vec3d& point, double radius, double margin, F&& f) const {
  constexpr std::size_t kBatch = 256, kStride = 8;
  std::array<std::uint32_t, kBatch + kStride> candidates, near;
  std::size_t count = 0;
  const auto difference = [&](const Slot& slot) {
    const Vec3d d = slot.position - point;
    return any_periodic_ ? box_.minimum_image(d) : d;
  };
  const auto test_candidates = [&] {
    std::size_t near_count = 0;
    for (std::size_t c = 0; c < count; ++c) {
      const std::uint32_t k = candidates[c];
      const Slot& slot = slots_[k];
      const Vec3d d = difference(slot);
      const double reach = (slot.radius + radius) + margin;
      near[near_count] = k;
      near_count += d.dot(d) < reach * reach ? 1 : 0;
    }
    for (std::size_t c = 0; c < near_count; ++c) f(near[c], difference(slots_[near[c]]));
    count = 0;
  };
  const auto collect = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t k = begin; k < end; k += kStride) {
      for (std::uint32_t lane = 0; lane < kStride; ++lane) candidates[count + lane] = k + lane;
      count += std::min<std::uint32_t>(kStride, end - k);
      if (count > kBatch) test_candidates();
    }
  };
  for (const Level& level : levels_) {
    for_each_range(level, point, radius + level.max_radius + margin, collect);
  }
  test_candidates();
}

template <class F>
void NeighborSearch::visit_neighbors(std::size_t slot, F&& f) const {
  const Slot center = slots_[slot];
  visit_near(center.position, center.radius, margin_, [&](std::uint32_t k, const Vec3d& d) {
    if (k != slot) f(index_[k], d);
  });
}

template <class Accept, class Rank>
void NeighborSearch::build_lists(Threads& threads, Accept&& accept, Rank&& rank, NeighborLists& lists) const {
  const std::size_t n = size();
  lists.offset.resize(n + 1);
  lists.offset[n] = 0;
  lists.scratch.resize((n + kListChunk - 1) / kListChunk);
  // Search in the order of the cells, where neighbours share their memory, into one buffer a chunk.
  threads.for_chunks(n, kListChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::vector<std::uint32_t>& found = lists.scratch[chunk];
    found.clear();
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t i = index_[slot], first = found.size();
      visit_neighbors(slot, [&](std::uint32_t j, const Vec3d&) {
        if (accept(i, static_cast<std::size_t>(j))) found.push_back(j);
      });
      if constexpr (!std::is_same_v<std::remove_cvref_t<Rank>, AsFound>)
        std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
      lists.offset[i] = found.size() - first;
    }
  });
  // Then bring the lists into the order of the spheres.
  const std::uint64_t total = exclusive_scan<std::uint64_t>(threads, lists.offset, lists.offset);
  lists.neighbor.resize(total);
  threads.for_chunks(n, kListChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    const std::uint32_t* from = lists.scratch[chunk].data();
    for (std::size_t slot = begin; slot < end; ++slot) {
      const std::size_t i = index_[slot];
      const std::uint64_t count = lists.offset[i + 1] - lists.offset[i];
      std::copy_n(from, count, lists.neighbor.begin() + static_cast<std::ptrdiff_t>(lists.offset[i]));
      from += count;
    }
  });
}

}  // namespace repose
