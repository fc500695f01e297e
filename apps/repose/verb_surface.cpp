// repose surface RUN

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
#include "repose/pipeline/later/surface_run.h"

namespace repose::command {
namespace {

struct SurfaceWords {
  std::string run, folder, up;
  FrameRange frames;
  std::vector<std::string> set;
  std::optional<int> threads;
  bool quiet = false;
};

void declare(Arguments& arguments, SurfaceWords& words) {
  arguments.positional("RUN", words.run, "the folder of a run");
  arguments.group("What is made");
  arguments.frames(words.frames, "only these frames, every STEP-th [all]");
  arguments.texts(
      "--set", "KEY=VALUE", words.set,
      "changes one key of the scene's [surface] table, such as surface.radius=0.02 [m]; the value is "
      "TOML; may be repeated");
  arguments.text("--up", "z|y", words.up,
                 "the axis that points up in the files; y for Houdini and Maya [the scene's output.up]");
  arguments.group("Where it goes, and how");
  arguments.text("-o", "DIR", words.folder, "the folder for surface.NNNN.ply and .vdb [RUN/surface]");
  arguments.whole_number("--threads", "N", words.threads, 1,
                         "threads; results do not depend on it [all cores]");
  arguments.flag("-q", words.quiet, "prints nothing but errors");
  arguments.example("repose surface out/demo", "a mesh for every frame");
  arguments.example("repose surface out/demo --frames 48 --set surface.smoothing=4", "one frame, smoother");
  arguments.example("repose surface out/demo --set 'surface.formats=[\"vdb\"]' --up y",
                    "level sets with velocity and colour, for Houdini");
}

}  // namespace

ExitCode surface_verb(Words line) {
  SurfaceWords words;
  Arguments arguments("surface", "Wraps a smooth mesh around the particles of each frame of a run.");
  declare(arguments, words);
  if (!arguments.read(line)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  Console console({.quiet = words.quiet});
  RunReporter reporter(console);
  SurfaceRunOptions options;
  options.run = words.run;
  options.output = words.folder;
  options.frames = words.frames;
  if (!words.up.empty()) options.up = words.up;
  options.interrupt = &stop_flag();
  if (!words.set.empty())
    options.scene = changed_scene(words.run, words.set, "surface", "surface.smoothing=4");
  note_stop_signals();
  Threads threads(words.threads.value_or(0));
  const SurfaceRunSummary summary = surface_run(options, threads, reporter);
  console.line(fmt::format("{:<9} {} frame{}, {} ({} triangles in the last): {}", "surfaces", summary.frames,
                           summary.frames == 1 ? "" : "s", format_bytes(static_cast<double>(summary.bytes)),
                           summary.triangles, summary.output.string()));
  if (!summary.interrupted) return ExitCode::done;
  console.error("interrupted; the files that were written are complete");
  return ExitCode::interrupted;
}

}  // namespace repose::command
