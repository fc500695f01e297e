#pragma once
// Where fine grains lie closer than guides lead them to expect, and which way they find room. Guides that
// come nearer to each other than they were (at the edge of a heap, in a sheet) bring their grains with them,
// and nothing in the papers keeps these apart. A coarse grid of cells counts the grains; from cells that hold
// more than there is room for they spread to emptier neighbours as heat does. Grains never see each other,
// only the counts, which do not depend on any order.

#include <array>
#include <cstdint>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/refine/cell_counts.h"
#include "repose/refine/fine_grains.h"
#include "repose/refine/refine_model.h"
#include "repose/refine/spatial_order.h"

namespace repose {

class Crowding {
 public:
  /// Of the grains of a part of the guides, one of `parts`. The model outlives it.
  Crowding(const RefineModel& model, std::uint32_t parts);

  /// Counts the grains anew. They will drift for `frame` seconds.
  void count(const FineGrains& grains, double frame, Threads& threads);

  /// Whether no cell is too full.
  bool is_none() const { return !has_crowded_; }

  /// How far grains drift in a step, by cell of a box.
  class Block {
   public:
    /// Whether any grain in a box within that box drifts.
    bool any_in(const PlaceBox& box) const {
      if (way_.empty()) return false;
      const auto low = cell_of(box.low), high = cell_of(box.high);
      for (std::int32_t z = low[2]; z <= high[2]; ++z)
        for (std::int32_t y = low[1]; y <= high[1]; ++y)
          for (std::int32_t x = low[0]; x <= high[0]; ++x)
            if (drifts_[row_of({x, y, z})] != 0) return true;
      return false;
    }
    /// Of a grain in the box [units of FinePlace].
    std::array<std::int32_t, 3> way(std::int32_t x, std::int32_t y, std::int32_t z) const {
      return way_[row_of(cell_of({x, y, z}))];
    }

   private:
    friend class Crowding;
    using Way = std::array<std::int32_t, 3>;
    std::array<std::int32_t, 3> cell_of(const std::array<std::int32_t, 3>& place) const {
      std::array<std::int32_t, 3> cell;
      for (std::size_t axis = 0; axis < 3; ++axis) cell[axis] = (place[axis] >> shift_) - first_[axis];
      return cell;
    }
    std::size_t row_of(const std::array<std::int32_t, 3>& cell) const {
      return static_cast<std::size_t>(cell[0] + size_[0] * (cell[1] + size_[1] * cell[2]));
    }

    int shift_ = 0;
    std::array<std::int32_t, 3> first_{}, size_{};  ///< cells
    std::vector<Way> way_;                          ///< x fastest; empty: there is room everywhere
    std::vector<std::uint8_t> drifts_;              ///< 1: that way is not zero
  };
  void look(const PlaceBox& box, double dt, Block& block) const;

  /// Velocity of a grain at a place (FinePlace) [m/s]; zero where there is room.
  Vec3f drift(std::int32_t x, std::int32_t y, std::int32_t z) const;
  /// Grains in the cell of a place, over what a bed at rest has in the mean [-].
  double fill(std::int32_t x, std::int32_t y, std::int32_t z) const;

 private:
  using Cell = CellCounts::Cell;
  /// Of a cell that is too full.
  struct CellDrift {
    std::size_t in_tile;
    Vec3f velocity;  ///< [m/s]
  };
  using TileDrift = std::vector<CellDrift>;

  Cell cell_of(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return {x >> shift_, y >> shift_, z >> shift_};
  }
  double fill_of(const Cell& cell) const;
  TileDrift drift_in(const CellCounts::Tile& tile) const;
  Vec3f drift_from(const Cell& cell) const;
  bool is_in_domain(const Cell& cell) const;

  const RefineModel& model_;
  double frame_ = 1;  ///< [s]
  int shift_;         ///< bits of a place within a cell
  double edge_;       ///< of a cell [m]
  double room_;       ///< grains in a cell of a bed at rest, in the mean
  bool has_crowded_ = false;
  CellCounts counts_;
  std::vector<TileDrift> drifts_;  ///< by tile
};

}  // namespace repose
