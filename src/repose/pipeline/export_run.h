#pragma once
// Frames of a run in another file format.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "repose/pipeline/frame_range.h"
#include "repose/pipeline/progress.h"

namespace repose {

struct ExportOptions {
  std::filesystem::path run = {};
  std::string format = {};            ///< "ply" or "csv"
  std::filesystem::path output = {};  ///< empty: RUN/export/FORMAT
  FrameRange frames = {};
  const std::atomic<bool>* interrupt = nullptr;
};

struct ExportSummary {
  int frames = 0;
  std::uintmax_t bytes = 0;
  std::filesystem::path output;
  bool interrupted = false;
};

ExportSummary export_run(const ExportOptions& options, Progress& progress);

}  // namespace repose
