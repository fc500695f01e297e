#pragma once
// Images and a film of frames that are already simulated.

#include <atomic>
#include <filesystem>
#include <optional>

#include "repose/exec/threads.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/progress.h"
#include "repose/scene/scene.h"

namespace repose {

struct RenderOptions {
  std::filesystem::path run = {};
  std::filesystem::path output = {};  ///< where images and film go; empty: the run's folder
  FrameRange frames = {};
  bool missing_only = false;  ///< keep images that are there
  /// Colours by a value span those of all frames (color_range.h), and an automatic camera sees what they show
  /// (run_camera.h), instead of what the scene lets expect.
  bool range_from_frames = false;
  bool film = true;
  bool film_if_unchanged = true;    ///< make a film that is there again, even without a new image
  std::optional<Scene> scene = {};  ///< instead of the run's own: another camera, size or light
  const std::atomic<bool>* interrupt = nullptr;
};

struct RenderSummary {
  int rendered = 0;
  int kept = 0;
  std::filesystem::path images;                              ///< folder
  std::filesystem::path film;                                ///< empty: there is none
  bool film_made = false;                                    ///< by this call
  double render_seconds = 0, film_seconds = 0, elapsed = 0;  ///< wall time [s]
  bool interrupted = false;
};

RenderSummary render_run(const RenderOptions& options, Threads& threads, Progress& progress);

}  // namespace repose
