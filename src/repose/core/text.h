#pragma once
// Small pieces of text that people read: the nearest known word, quantities with a fitting unit.

#include <span>
#include <string>
#include <string_view>

namespace repose {

/// The known word closest to `word` (Damerau-Levenshtein), or "" where none is close enough to be a likely
/// slip.
std::string nearest_word(std::string_view word, std::span<const std::string_view> known);

std::string format_bytes(double bytes);      ///< "3.2 GiB"
std::string format_count(double count);      ///< "12,345", "1.25 M"
std::string format_seconds(double seconds);  ///< "850 ms", "12.3 s", "4 min 05 s", "2 h 10 min", "3 days"

}  // namespace repose
