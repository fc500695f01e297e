// repose measure RUN

#include <cmath>
#include <cstdio>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "signals.h"
#include "verbs.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/exec/threads.h"
#include "repose/io/run/manifest.h"
#include "repose/pipeline/later/measure_run.h"
#include "repose/pipeline/run_checks.h"
#include "repose/pipeline/run_folder.h"
#include "repose/scene/load.h"

namespace repose::command {
namespace {

using Json = nlohmann::ordered_json;

struct MeasureWords {
  std::string run, scene, folder;
  std::vector<std::string> set, probes;
  FrameRange frames;
  std::optional<int> threads;
  bool quiet = false, json = false;
};

void declare(Arguments& arguments, MeasureWords& words) {
  arguments.positional("RUN", words.run, "the folder of a run");
  arguments.group("What is measured");
  arguments.texts("--probe", "NAME", words.probes, "only this [probe.NAME]; may be repeated [all]");
  arguments.text("--scene", "FILE", words.scene,
                 "takes the [probe] and [check] tables of this scene file [the run's own scene]");
  arguments.texts(
      "--set", "KEY=VALUE", words.set,
      "changes or adds a key of the scene, such as probe.gate.start=0.5; the value is TOML; may be "
      "repeated");
  arguments.frames(words.frames, "only these frames, every STEP-th [all]");
  arguments.group("Where it goes");
  arguments.text("-o", "DIR", words.folder, "the folder for one CSV table a probe [RUN/measure]");
  arguments.flag("-q", words.quiet, "prints nothing but errors");
  arguments.flag("--json", words.json,
                 "one JSON object a line on stdout: one for each probe with all its rows, then the summary");
  arguments.whole_number("--threads", "N", words.threads, 1,
                         "threads; results do not depend on it [all cores]");
  arguments.example("repose measure out/demo --probe gate",
                    "one probe of the scene, from the frames on disk");
  arguments.example(
      "repose measure out/demo --set 'probe.all={type=\"region\", shape=\"box\", size=[1, 1, 1]}'",
      "a probe that the run did not have");
}

Json to_json(const MeasuredProbe& probe) {
  Json rows = Json::array();
  for (const auto& row : probe.rows) {
    Json numbers = Json::array();
    for (const double number : row) numbers.push_back(std::isfinite(number) ? Json(number) : Json(nullptr));
    rows.push_back(std::move(numbers));
  }
  return Json{{"event", "probe"},         {"name", probe.name}, {"file", probe.file.string()},
              {"columns", probe.columns}, {"rows", rows},       {"note", probe.note}};
}

void print(Console& console, const MeasureSummary& summary) {
  for (const MeasuredProbe& probe : summary.probes) {
    console.object(to_json(probe));
    console.line(fmt::format("{:<9} {}: {} rows{}", "probe", probe.file.string(), probe.rows.size(),
                             probe.note.empty() ? "" : " (" + probe.note + ")"));
    if (probe.rows.empty()) continue;
    std::string last;
    for (std::size_t i = 0; i < probe.columns.size(); ++i)
      if (!std::isnan(probe.rows.back()[i]))
        last += fmt::format("  {} {:.6g}", probe.columns[i], probe.rows.back()[i]);
    console.line(fmt::format("{:<9} last:{}", "", last));
  }
  console.object(Json{{"event", "summary"},
                      {"frames", summary.frames},
                      {"checks", Json::parse(checks_json(summary.checks))}});
  print_checks(console, summary.checks);
}

}  // namespace

ExitCode measure_verb(Words line) {
  MeasureWords words;
  Arguments arguments("measure", "Measures flow, forces, regions and piles in the frames of a run.");
  declare(arguments, words);
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  Console console({.quiet = words.quiet, .json = words.json});
  RunReporter reporter(console);
  Threads threads(words.threads.value_or(0));
  MeasureOptions options;
  options.run = words.run;
  options.output = words.folder;
  options.probes = words.probes;
  options.frames = words.frames;
  options.interrupt = &stop_flag();
  if (!words.scene.empty())
    options.scene = load_scene(words.scene, words.set);
  else if (!words.set.empty() && holds_run(RunFolder{words.run}))
    options.scene = load_scene(RunFolder{words.run}.scene().string(), words.set);
  note_stop_signals();
  const MeasureSummary summary = measure_run(options, threads, reporter);
  if (summary.interrupted) {
    console.error("interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  print(console, summary);
  if (all_passed(summary.checks)) return ExitCode::done;
  console.error(failed_checks_text(summary.checks));
  return ExitCode::check_failed;
}

}  // namespace repose::command
