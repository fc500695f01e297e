#pragma once
// A contact sheet: frames of a run, evenly spread, small and side by side on one picture, each with its
// number and time. For a quick look at what a run does.

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

#include "repose/exec/threads.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"
#include "repose/scene/scene.h"

namespace repose {

struct SheetOptions {
  std::filesystem::path run = {};
  std::filesystem::path output = {};  ///< folder of the sheet; empty: the run's
  int columns = 4, rows = 3;
  FrameRange frames = {};           ///< to choose from
  std::optional<Scene> scene = {};  ///< instead of the run's own
  const std::atomic<bool>* interrupt = nullptr;
};

struct SheetSummary {
  std::filesystem::path file;
  int frames = 0;
  double seconds = 0;  ///< wall time
  bool interrupted = false;
};

/// "4x3": columns and rows. Throws Error(usage).
void parse_sheet(const std::string& text, SheetOptions& options);

/// Writes sheet.png.
SheetSummary render_sheet(const SheetOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
