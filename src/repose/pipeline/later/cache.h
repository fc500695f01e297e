#pragma once
// A run folder as later stages see it: frames and what is needed to make sense of them. Works on finished
// runs and on those that are still going.

#include <filesystem>
#include <map>
#include <vector>

#include "repose/io/run/manifest.h"
#include "repose/particles/frame.h"
#include "repose/pipeline/later/frame_range.h"
#include "repose/pipeline/run_folder.h"
#include "repose/scene/scene.h"

namespace repose {

struct RunCache {
  RunFolder folder;
  Manifest manifest;
  std::vector<GrainShape> shapes;
  std::vector<int> frames;                     ///< that have a particle file, in order
  std::map<int, std::vector<BodyRow>> bodies;  ///< by frame
};

/// Throws Error(usage) where there is no run, Error(run_failed) where its files are damaged.
RunCache open_run(const std::filesystem::path& path);

/// The scene that the run was made from.
Scene run_scene(const RunCache& cache);

/// The frames of the run that a range holds; throws Error(usage) where there are none.
std::vector<int> select_frames(const RunCache& cache, const FrameRange& range);

/// Where pictures of the run go: its own folder, or `output`. Throws Error(usage) where that holds another
/// run.
RunFolder picture_folder(const RunCache& cache, const std::filesystem::path& output);

/// Particles and bodies of one of cache.frames, checked.
Frame read_frame(const RunCache& cache, const Scene& scene, int frame);
/// The same where the scene cannot be read any more: materials are not checked.
Frame read_frame(const RunCache& cache, int frame);

}  // namespace repose
