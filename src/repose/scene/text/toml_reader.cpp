#include "repose/scene/text/toml_reader.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

// toml++ asserts on bad input, which would end the process in builds with assertions; without, the proper
// parse error comes.
#define TOML_ASSERT(x) static_cast<void>(0)
#include <toml++/toml.h>

#include "repose/scene/text/screen.h"

namespace repose::scene_file {
namespace {

/// Makes our tree from toml++'s, with places of the original text.
class Converter {
 public:
  Converter(const ScreenedText& text, int override_index) : text_(text), override_index_(override_index) {}

  Value convert(const toml::node& node) const {
    Value value{place_of(node.source()), Date{}};
    if (const auto* table = node.as_table()) {
      value.content = convert_table(*table);
    } else if (const auto* array = node.as_array()) {
      List items;
      items.reserve(array->size());
      for (auto&& item : *array) items.push_back(convert(item));
      value.content = std::move(items);
    } else if (const auto* text = node.as_string()) {
      value.content = text->get();
    } else if (const auto* integer = node.as_integer()) {
      value.content = integer->get();
    } else if (const auto* number = node.as_floating_point()) {
      value.content = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      value.content = boolean->get();
    }
    return value;
  }

 private:
  Place place_of(const toml::source_region& source) const {
    if (override_index_ >= 0) return {override_index_, 1, 1};
    return text_.original(static_cast<int>(source.begin.line), static_cast<int>(source.begin.column));
  }

  Table convert_table(const toml::table& table) const {
    Table entries;
    entries.reserve(table.size());
    for (auto&& [key, node] : table)
      entries.push_back({std::string(key.str()), place_of(key.source()), convert(node)});
    // toml++ keeps tables by name; the order of the file is the one that counts.
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.place < b.place; });
    return entries;
  }

  const ScreenedText& text_;
  int override_index_;
};

struct SyntaxProblem {
  Place place;
  std::string message;
};

bool is_bare_text(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || std::string_view(" _-./").find(c) != std::string_view::npos;
  });
}

/// A value on a line: its text and where that begins.
struct WrittenValue {
  std::string_view text;
  std::size_t begin = 0;
};

/// The value around a column of a line (from 0), cut off at commas and brackets outside quotes.
WrittenValue value_at(std::string_view line, std::size_t column) {
  std::size_t begin = 0;
  char quote = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const char c = i < line.size() ? line[i] : '#';
    if (quote == 0 && std::string_view("=,[]{}#").find(c) != std::string_view::npos) {
      if (i >= column && c != '=') {
        line = line.substr(begin, i - begin);
        break;
      }
      begin = i + 1;
      if (c == '#') return {};
    }
    if (quote != 0 ? c == quote : (c == '"' || c == '\'')) quote = quote != 0 ? '\0' : c;
  }
  const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return {line.substr(first, last + 1 - first), begin + first};
}

/// What is wrong at this place (from 1) where a value is a bare word; toml++ says what it expected instead of
/// the word's first letters.
std::optional<SyntaxProblem> find_bare_word(const ScreenedText& screened, int line_number, int column) {
  std::string_view line = screened.ascii;
  for (int i = 1; i < line_number; ++i) line.remove_prefix(std::min(line.find('\n') + 1, line.size()));
  line = line.substr(0, line.find('\n'));
  const std::size_t start = line.find_first_not_of(" \t");
  if (column < 1 || start == std::string_view::npos) return std::nullopt;
  const bool is_header = line[start] == '[' && line.find('=') == std::string_view::npos;
  const WrittenValue value = value_at(line, static_cast<std::size_t>(column - 1));
  if (is_header || !is_bare_text(value.text)) return std::nullopt;
  std::string lower(value.text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == value.text && (lower == "true" || lower == "false" || lower == "inf" || lower == "nan"))
    return std::nullopt;
  const Place place = screened.original(line_number, static_cast<int>(value.begin) + 1);
  if (lower == "true" || lower == "false" || lower == "inf" || lower == "nan")
    return SyntaxProblem{place, fmt::format("{} is written in lower case: {}", value.text, lower)};
  return SyntaxProblem{
      place,
      printable(fmt::format("{} is text, and text stands in quotes: \"{}\"", value.text, value.text), 400)};
}

/// The tree of a text, or what is wrong with it.
std::variant<Value, SyntaxProblem> parse(std::string_view text, int override_index) {
  const ScreenedText screened = screen_text(text);
  if (screened.problem) return SyntaxProblem{screened.problem->place, screened.problem->message};
  try {
    return Converter(screened, override_index).convert(toml::parse(screened.ascii));
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    const bool is_of_key = error.description().find("expected '='") != std::string_view::npos;
    const auto bare = find_bare_word(screened, static_cast<int>(place.line), static_cast<int>(place.column));
    if (bare && !is_of_key) return *bare;
    return SyntaxProblem{screened.original(static_cast<int>(place.line), static_cast<int>(place.column)),
                         printable(error.description(), 400)};
  }
}

/// Where the '=' stands that ends the key of `--set key=value`, outside quotes.
std::size_t end_of_key(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 ? c == quote : (c == '"' || c == '\'')) quote = quote != 0 ? '\0' : c;
    if (c == '=' && quote == 0) return i;
  }
  return std::string_view::npos;
}

/// The value of a `--set`, or nothing and an error in the report.
std::optional<Value> parse_override_value(const std::string& text, int index, Report& report) {
  auto parsed = parse("value = " + text, index);
  if (auto* root = std::get_if<Value>(&parsed); root != nullptr && root->table()->size() == 1)
    return std::move(root->table()->front().value);
  if (is_bare_text(text)) return Value{{index, 1, 1}, text};
  report.add({index, 1, 1}, in_quotes(text) + " is not a TOML value (text goes in quotes)");
  return std::nullopt;
}

/// The parts of a key, or none and an error in the report.
std::vector<std::string> parse_override_key(const std::string& text, int index, Report& report) {
  auto parsed = parse(text + " = 0", index);
  std::vector<std::string> parts;
  if (const auto* root = std::get_if<Value>(&parsed)) {
    const Value* at = root;
    while (at->table() != nullptr && at->table()->size() == 1) {
      parts.push_back(at->table()->front().key);
      at = &at->table()->front().value;
    }
    if (at->table() != nullptr) parts.clear();
  }
  if (parts.empty())
    report.add({index, 1, 1},
               in_quotes(text) + " is not a key (write table.key=value, as in scene.duration=2)");
  return parts;
}

/// The entry of a table with this key; made if it is not there.
Entry& entry_of(Table& table, const std::string& key, int index) {
  for (Entry& entry : table)
    if (entry.key == key) return entry;
  const Place place{index, 1, 1};
  table.push_back({key, place, {place, Table{}}});
  return table.back();
}

void set_value(Value& root, const std::vector<std::string>& parts, Value value, int index, Report& report) {
  Value* at = &root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    at = &entry_of(*at->table(), parts[i], index).value;
    if (at->table() == nullptr) return report.add({index, 1, 1}, in_quotes(parts[i]) + " is not a table");
  }
  Entry& entry = entry_of(*at->table(), parts.back(), index);
  entry.place = {index, 1, 1};
  entry.value = std::move(value);
}

}  // namespace

Value read_toml(std::string_view text, Report& report) {
  auto parsed = parse(text, -1);
  if (const auto* problem = std::get_if<SyntaxProblem>(&parsed)) {
    report.add(problem->place, problem->message);
    report.throw_if_any();
  }
  return std::move(std::get<Value>(parsed));
}

void apply_overrides(Value& root, std::span<const std::string> overrides, Report& report) {
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const int index = static_cast<int>(i);
    const std::size_t equals = end_of_key(overrides[i]);
    if (equals == std::string::npos) {
      report.add({index, 1, 1}, "write key=value, as in scene.duration=2");
      continue;
    }
    const auto parts = parse_override_key(overrides[i].substr(0, equals), index, report);
    if (parts.empty()) continue;
    auto value = parse_override_value(overrides[i].substr(equals + 1), index, report);
    if (value) set_value(root, parts, std::move(*value), index, report);
  }
}

}  // namespace repose::scene_file
