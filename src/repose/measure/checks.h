#pragma once
// [check.NAME]: what must hold of a column of a probe's table or of stats.csv in the end.

#include <optional>
#include <span>
#include <string>

#include "repose/scene/scene.h"

namespace repose {

struct CheckResult {
  std::string name;
  std::string subject;  ///< "probe gate: rate", "stat kinetic"
  std::string when;     ///< "mean over 0.5 to 1 s", "at 1 s", "at the end"
  double value = 0;     ///< not a number where there is none
  std::optional<double> min = {}, max = {};
  bool passed = false;
  bool reached = true;  ///< false: the run ended before the time that the check is about
  std::string problem;  ///< why there is no value; empty otherwise
};

/// A column over time, rows in the order of time.
struct ColumnSeries {
  std::span<const double> t, values;
  double end;  ///< how far the run went [s]
};

/// `at` takes the row nearest in time. `over` = [a, b] takes the mean over the rows with a < t <= b, each for
/// the time since the row before (since a, for the first): rows tell of the time before them.
CheckResult evaluate_check(const CheckDefinition& check, const ColumnSeries& series);

/// The same without a value, and why.
CheckResult unknown_check(const CheckDefinition& check, const std::string& problem);

}  // namespace repose
