// repose refine RUN

#include <charconv>
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
#include "repose/pipeline/later/refine_run.h"

namespace repose::command {
namespace {

struct RefineWords {
  std::string run, folder, part;
  FrameRange frames;
  std::vector<std::string> set;
  std::optional<int> threads;
  bool resume = false, quiet = false;
};

void declare(Arguments& arguments, RefineWords& words) {
  arguments.positional("RUN", words.run, "the folder of a run");
  arguments.group("What is made");
  arguments.frames(words.frames, "only these frames, every STEP-th; grains start in the first of them [all]");
  arguments.texts("--set", "KEY=VALUE", words.set,
                  "changes one key of the scene's [refine] table, or of output.fine_formats, such as "
                  "refine.ratio=250; the value is TOML; may be repeated");
  arguments.text("--part", "I/N", words.part,
                 "only the grains of part I of N, for a farm: each part gives files of its own");
  arguments.flag("--resume", words.resume, "goes on where an earlier call stopped");
  arguments.group("Where it goes, and how");
  arguments.text("-o", "DIR", words.folder, "the folder for fine.NNNN.vdb and .ply [RUN/fine]");
  arguments.whole_number("--threads", "N", words.threads, 1,
                         "threads; results do not depend on it [all cores]");
  arguments.flag("-q", words.quiet, "prints nothing but errors");
  arguments.example("repose refine out/demo --set refine.ratio=250", "250 fine grains a particle");
  arguments.example("repose refine out/demo --resume", "goes on after an interrupt");
  arguments.example("repose refine out/demo --part 3/8", "the third of eight machines");
}

GuidePart parse_part(const std::string& text) {
  GuidePart part;
  if (text.empty()) return part;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::size_t begin, std::size_t end, std::uint32_t& value) {
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc() && stop == text.data() + end && value >= 1;
  };
  if (slash == std::string::npos || !number(0, slash, part.index) ||
      !number(slash + 1, text.size(), part.count) || part.index > part.count || part.count > 1000000)
    throw Error(ExitCode::usage,
                fmt::format("--part needs I/N with I from 1 to N, such as 3/8, found '{}'", text));
  --part.index;
  return part;
}

}  // namespace

ExitCode refine_verb(Words line) {
  RefineWords words;
  Arguments arguments("refine", "Adds fine grains to the frames of a run.");
  declare(arguments, words);
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  Console console({.quiet = words.quiet});
  RunReporter reporter(console);
  RefineRunOptions options;
  options.run = words.run;
  options.output = words.folder;
  options.frames = words.frames;
  options.part = parse_part(words.part);
  options.resume = words.resume;
  options.interrupt = &stop_flag();
  if (!words.set.empty())
    options.scene = changed_scene(words.run, words.set, "refine", "refine.ratio=250", "output.fine_");
  note_stop_signals();
  Threads threads(words.threads.value_or(0));
  const RefineRunSummary summary = refine_run(options, threads, reporter);
  console.line(fmt::format(
      "{:<9} {} frame{}{}, {} fine grains in the last, {}: {}", "refined", summary.frames,
      summary.frames == 1 ? "" : "s", summary.kept > 0 ? fmt::format(" ({} were there)", summary.kept) : "",
      summary.grains, format_bytes(static_cast<double>(summary.bytes)), summary.output.string()));
  console.line(fmt::format("{:<9} {}", "hash", summary.hash));
  if (!summary.interrupted) return ExitCode::done;
  console.error("interrupted; the files that were written are complete, and --resume goes on");
  return ExitCode::interrupted;
}

}  // namespace repose::command
