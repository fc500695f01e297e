// repose run SCENE

#include <cstdio>
#include <filesystem>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "signals.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/exec/threads.h"
#include "repose/pipeline/run/run.h"
#include "repose/pipeline/run_checks.h"
#include "repose/scene/load.h"

namespace repose::command {
namespace {

struct RunWords {
  std::string scene, folder;
  std::vector<std::string> set;
  std::optional<int> frames, threads;
  std::optional<double> checkpoint;
  bool resume = false, force = false, no_render = false, quiet = false, json = false;
};

void declare(Arguments& arguments, RunWords& words) {
  arguments.positional("SCENE", words.scene, "the scene file (TOML)");
  arguments.group("What is run");
  arguments.texts("--set", "KEY=VALUE", words.set,
                  "changes one key of the scene, such as solver.spacing=0.02 or material.sand.preset=gravel; "
                  "the value is TOML; may be repeated");
  arguments.whole_number("--frames", "N", words.frames, 1,
                         "frames after frame 0 [scene.duration * scene.fps]");
  arguments.group("Where it goes");
  arguments.text("-o", "DIR", words.folder,
                 "the run's folder [out/ and the scene file's name without .toml]");
  arguments.flag(
      "--resume", words.resume,
      "goes on from the last checkpoint in the folder; duration, frames, threads, output and render may "
      "differ from then, nothing else");
  arguments.flag("--force", words.force, "replaces the run that the folder holds");
  arguments.flag("--no-render", words.no_render, "makes no pictures and no film; repose render can later");
  arguments.group("How it is run");
  arguments.whole_number("--threads", "N", words.threads, 1,
                         "threads; results do not depend on it [all cores]");
  arguments.number("--checkpoint", "S", words.checkpoint, 0, "wall time between checkpoints in seconds [60]");
  arguments.group("What is printed");
  arguments.flag("-q", words.quiet, "nothing but errors");
  arguments.flag(
      "--json", words.json,
      "one JSON object a line on stdout: one for each frame, then the summary; everything else on stderr");
  arguments.example("repose run examples/demo.toml", "into out/demo, with a film");
  arguments.example("repose run my.toml --set solver.spacing=0.02", "with coarser grains, for a quick look");
  arguments.example("repose run my.toml --resume", "after Ctrl-C or a power cut");
}

/// A word as a shell takes it.
std::string quoted(const std::string& word) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// The command line that goes on with this run.
std::string resume_command(const RunWords& words) {
  std::string text = fmt::format("repose run {} -o {}", quoted(words.scene), quoted(words.folder));
  for (const std::string& change : words.set) text += " --set " + quoted(change);
  if (words.frames) text += fmt::format(" --frames {}", *words.frames);
  if (words.no_render) text += " --no-render";
  return text + " --resume";
}

}  // namespace

ExitCode run_verb(Words line) {
  RunWords words;
  Arguments arguments("run", "Simulates a scene: caches, pictures and a film, in one folder.");
  declare(arguments, words);
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  if (words.resume && words.force)
    throw Error(ExitCode::usage, "--resume goes on with a run and --force replaces it: give one of them");
  Console console({.quiet = words.quiet, .json = words.json});
  RunReporter reporter(console, true);
  console.live(fmt::format("{:<9} reading {}", "set-up", words.scene));
  const Scene scene = load_scene(words.scene, words.set);
  if (words.folder.empty())
    words.folder = (std::filesystem::path("out") / std::filesystem::path(words.scene).stem()).string();

  note_stop_signals();  // not before: until here there is nothing to save, and reading a mesh may take long
  Threads threads(words.threads.value_or(0));
  RunOptions options;
  options.output = words.folder;
  options.resume = words.resume;
  options.force = words.force;
  options.frames = words.frames;
  options.checkpoint_seconds = words.checkpoint.value_or(options.checkpoint_seconds);
  options.render = !words.no_render;
  options.interrupt = &stop_flag();
  const RunSummary summary = run(scene, options, threads, reporter);
  print_summary(console, summary);
  if (summary.outcome != RunOutcome::interrupted) {
    if (all_passed(summary.checks)) return ExitCode::done;
    console.error(failed_checks_text(summary.checks));
    return ExitCode::check_failed;
  }
  console.error(fmt::format("interrupted; go on with: {}", resume_command(words)));
  return ExitCode::interrupted;
}

}  // namespace repose::command
