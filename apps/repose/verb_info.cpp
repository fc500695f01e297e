// repose info RUN

#include <algorithm>
#include <cstdio>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "verbs.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "repose/core/text.h"
#include "repose/io/run/manifest.h"
#include "repose/pipeline/later/info.h"

namespace repose::command {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const RunInfo& info) {
  Json stages = Json::object(), files = Json::object();
  for (const StageTime& stage : info.stage_times) stages[stage.name] = stage.seconds;
  for (const FileGroup& group : info.files)
    files[group.name] = {{"files", group.files}, {"bytes", group.bytes}};
  return Json{{"run", info.path.string()},
              {"status", info.status},
              {"message", info.message},
              {"version", info.version},
              {"title", info.title},
              {"scene", info.scene_path},
              {"solver", info.solver},
              {"seed", info.seed},
              {"threads", info.threads},
              {"frames_done", info.frames_done},
              {"frames_total", info.frames_total},
              {"fps", info.fps},
              {"time", info.time},
              {"steps", info.steps},
              {"particles", info.particles},
              {"channels", info.channels},
              {"state_hash", info.state_hash},
              {"scene_hash", info.scene_hash},
              {"stage_seconds", stages},
              {"files", files},
              {"checkpoint_frame", info.checkpoint_frame < 0 ? Json(nullptr) : Json(info.checkpoint_frame)},
              {"checks", Json::parse(checks_json(info.checks))},
              {"created", info.created},
              {"updated", info.updated},
              {"film", info.film.empty() ? Json(nullptr) : Json(info.film.string())}};
}

void print(Console& console, const RunInfo& info) {
  const auto row = [&console](std::string_view name, const std::string& text) {
    console.line(fmt::format("{:<10} {}", name, text));
  };
  row("run", info.path.string());
  row("status", info.message.empty() ? info.status : fmt::format("{}: {}", info.status, info.message));
  row("scene", info.title.empty() ? info.scene_path : fmt::format("{}: {}", info.scene_path, info.title));
  row("solver",
      fmt::format("{}, seed {}, {} threads, repose {}", info.solver, info.seed, info.threads, info.version));
  row("frames", fmt::format("{} of {} done, {:g} a second, t = {:g} s", std::max(info.frames_done, 0),
                            info.frames_total, info.fps, info.time));
  row("matter",
      fmt::format("{} particles, {} steps so far", format_count(static_cast<double>(info.particles)),
                  format_count(static_cast<double>(info.steps))));
  row("channels", fmt::format("{}", fmt::join(info.channels, " ")));
  row("hash",
      fmt::format("{} (scene {})", info.state_hash.empty() ? "none yet" : info.state_hash, info.scene_hash));
  std::string_view title = "time";
  for (const StageTime& stage : info.stage_times) {
    row(title, fmt::format("{:<14} {}", stage.name, format_seconds(stage.seconds)));
    title = "";
  }
  title = "files";
  for (const FileGroup& group : info.files) {
    row(title, fmt::format("{:<14} {:>6}  {}", group.name, group.files,
                           format_bytes(static_cast<double>(group.bytes))));
    title = "";
  }
  print_checks(console, info.checks);
  if (info.checkpoint_frame >= 0) row("checkpoint", fmt::format("after frame {}", info.checkpoint_frame));
  row("written", fmt::format("{}, last change {}", info.created, info.updated));
  if (!info.film.empty()) console.line(fmt::format("film: {}", info.film.string()));
}

}  // namespace

ExitCode info_verb(Words line) {
  std::string run;
  bool json = false;
  Arguments arguments("info", "Says what a run folder holds: how far it came, its hash, its files.");
  arguments.positional("RUN", run, "the folder of a run");
  arguments.flag("--json", json, "one JSON object on stdout");
  arguments.example("repose info out/demo", "");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  const RunInfo info = run_info(run);
  Console console({.quiet = json, .json = json});
  console.object(to_json(info));
  print(console, info);
  return ExitCode::done;
}

}  // namespace repose::command
