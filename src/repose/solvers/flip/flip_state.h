#pragma once
// What a restart of a flip run needs, and nothing else (continuum/matter_state.h).

#include <array>
#include <cstdint>
#include <vector>

#include "repose/grid/friction_stress.h"
#include "repose/math/vec.h"
#include "repose/solvers/continuum/matter_state.h"

namespace repose {

struct FlipState {
  // One entry a particle.
  std::vector<std::uint32_t> id;
  std::vector<Vec3d> position;  ///< [m]
  std::vector<Vec3f> velocity;  ///< [m/s]
  std::vector<float> pressure;  ///< of the last step that was as long as it could be, for frames [Pa]
  std::vector<float> density;   ///< likewise, of the particles around it [kg/m3]
  std::vector<std::uint8_t> material;

  double time = 0;  ///< [s]
  std::uint64_t step_count = 0;
  std::uint32_t next_id = 0;
  std::uint64_t escaped = 0;  ///< particles that passed a wall
  std::uint64_t drained = 0;  ///< particles that sinks took
  std::vector<MatterEmitterState> emitters;

  // Of sand, where the next step starts from: stress times dt / (rho h) over dt, and the pressure in the
  // cells of the same tiles [m/s2].
  StressField stress;
  std::vector<float> push;
  // Likewise the tractions of wall friction at bodies askew to the grid, by cell of the grid. Only saved
  // where there are any.
  std::vector<std::array<int, 3>> traction_cell;
  std::vector<std::array<float, 3>> traction;

  double max_speed = 0;  ///< of particles after the last step: what the next time step is chosen by [m/s]

  // Of the last step, for stats.csv.
  double divergence = 0;           ///< largest in any cell after the projection [1/s]
  double iterations = 0;           ///< of the pressure solve
  double residual = 0;             ///< likewise, relative
  double viscous_iterations = 0;   ///< of the solve for viscosity
  double viscous_residual = 0;     ///< likewise, relative
  double friction_iterations = 0;  ///< of the solve for the friction of sand
  double friction_residual = 0;    ///< likewise: what it could still take, over gravity times dt
  double density_error = 0;        ///< largest compression of particles in any cell, as a share

  std::size_t size() const { return id.size(); }

  /// Calls f(name, array) for each of the arrays by particle.
  template <class State, class F>
  static void for_each_channel(State& state, F&& f) {
    f("flip.id", state.id);
    f("flip.position", state.position);
    f("flip.velocity", state.velocity);
    f("flip.pressure", state.pressure);
    f("flip.density", state.density);
    f("flip.material", state.material);
  }
  /// Calls f(name, value) for all that is not by particle.
  template <class State, class F>
  static void for_each_number(State& state, F&& f) {
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
};

}  // namespace repose
