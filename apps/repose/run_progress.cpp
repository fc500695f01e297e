#include "run_progress.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/core/text.h"
#include "repose/io/run/manifest.h"

namespace repose::command {
namespace {

using Json = nlohmann::ordered_json;

// Without a terminal nobody watches: a line every few seconds is enough to see that a job lives.
constexpr double kSecondsBetweenFrameLines = 2;
constexpr double kSecondsBetweenStepLines = 15;

/// The solver's rate counts what its cost goes with (spheres); people count particles.
double particle_rate(double element_rate, std::uint64_t particles, std::uint64_t elements) {
  return elements == 0 ? 0 : element_rate * static_cast<double>(particles) / static_cast<double>(elements);
}

std::string format_eta(double eta) { return eta < 0 ? std::string("left ?") : "left " + format_seconds(eta); }

/// What matters most stands first: a narrow terminal cuts the end off.
std::string progress_line(const RunProgress& run) {
  constexpr double kHalfDigit = 5e-4;  // of the times below [s]
  std::string text = run.time < -kHalfDigit ? fmt::format("settling  {:.3f} s before frame 0", -run.time)
                                            : fmt::format("frame {}/{}  t {:.3f} s", run.frame,
                                                          run.last_frame, std::max(0.0, run.time));
  text += "  " + format_eta(run.eta);
  if (run.steps > 0) {
    const double rate = particle_rate(run.element_steps_rate, run.particles, run.elements);
    text +=
        fmt::format("  dt {} ({})  {} particle-steps/s", format_dt(run.dt), run.limit, format_count(rate));
  }
  return text;
}

Json to_json(const RunProgress& run) {
  Json event{
      {"event", "frame"},
      {"frame", run.frame},
      {"last_frame", run.last_frame},
      {"time", run.time},
      {"dt", run.dt},
      {"limit", run.limit},
      {"steps", run.steps},
      {"particles", run.particles},
      {"escaped", run.escaped},
      {"left", run.left},
      {"kinetic", run.kinetic},
      {"particle_steps_per_second", particle_rate(run.element_steps_rate, run.particles, run.elements)},
      {"elapsed", run.elapsed}};
  event["eta"] = run.eta < 0 ? Json(nullptr) : Json(run.eta);
  return event;
}

const char* outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::done:
      return "done";
    case RunOutcome::nothing_to_do:
      return "nothing_to_do";
    case RunOutcome::interrupted:
      return "interrupted";
  }
  return "";
}

Json to_json(const RunSummary& summary) {
  Json limits = Json::object(), stages = Json::object();
  for (const LimitShare& limit : summary.limits) limits[limit.limit] = limit.share;
  for (const StageTime& stage : summary.stage_times) stages[stage.name] = stage.seconds;
  return Json{{"event", "summary"},
              {"outcome", outcome_name(summary.outcome)},
              {"frames", summary.frames},
              {"time", summary.time},
              {"steps", summary.steps},
              {"dt_min", summary.dt_min},
              {"dt_mean", summary.dt_mean},
              {"dt_max", summary.dt_max},
              {"limits", limits},
              {"particles", summary.particles},
              {"particles_total", summary.total},
              {"escaped", summary.escaped},
              {"left", summary.left},
              {"particle_steps_per_second",
               particle_rate(summary.element_steps_rate, summary.particles, summary.elements)},
              {"stage_seconds", stages},
              {"elapsed", summary.elapsed},
              {"state_hash", summary.state_hash},
              {"scene_hash", summary.scene_hash},
              {"solver", summary.solver},
              {"seed", summary.seed},
              {"threads", summary.threads},
              {"output", summary.output.string()},
              {"checks", Json::parse(checks_json(summary.checks))},
              {"film", summary.film.empty() ? Json(nullptr) : Json(summary.film.string())}};
}

/// Where the time went, largest first; stages of under a hundredth of the whole are left out.
void print_stages(Console& console, const RunSummary& summary) {
  std::vector<StageTime> stages = summary.stage_times;
  std::stable_sort(stages.begin(), stages.end(),
                   [](const StageTime& a, const StageTime& b) { return a.seconds > b.seconds; });
  double total = 0;
  for (const StageTime& stage : stages) total += stage.seconds;
  const char* title = "time";
  for (const StageTime& stage : stages) {
    if (stage.seconds < 0.01 * total) break;
    console.line(fmt::format("{:<9} {:>4.0f} %  {:<14} {}", title, 100 * stage.seconds / total, stage.name,
                             format_seconds(stage.seconds)));
    title = "";
  }
}

std::string limits_text(const RunSummary& summary) {
  std::string text;
  for (const LimitShare& limit : summary.limits) {
    if (limit.share < 0.005 && !text.empty()) break;
    text += fmt::format("{}{} ({:.0f} %)", text.empty() ? "" : ", ", limit.limit, 100 * limit.share);
  }
  return text;
}

}  // namespace

std::string format_dt(double seconds) {
  if (seconds >= 1e-2) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

void RunReporter::show(const std::string& text, double elapsed, double interval) {
  if (console_.is_live()) {
    console_.live(text);
  } else if (elapsed - last_line_ >= interval) {
    console_.line(text);
    last_line_ = elapsed;
  }
}

void RunReporter::show_activity(std::string_view text) {
  const std::string line = fmt::format("{:<9} {}", "set-up", text);
  if (console_.is_live())
    console_.live(line);
  else
    console_.line(line);
}

void RunReporter::started(const RunStarted& run) {
  console_.drop_live();
  console_.line(
      fmt::format("{:<9} {}{}", "scene", run.scene_path, run.title.empty() ? "" : ": " + run.title));
  console_.line(fmt::format("{:<9} {}, {} precision, {} thread{}, seed {}", "solver", run.solver,
                            run.precision, run.threads, run.threads == 1 ? "" : "s", run.seed));
  const std::string spheres =
      run.elements == run.particles
          ? std::string()
          : fmt::format(" ({} spheres)", format_count(static_cast<double>(run.elements)));
  console_.line(fmt::format("{:<9} {} particles{}, {:.4g} kg", "matter",
                            format_count(static_cast<double>(run.particles)), spheres, run.mass));
  console_.line(fmt::format("{:<9} {} to {} at {:g} a second, up to t = {:g} s{}", "frames", run.first_frame,
                            run.last_frame, run.fps, run.end_time, run.resumed ? ", going on" : ""));
  if (run.start_time < 0)
    console_.line(fmt::format("{:<9} {:g} s before frame 0", "settling", -run.start_time));
  console_.line(
      fmt::format("{:<9} {}, about {} in the end", "folder", run.output, format_bytes(run.estimated_bytes)));
  for (const std::string& note : run.notes)
    if (std::find(early_notes_.begin(), early_notes_.end(), note) == early_notes_.end())
      early_notes_.push_back(note);
  for (const std::string& note : early_notes_) console_.line(fmt::format("{:<9} {}", "note", note));
  holds_notes_ = false;
}

void RunReporter::advanced(const RunProgress& run) {
  show(progress_line(run), run.elapsed, kSecondsBetweenStepLines);
}

void RunReporter::frame_done(const RunProgress& run) {
  console_.object(to_json(run));
  show(progress_line(run), run.elapsed, kSecondsBetweenFrameLines);
}

void RunReporter::job_advanced(const JobProgress& job) {
  show(fmt::format("{} {}/{}  frame {}  {}", job.job, job.done, job.total, job.frame, format_eta(job.eta)),
       job.elapsed, kSecondsBetweenFrameLines);
}

void RunReporter::message(LogLevel level, std::string_view text) {
  if (level == LogLevel::activity)
    show_activity(text);
  else if (level == LogLevel::warning)
    console_.warning(text);
  else if (holds_notes_)
    early_notes_.emplace_back(text);
  else
    console_.line(fmt::format("{:<9} {}", "note", text));
}

void print_checks(Console& console, const std::vector<CheckResult>& checks) {
  std::size_t name_width = 0, subject_width = 0;
  for (const CheckResult& check : checks) {
    name_width = std::max(name_width, check.name.size());
    subject_width = std::max(subject_width, check.subject.size() + 2 + check.when.size());
  }
  const char* title = "checks";
  for (const CheckResult& check : checks) {
    const std::string wanted = check.min && check.max ? fmt::format("{:g} to {:g}", *check.min, *check.max)
                               : check.min            ? fmt::format("at least {:g}", *check.min)
                                                      : fmt::format("at most {:g}", check.max.value_or(0));
    const std::string value = check.problem.empty() ? fmt::format("{:.6g}", check.value) : "no value";
    std::string text =
        fmt::format("{:<9} {}  {:<{}}  {:<{}}  {:>12}  {}", title, check.passed ? "ok    " : "FAILED",
                    check.name, name_width, check.subject + ", " + check.when, subject_width, value, wanted);
    if (!check.problem.empty()) text += ": " + check.problem;
    console.line(text);
    title = "";
  }
}

std::string failed_checks_text(const std::vector<CheckResult>& checks) {
  std::string names;
  for (const CheckResult& check : checks)
    if (!check.passed) names += (names.empty() ? "" : ", ") + check.name;
  return "checks that failed: " + names;
}

void print_summary(Console& console, const RunSummary& summary) {
  console.object(to_json(summary));
  if (summary.outcome == RunOutcome::nothing_to_do) {
    console.line(summary.message);
    print_checks(console, summary.checks);
    if (!summary.film.empty()) console.line(fmt::format("film: {}", summary.film.string()));
    return;
  }
  console.titled(
      fmt::format("{:<9}", outcome_name(summary.outcome)),
      fmt::format("{} frames, {:g} s simulated in {}, {} steps", std::max(summary.frames, 0), summary.time,
                  format_seconds(summary.elapsed), format_count(static_cast<double>(summary.steps))));
  print_stages(console, summary);
  console.line(fmt::format("{:<9} {} to {}, mean {}; limited by {}", "dt", format_dt(summary.dt_min),
                           format_dt(summary.dt_max), format_dt(summary.dt_mean), limits_text(summary)));
  console.line(
      fmt::format("{:<9} {} of {} particles passed a wall", "escaped", summary.escaped, summary.total));
  if (summary.left > 0)
    console.line(fmt::format("{:<9} {} of {} particles went out through an open side", "left", summary.left,
                             summary.total));
  print_checks(console, summary.checks);
  console.line(fmt::format("{:<9} {}", "hash", summary.state_hash));
  console.line(fmt::format("{:<9} {}", "files", summary.output.string()));
  if (!summary.film.empty()) console.line(fmt::format("film: {}", summary.film.string()));
}

}  // namespace repose::command
