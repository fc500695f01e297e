#include "repose/solvers/dem/dem_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "repose/core/error.h"
#include "repose/exec/algorithms.h"
#include "repose/particles/morton.h"

namespace repose {
namespace {

constexpr std::array kArrayNames{"dem.id",          "dem.position", "dem.velocity",
                                 "dem.orientation", "dem.angular",  "dem.radius",
                                 "dem.shape",       "dem.material", "dem.held"};

}  // namespace

void select_rows(DemState& state, std::span<const std::uint32_t> rows, Threads& threads) {
  for_each_array(state, [&](auto& array) { keep_rows(array, rows, threads); });
}

void reorder_in_space(DemState& state, double cell_width, Threads& threads) {
  SortablePairs<std::uint64_t> pairs;
  pairs.keys.resize(state.size());
  pairs.values.resize(state.size());
  const double cells = 1 / cell_width;
  threads.for_each(state.size(), [&](std::size_t i) {
    std::array<std::uint64_t, 3> cell;
    for (unsigned axis = 0; axis < 3; ++axis)
      cell[axis] = static_cast<std::uint64_t>(
                       static_cast<std::int64_t>(std::floor(state.position[i][axis] * cells)) + (1 << 17)) &
                   ((1U << kMortonBits) - 1);
    pairs.keys[i] = morton_code(cell[0], cell[1], cell[2]);
    pairs.values[i] = static_cast<std::uint32_t>(i);
  });
  sort_pairs(threads, pairs);
  select_rows(state, pairs.values, threads);
}

void save_state(const DemState& state, ArchiveWriter& out) {
  const std::vector<std::uint32_t> order = order_by_id(state);
  std::size_t index = 0;
  for_each_array(state, [&](const auto& array) { put_rows(out, kArrayNames[index++], array, order); });
  out.put("dem.time", state.time);
  out.put("dem.steps", state.step_count);
  out.put("dem.forces", state.force_count);
  out.put("dem.next_id", state.next_id);
  out.put("dem.escaped", state.escaped);
  out.put("dem.drained", state.drained);
  out.put("dem.emitters", state.emitters);
  out.put("dem.deepest_overlap", state.deepest_overlap);
  out.put("dem.max_speed", state.max_speed);
  out.put("dem.fastest_contact", state.fastest_contact);
  out.put("dem.body_step", state.body_step);
  out.put("dem.unturned", state.unturned);
  out.put("dem.adaptive_step", state.adaptive_step);
}

void load_state(DemState& state, ArchiveReader& in) {
  std::size_t index = 0;
  for_each_array(state, [&](auto& array) { get_rows(in, kArrayNames[index++], array); });
  for_each_array(state, [&](auto& array) {
    if (array.size() != state.size())
      throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  });
  in.get("dem.time", state.time);
  in.get("dem.steps", state.step_count);
  in.get("dem.forces", state.force_count);
  in.get("dem.next_id", state.next_id);
  in.get("dem.escaped", state.escaped);
  in.get("dem.drained", state.drained);
  in.get("dem.emitters", state.emitters);
  in.get("dem.deepest_overlap", state.deepest_overlap);
  in.get("dem.max_speed", state.max_speed);
  in.get("dem.fastest_contact", state.fastest_contact);
  in.get("dem.body_step", state.body_step);
  in.get("dem.unturned", state.unturned);
  in.get("dem.adaptive_step", state.adaptive_step);
  check_saved_rows<Vec3d>(state.id, state.next_id, state.position, state.velocity);
  check_saved_numbers({state.time, state.max_speed, state.adaptive_step, state.unturned});
  for (std::size_t g = 0; g < state.size(); ++g) {
    const Quatd& q = state.orientation[g];
    if (!(std::abs(q.r * q.r + q.v.length2() - 1) < 1e-3) ||
        !std::isfinite(state.angular_momentum[g].length()))
      throw Error(ExitCode::run_failed, "the saved state has a grain whose orientation or spin is no number");
    constexpr double largest = 1e6;  // [m]
    if (!(state.radius[g] > 0 && state.radius[g] <= largest))
      throw Error(ExitCode::run_failed,
                  "the saved state has a grain whose radius is not a number up to 1e6 m");
  }
}

}  // namespace repose
