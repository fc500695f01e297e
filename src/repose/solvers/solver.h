#pragma once
// The one interface between the frame loop and the methods. A solver owns its particles and bodies, chooses
// its own time step, and hands out frames. Everything that its future depends on goes through save() and
// load(): a run that is saved, loaded and continued gives the same bits as one that was not interrupted.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "repose/core/archive.h"
#include "repose/core/log.h"
#include "repose/exec/stage_timer.h"
#include "repose/exec/threads.h"
#include "repose/particles/contact_moment.h"
#include "repose/particles/frame.h"
#include "repose/scene/scene.h"

namespace repose {

/// What a step did, or why it failed. Nothing throws in a step.
struct StepReport {
  double dt = 0;           ///< time advanced [s]
  const char* limit = "";  ///< what limited dt: "contact stiffness", "speed", "frame", ...
  std::string failure;     ///< empty, or what went wrong and what to change
};

/// One of the solver's own error measures, a column of stats.csv ("max_overlap", "density_error", ...).
struct ErrorMeasure {
  std::string name;
  double value;
};

struct SolverStats {
  std::uint64_t particles = 0;
  std::uint64_t elements = 0;        ///< what the cost goes with: spheres for dem, particles elsewhere
  double mass = 0;                   ///< [kg]
  Vec3d momentum{0, 0, 0};           ///< [kg m/s]
  double kinetic = 0;                ///< translation and spin [J]
  double potential = 0;              ///< -m g.x, zero at the origin [J]
  double max_speed = 0;              ///< [m/s]
  std::vector<ErrorMeasure> errors;  ///< always the same names in the same order for one solver
  std::uint64_t asleep = 0;
  // Since the start.
  std::uint64_t total = 0;    ///< particles that there ever were
  std::uint64_t escaped = 0;  ///< of these, passed a wall of the domain
  std::uint64_t left = 0;     ///< of these, left through an open face
};

/// What would run, for `repose check` and for the log. Made without simulating.
struct FillPlan {
  std::string name;
  double particles = 0;       ///< a whole number, and exact unless the plan is estimated
  double mass = 0;            ///< [kg]
  double mean_particles = 0;  ///< over the time of the run: of an emitter fewer than in the end
};
struct SolverPlan {
  ParticleKind kind = ParticleKind::granular;
  std::vector<std::string> errors;  ///< names of the solver's error measures
  std::vector<FillPlan> fills;      ///< and emitters, with what they would emit until the end
  bool is_estimated = false;        ///< fills were counted by their volume, not by making them
  double dt = 0;                    ///< expected time step [s]
  std::string dt_limit;
  double steps = 0;                ///< expected, settling included
  double elements = 0;             ///< at most: spheres for dem, particles elsewhere
  double mean_elements = 0;        ///< over the time of the run
  double seconds = 0;              ///< of all steps, on one core of the reference machine (run_cost.h)
  double memory_bytes = 0;         ///< of the solver, at the largest number of particles
  double frame_bytes = 0;          ///< one PLY frame at the largest number of particles
  std::vector<std::string> notes;  ///< "young of 'sand' is set to 2.1 MPa so that ..."

  double particles() const {
    double sum = 0;
    for (const FillPlan& fill : fills) sum += fill.particles;
    return sum;
  }
};

class Solver {
 public:
  virtual ~Solver() = default;

  /// Advances by the solver's own time step, by at most max_dt.
  virtual StepReport step(double max_dt) = 0;
  /// [s]; starts at -scene.info.settle, and the frame loop advances to 0 before it takes frame 0.
  virtual double time() const = 0;

  /// In place of what the frame held. Rows sorted by id. Body forces are means since begin_interval(), zero
  /// over an interval without length.
  virtual void fill_frame(Frame& frame) const = 0;
  /// Starts the interval over which forces on bodies are averaged.
  virtual void begin_interval() = 0;
  virtual SolverStats stats() const = 0;
  virtual std::vector<GrainShape> grain_shapes() const { return {}; }

  /// What plan_run() says of the scene, from what was placed.
  virtual SolverPlan plan() const { return {}; }

  // What probes ask for at every step.
  /// Of fill_frame() id, position, radius, material and shape; the rest is left as it was.
  virtual void fill_places(Frame& frame) const { fill_frame(frame); }
  /// The bodies of fill_frame() alone.
  virtual void fill_bodies(std::vector<BodyRow>& rows) const {
    Frame frame;
    fill_frame(frame);
    rows = std::move(frame.bodies);
  }
  /// From the next step on, contact moments are kept; false: this solver has none.
  virtual bool watch_contacts() { return false; }
  /// Those of the last step, by row of fill_frame().
  virtual void fill_contact_moments(std::vector<ContactMoment>& moments) const { moments.clear(); }

  /// The whole state, particles sorted by id. Equal states give equal bytes, whatever the order in memory.
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(ArchiveReader& in) = 0;

  /// Wall time by stage since the last call: always the same names in the same order, since they are columns
  /// of stats.csv.
  virtual std::vector<StageTime> take_stage_times() = 0;
};

/// Throws Error(bad_scene) where the solver cannot do what the scene asks.
std::unique_ptr<Solver> make_solver(const Scene& scene, Threads& threads, const LogSink& log);
SolverPlan plan_run(const Scene& scene, Threads& threads);

}  // namespace repose
