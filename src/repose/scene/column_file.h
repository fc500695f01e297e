#pragma once
// Files with a row for each thing and columns with names: CSV with a header line, and the vertices of a PLY
// (text or binary). Also plain text with a fixed count of numbers a line.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

struct Columns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;  ///< one vector a name, all of the same length

  std::size_t row_count() const { return values.empty() ? 0 : values[0].size(); }
  /// The column of this name, or null.
  const std::vector<double>* find(std::string_view name) const;
};

/// Reads the columns named in `wanted`, as many of them as there are; others are passed over. Throws
/// Error(bad_scene) with the line, without the path, where the file is not as it should be. Values are
/// finite.
Columns read_columns(const std::string& path, std::span<const std::string_view> wanted);

/// Rows of as many numbers as there are names, divided by spaces or commas. Passed over: empty lines, what
/// stands behind a #, and a first line that holds just the names. Throws as above.
std::vector<double> read_number_lines(const std::string& path, std::span<const std::string_view> names);

}  // namespace repose
