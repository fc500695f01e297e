#include "repose/solvers/dem/dem_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>

#include "repose/core/error.h"
#include "repose/exec/algorithms.h"
#include "repose/particles/morton.h"

namespace repose {
namespace {

constexpr std::array kArrayNames{"dem.id",          "dem.position", "dem.velocity",
                                 "dem.orientation", "dem.angular",  "dem.radius",
                                 "dem.shape",       "dem.material", "dem.held"};

// Imath's types are not trivially copyable; the archive takes their numbers.
template <class T>
const T& to_plain(const T& value) {
  return value;
}
std::array<double, 3> to_plain(const Vec3d& v) { return {v.x, v.y, v.z}; }
std::array<double, 4> to_plain(const Quatd& q) { return {q.r, q.v.x, q.v.y, q.v.z}; }

template <class T>
void from_plain(const T& plain, T& value) {
  value = plain;
}
void from_plain(const std::array<double, 3>& v, Vec3d& value) { value = {v[0], v[1], v[2]}; }
void from_plain(const std::array<double, 4>& q, Quatd& value) { value = {q[0], q[1], q[2], q[3]}; }

template <class T>
void put_rows(ArchiveWriter& out, const char* name, const std::vector<T>& array,
              const std::vector<std::uint32_t>& order) {
  std::vector<std::decay_t<decltype(to_plain(array[0]))>> plain(array.size());
  for (std::size_t k = 0; k < order.size(); ++k) plain[k] = to_plain(array[order[k]]);
  out.put(name, plain);
}

template <class T>
void get_rows(ArchiveReader& in, const char* name, std::vector<T>& array) {
  std::vector<std::decay_t<decltype(to_plain(array[0]))>> plain;
  in.get(name, plain);
  array.resize(plain.size());
  for (std::size_t k = 0; k < plain.size(); ++k) from_plain(plain[k], array[k]);
}

}  // namespace

std::vector<std::uint32_t> order_by_id(const DemState& state) {
  std::vector<std::uint32_t> order(state.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return state.id[a] < state.id[b]; });
  return order;
}

void select_rows(DemState& state, std::span<const std::uint32_t> rows, Threads& threads) {
  for_each_array(state, [&](auto& array) {
    auto selected = array;
    selected.resize(rows.size());
    threads.for_each(rows.size(), [&](std::size_t k) { selected[k] = array[rows[k]]; });
    array.swap(selected);
  });
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
}

}  // namespace repose
