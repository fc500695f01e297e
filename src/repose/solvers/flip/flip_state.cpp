#include "repose/solvers/flip/flip_state.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#include "repose/core/error.h"

namespace repose {
namespace {

// Imath's types are not trivially copyable; the archive takes their numbers.
template <class T>
T to_plain(T value) {
  return value;
}
template <class T>
std::array<T, 3> to_plain(const Imath::Vec3<T>& v) {
  return {v.x, v.y, v.z};
}
template <class T>
void from_plain(T plain, T& value) {
  value = plain;
}
template <class T>
void from_plain(const std::array<T, 3>& v, Imath::Vec3<T>& value) {
  value = {v[0], v[1], v[2]};
}

/// Calls f(name, value) for all that is not by particle.
template <class State, class F>
void for_each_number(State& state, F&& f) {
  f("flip.time", state.time);
  f("flip.steps", state.step_count);
  f("flip.next_id", state.next_id);
  f("flip.escaped", state.escaped);
  f("flip.drained", state.drained);
  f("flip.emitters", state.emitters);
  f("flip.max_speed", state.max_speed);
  f("flip.divergence", state.divergence);
  f("flip.iterations", state.iterations);
  f("flip.residual", state.residual);
  f("flip.density_error", state.density_error);
}

}  // namespace

void add_particle(FlipState& state, const Vec3d& position, const Vec3d& velocity, std::uint8_t material) {
  state.id.push_back(state.next_id++);
  state.position.push_back(position);
  state.velocity.push_back(to_float(velocity));
  state.pressure.push_back(0);
  state.density.push_back(0);
  state.material.push_back(material);
}

std::vector<std::uint32_t> order_by_id(const FlipState& state) {
  std::vector<std::uint32_t> order(state.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return state.id[a] < state.id[b]; });
  return order;
}

void select_rows(FlipState& state, std::span<const std::uint32_t> rows, Threads& threads) {
  for_each_channel(state, [&](const char*, auto& array) {
    std::remove_reference_t<decltype(array)> selected(rows.size());
    threads.for_each(rows.size(), [&](std::size_t k) { selected[k] = array[rows[k]]; });
    array.swap(selected);
  });
}

void save_state(const FlipState& state, ArchiveWriter& out) {
  const std::vector<std::uint32_t> order = order_by_id(state);
  for_each_channel(state, [&](const char* name, const auto& array) {
    std::vector<std::decay_t<decltype(to_plain(array[0]))>> plain(array.size());
    for (std::size_t k = 0; k < order.size(); ++k) plain[k] = to_plain(array[order[k]]);
    out.put(name, plain);
  });
  for_each_number(state, [&](const char* name, const auto& value) { out.put(name, value); });
}

void load_state(FlipState& state, ArchiveReader& in) {
  for_each_channel(state, [&](const char* name, auto& array) {
    std::vector<std::decay_t<decltype(to_plain(array[0]))>> plain;
    in.get(name, plain);
    array.resize(plain.size());
    for (std::size_t k = 0; k < plain.size(); ++k) from_plain(plain[k], array[k]);
    if (array.size() != state.id.size())
      throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  });
  for_each_number(state, [&](const char* name, auto& value) { in.get(name, value); });
}

}  // namespace repose
