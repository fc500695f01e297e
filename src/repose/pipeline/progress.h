#pragma once
// What a long job tells while it works. The library calls these functions, always from the thread that called
// it; the command turns them into a live line, plain lines or JSON lines. A null `Progress` object (the base
// class itself) says nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repose/core/log.h"

namespace repose {

/// Said once, before the first step.
struct RunStarted {
  std::string scene_path;
  std::string title;
  std::string output;     ///< the run's folder
  std::string solver;     ///< "dem", "sph", ...
  std::string precision;  ///< of the state: "double"
  int threads = 0;
  std::uint64_t seed = 0;
  std::uint64_t particles = 0;
  std::uint64_t elements = 0;  ///< spheres for dem, particles elsewhere
  double mass = 0;             ///< [kg]
  int first_frame = 0;         ///< the first that this call works on; more than 0 after a resume
  int last_frame = 0;
  double start_time = 0;  ///< [s] of the simulation, where this call starts
  double end_time = 0;    ///< [s]
  double fps = 0;
  bool resumed = false;
  bool renders = false;
  double expected_dt = 0;          ///< [s], 0 where it is not known
  double estimated_bytes = 0;      ///< that the run will need on disk
  std::vector<std::string> notes;  ///< what the solver decided by itself
};

/// Where a run stands: said after each frame, and between frames at most a few times a second.
struct RunProgress {
  int frame = 0;  ///< the frame that is done, or being worked on
  int last_frame = 0;
  double time = 0;          ///< [s] of the simulation
  double end_time = 0;      ///< [s]
  double dt = 0;            ///< frame done: mean over the frame; between frames: of the last step [s]
  std::string limit;        ///< what limited most (or the last) of these steps
  std::uint64_t steps = 0;  ///< in this frame so far
  std::uint64_t particles = 0;
  std::uint64_t elements = 0;
  std::uint64_t escaped = 0;      ///< passed a wall, since the start
  std::uint64_t left = 0;         ///< left through an open face, since the start
  double kinetic = 0;             ///< [J], as of the last frame that is done
  double element_steps_rate = 0;  ///< elements times steps by second of solver wall time [1/s]
  double elapsed = 0;             ///< wall time of this call [s]
  double eta = -1;                ///< wall time to the end [s]; negative: not known yet
};

/// Where a job over finished frames (render, export, film) stands.
struct JobProgress {
  std::string_view job;  ///< "render", "export", "film"
  int frame = 0;         ///< the frame that was just done
  int done = 0, total = 0;
  double elapsed = 0;  ///< wall time of this call [s]
  double eta = -1;     ///< [s]; negative: not known yet
};

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void started(const RunStarted&) {}
  virtual void advanced(const RunProgress&) {}    ///< between frames
  virtual void frame_done(const RunProgress&) {}  ///< the frame's files are complete
  virtual void job_advanced(const JobProgress&) {}
  virtual void message(LogLevel, std::string_view) {}
};

}  // namespace repose
