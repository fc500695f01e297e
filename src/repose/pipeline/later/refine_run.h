#pragma once
// Fine grains over frames that are already simulated. What the grains are in one frame follows from all
// frames before it, so a call that was stopped goes on from its own checkpoint.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "repose/exec/threads.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"
#include "repose/refine/refine_model.h"
#include "repose/scene/scene.h"

namespace repose {

struct RefineRunOptions {
  std::filesystem::path run = {};
  std::filesystem::path output = {};  ///< where files go; empty: the run's own folder
  FrameRange frames = {};             ///< grains start in the first of them
  GuidePart part = {};
  bool resume = false;
  std::optional<Scene> scene = {};  ///< instead of the run's own: another [refine]
  double checkpoint_seconds = 60;   ///< wall time between checkpoints [s]
  const std::atomic<bool>* interrupt = nullptr;
};

struct RefineRunSummary {
  int frames = 0;  ///< refined by this call
  int kept = 0;    ///< refined by an earlier one
  std::uint64_t grains = 0, bytes = 0;
  std::string hash;  ///< of the grains in the last frame, in whatever order
  std::filesystem::path output;
  bool interrupted = false;
};

/// Throws Error(usage) where there is nothing to resume, or what there is was made otherwise.
RefineRunSummary refine_run(const RefineRunOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
