#pragma once
// What a long job tells, as people and programs read it: a live line on a terminal, plain lines now and then
// elsewhere, one JSON object a frame with `--json`.

#include <string>
#include <vector>

#include "console.h"

#include "repose/pipeline/progress.h"
#include "repose/pipeline/run/run.h"

namespace repose::command {

class RunReporter final : public Progress {
 public:
  /// `introduces`: the job begins with started(); what it says before is shown after that.
  explicit RunReporter(Console& console, bool introduces = false)
      : console_(console), holds_notes_(introduces) {}

  void started(const RunStarted& run) override;
  void advanced(const RunProgress& run) override;
  void frame_done(const RunProgress& run) override;
  void job_advanced(const JobProgress& job) override;
  void message(LogLevel level, std::string_view text) override;

 private:
  /// What a set-up does, over the last such line on a terminal.
  void show_activity(std::string_view text);
  /// Shows a line of progress: over the last one on a terminal, else when the last one is a while ago.
  void show(const std::string& text, double elapsed, double interval);

  Console& console_;
  bool holds_notes_;
  std::vector<std::string> early_notes_;
  double last_line_ = 0;  ///< wall time of the job when the last plain line was printed [s]
};

/// The end of a run: where the time went, what limited the step, escaped particles, hash and files.
void print_summary(Console& console, const RunSummary& summary);

/// One line a check: whether it holds, its value and its bounds.
void print_checks(Console& console, const std::vector<CheckResult>& checks);
/// "checks that failed: a, b"
std::string failed_checks_text(const std::vector<CheckResult>& checks);

std::string format_dt(double seconds);  ///< "21.4 us"

}  // namespace repose::command
