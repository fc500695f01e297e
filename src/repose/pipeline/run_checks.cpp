#include "repose/pipeline/run_checks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/read_file.h"
#include "repose/io/tables/csv_table.h"

namespace repose {
namespace {

std::vector<double> numbers_of(const CsvContent& table, const std::filesystem::path& path, int column) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& field = table.rows[row][static_cast<std::size_t>(column)];
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
      throw Error(ExitCode::run_failed, fmt::format("{}:{}: '{}' is no number: the file is damaged",
                                                    path.string(), row + 2, field));
    numbers.push_back(value);
  }
  return numbers;
}

CheckResult evaluate(const CheckDefinition& check, const std::filesystem::path& path, const CsvContent& table,
                     double end) {
  const std::string& column = check.stat.empty() ? check.column : check.stat;
  const int t = table.column("t"), value = table.column(column);
  if (t < 0 || value < 0)
    return unknown_check(check, fmt::format("{} has no column '{}'", path.string(), column));
  const std::vector<double> times = numbers_of(table, path, t), values = numbers_of(table, path, value);
  return evaluate_check(check, {times, values, end});
}

}  // namespace

std::vector<CheckResult> evaluate_checks(const Scene& scene, const RunFolder& folder, double end) {
  return evaluate_checks(scene, folder, end,
                         [&](const std::string& probe) { return folder.probe_file(probe); });
}

std::vector<CheckResult> evaluate_checks(const Scene& scene, const RunFolder& folder, double end,
                                         const ProbeTables& probe_tables) {
  std::map<std::filesystem::path, CsvContent> tables;
  std::vector<CheckResult> results;
  for (const CheckDefinition& check : scene.checks) {
    const auto path = check.stat.empty() ? probe_tables(check.probe) : folder.stats();
    if (!tables.contains(path)) {
      if (!file_exists(path)) {
        results.push_back(unknown_check(check, fmt::format("there is no {}", path.string())));
        continue;
      }
      tables[path] = read_csv(path);
    }
    results.push_back(evaluate(check, path, tables[path], end));
  }
  return results;
}

std::string pile_note(const std::filesystem::path& path) {
  if (!file_exists(path)) return {};
  const CsvContent table = read_csv(path);
  const int angle = table.column("angle"), height = table.column("height");
  if (table.rows.empty() || angle < 0 || height < 0) return {};
  if (!std::isnan(numbers_of(table, path, angle).back()) ||
      std::isnan(numbers_of(table, path, height).back()))
    return {};
  return "no angle at the end: what lies there is no pile, since it is lower than three grains or its "
         "surface "
         "does not come down to its base inside the shape (type = \"slope\" is for beds and drums)";
}

bool all_passed(const std::vector<CheckResult>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& check) { return check.passed; });
}

}  // namespace repose
