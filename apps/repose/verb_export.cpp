// repose export RUN

#include <cstdio>
#include <optional>

#include "arguments.h"
#include "console.h"
#include "run_progress.h"
#include "signals.h"
#include "verbs.h"
#include <fmt/format.h>

#include "repose/core/text.h"
#include "repose/pipeline/later/export_run.h"

namespace repose::command {

ExitCode export_verb(Words line) {
  std::string run, format, folder, up = "z";
  std::optional<int> thread_count;
  FrameRange frames;
  bool quiet = false, fine = false;
  Arguments arguments("export", "Writes the particles and bodies of a run for other programs.");
  arguments.positional("RUN", run, "the folder of a run");
  arguments.group("What is written");
  arguments.text("--to", "vtp|vdb|csv|ply", format,
                 "the format of the particles, always needed: vtp (ParaView), vdb (OpenVDB points, for "
                 "Houdini), csv (one row a particle) or ply (binary); SI units. Bodies come as bodies.csv "
                 "(where they are) and bodies/NAME.obj (their meshes)");
  arguments.flag("--fine", fine, "the fine grains in place of the particles, as fine.NNNN");
  arguments.text("--up", "z|y", up, "the axis that points up in the files; y for Houdini and Maya [z]");
  arguments.frames(frames, "only these frames, every STEP-th [all]");
  arguments.group("Where it goes");
  arguments.text("-o", "DIR", folder, "the folder [RUN/export/ and the format]");
  arguments.group("How");
  arguments.whole_number("--threads", "N", thread_count, 1, "threads, for vdb [all cores]");
  arguments.flag("-q", quiet, "prints nothing but errors");
  arguments.example("repose export out/demo --to vtp", "then open out/demo/export/vtp/particles.pvd");
  arguments.example("repose export out/demo --to vdb --up y", "for Houdini");
  arguments.example("repose export out/demo --to csv --frames 48", "frame 48 for a spreadsheet");
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  if (format.empty()) throw Error(ExitCode::usage, "--to is missing: the format, vtp, vdb, csv or ply");

  note_stop_signals();
  Console console({.quiet = quiet});
  RunReporter reporter(console);
  ExportOptions options;
  options.run = run;
  options.format = format;
  options.up = up;
  options.output = folder;
  options.frames = frames;
  options.fine = fine;
  options.interrupt = &stop_flag();
  Threads threads(thread_count.value_or(0));
  const ExportSummary summary = export_run(options, threads, reporter);
  console.line(fmt::format("{:<9} {} frame{}, {}: {}", "exported", summary.frames,
                           summary.frames == 1 ? "" : "s", format_bytes(static_cast<double>(summary.bytes)),
                           summary.output.string()));
  if (!summary.interrupted) return ExitCode::done;
  console.error("interrupted; the files that were written are complete");
  return ExitCode::interrupted;
}

}  // namespace repose::command
