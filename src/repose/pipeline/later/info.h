#pragma once
// What there is to know about a run folder, for `repose info RUN`.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "repose/measure/checks.h"
#include "repose/solvers/solver.h"

namespace repose {

struct FileGroup {
  std::string name;  ///< "particles", "images", "checkpoint", ...
  int files = 0;
  std::uintmax_t bytes = 0;
};

struct RunInfo {
  std::filesystem::path path;
  std::string status;   ///< running, done, interrupted, failed, or killed: it says running, but nothing is at
                        ///< work there
  std::string message;  ///< why it failed, or what to do
  std::string version;  ///< of repose
  std::string title, scene_path, solver;
  std::string scene_hash, physics_hash, state_hash;
  std::uint64_t seed = 0;
  int threads = 0;
  int frames_done = 0, frames_total = 0;  ///< numbers of the last frame that is done and of the last planned
  double fps = 0, time = 0;
  std::uint64_t particles = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> channels;
  std::vector<StageTime> stage_times;
  std::string created, updated;  ///< ISO 8601, UTC
  std::vector<FileGroup> files;
  int checkpoint_frame = -1;        ///< last frame done in the newest good checkpoint; -1: there is none
  std::filesystem::path film;       ///< empty: none
  std::vector<CheckResult> checks;  ///< of the scene, once the run is done
};

/// Throws Error(usage) where there is no run.
RunInfo run_info(const std::filesystem::path& run);

}  // namespace repose
