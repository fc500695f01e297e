#pragma once
// The pipeline: one run from a scene to a film.
//
//     scene ─► solver ─► frame ─► particle files, stats.csv, bodies.csv ─► image ─► ... ─► film
//                │        probes ─► probes/NAME.csv ─► checks
//                │
//                └► checkpoint (every checkpoint_seconds of wall time, on interrupt, at the end)
//
// The loop owns time: frame k stands at k / fps, computed from integers, and a step never goes past the next
// frame. Everything that decides the future of a run is in a checkpoint: the solver's archive, the number of
// the next frame, the steps since the last one. A run that was killed and resumed therefore gives the same
// frames, the same statistics (but for the wall_ columns) and the same state hash as one that was not.
//
// Order within a frame: particle files and image, rows of stats.csv and bodies.csv, manifest. A checkpoint
// may fall between any two steps; resuming cuts rows after it and writes later frames again, with the same
// bytes.
//
// A run folder belongs to one process at a time (it is locked while a run works in it). Nothing is deleted
// that repose did not write.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repose/core/log.h"
#include "repose/exec/threads.h"
#include "repose/measure/checks.h"
#include "repose/pipeline/progress.h"
#include "repose/scene/scene.h"
#include "repose/solvers/solver.h"

namespace repose {

struct RunOptions {
  std::filesystem::path output = {};  ///< the run's folder
  bool resume = false;
  bool force = false;              ///< remove the files of the run that the folder holds
  std::optional<int> frames = {};  ///< frames after frame 0, instead of the scene's duration * fps
  double checkpoint_seconds = 60;  ///< wall time between checkpoints; 0: after every step [s]
  bool render = true;              ///< images and film, where the scene wants them too
  const std::atomic<bool>* interrupt = nullptr;  ///< stop soon after this turns true
};

enum class RunOutcome {
  done,
  nothing_to_do,  ///< resumed a run that was complete
  interrupted     ///< a checkpoint was written; `message` says how to go on
};

struct LimitShare {
  std::string limit;  ///< what limited the time step
  double share;       ///< of the steps [-]
};

/// Counts and times are of the whole run, over all its resumes, but for `elapsed`.
struct RunSummary {
  RunOutcome outcome = RunOutcome::done;
  std::string message;  ///< what to do next, for outcomes other than done
  std::filesystem::path output;
  std::filesystem::path film;  ///< empty: none was made
  int frames = 0;              ///< last frame that is done
  int frames_written = 0;      ///< particle files
  int images = 0;
  double time = 0;  ///< [s] of the simulation
  std::uint64_t steps = 0;
  double dt_min = 0, dt_mean = 0, dt_max = 0;  ///< [s]
  std::vector<LimitShare> limits;              ///< largest share first
  std::uint64_t particles = 0, elements = 0;
  std::uint64_t total = 0;             ///< particles that there ever were
  std::uint64_t escaped = 0;           ///< of these, passed a wall
  std::uint64_t left = 0;              ///< of these, left through an open face
  double element_steps_rate = 0;       ///< elements times steps by second of solver wall time [1/s]
  std::vector<StageTime> stage_times;  ///< the solver's stages, then write, checkpoint, render, film [s]
  double elapsed = 0;                  ///< wall time of this call [s]
  std::string state_hash;              ///< 16 hexadecimal digits
  std::string scene_hash;
  std::string solver;
  std::uint64_t seed = 0;
  int threads = 0;
  std::vector<CheckResult> checks;  ///< of the scene; none where the run was interrupted
};

/// The parts a run is put together from; tests put in others.
struct RunParts {
  std::function<std::unique_ptr<Solver>(const Scene&, Threads&, const LogSink&)> make_solver;
};
RunParts default_parts();

/// Throws Error(usage) for refusals, Error(bad_scene) from the solver, Error(run_failed) for a failed step or
/// disk, Error(interrupted) where it was stopped before there was anything to go on from. Any later interrupt
/// is no error: see RunSummary::outcome.
RunSummary run(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress);
RunSummary run(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress,
               const RunParts& parts);

}  // namespace repose
