#pragma once
// Matter that meets nothing but air and free bodies keeps its momentum, together with them.
//
// On the grid that is so. But particles weigh alike wherever they stand, while the grid knows by the surface
// how full a cell is: what a push gives to a cell that is half full, its particles take for more or for less.
// A body thrown into a block in a void lost up to 7 % more than the block's particles got. So each group of
// particles that hang together is asked, after a step, for the momentum that it had, gravity, and the
// opposite of what it gave to bodies; what is amiss goes to all its particles alike, which stirs nothing
// among them.
//
// Matter that meets walls or bodies that are not free has no such sum: what those take is known on the grid
// alone. It stays as it is, with what is within some ten cells of it.

#include <cstdint>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose {

/// Made before particles get their new velocities; settle() puts right what they got.
class FreeMatter {
 public:
  FreeMatter(const Bodies& bodies, const FlipState& state, const FlipScratch& scratch, Threads& threads);

  /// `dt` [s]: of the step. Bodies have got all that the step does to them.
  void settle(const FlipModel& model, const Bodies& bodies, const FlipScratch& scratch, double dt,
              Threads& threads, FlipState& state) const;

 private:
  /// Particles whose cells are reached by the same faces, and those that free bodies join to them.
  struct Group {
    double count = 0;         ///< of particles
    Vec3d velocity{0, 0, 0};  ///< summed over them [m/s]
  };
  /// A cell that holds particles of a free group.
  struct Cell {
    std::uint32_t cell, group;
  };

  std::vector<Vec3d> sum_by_group(const FlipState& state, const FlipScratch& scratch, Threads& threads) const;

  std::vector<Group> groups_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> group_of_body_;  ///< kNoPart: it meets no matter
};

}  // namespace repose
