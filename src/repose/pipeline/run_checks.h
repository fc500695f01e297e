#pragma once
// The [check] tables of a scene, evaluated on the tables of a run.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "repose/measure/checks.h"
#include "repose/pipeline/run_folder.h"
#include "repose/scene/scene.h"

namespace repose {

/// Where the table of a probe lies, by its name.
using ProbeTables = std::function<std::filesystem::path(const std::string&)>;

/// All checks of the scene in its order; `end` is how far the run went [s]. Throws Error(run_failed) where a
/// table is damaged.
std::vector<CheckResult> evaluate_checks(const Scene& scene, const RunFolder& folder, double end);
/// The same with the probes' tables elsewhere.
std::vector<CheckResult> evaluate_checks(const Scene& scene, const RunFolder& folder, double end,
                                         const ProbeTables& probe_tables);

/// Why the table of a pile ends without an angle though there is matter; empty where it has one.
std::string pile_note(const std::filesystem::path& path);

bool all_passed(const std::vector<CheckResult>& checks);

}  // namespace repose
