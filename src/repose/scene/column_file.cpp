#include "repose/scene/column_file.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/ply_reader.h"
#include "repose/core/text_lines.h"

namespace repose {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

/// Without the mark that some programs set before UTF-8.
std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
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
    fail_at_line(line,
                 fmt::format("{} values, but there are {} columns", parts.size(), layout.target.size()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (layout.target[i] >= 0) layout.put(i, parse_number(parts[i], line));
}

Columns read_csv(std::string_view text, std::span<const std::string_view> wanted) {
  LineReader lines(without_mark(text));
  Layout layout;
  const auto header = lines.next();
  if (!header) fail("the file is empty");
  for (const std::string_view name : split(*header, true)) layout.add(name, wanted);
  while (const auto line = lines.next())
    if (!line->empty()) read_text_row(split(*line, true), layout, lines.number());
  return std::move(layout.columns);
}

/// The columns of the element 'vertex'; what else the file holds is passed over.
Columns read_ply_vertices(std::string_view bytes, std::span<const std::string_view> wanted) {
  PlyReader reader(bytes, [&](std::string_view element, std::string_view property) {
    return element == "vertex" && std::find(wanted.begin(), wanted.end(), property) != wanted.end();
  });
  Columns columns;
  for (const PlyElement& element : reader.elements()) {
    if (element.name != "vertex") {
      reader.read_next([](const PlyRow&) {});
      continue;
    }
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (property.wanted && property.count_type) fail("a vertex property must be one number");
      if (!property.wanted) continue;
      places.push_back(i);
      columns.names.push_back(property.name);
    }
    columns.values.resize(places.size());
    reader.read_next([&](const PlyRow& row) {
      for (std::size_t c = 0; c < places.size(); ++c) columns.values[c].push_back(row.values[places[c]][0]);
    });
    return columns;
  }
  fail("the PLY file has no vertices");
}

}  // namespace

const std::vector<double>* Columns::find(std::string_view name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : &values[static_cast<std::size_t>(at - names.begin())];
}

Columns read_columns(const std::string& path, std::span<const std::string_view> wanted) {
  const std::string bytes = read_whole_file(path);
  const std::string_view text = bytes;
  return PlyReader::is_ply(text) ? read_ply_vertices(text, wanted) : read_csv(text, wanted);
}

std::vector<double> read_number_lines(const std::string& path, std::span<const std::string_view> names) {
  const std::string bytes = read_whole_file(path);
  LineReader lines(without_mark(bytes));
  std::vector<double> numbers;
  bool is_first = true;
  while (const auto line = lines.next()) {
    std::string row(line->substr(0, line->find('#')));
    std::replace(row.begin(), row.end(), ',', ' ');
    const auto parts = split(trimmed(row), false);
    if (parts.empty()) continue;
    if (std::exchange(is_first, false) && std::equal(parts.begin(), parts.end(), names.begin(), names.end()))
      continue;
    if (parts.size() != names.size())
      fail_at_line(lines.number(), fmt::format("{} numbers instead of {}: {}", parts.size(), names.size(),
                                               fmt::join(names, " ")));
    for (const std::string_view part : parts) numbers.push_back(parse_number(part, lines.number()));
  }
  return numbers;
}

}  // namespace repose
