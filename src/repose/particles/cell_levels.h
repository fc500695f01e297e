#pragma once
// Which sizes of cells a set of spheres wants.
//
// Radii fall into classes, one for each factor of two below the largest. A level of cells holds one class or
// several neighbouring ones. Many levels mean that a query has many cells to look up, few levels that it has
// many spheres to test; and where a level holds few spheres, cells wider than their reach are better. Since
// what queries cost in one level does not depend on the others, the cheapest way to cut the classes into
// levels is found exactly, from the numbers and volumes of the classes.

#include <span>
#include <vector>

#include "repose/exec/threads.h"

namespace repose {

struct CellLevel {
  double max_radius;  ///< of the spheres in this level [m]
  double limit;       ///< a sphere belongs to the last level whose limit it does not exceed [m]
  double width;       ///< of the cells, at least the reach of two spheres of this level [m]
};

/// At most this many levels are made. Spheres more than 2^15 times smaller than the largest share the last.
inline constexpr int kCellLevelLimit = 16;

/// The levels from large to small spheres, none empty. Spheres interact over the sum of their radii and the
/// margin [m].
std::vector<CellLevel> plan_cell_levels(Threads& threads, std::span<const double> radii, double margin);

}  // namespace repose
