#include "repose/geometry/mesh/heightfield.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/text_lines.h"

namespace repose {
namespace {

constexpr std::size_t kMostPoints = 100'000'000;
constexpr double kHighest = 1e15;

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

struct Header {
  double columns = 0, rows = 0, cell_size = 0;  ///< 0: not given
  std::optional<double> no_data;
};

/// Takes a line "name value" of the header; false where the line is none.
bool take_header_line(std::string_view line, std::size_t number, Header& header) {
  if (line.empty() || std::isalpha(static_cast<unsigned char>(line.front())) == 0) return false;
  std::string name(take_word(line).substr(0, 40));
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "nan" || name == "inf") return false;
  const double value = parse_number(trimmed(line), number);
  const auto need_positive = [&] {
    if (!(value > 0)) fail_at_line(number, fmt::format("{} must be more than 0, not {}", name, value));
  };
  if (name == "ncols" || name == "nrows") {
    need_positive();
    (name == "ncols" ? header.columns : header.rows) = value;
  } else if (name == "cellsize") {
    need_positive();
    header.cell_size = value;
  } else if (name == "nodata_value") {
    header.no_data = value;
  } else if (!name.starts_with("xll") && !name.starts_with("yll")) {
    fail_at_line(number, fmt::format("'{}' is not known in the header of a height field", name));
  }
  return true;
}

void take_row(std::string_view line, std::size_t number, const Header& header, HeightGrid& grid) {
  std::size_t count = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) continue;
    const double height = parse_number(word, number);
    if (header.no_data && height == *header.no_data)
      fail_at_line(number, fmt::format("value {} of the row is the no-data value {}: fill the holes first",
                                       count + 1, height));
    if (std::abs(height) > kHighest) fail_at_line(number, "a height is beyond 1e15");
    if (grid.heights.size() == kMostPoints) fail_at_line(number, "more than 100 million heights");
    grid.heights.push_back(height);
    ++count;
  }
  if (grid.rows == 0) grid.columns = count;
  if (count != grid.columns)
    fail_at_line(number, fmt::format("{} heights in this row, {} in the first: all rows have the same", count,
                                     grid.columns));
  ++grid.rows;
}

}  // namespace

HeightGrid parse_height_grid(std::string_view text) {
  HeightGrid grid;
  Header header;
  LineReader lines(text);
  while (const auto line = lines.next()) {
    if (line->empty() || line->front() == '#') continue;
    if (grid.rows == 0 && take_header_line(*line, lines.number(), header)) continue;
    take_row(*line, lines.number(), header, grid);
  }
  if (grid.rows < 2 || grid.columns < 2)
    fail(fmt::format("{} rows of {} heights; at least 2 of 2 are needed", grid.rows, grid.columns));
  if ((header.columns > 0 && header.columns != static_cast<double>(grid.columns)) ||
      (header.rows > 0 && header.rows != static_cast<double>(grid.rows)))
    fail(fmt::format("the header says {} columns and {} rows, but there are {} and {}", header.columns,
                     header.rows, grid.columns, grid.rows));
  grid.cell_size = header.cell_size;
  return grid;
}

MeshData make_heightfield(const HeightGrid& grid, const HeightfieldSize& size) {
  const auto w = static_cast<std::uint32_t>(grid.columns), h = static_cast<std::uint32_t>(grid.rows);
  MeshData mesh;
  double lowest = std::numeric_limits<double>::infinity();
  for (std::uint32_t r = 0; r < h; ++r)
    for (std::uint32_t c = 0; c < w; ++c) {
      const double z = size.size.z * grid.at(c, r);
      mesh.positions.emplace_back(size.size.x * (static_cast<double>(c) / (w - 1) - 0.5),
                                  size.size.y * (0.5 - static_cast<double>(r) / (h - 1)), z);
      lowest = std::min(lowest, z);
    }
  const auto point = [w](std::uint32_t c, std::uint32_t r) { return r * w + c; };
  for (std::uint32_t r = 0; r + 1 < h; ++r)
    for (std::uint32_t c = 0; c + 1 < w; ++c) {
      // Counter-clockwise from above, beginning at the near left.
      const std::uint32_t a = point(c, r + 1), b = point(c + 1, r + 1), d = point(c, r), e = point(c + 1, r);
      const double rising = (mesh.positions[e] - mesh.positions[a]).length(),
                   falling = (mesh.positions[d] - mesh.positions[b]).length();
      if (rising <= falling) {
        mesh.triangles.push_back({a, b, e});
        mesh.triangles.push_back({a, e, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, e, d});
      }
    }
  // Around the rim counter-clockwise seen from above; below each point of it one of the bottom's rim.
  std::vector<std::uint32_t> rim;
  for (std::uint32_t c = 0; c + 1 < w; ++c) rim.push_back(point(c, h - 1));
  for (std::uint32_t r = h - 1; r > 0; --r) rim.push_back(point(w - 1, r));
  for (std::uint32_t c = w - 1; c > 0; --c) rim.push_back(point(c, 0));
  for (std::uint32_t r = 0; r + 1 < h; ++r) rim.push_back(point(0, r));
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const auto n = static_cast<std::uint32_t>(rim.size());
  const double bottom = lowest - size.base;
  for (const std::uint32_t v : rim)
    mesh.positions.emplace_back(mesh.positions[v].x, mesh.positions[v].y, bottom);
  mesh.positions.emplace_back(0, 0, bottom);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.triangles.push_back({rim[i], first + i, first + j});
    mesh.triangles.push_back({rim[i], first + j, rim[j]});
    mesh.triangles.push_back({first + j, first + i, first + n});
  }
  return mesh;
}

}  // namespace repose
