#pragma once
// What a restart of an sph run needs, and nothing else (continuum/matter_state.h).

#include <array>
#include <cstdint>
#include <vector>

#include "repose/math/vec.h"
#include "repose/solvers/continuum/matter_state.h"

namespace repose {

/// Stress in a particle: pressure, and what friction adds to it, tension counted positive.
struct SphStress {
  float pressure = 0;                                    ///< [Pa]
  float xx = 0, yy = 0, zz = 0, yz = 0, zx = 0, xy = 0;  ///< friction, without trace [Pa]
};

/// Friction of a particle with solids, for the next step to start from.
struct SphRubs {
  static constexpr std::size_t kMost = 3;  ///< a corner has three sides
  std::array<std::uint32_t, kMost> body{kNone, kNone, kNone};
  std::array<std::array<float, 3>, kMost> force{};  ///< on the particle, by its volume [N/m3]

  static constexpr std::uint32_t kNone = 0xffffffffU;
};

struct SphState {
  // One entry a particle.
  std::vector<std::uint32_t> id;
  std::vector<Vec3d> position;  ///< [m]
  std::vector<Vec3d> velocity;  ///< [m/s]
  std::vector<SphStress> stress;
  std::vector<SphRubs> rubs;
  std::vector<float> wetness;  ///< 0..1
  std::vector<float> density;  ///< over that at rest, at the start of the last step [-]
  std::vector<std::uint8_t> material;
  std::vector<float> calm;  ///< time since it was last faster than it sleeps (sph_sleep.h) [s]

  double time = 0;  ///< [s]
  std::uint64_t step_count = 0;
  std::uint32_t next_id = 0;
  std::uint64_t escaped = 0;  ///< particles that passed a wall
  std::uint64_t drained = 0;  ///< particles that sinks took
  std::vector<MatterEmitterState> emitters;

  // After the last step: what the next time step is chosen by.
  double max_speed = 0;       ///< of particles [m/s]
  double pressure_speed = 0;  ///< largest sqrt(p / density) where friction does not hold [m/s]

  double slept_energy = 0;  ///< kinetic, taken from particles that fell asleep, since the start [J]

  // Of the last step, for stats.csv.
  double density_error = 0;  ///< largest compression of any particle, as a share
  double iterations = 0;
  double residual = 0;  ///< rates of strain that stress could still take, over gravity times dt / spacing

  std::size_t size() const { return id.size(); }

  /// Calls f(name, array) for each of the arrays by particle.
  template <class State, class F>
  static void for_each_channel(State& state, F&& f) {
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
  static void for_each_number(State& state, F&& f) {
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
};

/// Adds particles with the next ids. Their wetness is that of their material.
inline void add_matter(SphState& state, const NewMatter& matter, const std::vector<double>& wetness) {
  const std::size_t first = state.size();
  add_rows(state, matter);
  for (std::size_t p = first; p < state.size(); ++p)
    state.wetness[p] = static_cast<float>(wetness[state.material[p]]);
}

}  // namespace repose
