#include "repose/core/text_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr std::uintmax_t kLargestFile = 8ULL << 30U;  // [bytes]
constexpr std::string_view kSpaces = " \t\r";

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

}  // namespace

void fail_at_line(std::size_t line, const std::string& message) {
  fail(fmt::format("line {}: {}", line, message));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::optional<std::string_view> LineReader::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return trimmed(line);
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kSpaces));
  line.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> split(std::string_view line, bool at_commas) {
  std::vector<std::string_view> parts;
  if (!at_commas) {
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line))
      parts.push_back(word);
    return parts;
  }
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(','), line.size());
    parts.push_back(trimmed(line.substr(0, end)));
    const bool had_comma = end < line.size();
    line.remove_prefix(std::min(end + 1, line.size()));
    if (had_comma && line.empty()) parts.emplace_back();
  }
  return parts;
}

double parse_number(std::string_view text, std::size_t line) {
  const std::string_view whole = text;
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    fail_at_line(line, fmt::format("'{}' is not a finite number", whole.substr(0, 40)));
  return value;
}

std::string read_whole_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) fail("there is no such file");
  // A device or a pipe may never end.
  if (!std::filesystem::is_regular_file(path, error)) fail("this is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail("it cannot be read: " + error.message());
  if (size > kLargestFile) fail("it is larger than 8 GiB");
  std::ifstream in(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!in || (size > 0 && !in.read(bytes.data(), static_cast<std::streamsize>(size))))
    fail("it cannot be read");
  return bytes;
}

}  // namespace repose
