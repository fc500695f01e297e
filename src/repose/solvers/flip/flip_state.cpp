#include "repose/solvers/flip/flip_state.h"

#include "repose/core/error.h"

namespace repose {
namespace {

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
  f("flip.viscous_iterations", state.viscous_iterations);
  f("flip.viscous_residual", state.viscous_residual);
  f("flip.density_error", state.density_error);
  f("flip.friction_iterations", state.friction_iterations);
  f("flip.friction_residual", state.friction_residual);
  f("flip.stress_tiles", state.stress.tile);
  f("flip.stress", state.stress.value);
  f("flip.push", state.push);
}

}  // namespace

void add_matter(FlipState& state, const NewMatter& matter) {
  for (std::size_t k = 0; k < matter.size(); ++k) {
    state.id.push_back(state.next_id++);
    state.position.push_back(matter.position[k]);
    state.velocity.push_back(to_float(matter.velocity[k]));
    state.pressure.push_back(0);
    state.density.push_back(0);
    state.material.push_back(matter.material[k]);
  }
}

void select_rows(FlipState& state, std::span<const std::uint32_t> rows, Threads& threads) {
  for_each_channel(state, [&](const char*, auto& array) { keep_rows(array, rows, threads); });
}

void save_state(const FlipState& state, ArchiveWriter& out) {
  const std::vector<std::uint32_t> order = order_by_id(state);
  for_each_channel(state, [&](const char* name, const auto& array) { put_rows(out, name, array, order); });
  for_each_number(state, [&](const char* name, const auto& value) { out.put(name, value); });
}

void load_state(FlipState& state, ArchiveReader& in) {
  for_each_channel(state, [&](const char* name, auto& array) {
    get_rows(in, name, array);
    if (array.size() != state.id.size())
      throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  });
  for_each_number(state, [&](const char* name, auto& value) { in.get(name, value); });
}

}  // namespace repose
