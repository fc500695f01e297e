#pragma once
// manifest.json: what a run folder holds and how far the run is. It is written before anything else, so a
// folder with a manifest is a run, and after each frame, so whoever watches the folder knows where it stands.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "repose/measure/checks.h"
#include "repose/solvers/solver.h"

namespace repose {

enum class RunStatus { running, done, interrupted, failed };
std::string_view to_string(RunStatus status);

struct Manifest {
  static constexpr int kSchema = 1;

  std::string version;  ///< of repose
  RunStatus status = RunStatus::running;
  std::string message;           ///< why it failed, or how to go on
  std::string created, updated;  ///< ISO 8601, UTC

  std::string scene_path;  ///< as it was given
  std::string title;
  std::string scene_hash;    ///< over the scene and all files it refers to
  std::string physics_hash;  ///< over what a resume may not change
  std::string solver;
  std::string precision;
  std::uint64_t seed = 0;
  int threads = 0;

  double fps = 0;
  int frames_total = 0;               ///< number of the last frame
  int frames_done = -1;               ///< last frame that is done; -1: none
  std::vector<int> written;           ///< frames whose particle files are there
  std::vector<std::string> formats;   ///< of the particle files
  std::vector<std::string> channels;  ///< their columns
  std::vector<std::string> bodies;    ///< in the order of a frame's bodies

  std::uint64_t particles = 0;
  std::uint64_t elements = 0;
  std::uint64_t steps = 0;
  std::uint64_t total = 0;                     ///< particles that there ever were
  std::uint64_t escaped = 0;                   ///< of these, passed a wall
  std::uint64_t left = 0;                      ///< of these, left through an open face
  std::uint64_t fine_grains = 0;               ///< in the last frame that is done
  std::string fine_hash;                       ///< of these, in whatever order; empty where there are none
  double dt_min = 0, dt_mean = 0, dt_max = 0;  ///< [s]
  struct Limit {
    std::string limit;
    std::uint64_t steps;
  };
  std::vector<Limit> dt_limits;     ///< how many steps each limit decided
  std::vector<StageTime> timings;   ///< wall time by stage over the whole run [s]
  std::vector<std::string> notes;   ///< what the solver decided by itself
  int checkpoint_frame = -1;        ///< last frame done in the newest checkpoint; -1: there is none
  std::string state_hash;           ///< of that checkpoint
  std::vector<CheckResult> checks;  ///< of the scene, once the run is done
};

/// The checks as they stand in the manifest: the text of a JSON list.
std::string checks_json(const std::vector<CheckResult>& checks);

/// Stamps `updated` (and `created` where it is empty) with the time of day and writes the file.
void write_manifest(const std::filesystem::path& path, Manifest& manifest);

/// Throws Error(usage) where there is none, Error(run_failed) where it is damaged or of a later schema.
Manifest read_manifest(const std::filesystem::path& path);

}  // namespace repose
