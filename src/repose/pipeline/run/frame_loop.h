#pragma once
// The frame loop: steps to the next frame, the frame's files, again; checkpoints in between.

#include <optional>
#include <string>
#include <vector>

#include "repose/io/run/checkpoint.h"
#include "repose/io/run/manifest.h"
#include "repose/io/tables/csv.h"
#include "repose/io/tables/csv_table.h"
#include "repose/pipeline/progress.h"
#include "repose/pipeline/run/loop_state.h"
#include "repose/pipeline/run/prober.h"
#include "repose/pipeline/run/run.h"
#include "repose/pipeline/run_folder.h"
#include "repose/pipeline/stages/frame_stages.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/solvers/solver.h"

namespace repose {

/// What the loop works with; all of it outlives the loop.
struct LoopContext {
  const Scene& scene;
  const RunOptions& options;
  const RunFolder& folder;
  Solver& solver;
  Progress& progress;
  CheckpointStore& checkpoints;
  Manifest& manifest;
  Threads& threads;
  FrameStages& stages;
  int last_frame;
};

class FrameLoop {
 public:
  /// Opens the tables of the run, cut back to what `state` has done.
  FrameLoop(const LoopContext& context, LoopState state);

  /// Goes on to the last frame. False where it was interrupted, in the state of a checkpoint either way.
  /// Throws Error(run_failed) where a step or a file fails.
  bool run();

  const LoopState& state() const { return state_; }
  const SolverStats& stats() const { return stats_; }
  /// Whether run() threw because of a step, which fails again after a resume.
  bool step_failed() const { return step_failed_; }

 private:
  bool interrupted() const;
  /// Steps until the next frame's time; false where it was interrupted.
  bool advance_to_frame();
  void take_step(double max_dt);
  /// Lets the probes see what happened from time `from` until now.
  void show_probes(double from);
  /// False where it was interrupted: the frame counts as not reached, and a resume makes its files again.
  bool finish_frame();
  /// Leaves the positions rounded where there are stages. False where it was interrupted.
  bool write_frame_files(Frame& frame);
  void write_particle_files(const Frame& frame);
  bool advance_stages(Frame& frame);
  void write_sequence(int last) const;
  void append_rows(const Frame& frame);
  void update_manifest(const Frame& frame);
  void write_checkpoint();
  [[noreturn]] void fail(const std::string& failure);
  void tell(bool frame_done);
  void add_wall(std::string_view stage, double seconds);
  void take_solver_times();
  StatsRow stats_row() const;
  bool is_written(int frame) const { return frame % c_.scene.output.every == 0; }
  double frame_time(int frame) const { return frame / c_.scene.info.fps; }

  LoopContext c_;
  LoopState state_;
  SolverStats stats_;
  std::optional<CsvTable> stats_table_, bodies_table_;
  Prober prober_;

  // what is told, and when
  bool step_failed_ = false;
  StepReport last_step_;
  std::vector<LimitCount> frame_limits_;
  Stopwatch since_start_, since_told_, since_checkpoint_, since_frame_;
  double start_time_ = 0;           ///< [s] of the simulation
  double wall_per_simulated_ = -1;  ///< smoothed over frames [-]; negative: not known yet
};

}  // namespace repose
