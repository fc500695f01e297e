#include "repose/pipeline/run/frame_loop.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/frame_columns.h"
#include "repose/io/particles/particle_file.h"
#include "repose/io/particles/ply.h"
#include "repose/io/particles/up_axis.h"
#include "repose/io/particles/vtp.h"
#include "repose/pipeline/stoppable.h"

namespace repose {
namespace {

constexpr double kTellInterval = 0.2;  ///< least wall time between two words about the same frame [s]
/// A frame is reached when this share of the frame interval is left: what k / fps - t loses to rounding.
constexpr double kFrameTolerance = 1e-9;

}  // namespace

FrameLoop::FrameLoop(const LoopContext& context, LoopState state)
    : c_(context),
      state_(std::move(state)),
      stats_(c_.solver.stats()),
      prober_(c_.scene, c_.folder, c_.solver, c_.threads, c_.progress, state_.probes, state_.frame_time),
      start_time_(c_.solver.time()) {
  // Name all stages once, so that the columns of stats.csv are known before the first step.
  take_solver_times();
  if (!c_.scene.probes.empty()) add_wall("probes", 0);
  for (const char* stage : {"write", "checkpoint", "surface", "render"}) add_wall(stage, 0);
  for (const auto& stage : c_.stages) add_wall(stage->name(), 0);

  const int last_done = state_.next_frame - 1;
  stats_table_.emplace(c_.folder.stats(), stats_header(stats_row()), last_done);
  bodies_table_.emplace(c_.folder.bodies(), bodies_header(), last_done);
  if (stats_table_->last_kept_frame() != last_done)
    c_.progress.message(LogLevel::warning,
                        fmt::format("{} has no rows after frame {}, the checkpoint is at frame {}: the rows "
                                    "between are lost",
                                    c_.folder.stats().string(), stats_table_->last_kept_frame(), last_done));
}

bool FrameLoop::run() {
  const bool fresh = state_.next_frame == 0;
  while (state_.next_frame <= c_.last_frame) {
    if (!advance_to_frame() || !finish_frame()) {
      write_checkpoint();
      return false;
    }
    // From here on the run can always be resumed.
    if (fresh && state_.next_frame == 1) write_checkpoint();
  }
  write_checkpoint();
  return true;
}

bool FrameLoop::interrupted() const {
  return c_.options.interrupt != nullptr && c_.options.interrupt->load();
}

bool FrameLoop::advance_to_frame() {
  const double target = frame_time(state_.next_frame);
  while (true) {
    const double left = target - c_.solver.time();
    if (left <= kFrameTolerance / c_.scene.info.fps) return true;
    if (interrupted()) return false;
    take_step(left);
    if (since_checkpoint_.seconds() >= c_.options.checkpoint_seconds) write_checkpoint();
    if (since_told_.seconds() >= kTellInterval) tell(false);
  }
}

void FrameLoop::take_step(double max_dt) {
  const double before = c_.solver.time();
  const Stopwatch watch;
  StepReport report = c_.solver.step(max_dt);
  state_.solver_seconds += watch.seconds();
  if (!report.failure.empty()) fail(report.failure);
  if (!(c_.solver.time() > before))
    fail(fmt::format("the solver did not advance: its step of {} s is lost in rounding", report.dt));

  ++state_.steps;
  ++state_.frame_steps;
  state_.time += report.dt;
  state_.frame_time += report.dt;
  state_.dt_min = std::min(state_.dt_min, report.dt);
  state_.dt_max = std::max(state_.dt_max, report.dt);
  state_.element_steps += static_cast<double>(stats_.elements);
  count_limit(state_.limits, report.limit);
  count_limit(frame_limits_, report.limit);
  last_step_ = std::move(report);
  show_probes(before);
}

void FrameLoop::show_probes(double from) {
  if (c_.scene.probes.empty()) return;
  const Stopwatch watch;
  prober_.after_step(from, state_.frame_time);
  add_wall("probes", watch.seconds());
}

bool FrameLoop::finish_frame() {
  Frame frame;
  c_.solver.fill_frame(frame);
  frame.index = state_.next_frame;
  frame.time = frame_time(frame.index);
  stats_ = c_.solver.stats();
  take_solver_times();

  if (is_written(frame.index) && !write_frame_files(frame)) return false;
  append_rows(frame);
  const Stopwatch watch;
  update_manifest(frame);
  const double manifest_seconds = watch.seconds();
  tell(true);

  // Probes see the start of a run, before any step.
  if (frame.index == 0) show_probes(c_.solver.time());
  c_.solver.begin_interval();
  prober_.begin_interval();
  ++state_.next_frame;
  state_.frame_steps = 0;
  state_.frame_time = 0;
  for (StageTime& stage : state_.frame_wall) stage.seconds = 0;
  add_wall("write", manifest_seconds);  // too late for this frame's row
  frame_limits_.clear();
  return true;
}

bool FrameLoop::write_frame_files(Frame& frame) {
  write_particle_files(frame);
  return c_.stages.empty() || advance_stages(frame);
}

void FrameLoop::write_particle_files(const Frame& frame) {
  const Stopwatch watch;
  create_folder(c_.folder.particles());
  Frame turned;  // for other programs; PLY files are what later stages read and stay as they are
  if (c_.scene.output.up == "y") {
    turned = frame;
    turn_y_up(turned);
  }
  for (const std::string& format : c_.scene.output.formats) {
    const bool turns = c_.scene.output.up == "y" && format != "ply";
    write_particles(c_.folder.particle_file(frame.index, format), format, turns ? turned : frame, c_.threads);
    if (format == "vtp") write_sequence(frame.index);
  }
  add_wall("write", watch.seconds());
}

bool FrameLoop::advance_stages(Frame& frame) {
  round_to_file_precision(frame);
  FrameProducts products{std::move(frame), nullptr, std::nullopt};
  bool finished = true;
  for (const auto& stage : c_.stages) {
    const Stopwatch watch;
    if (stage->can_be_cut_off())  // a surface or a picture may take minutes
      finished = finish_unless_stopped(c_.threads, c_.options.interrupt, [&] { stage->advance(products); });
    else
      stage->advance(products);
    add_wall(stage->name(), watch.seconds());
    if (!finished) break;
  }
  frame = std::move(products.frame);
  return finished;
}

/// Lists the VTP files so far with their times.
void FrameLoop::write_sequence(int last) const {
  std::vector<PvdEntry> entries;
  for (const int frame : numbered_files(c_.folder.particles(), "particles", "vtp"))
    if (frame <= last) entries.push_back({frame_time(frame), numbered_name("particles", frame, "vtp")});
  write_pvd(c_.folder.particle_sequence(), entries);
}

void FrameLoop::append_rows(const Frame& frame) {
  bodies_table_->append(bodies_lines(frame));
  stats_table_->append(stats_line(stats_row()));
}

StatsRow FrameLoop::stats_row() const {
  StatsRow row;
  row.frame = state_.next_frame;
  row.time = frame_time(row.frame);
  row.steps = state_.frame_steps;
  row.dt = row.steps > 0 ? state_.frame_time / static_cast<double>(row.steps) : 0;
  row.stats = stats_;
  row.wall = state_.frame_wall;
  return row;
}

void FrameLoop::update_manifest(const Frame& frame) {
  Manifest& m = c_.manifest;
  m.frames_done = frame.index;
  if (is_written(frame.index)) m.written.push_back(frame.index);
  m.channels.clear();
  for (const FrameColumn& column : frame_columns(frame)) m.channels.push_back(column.name);
  m.bodies.clear();
  for (const BodyRow& body : frame.bodies) m.bodies.push_back(body.name);
  m.particles = stats_.particles;
  m.elements = stats_.elements;
  m.total = stats_.total;
  m.escaped = stats_.escaped;
  m.left = stats_.left;
  m.steps = state_.steps;
  m.dt_min = state_.steps > 0 ? state_.dt_min : 0;
  m.dt_mean = state_.steps > 0 ? state_.time / static_cast<double>(state_.steps) : 0;
  m.dt_max = state_.dt_max;
  m.dt_limits.clear();
  for (const LimitCount& limit : state_.limits) m.dt_limits.push_back({limit.limit, limit.steps});
  m.timings = state_.wall;
  for (const auto& stage : c_.stages) stage->describe(m);
  write_manifest(c_.folder.manifest(), m);
}

void FrameLoop::write_checkpoint() {
  const Stopwatch watch;
  take_solver_times();
  ArchiveWriter loop, solver;
  state_.probes = prober_.states();
  save(state_, loop);
  c_.solver.save(solver);
  std::vector<CheckpointSection> sections{{"loop", loop.bytes()}, {"solver", solver.bytes()}};
  std::vector<ArchiveWriter> memories(c_.stages.size());
  for (std::size_t k = 0; k < c_.stages.size(); ++k) {
    // The files that the checkpoint builds on are complete before it is.
    c_.stages[k]->finish();
    if (!c_.stages[k]->has_memory()) continue;
    c_.stages[k]->save(memories[k]);
    sections.push_back({std::string(c_.stages[k]->name()), memories[k].bytes()});
  }
  // The rows that the checkpoint builds on reach the disk before it does.
  stats_table_->flush();
  bodies_table_->flush();
  prober_.flush();
  c_.manifest.state_hash = to_hex(c_.checkpoints.write(sections)[1]);
  c_.manifest.checkpoint_frame = state_.next_frame - 1;
  add_wall("checkpoint", watch.seconds());
  since_checkpoint_.restart();
}

void FrameLoop::fail(const std::string& failure) {
  step_failed_ = true;
  std::string text = fmt::format("the run failed at t = {:.6g} s, on the way to frame {}: {}",
                                 c_.solver.time(), state_.next_frame, failure);
  try {
    Frame frame;
    c_.solver.fill_frame(frame);
    frame.index = state_.next_frame;
    frame.time = c_.solver.time();
    create_folder(c_.folder.particles());
    write_ply(c_.folder.failed_file(), frame);
    text += fmt::format(" (the particles at that moment: {})", c_.folder.failed_file().string());
  } catch (const Error&) {
    // The failure itself is what has to be told.
  }
  throw Error(ExitCode::run_failed, text);
}

void FrameLoop::tell(bool frame_done) {
  const double now = c_.solver.time(), end = frame_time(c_.last_frame);
  const double elapsed = since_start_.seconds();
  RunProgress p;
  p.frame = state_.next_frame;
  p.last_frame = c_.last_frame;
  p.time = now;
  p.end_time = end;
  p.dt = last_step_.dt;
  p.limit = last_step_.limit;
  if (frame_done) {
    p.dt = state_.frame_steps > 0 ? state_.frame_time / static_cast<double>(state_.frame_steps) : 0;
    p.limit = main_limit(frame_limits_);
    // Weigh recent frames more, since the number of particles may grow.
    const double sample = since_frame_.seconds() * c_.scene.info.fps;
    if (state_.frame_steps > 0)
      wall_per_simulated_ = wall_per_simulated_ < 0 ? sample : 0.7 * wall_per_simulated_ + 0.3 * sample;
    since_frame_.restart();
  }
  p.steps = state_.frame_steps;
  p.particles = stats_.particles;
  p.elements = stats_.elements;
  p.escaped = stats_.escaped;
  p.left = stats_.left;
  p.kinetic = stats_.kinetic;
  p.element_steps_rate = state_.solver_seconds > 0 ? state_.element_steps / state_.solver_seconds : 0;
  p.elapsed = elapsed;
  if (wall_per_simulated_ >= 0)
    p.eta = std::max(0.0, wall_per_simulated_ * (end - now));
  else if (now > start_time_)
    p.eta = elapsed / (now - start_time_) * (end - now);
  since_told_.restart();
  if (frame_done)
    c_.progress.frame_done(p);
  else
    c_.progress.advanced(p);
}

void FrameLoop::add_wall(std::string_view stage, double seconds) {
  add_time(state_.frame_wall, stage, seconds);
  add_time(state_.wall, stage, seconds);
}

void FrameLoop::take_solver_times() {
  const auto times = c_.solver.take_stage_times();
  add_times(state_.frame_wall, times);
  add_times(state_.wall, times);
}

}  // namespace repose
