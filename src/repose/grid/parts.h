#pragma once
// Which cells of a sparse grid hang together: cells are joined through faces. Used where a system falls into
// separate ones, each with its own sum to keep.

#include <cstdint>
#include <vector>

#include "repose/core/joined_places.h"
#include "repose/exec/threads.h"
#include "repose/grid/poisson.h"

namespace repose {

/// For each cell the number of its part: the place of the part's first cell in the field. kNoPart for cells
/// that are no unknowns. Cells are joined where the conductance of the face between them is above zero.
std::vector<std::uint32_t> label_parts(const PoissonSystem& system, Threads& threads);

/// Makes a system solvable whose parts are not all tied to zero by `extra`, such as liquid that fills a
/// closed box: takes its mean off b in each such part, and ties the part's first cell. Returns how many there
/// were, and in `imbalance` the largest mean that was taken off, in units of the largest |b|.
struct ClosedParts {
  int count = 0;
  double imbalance = 0;
  std::vector<std::vector<std::uint32_t>> cells;  ///< of each of them, rising
};
ClosedParts close_parts(PoissonSystem& system, std::vector<float>& b, Threads& threads);

/// Takes the mean off another right-hand side in each of these parts.
void balance_parts(const ClosedParts& closed, std::vector<float>& b);

}  // namespace repose
