#pragma once
// Particles as rows of arrays in any order in memory, with ids that give the order where one is needed: what
// every solver does with such rows.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "repose/core/archive.h"
#include "repose/core/error.h"
#include "repose/core/random.h"
#include "repose/exec/algorithms.h"
#include "repose/exec/threads.h"
#include "repose/math/vec.h"

namespace repose {

/// Rows in the order of ids, no two of which are the same.
inline std::vector<std::uint32_t> rows_by_id(std::span<const std::uint32_t> ids) {
  std::vector<std::uint32_t> order(ids.size());
  const std::uint32_t largest = ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end());
  if (largest / 4 < ids.size()) {  // few have gone: a place for each id beats sorting
    constexpr std::uint32_t kNone = 0xFFFFFFFFU;
    std::vector<std::uint32_t> row(std::size_t{largest} + 1, kNone);
    for (std::uint32_t k = 0; k < ids.size(); ++k) row[ids[k]] = k;
    std::copy_if(row.begin(), row.end(), order.begin(), [](std::uint32_t k) { return k != kNone; });
    return order;
  }
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
  return order;
}

/// For tests: rows in an order that depends on the ids and the seed alone.
inline std::vector<std::uint32_t> shuffled_rows(std::span<const std::uint32_t> ids, std::uint64_t seed) {
  std::vector<std::uint32_t> rows = rows_by_id(ids);
  for (std::size_t k = rows.size(); k > 1; --k) {
    Random random(seed, Stream::test, 0, k);
    std::swap(rows[k - 1], rows[random.bits() % k]);
  }
  return rows;
}

/// Rows of a saved state: ids in order, each below the next one to be given, and numbers for positions and
/// velocities that cells of a grid can be found by. Throws Error(run_failed).
template <class Velocity>
void check_saved_rows(std::span<const std::uint32_t> ids, std::uint32_t next_id,
                      std::span<const Vec3d> positions, std::span<const Velocity> velocities) {
  constexpr double farthest = 1e9;  // [m], [m/s]
  const auto is_in_reach = [&](const auto& v) {
    return std::abs(v.x) <= farthest && std::abs(v.y) <= farthest && std::abs(v.z) <= farthest;
  };
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= next_id || (i > 0 && ids[i] <= ids[i - 1]))
      throw Error(ExitCode::run_failed,
                  "the saved state has particles with ids that do not fit together: it "
                  "is damaged; start the run anew with --force");
    if (!is_in_reach(positions[i]) || !is_in_reach(velocities[i]))
      throw Error(ExitCode::run_failed,
                  "the saved state has a position or velocity that is not a number up to "
                  "1e9: it is damaged; start the run anew with --force");
  }
}

/// Keeps the rows `rows` of an array, in that order.
template <class T>
void keep_rows(std::vector<T>& array, std::span<const std::uint32_t> rows, Threads& threads) {
  std::vector<T> kept(rows.size());
  gather<T>(threads, array, rows, kept);
  array.swap(kept);
}

// Imath's types are not trivially copyable; the archive takes their numbers.
template <class T>
const T& to_plain(const T& value) {
  return value;
}
template <class T>
std::array<T, 3> to_plain(const Imath::Vec3<T>& v) {
  return {v.x, v.y, v.z};
}
inline std::array<double, 4> to_plain(const Quatd& q) { return {q.r, q.v.x, q.v.y, q.v.z}; }

template <class T>
void from_plain(const T& plain, T& value) {
  value = plain;
}
template <class T>
void from_plain(const std::array<T, 3>& v, Imath::Vec3<T>& value) {
  value = {v[0], v[1], v[2]};
}
inline void from_plain(const std::array<double, 4>& q, Quatd& value) { value = {q[0], q[1], q[2], q[3]}; }

/// Writes an array in this order.
template <class T>
void put_rows(ArchiveWriter& out, const char* name, const std::vector<T>& array,
              std::span<const std::uint32_t> order) {
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

}  // namespace repose
