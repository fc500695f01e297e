#include "repose/pipeline/later/cache.h"

#include <algorithm>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/frame_check.h"
#include "repose/io/particles/grains.h"
#include "repose/io/particles/ply.h"
#include "repose/io/read_file.h"
#include "repose/io/tables/csv.h"
#include "repose/scene/load.h"

namespace repose {

RunCache open_run(const std::filesystem::path& path) {
  RunCache cache;
  cache.folder = {path};
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored))
    throw Error(ExitCode::usage, fmt::format("there is no folder {}", path.string()));
  cache.manifest = read_manifest(cache.folder.manifest());
  if (file_exists(cache.folder.grains())) cache.shapes = read_grains(cache.folder.grains());
  if (file_exists(cache.folder.bodies())) cache.bodies = read_bodies(cache.folder.bodies());
  // Frames past frames_done are left from before a resume: their bodies are cut from the table already.
  for (const int frame : numbered_files(cache.folder.particles(), "particles", "ply"))
    if (frame <= cache.manifest.frames_done) cache.frames.push_back(frame);
  return cache;
}

Scene run_scene(const RunCache& cache) { return load_scene(cache.folder.scene().string()); }

std::vector<int> select_frames(const RunCache& cache, const FrameRange& range) {
  std::vector<int> selected;
  for (const int frame : cache.frames)
    if (range.holds(frame)) selected.push_back(frame);
  const std::string name = cache.folder.root.string();
  if (cache.frames.empty())
    throw Error(ExitCode::usage, fmt::format("{} holds no PLY frames yet (output.formats of its scene needs "
                                             "\"ply\")",
                                             name));
  if (selected.empty())
    throw Error(ExitCode::usage, fmt::format("none of these frames is in {}: it holds frames {} to {}", name,
                                             cache.frames.front(), cache.frames.back()));
  return selected;
}

RunFolder picture_folder(const RunCache& cache, const std::filesystem::path& output) {
  if (output.empty()) return cache.folder;
  RunFolder target{output};
  std::error_code not_the_same;
  if (holds_run(target) && !std::filesystem::equivalent(cache.folder.root, output, not_the_same))
    throw Error(ExitCode::usage,
                fmt::format("{} holds another run: choose another folder with -o", output.string()));
  create_folder(output);
  return target;
}

namespace {

Frame read_checked(const RunCache& cache, std::size_t material_count, int frame) {
  const auto path = cache.folder.particle_file(frame, "ply");
  Frame result = read_ply(path);
  check_frame(result, cache.shapes.size(), material_count, path.string());
  result.index = frame;
  result.time = frame / cache.manifest.fps;
  const auto rows = cache.bodies.find(frame);
  for (const std::string& name : cache.manifest.bodies) {
    BodyRow body;
    body.name = name;
    body.present = false;
    if (rows != cache.bodies.end()) {
      const auto found = std::find_if(rows->second.begin(), rows->second.end(),
                                      [&](const BodyRow& row) { return row.name == name; });
      if (found != rows->second.end()) body = *found;
    }
    result.bodies.push_back(std::move(body));
  }
  return result;
}

}  // namespace

Frame read_frame(const RunCache& cache, const Scene& scene, int frame) {
  return read_checked(cache, scene.materials.size(), frame);
}

Frame read_frame(const RunCache& cache, int frame) {
  return read_checked(cache, std::numeric_limits<std::size_t>::max(), frame);
}

}  // namespace repose
