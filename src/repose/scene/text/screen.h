#pragma once
// A first look at the text of a scene, before the TOML parser sees it. toml++ 3.3 does not survive some bad
// input: a character outside ASCII in a bare key reaches code marked unreachable, and a key of very many
// dotted parts overflows the stack. Both are refused here, with their place.

#include <optional>
#include <string>
#include <string_view>

#include "repose/scene/text/value.h"

namespace repose::scene_file {

struct ScreenProblem {
  Place place;
  std::string message;
};

/// The first thing in the text that must not reach the parser, if there is one.
std::optional<ScreenProblem> screen_text(std::string_view text);

}  // namespace repose::scene_file
