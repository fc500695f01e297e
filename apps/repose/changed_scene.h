#pragma once

#include <span>
#include <string>
#include <string_view>

#include "repose/scene/scene.h"

namespace repose::command {

/// The scene of a run with other values in one of its tables; a change of anything else would show what was
/// not simulated. Keys that start with `also` may change too, where it is given. Throws Error(usage) for
/// other keys; `example` is one that could be changed.
Scene changed_scene(const std::string& run, std::span<const std::string> changes, std::string_view table,
                    std::string_view example, std::string_view also = {});

}  // namespace repose::command
