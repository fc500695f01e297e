#include "repose/pipeline/run/run.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/core/machine.h"
#include "repose/core/text.h"
#include "repose/core/version.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/grains.h"
#include "repose/io/pictures/film.h"
#include "repose/io/read_file.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/render_run.h"
#include "repose/pipeline/pictures.h"
#include "repose/pipeline/run/frame_loop.h"
#include "repose/pipeline/run/run_estimate.h"
#include "repose/pipeline/run_checks.h"
#include "repose/pipeline/run_folder.h"
#include "repose/pipeline/stopwatch.h"
#include "repose/render/color_fields.h"
#include "repose/scene/load.h"
#include "repose/scene/mesh_findings.h"
#include "repose/scene/probe_columns.h"
#include "repose/scene/scene_warnings.h"
#include "repose/surface/surface.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNamed = 5;  ///< frames in a message

/// Refuses checks of columns that stats.csv will not have.
void require_stat_columns(const Scene& scene, const Solver& solver) {
  const SolverStats stats = solver.stats();
  std::vector<std::string_view> names;
  for (const ErrorMeasure& measure : stats.errors) names.push_back(measure.name);
  repose::require_stat_columns(scene, names);
}

void take_counts(const SolverStats& stats, RunSummary& summary) {
  summary.particles = stats.particles;
  summary.elements = stats.elements;
  summary.total = stats.total;
  summary.escaped = stats.escaped;
  summary.left = stats.left;
}

/// One call of run(), from the first look at the folder to the summary.
class Session {
 public:
  Session(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress,
          const RunParts& parts);
  RunSummary run();

 private:
  void claim_folder();
  void check_resume();
  void check_written_frames();
  void load_checkpoint();
  const CheckpointSection& section(std::string_view name) const;
  void load_stages(FrameStages& stages) const;
  void make_solver();
  void remove_made_folders() const;
  void start_folder();
  void check_disk();
  void tell_start();
  void check_colors();
  RunSummary work();
  RunSummary finish_complete();
  void evaluate(RunSummary& summary);
  void end(RunSummary& summary);
  void render_rest(RunSummary& summary);
  void mark(RunStatus status, const std::string& message);
  RunSummary summarize(const LoopState& state) const;
  bool is_complete() const { return state_.next_frame > last_frame_; }
  bool can_be_resumed() const;
  bool renders() const { return options_.render && scene_.render.enabled; }
  LogSink log() const {
    return [this](LogLevel level, std::string_view text) { progress_.message(level, text); };
  }

  Scene scene_;  ///< with the duration that is used
  const RunOptions& options_;
  Threads& threads_;
  Progress& progress_;
  const RunParts& parts_;
  RunFolder folder_;
  Stopwatch watch_;
  int last_frame_;

  std::vector<fs::path> made_folders_;  ///< by this run, inner ones first
  std::optional<FolderLock> lock_;
  Manifest manifest_;
  CheckpointStore checkpoints_;
  std::optional<Checkpoint> checkpoint_;
  LoopState state_;
  std::unique_ptr<Solver> solver_;
  SolverPlan plan_;
  double estimated_bytes_ = 0;
  bool step_failed_ = false;  ///< not the disk, say
};

Session::Session(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress,
                 const RunParts& parts)
    : scene_(scene),
      options_(options),
      threads_(threads),
      progress_(progress),
      parts_(parts),
      folder_{options.output},
      last_frame_(options.frames.value_or(scene.frame_count())),
      checkpoints_(folder_.checkpoints()) {
  if (last_frame_ < 1)
    throw Error(ExitCode::usage,
                fmt::format("a run has at least 1 frame after frame 0, not {}", last_frame_));
  if (options.frames) scene_.info.duration = *options.frames / scene_.info.fps;
}

/// Refuses what has to be refused before anything slow or destructive happens.
void Session::claim_folder() {
  if (folder_.root.empty()) throw Error(ExitCode::usage, "the name of the run's folder is empty");
  if (options_.resume && !holds_run(folder_))
    throw Error(ExitCode::usage, fmt::format("there is no run in {} to resume: start it without --resume",
                                             folder_.root.string()));
  if (!options_.resume && !(options_.force && holds_run(folder_))) require_free(folder_);
  if (options_.force) require_no_links(folder_);
  for (fs::path place = folder_.root; !place.empty() && !file_exists(place); place = place.parent_path())
    made_folders_.push_back(place);
  create_folder(folder_.root);
  lock_.emplace(folder_.root);
  if (access(folder_.root.c_str(), W_OK) != 0)
    throw Error(ExitCode::run_failed, write_failure(folder_.root, errno));
}

void Session::check_resume() {
  manifest_ = read_manifest(folder_.manifest());
  if (manifest_.physics_hash == to_hex(physics_hash(scene_))) return;
  std::string changed;
  try {
    for (const std::string& key : changed_physics_keys(load_scene(folder_.scene().string()), scene_))
      changed += (changed.empty() ? "" : ", ") + key;
  } catch (const Error&) {
    // The old scene cannot be read any more; the hashes say enough.
  }
  throw Error(
      ExitCode::usage,
      fmt::format("cannot resume {}: it was made from another scene{}{}; --resume may change duration, "
                  "frames, threads, output and render only. Start anew with --force, or choose another "
                  "folder with -o",
                  folder_.root.string(), changed.empty() ? "" : ", which differs in: ", changed));
}

void Session::load_checkpoint() {
  if (manifest_.version != kVersion)
    progress_.message(
        LogLevel::warning,
        fmt::format("{} was started by repose {}, this is {}: results may differ in the last digits",
                    folder_.root.string(), manifest_.version, kVersion));
  checkpoint_ = checkpoints_.read(log());
  if (!checkpoint_)
    throw Error(ExitCode::usage,
                fmt::format("cannot resume {}: it holds no good checkpoint; start it anew with "
                            "--force",
                            folder_.root.string()));
  ArchiveReader reader(section("loop").bytes);
  load(state_, reader);
  check_written_frames();
  manifest_.state_hash = to_hex(section("solver").hash);
  manifest_.checkpoint_frame = state_.next_frame - 1;
  // A run never becomes shorter than it is.
  if (state_.next_frame <= last_frame_) return;
  last_frame_ = state_.next_frame - 1;
  scene_.info.duration = last_frame_ / scene_.info.fps;
}

/// One that every checkpoint has.
const CheckpointSection& Session::section(std::string_view name) const {
  const CheckpointSection* found = checkpoint_->find(name);
  if (found == nullptr)
    throw Error(ExitCode::run_failed, fmt::format("the checkpoint of {} has no section '{}': it is damaged",
                                                  folder_.root.string(), name));
  return *found;
}

/// Where the checkpoint knows nothing of a stage, it starts at the next frame.
void Session::load_stages(FrameStages& stages) const {
  if (!checkpoint_) return;
  for (const auto& stage : stages) {
    const CheckpointSection* saved = stage->has_memory() ? checkpoint_->find(stage->name()) : nullptr;
    if (saved == nullptr) continue;
    ArchiveReader reader(saved->bytes);
    stage->load(reader);
  }
}

/// Steps before the checkpoint are not taken again, so frames that were removed are gone for good.
void Session::check_written_frames() {
  // Formats may have changed on the way: any of them will do.
  const auto is_missing = [this](int frame) {
    return frame < state_.next_frame &&
           std::none_of(manifest_.formats.begin(), manifest_.formats.end(), [&](const std::string& format) {
             return file_exists(folder_.particle_file(frame, format));
           });
  };
  std::string missing;
  int count = 0;
  for (const int frame : manifest_.written)
    if (is_missing(frame) && ++count <= kMostNamed)
      missing += fmt::format("{}{}", count > 1 ? ", " : "", frame);
  if (count == 0) return;
  if (count > kMostNamed) missing += fmt::format(" and {} others", count - kMostNamed);
  std::erase_if(manifest_.written, is_missing);
  progress_.message(
      LogLevel::warning,
      fmt::format("{} has no particle files of frame{} {} any more: --resume does not make them again, "
                  "a run with --force does",
                  folder_.root.string(), count == 1 ? "" : "s", missing));
}

void Session::make_solver() {
  const StopScope stop(threads_, options_.interrupt);
  try {
    // Before particles are made, which can take long. What was said at the start is not said again.
    if (!options_.resume)
      for (const SceneWarning& warning : find_scene_warnings(scene_, threads_))
        progress_.message(LogLevel::warning, warning.line());
    solver_ = parts_.make_solver(scene_, threads_, log());
    plan_ = solver_->plan();
    if (!options_.resume) require_particles(scene_, static_cast<double>(solver_->stats().particles));
    require_stat_columns(scene_, *solver_);
    if (scene_.surface.given) surface_options(scene_, plan_.kind);
    if (!checkpoint_) return;
    ArchiveReader reader(section("solver").bytes);
    solver_->load(reader);
  } catch (const Error& error) {
    remove_made_folders();
    if (error.code() != ExitCode::interrupted) throw;
    throw Error(ExitCode::interrupted, options_.resume
                                           ? "interrupted while it was set up: the run is as it was"
                                           : "interrupted while it was set up: nothing was written");
  } catch (...) {
    remove_made_folders();
    throw;
  }
}

/// Leaves no empty folders behind for a scene that cannot run.
void Session::remove_made_folders() const {
  std::error_code ignored;
  for (const fs::path& place : made_folders_) fs::remove(place, ignored);
}

/// Brings the folder to the state of the checkpoint, or to an empty run.
void Session::start_folder() {
  if (options_.resume) {
    remove_temporary_files(folder_);
    if (state_.next_frame <= last_frame_) remove_frames_after(folder_, last_frame_);
    if (renders() && file_exists(folder_.scene()) &&
        !same_pictures(load_scene(folder_.scene().string()), scene_)) {
      progress_.message(LogLevel::info, "the camera or the look changed: all images are made again");
      remove_images(folder_);
    }
    std::erase_if(manifest_.written, [this](int frame) { return frame >= state_.next_frame; });
  } else {
    if (options_.force) remove_run(folder_);
    manifest_ = {};
    manifest_.seed = scene_.info.seed;
    manifest_.solver = solver_name(scene_.solver.type);
    manifest_.precision = "double";
    manifest_.physics_hash = to_hex(physics_hash(scene_));
  }
  manifest_.checks.clear();
  manifest_.version = kVersion;
  manifest_.scene_path = scene_.path;
  manifest_.title = scene_.info.title;
  manifest_.scene_hash = to_hex(scene_hash(scene_));
  manifest_.threads = threads_.count();
  manifest_.fps = scene_.info.fps;
  manifest_.frames_total = last_frame_;
  manifest_.frames_done = state_.next_frame - 1;
  manifest_.formats = scene_.output.formats;
  if (solver_) manifest_.notes = plan_.notes;
  mark(RunStatus::running, "");
  write_file(folder_.scene(), resolved_scene_text(scene_));
  if (solver_) write_grains(folder_.grains(), solver_->grain_shapes());
}

/// Says early that the disk will not do. The plan's frame is the largest one, so this may be too careful; the
/// run is not refused, since it can be resumed.
void Session::check_disk() {
  estimated_bytes_ = estimated_disk_bytes(scene_, plan_, renders());
  std::error_code error;
  const fs::space_info space = fs::space(folder_.root, error);
  if (error || options_.resume || static_cast<double>(space.available) >= estimated_bytes_) return;
  progress_.message(
      LogLevel::warning,
      fmt::format("the run may need {}, but only {} are free for {}: when the disk is full the run "
                  "stops and can be resumed; output.every writes fewer frames",
                  format_bytes(estimated_bytes_), format_bytes(static_cast<double>(space.available)),
                  folder_.root.string()));
}

void Session::tell_start() {
  const SolverStats stats = solver_->stats();
  RunStarted start;
  start.scene_path = scene_.path;
  start.title = scene_.info.title;
  start.output = folder_.root.string();
  start.solver = manifest_.solver;
  start.precision = manifest_.precision;
  start.threads = threads_.count();
  start.seed = scene_.info.seed;
  start.particles = stats.particles;
  start.elements = stats.elements;
  start.mass = stats.mass;
  start.first_frame = state_.next_frame;
  start.last_frame = last_frame_;
  start.start_time = solver_->time();
  start.end_time = last_frame_ / scene_.info.fps;
  start.fps = scene_.info.fps;
  start.resumed = options_.resume;
  start.renders = renders();
  start.expected_dt = plan_.dt;
  start.estimated_bytes = estimated_bytes_;
  start.notes = plan_.notes;
  progress_.started(start);
  for (const SceneFinding& found : audit_scene_meshes(scene_))
    if (found.finding.level == FindingLevel::warning)
      progress_.message(LogLevel::warning, finding_line(found));
  const RunEstimate estimate = estimate_run(scene_, plan_, renders(), threads_.count(), 1);
  if (const auto warning = memory_warning(scene_, estimate.memory_bytes, available_memory()))
    progress_.message(LogLevel::warning, warning->line());
  if (renders() && makes_film(scene_) && !find_ffmpeg()) progress_.message(LogLevel::warning, kNoFfmpeg);
  if (renders()) check_colors();
}

/// The same scene runs under solvers whose frames have other channels, so this is no error.
void Session::check_colors() {
  Frame frame;
  solver_->fill_frame(frame);
  if (lacks_color_values(scene_, frame))
    progress_.message(LogLevel::warning,
                      fmt::format("frames of this scene under {} have no channel '{}' (render.color_by): "
                                  "images show the material instead",
                                  manifest_.solver, scene_.render.color_by));
}

void Session::mark(RunStatus status, const std::string& message) {
  manifest_.status = status;
  manifest_.message = message;
  write_manifest(folder_.manifest(), manifest_);
}

RunSummary Session::run() {
  claim_folder();
  if (options_.resume) {
    check_resume();
    load_checkpoint();
  }
  // Where all frames are done, tables, pictures and checks need no solver: setting one up may take minutes.
  const bool needs_solver = !options_.resume || !is_complete() || manifest_.frames_done != last_frame_;
  if (needs_solver) make_solver();
  try {
    start_folder();
    if (!needs_solver) return finish_complete();
    check_disk();
    tell_start();
    return work();
  } catch (const Error& error) {
    const std::string text = can_be_resumed()
                                 ? fmt::format("{}; --resume goes on from the last checkpoint", error.what())
                                 : std::string(error.what());
    try {
      mark(RunStatus::failed, text);
    } catch (const Error&) {
      // A full disk may refuse this too; the first error is the one to tell.
    }
    throw Error(error.code(), text);
  }
}

/// Whether --resume can mend what failed. A step that failed fails again.
bool Session::can_be_resumed() const {
  if (step_failed_) return false;
  const std::vector<fs::path> files = CheckpointStore::files(folder_.checkpoints());
  return std::any_of(files.begin(), files.end(), file_exists);
}

RunSummary Session::work() {
  const bool complete = is_complete();
  FrameStages stages;
  if (!complete) {
    stages = make_frame_stages(scene_, solver_->grain_shapes(), folder_, renders(), threads_);
    load_stages(stages);
  }
  checkpoint_.reset();
  FrameLoop loop({scene_, options_, folder_, *solver_, progress_, checkpoints_, manifest_, threads_, stages,
                  last_frame_},
                 std::move(state_));
  bool finished = complete;
  try {
    finished = finished || loop.run();
  } catch (const Error&) {
    step_failed_ = loop.step_failed();
    throw;
  }
  RunSummary summary = summarize(loop.state());
  summary.time = solver_->time();
  take_counts(loop.stats(), summary);
  if (finished) {
    if (complete) summary.outcome = RunOutcome::nothing_to_do;
    evaluate(summary);
    if (renders()) render_rest(summary);
  } else {
    summary.outcome = RunOutcome::interrupted;
    const std::string where =
        summary.frames >= 0   ? fmt::format("after frame {} of {}", summary.frames, last_frame_)
        : solver_->time() < 0 ? fmt::format("while it settles, {:.3g} s before frame 0", -solver_->time())
                              : std::string("before frame 0 was complete");
    summary.message = fmt::format("stopped {}; the same command with --resume goes on from here", where);
  }
  end(summary);
  return summary;
}

/// A resumed run whose frames are all there: pictures that are missing, the film, and the checks.
RunSummary Session::finish_complete() {
  RunSummary summary = summarize(state_);
  summary.time = last_frame_ / scene_.info.fps;
  summary.outcome = RunOutcome::nothing_to_do;
  evaluate(summary);
  if (renders()) render_rest(summary);
  end(summary);
  return summary;
}

/// Evaluates the checks before pictures are made: a film that fails does not take them away.
void Session::evaluate(RunSummary& summary) {
  summary.checks = evaluate_checks(scene_, folder_, summary.time);
  manifest_.checks = summary.checks;
}

void Session::end(RunSummary& summary) {
  const bool interrupted = summary.outcome == RunOutcome::interrupted;
  if (summary.outcome == RunOutcome::nothing_to_do)
    summary.message = fmt::format("nothing to do: the run is complete to frame {}", summary.frames);
  manifest_.timings = summary.stage_times;
  if (interrupted) manifest_.checks = summary.checks = {};
  for (const ProbeDefinition& probe : scene_.probes)
    if (!interrupted && probe.type == ProbeKind::pile)
      if (const std::string note = pile_note(folder_.probe_file(probe.name)); !note.empty())
        progress_.message(LogLevel::info, fmt::format("probe '{}': {}", probe.name, note));
  mark(interrupted ? RunStatus::interrupted : RunStatus::done, interrupted ? summary.message : "");
  summary.elapsed = watch_.seconds();
}

/// Images that are missing (a run that was resumed with pictures after one without), and the film.
void Session::render_rest(RunSummary& summary) {
  RenderOptions options;
  options.run = folder_.root;
  options.missing_only = true;
  options.film = !makes_film(scene_) || find_ffmpeg();
  if (!options.film)
    progress_.message(LogLevel::warning,
                      fmt::format("there is no film of {}: {}", folder_.root.string(), kNoFfmpeg));
  options.scene = scene_;
  options.interrupt = options_.interrupt;
  options.film_if_unchanged = summary.outcome == RunOutcome::done;
  const RenderSummary rendered = render_run(options, threads_, progress_);
  add_time(summary.stage_times, "render", rendered.render_seconds);
  add_time(summary.stage_times, "film", rendered.film_seconds);
  summary.film = rendered.film;
  summary.images =
      static_cast<int>(numbered_files(folder_.images(), "image", scene_.render.formats.front()).size());
  if (rendered.rendered > 0 || rendered.film_made) summary.outcome = RunOutcome::done;
  if (rendered.interrupted) {
    summary.outcome = RunOutcome::interrupted;
    summary.message =
        "all frames are simulated; the same command with --resume makes the missing images and the film";
  }
}

RunSummary Session::summarize(const LoopState& state) const {
  RunSummary s;
  s.output = folder_.root;
  s.frames = state.next_frame - 1;
  s.frames_written = static_cast<int>(manifest_.written.size());
  s.images =
      static_cast<int>(numbered_files(folder_.images(), "image", scene_.render.formats.front()).size());
  s.steps = state.steps;
  s.dt_min = state.steps > 0 ? state.dt_min : 0;
  s.dt_mean = state.steps > 0 ? state.time / static_cast<double>(state.steps) : 0;
  s.dt_max = state.dt_max;
  for (const LimitCount& limit : state.limits)
    s.limits.push_back({limit.limit, static_cast<double>(limit.steps) / static_cast<double>(state.steps)});
  std::stable_sort(s.limits.begin(), s.limits.end(),
                   [](const LimitShare& a, const LimitShare& b) { return a.share > b.share; });
  s.particles = manifest_.particles;
  s.elements = manifest_.elements;
  s.total = manifest_.total;
  s.escaped = manifest_.escaped;
  s.left = manifest_.left;
  s.element_steps_rate = state.solver_seconds > 0 ? state.element_steps / state.solver_seconds : 0;
  s.stage_times = state.wall;
  s.elapsed = watch_.seconds();
  s.state_hash = manifest_.state_hash;
  s.scene_hash = manifest_.scene_hash;
  s.solver = manifest_.solver;
  s.seed = scene_.info.seed;
  s.threads = threads_.count();
  return s;
}

}  // namespace

RunSummary run(const Scene& scene, const RunOptions& options, Threads& threads, Progress& progress,
               const RunParts& parts) {
  try {
    return Session(scene, options, threads, progress, parts).run();
  } catch (const std::bad_alloc&) {
    throw Error(ExitCode::run_failed,
                "there is not enough memory for this run: use fewer particles (a larger solver.spacing)");
  }
}

}  // namespace repose
