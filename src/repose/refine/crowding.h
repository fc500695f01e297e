#pragma once
// Where fine grains lie closer than guides lead them to expect, and which way they find room. Guides that
// come nearer to each other than they were (at the edge of a heap, in a sheet) bring their grains with them,
// and nothing in the papers keeps these apart. A coarse grid of cells counts the grains; from cells that hold
// more than there is room for they spread to emptier neighbours as heat does. Grains never see each other,
// only the counts, which do not depend on any order.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/refine_model.h"

namespace repose {

class Crowding {
 public:
  /// Of the grains of a part of the guides, one of `parts`. The model outlives it.
  Crowding(const RefineModel& model, std::uint32_t parts);

  /// Counts the grains anew. They will drift for `frame` seconds.
  void count(const FineGrains& grains, double frame, Threads& threads);

  /// Whether no cell is too full.
  bool is_none() const { return !has_crowded_; }
  /// The drift in all cells of a box of places, for grains in it.
  struct Block {
    std::array<std::int32_t, 3> first{}, size{};  ///< cells
    std::vector<Vec3f> drift;                     ///< x fastest; empty: there is room everywhere
  };
  void look(const std::array<std::int32_t, 3>& low, const std::array<std::int32_t, 3>& high,
            Block& block) const;
  Vec3f drift(const Block& block, std::int32_t x, std::int32_t y, std::int32_t z) const {
    const auto at = [&](std::int32_t c, std::size_t axis) {
      return static_cast<std::size_t>(std::clamp((c >> shift_) - block.first[axis], 0, block.size[axis] - 1));
    };
    const auto nx = static_cast<std::size_t>(block.size[0]), ny = static_cast<std::size_t>(block.size[1]);
    return block.drift[at(x, 0) + nx * (at(y, 1) + ny * at(z, 2))];
  }
  /// Velocity of a grain at a place (FinePlace) [m/s]; zero where there is room.
  Vec3f drift(std::int32_t x, std::int32_t y, std::int32_t z) const;
  /// Grains in the cell of a place, over what a bed at rest has in the mean [-].
  double fill(std::int32_t x, std::int32_t y, std::int32_t z) const;

 private:
  using Key = std::uint64_t;
  /// A cell with grains in it.
  struct Cell {
    Key key = ~Key{0};
    std::uint32_t count = 0;
    Vec3f drift{0, 0, 0};  ///< [m/s]
  };
  /// Where a cell stands in the table, or could stand.
  std::size_t find(Key key) const;
  std::array<std::int32_t, 3> cell_of(std::int32_t x, std::int32_t y, std::int32_t z) const;
  static Key key_of(const std::array<std::int32_t, 3>& cell);
  double fill_of(const std::array<std::int32_t, 3>& cell) const;
  Vec3f drift_from(const std::array<std::int32_t, 3>& cell) const;
  bool is_in_domain(const std::array<std::int32_t, 3>& cell) const;

  const RefineModel& model_;
  double frame_ = 1;  ///< [s]
  int shift_;         ///< bits of a place within a cell
  double edge_;       ///< of a cell [m]
  double room_;       ///< grains in a cell of a bed at rest, in the mean
  bool has_crowded_ = false;
  std::vector<Cell> cells_;  ///< open addressing; a power of two, at most half of it taken
};

}  // namespace repose
