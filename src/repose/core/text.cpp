#include "repose/core/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace repose {
namespace {

/// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours cost one
/// each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string print(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t kLongestWord = 64;
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

std::string format_bytes(double bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  if (bytes >= 1e5) return print("%.3g ", bytes) + kUnits[unit];
  return print(unit == 0 ? "%.0f " : "%.1f ", bytes) + kUnits[unit];
}

std::string format_count(double count) {
  if (count >= 1e12) return print("%.3g", count);
  if (count >= 1e6) return print("%.2f M", count / 1e6);
  std::string digits = print("%.0f", count);
  for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > (digits[0] == '-' ? 1 : 0);
       i -= 3)
    digits.insert(static_cast<std::size_t>(i), 1, ',');
  return digits;
}

namespace {

/// How many bytes the UTF-8 character at the front takes; 0 where it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                       ? 1
                             : byte(0) >= 0xC2 && byte(0) < 0xE0  ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0  ? 3
                             : byte(0) >= 0xF0 && byte(0) <= 0xF4 ? 4
                                                                  : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

}  // namespace

std::string printable_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length != 0 && !is_control(character)) {
      out += character;
    } else {
      for (const char c : character) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += escaped;
      }
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 1) return print("%.0f ms", seconds * 1e3);
  if (seconds < 60) return print("%.1f s", seconds);
  constexpr double kDay = 24 * 3600, kYear = 365.25 * kDay;
  if (seconds >= 1000 * kYear) return print("%.2g years", seconds / kYear);
  if (seconds >= 2 * kYear) return print("%.0f years", seconds / kYear);
  if (seconds >= 2 * kDay) return print("%.0f days", seconds / kDay);
  const auto whole = std::llround(seconds);
  char text[64];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
  } else {
    const long long minutes = (whole + 30) / 60;
    std::snprintf(text, sizeof text, "%lld h %02lld min", minutes / 60, minutes % 60);
  }
  return text;
}

}  // namespace repose
