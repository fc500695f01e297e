#pragma once
// Where fine grains lie closer than guides lead them to expect, and which way they find room. Guides that
// come nearer to each other than they were (at the edge of a heap, in a sheet) bring their grains with them,
// and nothing in the papers keeps these apart. A coarse grid of cells counts the grains; from cells that hold
// more than there is room for they spread to emptier neighbours as heat does. Grains never see each other,
// only the counts, which do not depend on any order.

#include <array>
#include <cstdint>
#include <unordered_map>

#include "repose/exec/threads.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/refine_model.h"

namespace repose {

class Crowding {
 public:
  /// Counts the grains of a part of the guides, one of `parts`. They will drift for `frame` seconds.
  Crowding(const RefineModel& model, double frame, std::uint32_t parts, const FineGrains& grains,
           Threads& threads);

  /// Whether no cell is too full.
  bool is_none() const { return crowded_.empty(); }
  /// Velocity of a grain at a place (FinePlace) [m/s]; zero where there is room.
  Vec3f drift(std::int32_t x, std::int32_t y, std::int32_t z) const;
  /// Grains in the cell of a place, over what a bed at rest has in the mean [-].
  double fill(std::int32_t x, std::int32_t y, std::int32_t z) const;

 private:
  using Key = std::uint64_t;
  std::array<std::int32_t, 3> cell_of(std::int32_t x, std::int32_t y, std::int32_t z) const;
  static Key key_of(const std::array<std::int32_t, 3>& cell);
  double fill_of(const std::array<std::int32_t, 3>& cell) const;
  Vec3f drift_from(const std::array<std::int32_t, 3>& cell) const;
  bool is_in_domain(const std::array<std::int32_t, 3>& cell) const;

  const RefineModel& model_;
  double frame_;  ///< [s]
  int shift_;     ///< bits of a place within a cell
  double edge_;   ///< of a cell [m]
  double room_;   ///< grains in a cell of a bed at rest, in the mean
  std::unordered_map<Key, std::uint32_t> counts_;
  std::unordered_map<Key, Vec3f> crowded_;  ///< drift in cells that are too full [m/s]
};

}  // namespace repose
