#pragma once
// What a restart of an sph run needs, and nothing else. Particles are rows of arrays in any order in memory;
// ids give the order where one is needed.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/core/archive.h"
#include "repose/exec/threads.h"
#include "repose/math/vec.h"
#include "repose/particles/rows.h"
#include "repose/solvers/continuum/matter_sources.h"

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
  std::uint64_t escaped = 0;  ///< particles that left through an open face
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
};

/// Adds particles with the next ids. Their wetness is that of their material.
void add_matter(SphState& state, const NewMatter& matter, std::span<const double> wetness);

/// Indices in the order of ids.
inline std::vector<std::uint32_t> order_by_id(const SphState& state) { return rows_by_id(state.id); }

/// Keeps the rows `rows`, in that order.
void select_rows(SphState& state, std::span<const std::uint32_t> rows, Threads& threads);

/// Rows by id: equal states give equal bytes.
void save_state(const SphState& state, ArchiveWriter& out);
void load_state(SphState& state, ArchiveReader& in);

}  // namespace repose
