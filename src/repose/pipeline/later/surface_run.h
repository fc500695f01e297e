#pragma once
// Surfaces around the particles of a run, from the frames on disk.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "repose/exec/threads.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"
#include "repose/scene/scene.h"

namespace repose {

struct SurfaceRunOptions {
  std::filesystem::path run = {};
  std::filesystem::path output = {};   ///< empty: RUN/surface
  std::optional<Scene> scene = {};     ///< whose [surface] and colours are taken; none: the run's own
  std::optional<std::string> up = {};  ///< "z" or "y"; none: as output.up says
  FrameRange frames = {};
  const std::atomic<bool>* interrupt = nullptr;
};

struct SurfaceRunSummary {
  int frames = 0;
  std::uint64_t triangles = 0;  ///< of the last frame
  std::uintmax_t bytes = 0;
  std::filesystem::path output;
  bool interrupted = false;
};

SurfaceRunSummary surface_run(const SurfaceRunOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
