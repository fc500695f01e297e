// repose reference: the page docs/scene-reference.md is made from; for those who work on Repose.

#include <cstdio>

#include "arguments.h"
#include "verbs.h"

#include "repose/scene/load.h"

namespace repose::command {

ExitCode reference_verb(Words line) {
  Arguments arguments("reference", "Prints the reference page of the scene format, in Markdown.");
  arguments.example("repose reference > docs/scene-reference.md", "");
  const bool read = arguments.read(line);
  std::fputs((read ? scene_reference_markdown() : arguments.help()).c_str(), stdout);
  return ExitCode::done;
}

}  // namespace repose::command
