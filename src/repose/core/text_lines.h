#pragma once
// Text files line by line: lines with their number, words, numbers. What does not fit throws Error(bad_scene)
// with the line and without the path, which the caller knows.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

[[noreturn]] void fail_at_line(std::size_t line, const std::string& message);

/// Without spaces, tabs and carriage returns on both sides.
std::string_view trimmed(std::string_view text);

/// Takes lines off a text, and counts them from 1.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  /// The next line, trimmed; nothing at the end.
  std::optional<std::string_view> next();
  std::size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Takes the next word off a line, up to spaces; empty where there is none.
std::string_view take_word(std::string_view& line);

/// Parts of a line: between commas, or between runs of spaces.
std::vector<std::string_view> split(std::string_view line, bool at_commas);

/// The whole text as a finite number.
double parse_number(std::string_view text, std::size_t line);

/// The bytes of a file. Throws Error(bad_scene) with what went wrong, without the path.
std::string read_whole_file(const std::string& path);

}  // namespace repose
