#pragma once
// The discrete element method: grains are rigid compounds of spheres, and spheres that overlap push each
// other. After Bell, Yu and Mucha 2005, "Particle-Based Simulation of Granular Materials".
//
// What a step does, in order (DemSolver::step):
// - grains come and go at emitters and sinks (sources.h);
// - spheres are placed as they are in the middle of the step, bodies move there (integrate.h, bodies.h);
// - lists of what is near what are made again, if anything has moved far (neighbor_lists.h);
// - chunk by chunk: contacts between spheres, many at a time (contacts.h, contact_kernel.h), and with smooth
//   bodies (body_contacts.h), then kick and motion to the end of the step (integrate.h);
// - bodies are pushed, and move to the end as well.
// The force of one contact stands in contact_law.h, over the formulas of physics/contact.h. rkf45.h steps
// otherwise.
//
// Model, state, scratch. DemModel is what does not change, DemState what a restart needs, DemScratch what can
// be made again; what contacts remember lies beside the lists while these stand (contact_memory.h).
// Positions, velocities and angular momenta are double, pair forces float.
//
// The same bits, always. Forces of pairs are multiples of a quantum, so that their sums are exact in any
// order (contact_kernel.h); all else is summed in the order of ids. So results do not depend on threads, on
// the order in memory or on when lists were made, and momentum is conserved to rounding.
//
// What is chosen by the solver: stiffness (stiffness.h), contact laws (pair_laws.h), time step (time_step.h).

#include <memory>
#include <string>
#include <vector>

#include "repose/bodies/bodies.h"
#include "repose/exec/stage_timer.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/dem_scratch.h"
#include "repose/solvers/dem/dem_setup.h"
#include "repose/solvers/dem/dem_state.h"
#include "repose/solvers/dem/integrate.h"
#include "repose/solvers/dem/sources.h"
#include "repose/solvers/dem/time_step.h"
#include "repose/solvers/solver.h"

namespace repose {

class DemSolver final : public Solver {
 public:
  /// Throws Error(bad_scene) where this solver cannot do what the scene asks.
  DemSolver(const Scene& scene, Threads& threads, LogSink log);

  StepReport step(double max_dt) override;
  double time() const override { return state_.time; }
  void fill_frame(Frame& frame) const override;
  void fill_places(Frame& frame) const override { fill_places(order_by_id(state_), frame); }
  void begin_interval() override;
  SolverStats stats() const override;
  std::vector<GrainShape> grain_shapes() const override;
  SolverPlan plan() const override { return plan_; }
  void fill_bodies(std::vector<BodyRow>& rows) const override { bodies_.fill_rows(rows, state_.time); }
  bool watch_contacts() override { return scratch_.watches_contacts = true; }
  void fill_contact_moments(std::vector<ContactMoment>& moments) const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;
  std::vector<StageTime> take_stage_times() override { return timer_.take(); }

  const DemModel& model() const { return model_; }
  const DemState& state() const { return state_; }
  const Bodies& bodies() const { return bodies_; }
  /// For tests: puts the rows of the state into another order in memory.
  void permute_memory(std::uint64_t seed);

 private:
  DemSolver(const Scene& scene, DemSetup setup, Threads& threads, LogSink log);
  void fill_places(const std::vector<std::uint32_t>& order, Frame& frame) const;
  void update_sources();
  void begin(double h);
  void find_near();
  MotionCheck finish(const StepTimes& times);
  StepReport step_rkf45(double max_dt);
  void warn_of_overlaps();
  std::string failure(const MotionCheck& check);
  std::string describe(std::uint32_t id, const char* what) const;

  Threads& threads_;
  LogSink log_;
  SolverPlan plan_;
  Bodies bodies_;
  DemModel model_;
  std::vector<DemEmitter> emitters_;
  std::vector<SinkShape> sinks_;
  Integrator integrator_;
  DemState state_;
  DemScratch scratch_;
  StageTimer timer_{"sources", "motion", "neighbors", "contacts", "bodies"};
  bool is_leaving_ = true;                ///< whether a grain is outside the domain
  std::vector<bool> emitter_is_blocked_;  ///< warned of once
};

}  // namespace repose
