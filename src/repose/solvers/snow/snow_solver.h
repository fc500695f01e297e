#pragma once
// Snow that can be packed: Takahashi, Fujishiro and Nishita 2014, "Visual Simulation of Compressible Snow
// with Friction and Cohesion", over the grid of flip. Particles carry durability, the share of their
// structure that is whole, and density.
//
// What a step does, in order (SnowSolver::step):
//   sources      snow comes and goes continuum/matter_sources.h sort         lay the grid, put particles in
//   the order of its cells               grid/particle_cells.h transfer     velocities, durability and
//   density from particles to the grid       grid/transfer.h, snow_fields.h geometry     solids, and where
//   the snow is                                       flip/solids.h, flip/liquid.h pressure     gravity;
//   pressure and friction in turns, with bodies that they push  flip/sand_step.h
//                  snow is packed where the pressure is beyond its strength            flip/sand_pressure.h
//                  cohesion by damage                                                  snow_fields.h
//   damage       durability and density follow                                       snow_fields.h
//   update       the change on the grid goes back to the particles (FLIP); air in zones carries powder along
//   move         bodies, then particles
//
// Departures from the paper: damage goes by the peak pressure and not by time; how dense snow becomes goes by
// its damage, so that a closed press has a solution; the velocity transfer factor grows with damage
// (physics/snow.h); snow that is apart bears no tension and has no cohesion, so that thrown powder separates;
// Coulomb's law is solved for in place of labels and clusters.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/stage_timer.h"
#include "repose/solvers/borders.h"
#include "repose/solvers/continuum/matter_sources.h"
#include "repose/solvers/continuum/zones.h"
#include "repose/solvers/flip/flip_scratch.h"
#include "repose/solvers/snow/snow_model.h"
#include "repose/solvers/snow/snow_state.h"
#include "repose/solvers/solver.h"

namespace repose {

/// From a scene to all that a run of snow starts with.
struct SnowSetup {
  Bodies bodies;
  SnowModel model;
  std::vector<MatterEmitter> emitters;
  std::vector<SinkShape> sinks;
  std::vector<ZoneShape> zones;
  SnowState state;
  SolverPlan plan;
};

/// Throws Error(bad_scene) where the solver cannot do what the scene asks.
SnowSetup make_snow_setup(const Scene& scene, Threads& threads);
/// What a run would be, without placing more than a few particles.
SolverPlan plan_snow(const Scene& scene, Threads& threads);

class SnowSolver final : public Solver {
 public:
  /// Throws Error(bad_scene) where this solver cannot do what the scene asks.
  SnowSolver(const Scene& scene, Threads& threads, LogSink log);

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

  const SnowModel& model() const { return model_; }
  const SnowState& state() const { return state_; }
  const FlipScratch& scratch() const { return scratch_; }
  const Bodies& bodies() const { return bodies_; }

 private:
  SnowSolver(SnowSetup setup, Threads& threads, LogSink log);
  void update_sources(double dt);
  void sort_particles();
  void transfer();
  void find_geometry();
  void find_pressure(double dt);
  void damage(double dt);
  void update_velocities(double dt, bool ends_frame);
  void carry_by_air(double dt);
  void move(double dt);

  Threads& threads_;
  LogSink log_;
  Bodies bodies_;
  SnowModel model_;
  std::vector<MatterEmitter> emitters_;
  std::vector<SinkShape> sinks_;
  std::vector<ZoneShape> zones_;
  SnowState state_;
  SolverPlan setup_plan_;
  FlipScratch scratch_;
  StageTimer timer_{"sources", "sort", "transfer", "geometry", "pressure", "damage", "update", "move"};
  std::vector<bool> emitter_is_blocked_;  ///< warned of once
};

/// Rows that have just been added are of snow as it falls.
void start_snow(const SnowModel& model, std::size_t first, SnowState& state);

}  // namespace repose
