// repose export RUN

#include <cstdio>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "signals.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/core/text.h"
#include "repose/pipeline/export_run.h"

namespace repose::command {

ExitCode export_verb(Words line) {
  std::string run, format, folder;
  FrameRange frames;
  bool quiet = false;
  Arguments arguments("export", "Writes the particles of a run in another format.");
  arguments.positional("RUN", run, "the folder of a run");
  arguments.group("What is written");
  arguments.text("--to", "F", format,
                 "the format: csv (one row a particle, SI units) or ply (binary); always needed");
  arguments.frames(frames, "only these frames, every STEP-th [all]");
  arguments.group("Where it goes");
  arguments.text("-o", "DIR", folder, "the folder [RUN/export/F]");
  arguments.flag("-q", quiet, "prints nothing but errors");
  arguments.example("repose export out/demo --to csv --frames 48", "frame 48 for a spreadsheet");
  arguments.example("repose export out/demo --to ply -o /tmp/grains", "copies to hand on");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  if (format.empty()) throw Error(ExitCode::usage, "--to is missing: the format, csv or ply");

  note_stop_signals();
  Console console({.quiet = quiet});
  RunReporter reporter(console);
  ExportOptions options;
  options.run = run;
  options.format = format;
  options.output = folder;
  options.frames = frames;
  options.interrupt = &stop_flag();
  const ExportSummary summary = export_run(options, reporter);
  console.line(fmt::format("{:<9} {} frame{}, {}: {}", "exported", summary.frames,
                           summary.frames == 1 ? "" : "s", format_bytes(static_cast<double>(summary.bytes)),
                           summary.output.string()));
  if (!summary.interrupted) return ExitCode::done;
  console.error("interrupted; the files that were written are complete");
  return ExitCode::interrupted;
}

}  // namespace repose::command
