#pragma once
// Frames of a run for other programs: the particles in any of the formats, the grain shapes (grains.json) and
// the bodies (export_bodies.h), z or y up.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

#include "repose/exec/threads.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"

namespace repose {

struct ExportOptions {
  std::filesystem::path run = {};
  std::string format = {};            ///< one of particle_formats() (io/particles/particle_file.h)
  std::string up = "z";               ///< "z" or "y"
  std::filesystem::path output = {};  ///< empty: RUN/export/FORMAT
  FrameRange frames = {};
  bool fine = false;  ///< fine grains in place of particles
  const std::atomic<bool>* interrupt = nullptr;
};

struct ExportSummary {
  int frames = 0;
  std::uintmax_t bytes = 0;  ///< of the particle files
  std::filesystem::path output;
  bool interrupted = false;
};

ExportSummary export_run(const ExportOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
