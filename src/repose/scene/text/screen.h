#pragma once
// A first look at the text of a scene, before the TOML parser sees it. toml++ 3.3 does not survive some bad
// input: a key of very many dotted parts overflows the stack, and a character outside ASCII reaches code
// marked unreachable wherever the parser asks whether it is white space, which it does in bare keys, in
// broken values, and even in long strings after a backslash. So the size, dots and brackets are bounded here,
// characters outside ASCII are refused outside text and comments, and those within are written as escapes:
// the parser sees ASCII only.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repose/scene/text/value.h"

namespace repose::scene_file {

/// Longer texts are refused [bytes].
inline constexpr std::size_t kLargestText = 8U << 20U;

struct ScreenProblem {
  Place place;
  std::string message;
};

/// A text that means the same in ASCII.
struct ScreenedText {
  struct Shift {
    int line, column;  ///< in the ASCII text: what follows there on this line ...
    int extra;  ///< ... stands this much farther right than in the original, all shifts before included
  };
  std::string ascii;
  std::vector<Shift> shifts;  ///< in the order of the text
  std::optional<ScreenProblem> problem;

  /// Where a place of the ASCII text is in the original.
  Place original(int line, int column) const;
};

ScreenedText screen_text(std::string_view text);

}  // namespace repose::scene_file
