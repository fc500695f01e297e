#pragma once
// Probes on a finished run, from the frames on disk. A cache knows moments, and what bodies felt between
// them; it does not know what happened in each step. So a row comes for each frame whatever `interval` says,
// flow counts who is on the other side since the frame before (matter that came or went in between is not
// seen), forces are the means of bodies.csv, and peaks of forces and stresses are not numbers. Positions in a
// cache have 24 bits.

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repose/exec/threads.h"
#include "repose/measure/checks.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"
#include "repose/scene/scene.h"

namespace repose {

struct MeasureOptions {
  std::filesystem::path run = {};
  std::filesystem::path output = {};     ///< for the tables; empty: RUN/measure
  std::optional<Scene> scene = {};       ///< whose probes and checks are taken; none: the run's own
  std::vector<std::string> probes = {};  ///< names; empty: all
  FrameRange frames = {};
  const std::atomic<bool>* interrupt = nullptr;
};

struct MeasuredProbe {
  std::string name;
  std::filesystem::path file;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::string note;  ///< what a cache cannot tell of it; empty where nothing is missing
};

struct MeasureSummary {
  std::vector<MeasuredProbe> probes;
  /// On the run's own tables where a probe is the run's own and all frames were measured, else on these.
  std::vector<CheckResult> checks;
  int frames = 0;
  bool interrupted = false;
};

/// Throws Error(usage) where the run has no such probe or frame.
MeasureSummary measure_run(const MeasureOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
