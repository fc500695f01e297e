#pragma once
// A run's probes: shows them each step of the solver and appends what they write to probes/NAME.csv. Asks the
// solver for no more than a probe needs at that step.

#include <span>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/io/tables/csv_table.h"
#include "repose/measure/probes.h"
#include "repose/pipeline/progress.h"
#include "repose/pipeline/run_folder.h"
#include "repose/scene/scene.h"
#include "repose/solvers/solver.h"

namespace repose {

class Prober {
 public:
  /// Opens the tables, cut back to the rows of `saved`, what a checkpoint kept (empty for a new run). `span`
  /// is how long ago the solver's interval of forces began [s].
  Prober(const Scene& scene, const RunFolder& folder, Solver& solver, Threads& threads, Progress& progress,
         std::span<const ProbeState> saved, double span);

  /// After a step from time `from` to now. Throws Error(run_failed) where a table cannot be written.
  void after_step(double from, double span);
  /// After the solver's begin_interval().
  void begin_interval() { probes_.begin_interval(); }
  /// Brings all rows to the disk.
  void flush();
  std::vector<ProbeState> states() const { return probes_.states(); }

 private:
  Sight look(double from, double span, const SightNeeds& needs);

  Solver& solver_;
  ProbeSet probes_;
  std::vector<CsvTable> tables_;
  bool has_moments_ = false;
  Frame frame_;
  std::vector<ContactMoment> moments_;
  std::vector<BodyRow> bodies_;
};

}  // namespace repose
