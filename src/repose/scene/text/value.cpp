#include "repose/scene/text/value.h"

#include <fmt/format.h>

namespace repose::scene_file {

const Entry* Value::find(std::string_view key) const {
  if (const Table* entries = table())
    for (const Entry& entry : *entries)
      if (entry.key == key) return &entry;
  return nullptr;
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string out;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // Cut between characters only, never inside one.
    if (out.size() >= longest && (byte & 0xC0U) != 0x80U) break;
    if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += static_cast<char>(byte);
  }
  return i < text.size() ? out + "..." : out;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text)); }

std::string describe(const Value& value) {
  struct Words {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(const std::string& s) const { return fmt::format("\"{}\"", printable(s)); }
    std::string operator()(const List& l) const {
      return l.empty() ? "an empty list" : fmt::format("a list of {}", l.size());
    }
    std::string operator()(const Table&) const { return "a table"; }
    std::string operator()(Date) const { return "a date"; }
  };
  return std::visit(Words{}, value.content);
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace repose::scene_file
