#pragma once
// Paragraphs for help texts and lists.

#include <string>
#include <string_view>

namespace repose::command {

/// `left`, then `text` from `column` on, broken into lines before the edge of a screen; with a newline at its
/// end. Where `left` reaches `column` the text starts on the next line.
std::string wrapped(std::string_view left, std::size_t column, std::string_view text);

}  // namespace repose::command
