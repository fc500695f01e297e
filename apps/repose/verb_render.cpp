// repose render RUN

#include <cstdio>

#include "arguments.h"
#include "changed_scene.h"
#include "console.h"
#include "run_progress.h"
#include "signals.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/core/text.h"
#include "repose/exec/threads.h"
#include "repose/pipeline/later/render_run.h"
#include "repose/pipeline/later/sheet.h"

namespace repose::command {
namespace {

struct RenderWords {
  std::string run;
  std::string folder;
  FrameRange frames;
  std::vector<std::string> set;
  std::optional<int> threads;
  std::string sheet;
  bool missing = false, no_film = false, quiet = false;
};

void declare(Arguments& arguments, RenderWords& words) {
  arguments.positional("RUN", words.run, "the folder of a run");
  arguments.group("What is rendered");
  arguments.frames(words.frames, "only these frames, every STEP-th [all]");
  arguments.texts(
      "--set", "KEY=VALUE", words.set,
      "changes one key of the scene's [render] table, such as render.samples=64; the value is TOML; may be "
      "repeated");
  arguments.flag("--missing", words.missing, "keeps the pictures that are there and makes the others");
  arguments.flag("--no-film", words.no_film, "makes pictures only");
  arguments.text("--sheet", "CxR", words.sheet,
                 "instead of all that, one picture of C times R frames side by side, evenly spread: "
                 "RUN/sheet.png");
  arguments.text("-o", "DIR", words.folder, "the folder for images/ and the film, or the sheet [RUN]");
  arguments.group("How");
  arguments.whole_number("--threads", "N", words.threads, 1, "threads [all cores]");
  arguments.flag("-q", words.quiet, "prints nothing but errors");
  arguments.example("repose render out/demo --frames 0-24", "the first second");
  arguments.example("repose render out/demo --set render.samples=64", "the whole film, with less noise");
  arguments.example("repose render out/demo --sheet 4x3", "a quick look at the whole run");
}

ExitCode make_sheet(const RenderWords& words, Console& console) {
  SheetOptions options;
  options.run = words.run;
  options.output = words.folder;
  options.frames = words.frames;
  parse_sheet(words.sheet, options);
  if (!words.set.empty()) options.scene = changed_scene(words.run, words.set, "render", "render.samples=64");
  options.interrupt = &stop_flag();
  note_stop_signals();
  RunReporter reporter(console);
  Threads threads(words.threads.value_or(0));
  const SheetSummary summary = render_sheet(options, threads, reporter);
  if (summary.interrupted) {
    console.error("interrupted; nothing was written");
    return ExitCode::interrupted;
  }
  console.line(fmt::format("{:<9} {} frames in {}: {}", "sheet", summary.frames,
                           format_seconds(summary.seconds), summary.file.string()));
  return ExitCode::done;
}

}  // namespace

ExitCode render_verb(Words line) {
  RenderWords words;
  Arguments arguments("render",
                      "Makes pictures and a film of the frames of a run, without simulating again.");
  declare(arguments, words);
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  Console console({.quiet = words.quiet});
  if (!words.sheet.empty()) return make_sheet(words, console);
  RenderOptions options;
  options.run = words.run;
  options.output = words.folder;
  options.range_from_frames = true;
  options.frames = words.frames;
  options.missing_only = words.missing;
  options.film = !words.no_film;
  if (!words.set.empty()) options.scene = changed_scene(words.run, words.set, "render", "render.samples=64");
  options.interrupt = &stop_flag();

  note_stop_signals();
  RunReporter reporter(console);
  Threads threads(words.threads.value_or(0));
  const RenderSummary summary = render_run(options, threads, reporter);
  console.line(fmt::format("{:<9} {} made, {} kept, in {}: {}", "pictures", summary.rendered, summary.kept,
                           format_seconds(summary.elapsed), summary.images.string()));
  if (summary.film_made) console.line(fmt::format("film: {}", summary.film.string()));
  if (!summary.interrupted) return ExitCode::done;
  console.error("interrupted; the same command with --missing goes on");
  return ExitCode::interrupted;
}

}  // namespace repose::command
