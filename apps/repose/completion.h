#pragma once
// Shell completion: scripts for bash, zsh and fish, written from what the verbs declare with Arguments. So
// they know each option that the command knows.

#include <span>
#include <string>
#include <string_view>

#include "arguments.h"

namespace repose::command {

/// The shells that there are scripts for.
std::span<const std::string_view> completion_shells();

/// `shell` is one of completion_shells().
std::string completion_script(std::string_view shell, std::span<const VerbDescription> verbs);

}  // namespace repose::command
