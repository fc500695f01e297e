#include "repose/pipeline/later/export_run.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/fine_file.h"
#include "repose/io/particles/grains.h"
#include "repose/io/particles/particle_file.h"
#include "repose/io/particles/up_axis.h"
#include "repose/io/particles/vtp.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/later/export_bodies.h"
#include "repose/refine/fine_frame.h"

namespace repose {
namespace {

void check_words(const ExportOptions& options) {
  const auto known = particle_formats();
  if (std::find(known.begin(), known.end(), options.format) == known.end())
    throw Error(ExitCode::usage, fmt::format("'{}' is no format to export to; formats: {}", options.format,
                                             fmt::join(known, ", ")));
  if (options.up != "z" && options.up != "y")
    throw Error(ExitCode::usage, fmt::format("the axis that points up is z or y, not '{}'", options.up));
}

/// One call of export_run().
class Job {
 public:
  Job(const ExportOptions& options, Threads& threads, Progress& progress)
      : options_(options), threads_(threads), progress_(progress), cache_(open_run(options.run)) {
    summary_.output =
        options.output.empty() ? cache_.folder.root / "export" / options.format : options.output;
  }

  ExportSummary work() {
    const std::vector<int> frames = select_frames(cache_, options_.frames);
    create_folder(summary_.output);
    sweep_temporary_files(summary_.output);
    sweep_temporary_files(summary_.output / "bodies");
    write_shapes();
    start_bodies();
    summary_.frames = for_each_frame("export", frames, threads_, options_.interrupt, progress_,
                                     [&](int frame) { write_one(frame); });
    summary_.interrupted = summary_.frames < static_cast<int>(frames.size());
    if (bodies_) bodies_->finish();
    if (!sequence_.empty()) write_pvd(summary_.output / (stem() + ".pvd"), sequence_);
    return summary_;
  }

 private:
  bool y_up() const { return options_.up == "y"; }
  std::string stem() const { return options_.fine ? "fine" : "particles"; }

  FineGrains fine_grains(int number) {
    if (!has_fine_grains(cache_.folder.fine(), number))
      throw Error(ExitCode::usage,
                  fmt::format("frame {} of {} has no fine grains: make them by repose refine", number,
                              cache_.folder.root.string()));
    return read_fine_grains(cache_.folder.fine(), number, threads_);
  }

  void write_shapes() {
    if (cache_.shapes.empty()) return;
    std::vector<GrainShape> shapes = cache_.shapes;
    if (y_up()) turn_y_up(shapes);
    write_grains(summary_.output / "grains.json", shapes);
  }

  void start_bodies() {
    try {
      scene_ = run_scene(cache_);
      bodies_.emplace(*scene_, summary_.output, options_.format, y_up());
    } catch (const Error& error) {
      if (error.code() != ExitCode::bad_scene) throw;
      progress_.message(LogLevel::warning,
                        fmt::format("the bodies are left out, since their scene cannot be read any more: {}",
                                    error.what()));
    }
  }

  void write_one(int number) {
    Frame frame = scene_ ? read_frame(cache_, *scene_, number) : read_frame(cache_, number);
    if (options_.fine) frame = fine_frame(fine_grains(number), frame, threads_);
    if (y_up()) turn_y_up(frame);
    const std::string name = numbered_name(stem(), number, options_.format);
    const auto path = summary_.output / name;
    write_particles(path, options_.format, frame, threads_);
    if (options_.format == "vtp") sequence_.push_back({frame.time, name});
    if (bodies_) bodies_->add(frame);
    std::error_code gone;
    const auto size = std::filesystem::file_size(path, gone);
    if (!gone) summary_.bytes += size;
  }

  const ExportOptions& options_;
  Threads& threads_;
  Progress& progress_;
  RunCache cache_;
  ExportSummary summary_;
  std::optional<Scene> scene_;  ///< none where it cannot be read any more
  std::optional<BodyExport> bodies_;
  std::vector<PvdEntry> sequence_;
};

}  // namespace

ExportSummary export_run(const ExportOptions& options, Threads& threads, Progress& progress) {
  check_words(options);
  return Job(options, threads, progress).work();
}

}  // namespace repose
