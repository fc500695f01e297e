#include "repose/measure/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace repose {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kTimeTolerance = 1e-9;  ///< [s]: rounding of sums of time steps

std::string when_text(const CheckDefinition& check) {
  if (check.over) return fmt::format("mean over {:g} to {:g} s", (*check.over)[0], (*check.over)[1]);
  return check.at ? fmt::format("at {:g} s", *check.at) : "at the end";
}

double nearest_value(const ColumnSeries& series, double t) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < series.t.size(); ++i)
    if (std::abs(series.t[i] - t) < std::abs(series.t[best] - t)) best = i;
  return series.values[best];
}

double mean_value(const ColumnSeries& series, double from, double to) {
  double sum = 0, weight = 0, before = from;
  for (std::size_t i = 0; i < series.t.size(); ++i) {
    const double t = series.t[i];
    if (t > from + kTimeTolerance && t <= to + kTimeTolerance) {
      sum += (t - before) * series.values[i];
      weight += t - before;
      before = t;
    }
    before = std::max(before, std::min(t, to));
  }
  return weight > 0 ? sum / weight : kNone;
}

}  // namespace

CheckResult unknown_check(const CheckDefinition& check, const std::string& problem) {
  CheckResult result;
  result.name = check.name;
  result.subject = check.stat.empty() ? fmt::format("probe {}: {}", check.probe, check.column)
                                      : fmt::format("stat {}", check.stat);
  result.when = when_text(check);
  result.value = kNone;
  result.min = check.min;
  result.max = check.max;
  result.problem = problem;
  return result;
}

CheckResult evaluate_check(const CheckDefinition& check, const ColumnSeries& series) {
  CheckResult result = unknown_check(check, "");
  const double last_needed = check.over ? (*check.over)[1] : check.at.value_or(0);
  if (last_needed > series.end + kTimeTolerance) {
    result.reached = false;
    result.problem = fmt::format("that time never came: the run ended at t = {:g} s", series.end);
    return result;
  }
  if (series.t.empty()) {
    result.problem = "there are no rows";
    return result;
  }
  if (check.over)
    result.value = mean_value(series, (*check.over)[0], (*check.over)[1]);
  else
    result.value = check.at ? nearest_value(series, *check.at) : series.values.back();
  if (std::isnan(result.value)) {
    result.problem =
        check.over ? "there are no rows in that time, or not all are numbers" : "it is not a number";
    return result;
  }
  result.passed = (!check.min || result.value >= *check.min) && (!check.max || result.value <= *check.max);
  return result;
}

}  // namespace repose
