#pragma once
// Liquids by particles and a grid: the incompressible PIC/FLIP of Zhu 2005 ("Animating Sand as a Fluid"),
// chapter 3. Particles are the liquid: they carry its velocity and move with it. Forces are found on a
// staggered grid that is laid anew each step where the particles are.
//
// What a step does, in order (FlipSolver::step):
//   sources      liquid comes and goes                                             continuum/matter_sources.h
//   sort         lay the grid, put particles in the order of its cells              grid/particle_cells.h
//   transfer     velocities from particles to faces                                 grid/transfer.h
//   solids       shares of faces that bodies and walls leave open                   solids.h
//   liquid       distance to the particles, which tells liquid from air             liquid.h
//   pressure     gravity, then the projection to a field without divergence         pressure.h
//                together with bodies that it pushes                                coupling.h
//   extend       velocities carried on into air and solids                          grid/extrapolate.h
//   update       the change on the grid goes back to the particles (FLIP), blended with the grid's velocity;
//                what meets no wall keeps its momentum to rounding                  free_matter.h
//   move         bodies, then particles through the field; what came into solids is put out of them;
//                at its surface sand is spread evenly                               spread_surface.h
//
// Departures from the thesis, each said where it is: the surface is where the distance to the particles is
// zero, not where cells hold particles; pressure is zero there, not in the next cell (ghost fluid); solids
// cut cells (Batty et al. 2007); the grid is sparse.
//
// Model, state, scratch as in dem. Positions are double, velocities and grid fields float, sums over cells
// double and in the order of the grid's tiles: the same bits for any number of threads and any order of the
// particles in memory.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/stage_timer.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/continuum/matter_sources.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/flip/flip_model.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/flip/flip_state.h"
#include "repose/solvers/solver.h"

namespace repose {

/// From a scene to all that a flip run starts with; the solver and `repose check` both begin here.
struct FlipSetup {
  Bodies bodies;
  FlipModel model;
  std::vector<MatterEmitter> emitters;
  std::vector<SinkShape> sinks;
  FlipState state;
  SolverPlan plan;
};

/// Throws Error(bad_scene) where flip cannot do what the scene asks.
FlipSetup make_flip_setup(const Scene& scene, Threads& threads);
/// What a run would be, without placing more than a few particles.
SolverPlan plan_flip(const Scene& scene, Threads& threads);

class FlipSolver final : public Solver {
 public:
  /// Throws Error(bad_scene) where this solver cannot do what the scene asks.
  FlipSolver(const Scene& scene, Threads& threads, LogSink log);

  StepReport step(double max_dt) override;
  double time() const override { return state_.time; }
  void fill_frame(Frame& frame) const override;
  void begin_interval() override { bodies_.begin_interval(state_.time); }
  SolverStats stats() const override;
  SolverPlan plan() const override { return setup_plan_; }
  void fill_bodies(std::vector<BodyRow>& rows) const override { bodies_.fill_rows(rows, state_.time); }
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;
  std::vector<StageTime> take_stage_times() override { return timer_.take(); }

  const FlipModel& model() const { return model_; }
  const FlipState& state() const { return state_; }
  const FlipScratch& scratch() const { return scratch_; }
  const Bodies& bodies() const { return bodies_; }
  /// For tests: puts the rows of the state into another order in memory.
  void permute_memory(std::uint64_t seed);

 private:
  FlipSolver(FlipSetup setup, Threads& threads, LogSink log);
  void update_sources(double dt);
  void sort_particles();
  void transfer();
  void find_geometry();
  void find_pressure(double dt);
  void diffuse(double dt);
  void hand_on(double dt, bool ends_frame);
  void update_velocities(double dt);
  void move(double dt);

  Threads& threads_;
  LogSink log_;
  Bodies bodies_;
  FlipModel model_;
  std::vector<MatterEmitter> emitters_;
  std::vector<SinkShape> sinks_;
  FlipState state_;
  SolverPlan setup_plan_;
  FlipScratch scratch_;
  StageTimer timer_{"sources", "sort", "transfer", "geometry", "pressure", "viscosity", "update", "move"};
  std::vector<bool> emitter_is_blocked_;  ///< warned of once
};

}  // namespace repose
