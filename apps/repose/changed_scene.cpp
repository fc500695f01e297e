#include "changed_scene.h"

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/pipeline/run_folder.h"
#include "repose/scene/load.h"

namespace repose::command {

Scene changed_scene(const std::string& run, std::span<const std::string> changes, std::string_view table,
                    std::string_view example, std::string_view also) {
  for (const std::string& change : changes)
    if (!change.starts_with(fmt::format("{}.", table)) && (also.empty() || !change.starts_with(also)))
      throw Error(ExitCode::usage, fmt::format("--set takes keys of [{}] here, such as {}, found '{}'", table,
                                               example, change));
  return load_scene(RunFolder{run}.scene().string(), changes);
}

}  // namespace repose::command
