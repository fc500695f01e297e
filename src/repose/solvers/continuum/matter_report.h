#pragma once
// What solvers of a continuum tell alike of their particles: frames, stats, and why a step failed.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/threads.h"
#include "repose/particles/frame.h"
#include "repose/solvers/continuum/matter_state.h"
#include "repose/solvers/solver.h"

namespace repose {

/// Fills all of a frame but its channels and bodies. Returns the rows of the state in the order of the frame.
template <MatterState State>
std::vector<std::uint32_t> fill_particles(const State& state, ParticleKind kind, double spacing,
                                          Threads& threads, Frame& frame) {
  std::vector<std::uint32_t> order = order_by_id(state);
  const std::size_t n = order.size();
  frame.time = state.time;
  frame.id.resize(n);
  frame.position.resize(n);
  frame.velocity.resize(n);
  frame.radius.assign(n, static_cast<float>(0.5 * spacing));
  frame.material.resize(n);
  frame.kind = kind;
  frame.scalars.clear();
  threads.for_each(n, [&](std::size_t k) {
    const std::uint32_t p = order[k];
    frame.id[k] = state.id[p];
    frame.position[k] = state.position[p];
    frame.velocity[k] = Vec3f(state.velocity[p]);
    frame.material[k] = state.material[p];
  });
  return order;
}

/// Adds a channel to a frame: value(row) for the rows in its order.
template <class F>
void add_channel(const char* name, std::span<const std::uint32_t> order, Threads& threads, Frame& frame,
                 F&& value) {
  std::vector<float> values(order.size());
  threads.for_each(order.size(), [&](std::size_t k) { values[k] = value(order[k]); });
  frame.scalars.push_back({name, std::move(values)});
}

/// All but error measures and sleepers. mass_of(row) [kg].
template <MatterState State, class F>
SolverStats particle_stats(const State& state, const Vec3d& gravity, F&& mass_of) {
  SolverStats stats;
  stats.particles = stats.elements = state.size();
  for (const std::uint32_t p : order_by_id(state)) {
    const double m = mass_of(p);
    const Vec3d v(state.velocity[p]);
    stats.mass += m;
    stats.momentum += m * v;
    stats.kinetic += 0.5 * m * v.dot(v);
    stats.potential -= m * gravity.dot(state.position[p]);
    stats.max_speed = std::max(stats.max_speed, v.length());
  }
  stats.total = state.next_id;
  stats.escaped = state.escaped;
  stats.left = state.next_id - state.size() - state.escaped - state.drained;
  return stats;
}

/// The larger of `most` and the speed of a particle; infinite where that or its place is not a number.
inline double larger_speed(double most, double speed, const Vec3d& place) {
  const double checked = speed + 0 * (place.x + place.y + place.z);
  return checked >= most ? checked : std::isfinite(checked) ? most : INFINITY;
}

/// What went wrong in a step up to `time` [s], and what to change; empty where nothing did. `max_speed` is of
/// particles, by larger_speed().
std::string failure_of(const std::string& solver, double time, double max_speed, const Bodies& bodies);

}  // namespace repose
