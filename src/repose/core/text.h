#pragma once
// Small pieces of text that people read: the nearest known word, quantities with a fitting unit.

#include <span>
#include <string>
#include <string_view>

namespace repose {

/// The known word closest to `word` (Damerau-Levenshtein), or "" where none is close enough to be a likely
/// slip.
std::string nearest_word(std::string_view word, std::span<const std::string_view> known);

/// Text as it may go to a terminal, whoever wrote it: control characters but the line end and the tab are
/// shown as \x1b, and so are those of the upper half (U+0080 to U+009F) and bytes that are no UTF-8.
std::string printable_text(std::string_view text);

std::string format_bytes(double bytes);      ///< "3.2 GiB"
std::string format_count(double count);      ///< "12,345", "1.25 M"
std::string format_seconds(double seconds);  ///< "850 ms", "12.3 s", "4 min 05 s", "2 h 10 min", "3 days"

}  // namespace repose
