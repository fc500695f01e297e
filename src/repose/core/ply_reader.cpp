#include "repose/core/ply_reader.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr std::array<std::size_t, 8> kSizes{1, 1, 2, 2, 4, 4, 4, 8};
constexpr std::size_t kMostElements = 100, kMostProperties = 1000;

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

std::size_t size_of(PlyType type) { return kSizes[static_cast<std::size_t>(type)]; }

PlyType type_named(std::string_view name, std::size_t line) {
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
  fail_at_line(line, fmt::format("'{}' is not a number type of PLY", name.substr(0, 40)));
}

template <class T>
double load_as(const char* bytes, bool turn) {
  std::array<char, sizeof(T)> raw;
  std::copy_n(bytes, sizeof(T), raw.begin());
  if (turn) std::reverse(raw.begin(), raw.end());
  T value;
  std::memcpy(&value, raw.data(), sizeof(T));
  return static_cast<double>(value);
}

/// A count as a whole number that a file of this size could hold.
std::size_t checked_count(double count, std::size_t file_size) {
  if (!(count >= 0) || count != std::floor(count) || count > 4e9)
    fail(fmt::format("a list of {} items is not possible", count));
  if (count > static_cast<double>(file_size))
    fail(fmt::format("a list claims {} items, more than the file has bytes", count));
  return static_cast<std::size_t>(count);
}

}  // namespace

std::optional<std::size_t> PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i)
    if (properties[i].name == property) return i;
  return std::nullopt;
}

bool PlyReader::is_ply(std::string_view bytes) {
  return bytes.starts_with("ply\n") || bytes.starts_with("ply\r\n");
}

PlyReader::PlyReader(std::string_view bytes,
                     const std::function<bool(std::string_view, std::string_view)>& wanted)
    : file_size_(bytes.size()), lines_(bytes) {
  read_header(wanted);
  data_ = lines_.rest();
}

void PlyReader::read_header(const std::function<bool(std::string_view, std::string_view)>& wanted) {
  bool has_format = false;
  while (const auto line = lines_.next()) {
    const auto words = split(*line, false);
    if (words.empty() || words[0] == "ply" || words[0] == "comment" || words[0] == "obj_info") continue;
    if (words[0] == "end_header") {
      if (!has_format || elements_.empty())
        fail_at_line(lines_.number(), "the PLY header names no format or no elements");
      return;
    }
    if (words[0] == "format" && words.size() == 3) {
      has_format = true;
      if (words[1] == "binary_little_endian")
        format_ = Format::little_endian;
      else if (words[1] == "binary_big_endian")
        format_ = Format::big_endian;
      else if (words[1] != "ascii")
        fail_at_line(lines_.number(), fmt::format("'{}' is not a format of PLY: ascii, binary_little_endian "
                                                  "or binary_big_endian",
                                                  words[1].substr(0, 40)));
    } else if (words[0] == "element" && words.size() == 3) {
      const double count = parse_number(words[2], lines_.number());
      if (count < 0 || count > 4e9 || count != std::floor(count))
        fail_at_line(lines_.number(), "an impossible count");
      if (elements_.size() == kMostElements) fail_at_line(lines_.number(), "too many elements");
      elements_.push_back({std::string(words[1]), static_cast<std::size_t>(count), {}});
    } else if (words[0] == "property" && !elements_.empty()) {
      add_property(words, wanted);
    } else {
      fail_at_line(lines_.number(), "this line does not belong into a PLY header");
    }
  }
  fail("the PLY header has no end");
}

void PlyReader::add_property(const std::vector<std::string_view>& words,
                             const std::function<bool(std::string_view, std::string_view)>& wanted) {
  const bool is_list = words.size() == 5 && words[1] == "list";
  if (!is_list && words.size() != 3)
    fail_at_line(lines_.number(), "a property is a type and a name, or 'list', two types and a name");
  PlyElement& element = elements_.back();
  if (element.properties.size() == kMostProperties) fail_at_line(lines_.number(), "too many properties");
  PlyProperty property;
  property.name = words.back();
  property.type = type_named(words[is_list ? 3 : 1], lines_.number());
  if (is_list) property.count_type = type_named(words[2], lines_.number());
  property.wanted = wanted(element.name, property.name);
  if (property.wanted && element.find(property.name))
    fail(fmt::format("column '{}' stands twice", property.name.substr(0, 40)));
  element.properties.push_back(std::move(property));
}

void PlyReader::read_next(const std::function<void(const PlyRow&)>& take) {
  assert(next_ < elements_.size());
  const PlyElement& element = elements_[next_++];
  if (element.properties.empty()) {
    if (element.count > 0) fail(fmt::format("the element '{}' has no property", element.name.substr(0, 40)));
    return;
  }
  // Even a row of empty lists takes a byte for each count, and a row of text its line.
  const std::size_t left = format_ == Format::text ? lines_.rest().size() : data_.size();
  if (element.count > left)
    fail(fmt::format("the file ends before its {} rows of '{}' do", element.count,
                     element.name.substr(0, 40)));
  PlyRow row;
  row.values.resize(element.properties.size());
  for (row.index = 0; row.index < element.count; ++row.index) {
    for (auto& values : row.values) values.clear();
    if (format_ == Format::text)
      read_text_row(element, row);
    else
      read_binary_row(element, row);
    take(row);
  }
}

void PlyReader::read_text_row(const PlyElement& element, PlyRow& row) {
  const auto line = lines_.next();
  if (!line)
    fail(fmt::format("the file ends after {} of {} rows of '{}'", row.index, element.count,
                     element.name.substr(0, 40)));
  row.line = lines_.number();
  std::string_view rest = *line;
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    std::size_t count = 1;
    if (property.count_type) {
      const double claimed = parse_number(take_word(rest), row.line);
      if (!(claimed >= 0) || claimed > static_cast<double>(rest.size()))
        fail_at_line(row.line, fmt::format("a list of {} items does not fit into this line", claimed));
      count = static_cast<std::size_t>(claimed);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::string_view word = take_word(rest);
      if (word.empty())
        fail_at_line(row.line,
                     fmt::format("fewer values than the header says for '{}'", element.name.substr(0, 40)));
      if (property.wanted) row.values[i].push_back(parse_number(word, row.line));
    }
  }
  if (!trimmed(rest).empty())
    fail_at_line(row.line,
                 fmt::format("more values than the header says for '{}'", element.name.substr(0, 40)));
}

void PlyReader::read_binary_row(const PlyElement& element, PlyRow& row) {
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    const PlyProperty& property = element.properties[i];
    std::size_t count = 1;
    if (property.count_type) {
      const auto bytes = take_bytes(element, row.index, size_of(*property.count_type));
      count = checked_count(load(*property.count_type, bytes.data()), file_size_);
    }
    const std::size_t size = size_of(property.type);
    const std::string_view bytes = take_bytes(element, row.index, count * size);
    if (!property.wanted) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const double value = load(property.type, bytes.data() + k * size);
      if (!std::isfinite(value))
        fail(fmt::format("{} {} holds a number that is not finite (byte {})", element.name.substr(0, 40),
                         row.index, file_size_ - data_.size() - (count - k) * size));
      row.values[i].push_back(value);
    }
  }
}

std::string_view PlyReader::take_bytes(const PlyElement& element, std::size_t row, std::size_t count) {
  if (count > data_.size())
    fail(fmt::format("the file ends in row {} of {} of '{}' (byte {})", row, element.count,
                     element.name.substr(0, 40), file_size_ - data_.size()));
  const std::string_view taken = data_.substr(0, count);
  data_.remove_prefix(count);
  return taken;
}

double PlyReader::load(PlyType type, const char* bytes) const {
  const bool turn = format_ == Format::big_endian;
  switch (type) {
    case PlyType::i8:
      return load_as<std::int8_t>(bytes, turn);
    case PlyType::u8:
      return load_as<std::uint8_t>(bytes, turn);
    case PlyType::i16:
      return load_as<std::int16_t>(bytes, turn);
    case PlyType::u16:
      return load_as<std::uint16_t>(bytes, turn);
    case PlyType::i32:
      return load_as<std::int32_t>(bytes, turn);
    case PlyType::u32:
      return load_as<std::uint32_t>(bytes, turn);
    case PlyType::f32:
      return load_as<float>(bytes, turn);
    case PlyType::f64:
      return load_as<double>(bytes, turn);
  }
  return 0;
}

}  // namespace repose
