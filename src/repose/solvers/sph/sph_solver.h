#pragma once
// Sand as a continuum of particles: smoothed particle hydrodynamics with pressure and friction solved
// together, after Ihmsen, Wahl and Teschner 2013 ("A Lagrangian Framework for Simulating Granular Material
// with High Detail"), section 3.
//
// What a step does, in order (SphSolver::step; the paper's algorithm 1):
//   sources     matter comes and goes                                       continuum/matter_sources.h
//   sort        particles in the order of cells as wide as the kernel        grid/particle_cells.h
//   sleep       who is left out, where the scene lets particles sleep        sph_sleep.h
//   pairs       who is near whom, gradients of the kernel, densities         sph_pairs.h
//   walls       what solids add to these                                     sph_walls.h
//   forces      gravity; particles that come closer are slowed down          sph_viscosity.h
//               single ones are kept apart                                   sph_dispersed.h
//   stress      pressure and friction that resist                            sph_stress.h
//   move        bodies and particles
//
// Where it departs from the paper, each said where it is: stress sees velocities through the adjoint of what
// it does to them, and is solved by an accelerated gradient; the friction limit is p tan(friction_angle), so
// that slopes stand at that angle; solids count by the distance to their surface and rub by Coulomb's law.
//
// Model, state, scratch as in the other solvers. State is double but for stress; pairs are worked on in
// float, with differences taken and sums made in double, in an order given by cells and ids: the same bits
// for any number of threads and any order of the particles in memory.

#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/stage_timer.h"
#include "repose/solvers/continuum/matter_sources.h"
#include "repose/solvers/continuum/matter_step.h"
#include "repose/solvers/continuum/zones.h"
#include "repose/solvers/solver.h"
#include "repose/solvers/sph/sph_model.h"
#include "repose/solvers/sph/sph_scratch.h"
#include "repose/solvers/sph/sph_state.h"

namespace repose {

/// From a scene to all that an sph run starts with; the solver and `repose check` both begin here.
struct SphSetup {
  Bodies bodies;
  SphModel model;
  std::vector<MatterEmitter> emitters;
  std::vector<SinkShape> sinks;
  std::vector<ZoneShape> zones;
  SphState state;                   ///< fills as they are counted, not yet relaxed (sph_relax.h)
  std::vector<std::uint32_t> fill;  ///< of the particles, by id
  SolverPlan plan;
};

/// Throws Error(bad_scene) where sph cannot do what the scene asks.
SphSetup make_sph_setup(const Scene& scene, Threads& threads);
/// What a run would be, without placing more than a few particles.
SolverPlan plan_sph(const Scene& scene, Threads& threads);

class SphSolver final : public Solver {
 public:
  /// Throws Error(bad_scene) where this solver cannot do what the scene asks.
  SphSolver(const Scene& scene, Threads& threads, const LogSink& log);

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

  const SphModel& model() const { return model_; }
  const SphState& state() const { return state_; }
  const SphScratch& scratch() const { return scratch_; }
  const Bodies& bodies() const { return bodies_; }
  /// For tests: turns the pull of gravity [m/s2], which wakes all.
  void set_gravity(const Vec3d& gravity);
  /// For tests: puts the rows of the state into another order in memory.
  void permute_memory(std::uint64_t seed);

 private:
  SphSolver(SphSetup setup, Threads& threads, LogSink log);
  TimeStep choose_time_step(double max_dt) const;
  void update_sources(double dt);
  void sort_particles();
  void find_stress(double dt);
  void move(double dt);

  Threads& threads_;
  LogSink log_;
  Bodies bodies_;
  SphModel model_;
  std::vector<MatterEmitter> emitters_;
  std::vector<SinkShape> sinks_;
  std::vector<ZoneShape> zones_;
  SphState state_;
  SolverPlan setup_plan_;
  SphScratch scratch_;
  StageTimer timer_{"sources", "sort", "pairs", "walls", "stress", "move"};
  std::vector<bool> emitter_is_blocked_;  ///< warned of once
};

}  // namespace repose
