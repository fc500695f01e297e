#include "repose/pipeline/later/render_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/pictures/film.h"
#include "repose/io/read_file.h"
#include "repose/pipeline/drawn_range.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/color_range.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/later/run_camera.h"
#include "repose/pipeline/pictures.h"
#include "repose/pipeline/stages/picture_stage.h"
#include "repose/pipeline/stoppable.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/render/color_fields.h"

namespace repose {
namespace {

/// What killed processes left in the folders that pictures go to.
void sweep(const RunFolder& folder) {
  sweep_temporary_files(folder.root);
  sweep_temporary_files(folder.images());
}

bool is_raised(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(); }

/// Draws the frames that are to be drawn; false where it was interrupted.
bool draw_frames(const RunCache& cache, const RunFolder& target, const Scene& scene,
                 const RenderOptions& options, std::span<const int> frames, Threads& threads,
                 Progress& progress, RenderSummary& summary) {
  std::vector<int> wanted;
  for (const int frame : frames)
    if (!options.missing_only || !is_painted(target, scene, frame)) wanted.push_back(frame);
  summary.kept = static_cast<int>(frames.size() - wanted.size());
  if (wanted.empty()) return true;

  const Stopwatch watch;
  progress.message(LogLevel::activity, fmt::format("drawing frame {}", wanted.front()));
  PictureStage pictures(scene, cache.shapes, target, threads);
  summary.rendered = for_each_frame("render", wanted, threads, options.interrupt, progress, [&](int number) {
    FrameProducts products{read_frame(cache, scene, number), nullptr, std::nullopt};
    DrawnMatter drawn = drawn_matter(cache.folder, scene, products.frame, threads);
    products.surface = std::move(drawn.surface);
    if (drawn.fine) products.fine = &*drawn.fine;
    pictures.advance(products);
  });
  summary.render_seconds = watch.seconds();
  return summary.rendered == static_cast<int>(wanted.size());
}

/// The film of all images that the run has, whichever of them are new. False where it was interrupted.
bool draw_film(const RunCache& cache, const RunFolder& target, const RenderOptions& options,
               Progress& progress, RenderSummary& summary) {
  const Stopwatch watch;
  std::vector<int> frames = numbered_files(target.images(), "image", "png");
  std::erase_if(frames, [&](int frame) { return frame > cache.manifest.frames_done; });
  const auto go_on = [&](std::size_t done) {
    if (is_raised(options.interrupt)) return false;
    if (done > 0)
      progress.job_advanced({.job = "film",
                             .frame = frames[done - 1],
                             .done = static_cast<int>(done),
                             .total = static_cast<int>(frames.size()),
                             .elapsed = watch.seconds(),
                             .eta = -1});
    return true;
  };
  const bool made = make_film(target, frames, cache.manifest.fps, go_on);
  summary.film_seconds = watch.seconds();
  summary.film_made = made;
  return made;
}

}  // namespace

RenderSummary render_run(const RenderOptions& options, Threads& threads, Progress& progress) {
  const Stopwatch watch;
  const RunCache cache = open_run(options.run);
  sweep(cache.folder);
  Scene scene = options.scene ? *options.scene : run_scene(cache);
  // A run without PLY files has the images that were made with it, and no others can be missing.
  std::vector<int> frames;
  if (!options.missing_only || !cache.frames.empty()) frames = select_frames(cache, options.frames);

  const RunFolder target = picture_folder(cache, options.output);
  // Images that stay keep their colours, so those that are added take the same (PictureStage).
  const bool adds =
      options.missing_only && std::any_of(cache.frames.begin(), cache.frames.end(),
                                          [&](int frame) { return is_painted(target, scene, frame); });
  if (options.range_from_frames && !adds) {
    if (colors_show_a_value(scene.render.color_by))
      progress.message(LogLevel::activity, "looking through the frames for the range of colours");
    const StopScope stop(threads, options.interrupt);
    set_color_range(cache, threads, scene);
    keep_drawn_range(target, scene);
    const Scene given = scene;
    set_run_camera(cache, threads, scene);
    keep_drawn_camera(target, given, scene);
  }

  RenderSummary summary;
  summary.images = target.images();
  bool finished = draw_frames(cache, target, scene, options, frames, threads, progress, summary);
  const bool film_is_there = file_exists(target.film());
  if (finished && options.film && makes_film(scene) &&
      (options.film_if_unchanged || summary.rendered > 0 || !film_is_there))
    finished = draw_film(cache, target, options, progress, summary);
  if (file_exists(target.film())) summary.film = target.film();
  summary.interrupted = !finished;
  summary.elapsed = watch.seconds();
  return summary;
}

}  // namespace repose
