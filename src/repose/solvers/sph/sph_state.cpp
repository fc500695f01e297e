#include "repose/solvers/sph/sph_state.h"

#include "repose/core/error.h"

namespace repose {
namespace {

/// Calls f(name, array) for each of the arrays by particle.
template <class State, class F>
void for_each_channel(State& state, F&& f) {
  f("sph.id", state.id);
  f("sph.position", state.position);
  f("sph.velocity", state.velocity);
  f("sph.stress", state.stress);
  f("sph.rubs", state.rubs);
  f("sph.wetness", state.wetness);
  f("sph.density", state.density);
  f("sph.material", state.material);
  f("sph.calm", state.calm);
}

/// Calls f(name, value) for all that is not by particle.
template <class State, class F>
void for_each_number(State& state, F&& f) {
  f("sph.time", state.time);
  f("sph.steps", state.step_count);
  f("sph.next_id", state.next_id);
  f("sph.escaped", state.escaped);
  f("sph.drained", state.drained);
  f("sph.emitters", state.emitters);
  f("sph.max_speed", state.max_speed);
  f("sph.pressure_speed", state.pressure_speed);
  f("sph.slept_energy", state.slept_energy);
  f("sph.density_error", state.density_error);
  f("sph.iterations", state.iterations);
  f("sph.residual", state.residual);
}

}  // namespace

void add_matter(SphState& state, const NewMatter& matter, std::span<const double> wetness) {
  for (std::size_t k = 0; k < matter.size(); ++k) {
    state.id.push_back(state.next_id++);
    state.position.push_back(matter.position[k]);
    state.velocity.push_back(matter.velocity[k]);
    state.stress.emplace_back();
    state.rubs.emplace_back();
    state.wetness.push_back(static_cast<float>(wetness[matter.material[k]]));
    state.density.push_back(0);
    state.material.push_back(matter.material[k]);
    state.calm.push_back(0);
  }
}

void select_rows(SphState& state, std::span<const std::uint32_t> rows, Threads& threads) {
  for_each_channel(state, [&](const char*, auto& array) { keep_rows(array, rows, threads); });
}

void save_state(const SphState& state, ArchiveWriter& out) {
  const std::vector<std::uint32_t> order = order_by_id(state);
  for_each_channel(state, [&](const char* name, const auto& array) { put_rows(out, name, array, order); });
  for_each_number(state, [&](const char* name, const auto& value) { out.put(name, value); });
}

void load_state(SphState& state, ArchiveReader& in) {
  for_each_channel(state, [&](const char* name, auto& array) {
    get_rows(in, name, array);
    if (array.size() != state.id.size())
      throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  });
  for_each_number(state, [&](const char* name, auto& value) { in.get(name, value); });
}

}  // namespace repose
