// The verbs whose stages come later. They are known already, so that their names keep their meaning.

#include <cstdio>

#include "arguments.h"
#include "verbs.h"
#include <fmt/format.h>

namespace repose::command {
namespace {

ExitCode answer_later(std::string_view verb, std::string_view purpose, Words words) {
  std::string run;
  FrameRange frames;
  Arguments arguments(verb, purpose);
  arguments.positional("RUN", run, "the folder of a finished run");
  arguments.frames(frames, "only these frames [all]");
  arguments.example(fmt::format("repose {} out/demo --frames 0-48:2", verb), "");
  if (!arguments.read(words)) {
    std::fputs(arguments.help().c_str(), stdout);
    return ExitCode::done;
  }
  throw Error(ExitCode::usage,
              fmt::format("not available yet: this version of Repose cannot {} a run", verb));
}

}  // namespace

ExitCode refine_verb(Words words) {
  return answer_later("refine", "Adds fine grains to the frames of a run. Not available yet.", words);
}

}  // namespace repose::command
