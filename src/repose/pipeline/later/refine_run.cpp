#include "repose/pipeline/later/refine_run.h"

#include <vector>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/run/checkpoint.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/each_frame.h"
#include "repose/pipeline/stages/refine_stage.h"
#include "repose/scene/load.h"

namespace repose {
namespace {

/// What a later call must have in common with the one it goes on from.
std::string settings_of(const Scene& scene, const RefineRunOptions& options) {
  return fmt::format("scene {}, part {} of {}", to_hex(physics_hash(scene)), options.part.index + 1,
                     options.part.count);
}

/// One call of refine_run().
class Job {
 public:
  Job(const RefineRunOptions& options, Threads& threads, Progress& progress)
      : options_(options),
        threads_(threads),
        progress_(progress),
        cache_(open_run(options.run)),
        scene_(options.scene ? *options.scene : run_scene(cache_)),
        output_(options.output.empty() ? cache_.folder.fine() : options.output),
        checkpoints_(output_ / checkpoint_name(options.part)),
        settings_(settings_of(scene_, options)),
        stage_(scene_, output_, threads, options.part) {}

  RefineRunSummary work() {
    std::vector<int> frames = select_frames(cache_, options_.frames);
    create_folder(output_);
    sweep_temporary_files(output_);
    RefineRunSummary summary;
    summary.output = output_;
    if (options_.resume) {
      go_on();
      summary.kept =
          static_cast<int>(std::erase_if(frames, [&](int frame) { return frame <= stage_.frame(); }));
    }
    progress_.message(LogLevel::activity, frames.empty()
                                              ? std::string("nothing to do: all of these frames are refined")
                                              : fmt::format("refining frame {}", frames.front()));
    summary.frames = for_each_frame(
        "refine", frames, threads_, options_.interrupt, progress_, [&](int number) { refine(number); },
        CutOff::between_frames);
    stage_.finish();
    if (summary.frames > 0) write_checkpoint();
    if (stage_.grains() != nullptr) {
      summary.grains = stage_.grains()->size();
      summary.hash = to_hex(hash_grains(*stage_.grains(), threads_));
    }
    summary.bytes = stage_.bytes();
    summary.interrupted = summary.frames < static_cast<int>(frames.size());
    return summary;
  }

 private:
  static std::string checkpoint_name(const GuidePart& part) {
    return part.count == 1 ? "checkpoint" : fmt::format("checkpoint.{}-of-{}", part.index + 1, part.count);
  }

  void refine(int number) {
    FrameProducts products{read_frame(cache_, scene_, number), nullptr, std::nullopt};
    stage_.advance(products);
    if (since_checkpoint_.seconds() >= options_.checkpoint_seconds) write_checkpoint();
  }

  /// To where an earlier call stopped.
  void go_on() {
    const auto found =
        checkpoints_.read([this](LogLevel level, std::string_view text) { progress_.message(level, text); });
    const CheckpointSection* settings = found ? found->find("settings") : nullptr;
    const CheckpointSection* grains = found ? found->find("refine") : nullptr;
    if (settings == nullptr || grains == nullptr)
      throw Error(ExitCode::usage, fmt::format("there is nothing in {} to go on from: start without --resume",
                                               output_.string()));
    std::string made_with;
    ArchiveReader(settings->bytes).get("settings", made_with);
    if (made_with != settings_)
      throw Error(ExitCode::usage,
                  fmt::format("cannot go on in {}: its fine grains were made with other settings; start "
                              "without --resume",
                              output_.string()));
    ArchiveReader reader(grains->bytes);
    stage_.load(reader);
  }

  void write_checkpoint() {
    stage_.finish();
    ArchiveWriter settings, grains;
    settings.put("settings", settings_);
    stage_.save(grains);
    const std::vector<CheckpointSection> sections{{"settings", settings.bytes()}, {"refine", grains.bytes()}};
    checkpoints_.write(sections);
    since_checkpoint_.restart();
  }

  const RefineRunOptions& options_;
  Threads& threads_;
  Progress& progress_;
  RunCache cache_;
  Scene scene_;
  std::filesystem::path output_;
  CheckpointStore checkpoints_;
  std::string settings_;
  RefineStage stage_;
  Stopwatch since_checkpoint_;
};

}  // namespace

RefineRunSummary refine_run(const RefineRunOptions& options, Threads& threads, Progress& progress) {
  return Job(options, threads, progress).work();
}

}  // namespace repose
