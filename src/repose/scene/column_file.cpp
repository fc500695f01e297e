#include "repose/scene/column_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr std::uintmax_t kLargestFile = 8ULL << 30U;  // [bytes]

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }
[[noreturn]] void fail_at(std::size_t line, const std::string& message) {
  fail(fmt::format("line {}: {}", line, message));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes lines off a text, and counts them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return trimmed(line);
  }
  std::size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Parts of a line: between commas, or between runs of spaces.
std::vector<std::string_view> split(std::string_view line, bool at_commas) {
  std::vector<std::string_view> parts;
  while (!line.empty()) {
    const std::size_t end = std::min(at_commas ? line.find(',') : line.find_first_of(" \t"), line.size());
    parts.push_back(trimmed(line.substr(0, end)));
    const bool had_comma = at_commas && end < line.size();
    line.remove_prefix(std::min(end + 1, line.size()));
    if (!at_commas) line = trimmed(line);
    if (had_comma && line.empty()) parts.emplace_back();
  }
  return parts;
}

double parse_number(std::string_view text, std::size_t line) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    fail_at(line, fmt::format("'{}' is not a finite number", text.substr(0, 40)));
  return value;
}

/// Which column of the file goes where: index into the wanted ones, or -1.
struct Layout {
  std::vector<int> target;
  Columns columns;

  void add(std::string_view name, std::span<const std::string_view> wanted) {
    const bool take = std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    if (take && columns.find(name) != nullptr) fail(fmt::format("column '{}' stands twice", name));
    target.push_back(take ? static_cast<int>(columns.names.size()) : -1);
    if (!take) return;
    columns.names.emplace_back(name);
    columns.values.emplace_back();
  }
  void put(std::size_t column, double value) {
    if (target[column] >= 0) columns.values[static_cast<std::size_t>(target[column])].push_back(value);
  }
};

void read_text_row(const std::vector<std::string_view>& parts, Layout& layout, std::size_t line) {
  if (parts.size() != layout.target.size())
    fail_at(line, fmt::format("{} values, but there are {} columns", parts.size(), layout.target.size()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (layout.target[i] >= 0) layout.put(i, parse_number(parts[i], line));
}

Columns read_csv(std::string_view text, std::span<const std::string_view> wanted) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Lines lines(text);
  Layout layout;
  const auto header = lines.next();
  if (!header) fail("the file is empty");
  for (const std::string_view name : split(*header, true)) layout.add(name, wanted);
  while (const auto line = lines.next())
    if (!line->empty()) read_text_row(split(*line, true), layout, lines.number());
  return std::move(layout.columns);
}

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };
constexpr std::array<std::size_t, 8> kPlySizes{1, 1, 2, 2, 4, 4, 4, 8};

PlyType ply_type(std::string_view name, std::size_t line) {
  constexpr std::array<std::array<std::string_view, 2>, 8> kNames{{{"char", "int8"},
                                                                   {"uchar", "uint8"},
                                                                   {"short", "int16"},
                                                                   {"ushort", "uint16"},
                                                                   {"int", "int32"},
                                                                   {"uint", "uint32"},
                                                                   {"float", "float32"},
                                                                   {"double", "float64"}}};
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i][0] || name == kNames[i][1]) return static_cast<PlyType>(i);
  fail_at(line, fmt::format("'{}' is not a number type of PLY", name.substr(0, 40)));
}

template <class T>
double load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double load_ply_value(PlyType type, const char* bytes) {
  switch (type) {
    case PlyType::i8:
      return load<std::int8_t>(bytes);
    case PlyType::u8:
      return load<std::uint8_t>(bytes);
    case PlyType::i16:
      return load<std::int16_t>(bytes);
    case PlyType::u16:
      return load<std::uint16_t>(bytes);
    case PlyType::i32:
      return load<std::int32_t>(bytes);
    case PlyType::u32:
      return load<std::uint32_t>(bytes);
    case PlyType::f32:
      return load<float>(bytes);
    case PlyType::f64:
      return load<double>(bytes);
  }
  return 0;
}

struct PlyHeader {
  bool binary = false;
  std::size_t rows = 0;
  std::vector<PlyType> types;
  Layout layout;
};

/// The header up to end_header; the vertices must be the first element, what follows them is passed over.
PlyHeader read_ply_header(Lines& lines, std::span<const std::string_view> wanted) {
  PlyHeader header;
  int element = -1;
  bool has_format = false;
  while (const auto line = lines.next()) {
    const auto words = split(*line, false);
    if (words.empty() || words[0] == "ply" || words[0] == "comment" || words[0] == "obj_info") continue;
    if (words[0] == "end_header") {
      if (!has_format || element < 0)
        fail_at(lines.number(), "the PLY header names no format or no vertices");
      return header;
    }
    if (words[0] == "format" && words.size() == 3) {
      header.binary = words[1] == "binary_little_endian";
      if (!header.binary && words[1] != "ascii")
        fail_at(lines.number(), "only the PLY formats ascii and binary_little_endian are read");
      has_format = true;
    } else if (words[0] == "element" && words.size() == 3) {
      if (++element == 0 && words[1] != "vertex")
        fail_at(lines.number(), "the first element must be 'vertex'");
      const double count = parse_number(words[2], lines.number());
      if (count < 0 || count > 4e9) fail_at(lines.number(), "an impossible count");
      if (element == 0) header.rows = static_cast<std::size_t>(count);
    } else if (words[0] == "property" && element == 0) {
      if (words.size() != 3) fail_at(lines.number(), "a vertex property must be one number");
      header.types.push_back(ply_type(words[1], lines.number()));
      header.layout.add(words[2], wanted);
    } else if (words[0] != "property" || element < 0) {
      fail_at(lines.number(), "this line does not belong into a PLY header");
    }
  }
  fail("the PLY header has no end");
}

Columns read_ply(std::string_view text, std::span<const std::string_view> wanted) {
  Lines lines(text);
  PlyHeader header = read_ply_header(lines, wanted);
  if (!header.binary) {
    for (std::size_t row = 0; row < header.rows; ++row) {
      const auto line = lines.next();
      if (!line) fail(fmt::format("the file ends after {} of {} vertices", row, header.rows));
      read_text_row(split(*line, false), header.layout, lines.number());
    }
    return std::move(header.layout.columns);
  }
  std::size_t row_size = 0;
  for (const PlyType type : header.types) row_size += kPlySizes[static_cast<std::size_t>(type)];
  const std::string_view data = lines.rest();
  if (row_size == 0 || data.size() / row_size < header.rows)
    fail(fmt::format("the file ends before its {} vertices do", header.rows));
  const char* at = data.data();
  for (std::size_t row = 0; row < header.rows; ++row)
    for (std::size_t column = 0; column < header.types.size(); ++column) {
      const double value = load_ply_value(header.types[column], at);
      if (header.layout.target[column] >= 0 && !std::isfinite(value))
        fail(fmt::format("vertex {} holds a number that is not finite", row));
      header.layout.put(column, value);
      at += kPlySizes[static_cast<std::size_t>(header.types[column])];
    }
  return std::move(header.layout.columns);
}

}  // namespace

const std::vector<double>* Columns::find(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : &values[static_cast<std::size_t>(at - names.begin())];
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

Columns read_columns(const std::string& path, std::span<const std::string_view> wanted) {
  const std::string bytes = read_whole_file(path);
  const std::string_view text = bytes;
  const bool is_ply = text.starts_with("ply\n") || text.starts_with("ply\r\n");
  return is_ply ? read_ply(text, wanted) : read_csv(text, wanted);
}

std::vector<double> read_number_lines(const std::string& path, std::size_t count) {
  const std::string bytes = read_whole_file(path);
  Lines lines(bytes);
  std::vector<double> numbers;
  while (const auto line = lines.next()) {
    if (line->empty() || line->front() == '#') continue;
    std::string row(*line);
    std::replace(row.begin(), row.end(), ',', ' ');
    const auto parts = split(trimmed(row), false);
    if (parts.size() != count)
      fail_at(lines.number(), fmt::format("{} numbers instead of {}", parts.size(), count));
    for (const std::string_view part : parts) numbers.push_back(parse_number(part, lines.number()));
  }
  return numbers;
}

}  // namespace repose
