// A heap of sand at rest under flip, for long.
//
// Half a second after a column collapsed it lies still: in the 10 s that follow no particle but one in a
// hundred moves by a tenth of a cell.

#include <string>
#include <vector>

#include "support/sand_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

TEST(FlipSandLong, PileStaysWhereItLiesForTenSeconds) {
  constexpr double kCell = 0.01;
  Threads threads(1);
  FlipSolver solver(test::sand_column(0.1, 1, 0.6), threads, {});
  ASSERT_EQ(test::advance(solver, 0.6), "");
  const std::vector<Vec3d> start = test::positions_by_id(solver.state());
  ASSERT_EQ(test::advance(solver, 10.6), "");
  const std::vector<double> moved = test::ways_since(start, solver.state());
  RecordProperty("most_moved_in_cells", std::to_string(moved.back() / kCell));
  RecordProperty("median_moved_in_cells", std::to_string(moved[moved.size() / 2] / kCell));
  EXPECT_LT(moved[static_cast<std::size_t>(0.99 * static_cast<double>(moved.size()))], 0.1 * kCell);
}

}  // namespace
}  // namespace repose
