#pragma once
// What solvers of a continuum do alike with their states. A state keeps particles as rows of arrays of its
// own, in any order in memory; ids give the order where one is needed. It names them in for_each_channel(),
// and all else that a restart needs in for_each_number(). What is asked for by name here, every one of them
// has.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "repose/core/archive.h"
#include "repose/core/error.h"
#include "repose/core/log.h"
#include "repose/exec/threads.h"
#include "repose/math/vec.h"
#include "repose/particles/rows.h"
#include "repose/scene/scene.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/continuum/matter_settings.h"
#include "repose/solvers/continuum/matter_sources.h"

namespace repose {

template <class State>
concept MatterState = requires(State& state) {
  { state.id } -> std::same_as<std::vector<std::uint32_t>&>;
  { state.position } -> std::same_as<std::vector<Vec3d>&>;
  { state.material } -> std::same_as<std::vector<std::uint8_t>&>;
  { state.emitters } -> std::same_as<std::vector<MatterEmitterState>&>;
  State::for_each_channel(state, [](const char*, auto&) {});
  State::for_each_number(state, [](const char*, auto&) {});
};

/// Indices in the order of ids.
template <MatterState State>
std::vector<std::uint32_t> order_by_id(const State& state) {
  return rows_by_id(state.id);
}

/// Keeps the rows `rows`, in that order.
template <MatterState State>
void select_rows(State& state, std::span<const std::uint32_t> rows, Threads& threads) {
  State::for_each_channel(state, [&](const char*, auto& array) { keep_rows(array, rows, threads); });
}

/// Adds particles with the next ids. What is not of the new matter is as it is by default.
template <MatterState State>
void add_rows(State& state, const NewMatter& matter) {
  using Velocity = typename decltype(state.velocity)::value_type;
  for (std::size_t k = 0; k < matter.size(); ++k) {
    state.id.push_back(state.next_id++);
    state.position.push_back(matter.position[k]);
    state.velocity.push_back(Velocity(matter.velocity[k]));
    state.material.push_back(matter.material[k]);
  }
  State::for_each_channel(state, [&](const char*, auto& array) { array.resize(state.id.size()); });
}

/// After the fills: the time, and all that emitters begin with.
template <MatterState State>
void start_state(const Scene& scene, std::span<const MatterEmitter> emitters, State& state) {
  state.time = -scene.info.settle;
  state.emitters.resize(emitters.size());
  for (const auto& v : state.velocity)
    state.max_speed = std::max(state.max_speed, static_cast<double>(v.length()));
  for (const MatterEmitter& emitter : emitters)
    state.max_speed = std::max(state.max_speed, emitter.velocity.length());
}

/// Takes out the particles that leave the domain or are in a sink, and counts them. Returns their places [m].
template <MatterState State>
std::vector<Vec3d> remove_departed(std::span<const SinkShape> sinks, const MatterSettings& settings,
                                   Threads& threads, State& state) {
  const Departures gone = find_departures(sinks, settings, state.time, threads, state.position);
  if (!gone.any()) return {};
  state.escaped += gone.escaped;
  state.drained += gone.drained;
  std::vector<Vec3d> left;
  std::size_t kept = 0;
  for (std::uint32_t p = 0; p < state.size(); ++p) {
    if (kept < gone.staying.size() && gone.staying[kept] == p)
      ++kept;
    else
      left.push_back(state.position[p]);
  }
  select_rows(state, gone.staying, threads);
  return left;
}

/// What emitters give in a step of dt [s]. Of those that are blocked the log is told once; `told` is by
/// emitter.
template <MatterState State>
NewMatter take_emitted(const std::vector<MatterEmitter>& emitters, const MatterSettings& settings, double dt,
                       const LogSink& log, std::vector<bool>& told, State& state) {
  Emission emission =
      emit_matter(emitters, settings, {state.time, dt, state.step_count}, state.position, state.emitters);
  for (const std::size_t e : emission.blocked) {
    if (log && !told[e]) log(LogLevel::warning, blocked_warning(emitters[e]));
    told[e] = true;
  }
  return std::move(emission.matter);
}

/// Rows by id: equal states give equal bytes.
template <MatterState State>
void save_state(const State& state, ArchiveWriter& out) {
  const std::vector<std::uint32_t> order = order_by_id(state);
  State::for_each_channel(state,
                          [&](const char* name, const auto& array) { put_rows(out, name, array, order); });
  State::for_each_number(state, [&](const char* name, const auto& value) { out.put(name, value); });
}

/// Throws Error(run_failed) where it is damaged, or of a scene with other materials or emitters.
template <MatterState State>
void load_state(std::size_t materials, std::size_t emitters, ArchiveReader& in, State& state) {
  State::for_each_channel(state, [&](const char* name, auto& array) {
    get_rows(in, name, array);
    if (array.size() != state.id.size())
      throw Error(ExitCode::run_failed, "the saved state has arrays of unequal length: it is damaged");
  });
  State::for_each_number(state, [&](const char* name, auto& value) { in.get(name, value); });
  using Velocity = typename decltype(state.velocity)::value_type;
  check_saved_rows<Velocity>(state.id, state.next_id, state.position, state.velocity);
  check_saved_numbers({state.time, state.max_speed});
  for (const std::uint8_t material : state.material)
    if (material >= materials)
      throw Error(ExitCode::run_failed, "the saved state has particles of a material that the scene has not");
  if (state.emitters.size() != emitters)
    throw Error(ExitCode::run_failed, "the saved state has another number of emitters than the scene");
}

}  // namespace repose
