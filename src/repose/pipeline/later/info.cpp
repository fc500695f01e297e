#include "repose/pipeline/later/info.h"

#include <algorithm>
#include <vector>

#include "repose/io/read_file.h"
#include "repose/io/run/checkpoint.h"
#include "repose/pipeline/later/cache.h"

namespace repose {
namespace {

/// Files directly in a folder, hidden ones left out; with_folders adds what is below.
FileGroup measure(const std::string& name, const std::filesystem::path& folder, bool with_folders) {
  namespace fs = std::filesystem;
  FileGroup group{name, 0, 0};
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory(error)) {
      if (!with_folders) it.disable_recursion_pending();
    } else if (!it->path().filename().string().starts_with('.')) {
      ++group.files;
      group.bytes += it->file_size(error);
    }
  }
  return group;
}

}  // namespace

RunInfo run_info(const std::filesystem::path& run) {
  const RunCache cache = open_run(run);
  const Manifest& m = cache.manifest;
  RunInfo info;
  info.path = run;
  info.status = to_string(m.status);
  info.message = m.message;
  if (m.status == RunStatus::running && !is_locked(run)) {
    info.status = "killed";
    const std::vector<std::filesystem::path> checkpoints = CheckpointStore::files(cache.folder.checkpoints());
    info.message =
        std::any_of(checkpoints.begin(), checkpoints.end(), file_exists)
            ? "nothing is at work in this folder any more; --resume goes on"
            : "nothing is at work in this folder any more, and it has no checkpoint; --force starts anew";
  }
  info.version = m.version;
  info.title = m.title;
  info.scene_path = m.scene_path;
  info.solver = m.solver;
  info.scene_hash = m.scene_hash;
  info.physics_hash = m.physics_hash;
  info.state_hash = m.state_hash;
  info.seed = m.seed;
  info.threads = m.threads;
  info.frames_done = m.frames_done;
  info.frames_total = m.frames_total;
  info.fps = m.fps;
  info.time = m.frames_done > 0 ? m.frames_done / m.fps : 0;
  info.particles = m.particles;
  info.steps = m.steps;
  info.channels = m.channels;
  info.stage_times = m.timings;
  info.created = m.created;
  info.updated = m.updated;
  info.checkpoint_frame = m.checkpoint_frame;
  info.checks = m.checks;
  if (file_exists(cache.folder.film())) info.film = cache.folder.film();
  info.files.push_back(measure("run folder", run, false));
  for (const char* name :
       {"particles", "fine", "surface", "images", "probes", "measure", "checkpoint", "export"})
    if (file_exists(run / name)) info.files.push_back(measure(name, run / name, true));
  return info;
}

}  // namespace repose
