#pragma once
// What a restart of a dem run needs, and nothing else. Grains are rows of arrays in any order in memory:
// nothing may depend on that order, since it changes as grains move (reorder_in_space). Ids give the order
// where one is needed.

#include <cstdint>
#include <span>
#include <vector>

#include "repose/core/archive.h"
#include "repose/exec/threads.h"
#include "repose/math/vec.h"
#include "repose/particles/rows.h"
#include "repose/solvers/dem/contact_memory.h"

namespace repose {

struct EmitterState {
  double owed = 0;              ///< mass due but not yet placed [kg]
  double next_time = 0;         ///< of the next batch [s]
  std::uint64_t next_size = 0;  ///< number of the next grain, for its size
  std::uint64_t attempts = 0;   ///< spots asked for, for their random numbers
};

struct DemState {
  // One entry a grain.
  std::vector<std::uint32_t> id;
  std::vector<Vec3d> position;          ///< of the centre of mass [m]
  std::vector<Vec3d> velocity;          ///< [m/s]
  std::vector<Quatd> orientation;       ///< of the shape's frame
  std::vector<Vec3d> angular_momentum;  ///< about the centre of mass, in the world [kg m2/s]
  std::vector<double> radius;           ///< bounding radius [m]
  std::vector<std::uint16_t> shape;
  std::vector<std::uint8_t> material;
  std::vector<std::uint8_t> held;  ///< 1: does not move whatever pushes

  ContactMemory memory;  ///< as of when neighbour lists were last made (collect_memory for now)

  double time = 0;  ///< [s]
  std::uint64_t step_count = 0;
  std::uint64_t force_count = 0;  ///< how often all forces were computed
  std::uint32_t next_id = 0;
  std::uint64_t escaped = 0;  ///< grains that passed a wall
  std::uint64_t drained = 0;  ///< grains that sinks took
  std::vector<EmitterState> emitters;

  double deepest_overlap = 0;  ///< since the interval began, in diameters of the smaller grain [-]

  // What the next time step is chosen by.
  double max_speed = 0;        ///< of any sphere in the last step [m/s]
  double fastest_contact = 0;  ///< largest k_r sqrt(overlap) / m_eff in the last step [1/s2]
  double adaptive_step = 0;    ///< that the error of the last one allows; 0: none yet [s]
  double unturned = 0;         ///< how long lone spheres have moved since they last turned [s]
  double body_step = 0;        ///< longest stable step of bodies between their grains in the last step [s]

  std::size_t size() const { return id.size(); }
};

/// Calls f(array) for each of the arrays by grain.
template <class State, class F>
void for_each_array(State& state, F&& f) {
  f(state.id);
  f(state.position);
  f(state.velocity);
  f(state.orientation);
  f(state.angular_momentum);
  f(state.radius);
  f(state.shape);
  f(state.material);
  f(state.held);
}

/// Indices in the order of ids.
inline std::vector<std::uint32_t> order_by_id(const DemState& state) { return rows_by_id(state.id); }

/// Keeps the rows `rows`, in that order.
void select_rows(DemState& state, std::span<const std::uint32_t> rows, Threads& threads);

/// Sorts the rows along a Morton curve over cells of this width [m].
void reorder_in_space(DemState& state, double cell_width, Threads& threads);

/// Rows by id: equal states give equal bytes.
void save_state(const DemState& state, ArchiveWriter& out);
void load_state(DemState& state, ArchiveReader& in);

}  // namespace repose
