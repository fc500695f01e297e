#pragma once
// What a scene file says, before anyone asks what it means: a tree of values that know where they stand. It
// keeps toml++ in one file, keeps the order of the file, and lets `--set` change the tree before it is read.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace repose::scene_file {

/// Where a key or value was written: in the file, or in one of the `--set` arguments.
struct Place {
  int override_index = -1;  ///< -1: in the file
  int line = 1, column = 1;

  /// The order of the file, then the arguments.
  bool operator<(const Place& other) const {
    return std::tie(override_index, line, column) < std::tie(other.override_index, other.line, other.column);
  }
};

struct Value;
struct Entry;
using List = std::vector<Value>;
using Table = std::vector<Entry>;
struct Date {};  ///< TOML has dates; no key of a scene takes one

struct Value {
  Place place;
  std::variant<bool, std::int64_t, double, std::string, List, Table, Date> content;

  const Table* table() const { return std::get_if<Table>(&content); }
  Table* table() { return std::get_if<Table>(&content); }
  const List* list() const { return std::get_if<List>(&content); }
  const std::string* text() const { return std::get_if<std::string>(&content); }

  /// The entry of a table with this key, or null (also where this is no table).
  const Entry* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Place place;
  Value value;
};

/// Text from a file as it may stand in a message: control characters escaped, long text cut.
std::string printable(std::string_view text, std::size_t longest = 60);
/// The same in single quotes.
std::string in_quotes(std::string_view text);

/// A value in a few words: `-1`, `"abc"`, `a list of 3`, `a table`.
std::string describe(const Value& value);

/// Text as a TOML string, in double quotes.
std::string toml_string(std::string_view text);

}  // namespace repose::scene_file
