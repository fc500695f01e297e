#include "repose/geometry/mesh/mesh_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/ply_reader.h"
#include "repose/core/text_lines.h"

namespace repose {
namespace {

// Scenes keep to numbers up to 1e15, and so do meshes: squares and cubes of them stay finite.
constexpr double kLargestCoordinate = 1e15;

[[noreturn]] void fail(const std::string& message) { throw Error(ExitCode::bad_scene, message); }

bool is_in_range(const Vec3d& p) {
  // Written so that NaN is out of range.
  return std::abs(p.x) <= kLargestCoordinate && std::abs(p.y) <= kLargestCoordinate &&
         std::abs(p.z) <= kLargestCoordinate;
}

void need_triangles(const MeshData& mesh) {
  if (mesh.triangles.empty()) fail("there are no triangles in it");
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Three numbers at the start of a line.
Vec3d take_point(std::string_view& line, std::size_t number) {
  Vec3d p;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string_view word = take_word(line);
    if (word.empty()) fail_at_line(number, "a vertex needs three coordinates");
    p[axis] = parse_number(word, number);
  }
  if (!is_in_range(p)) fail_at_line(number, "a coordinate is beyond 1e15");
  return p;
}

/// The vertex that a corner of an OBJ face names, such as "7", "7/1/3" or "-2": from 1, or back from the
/// last.
std::uint32_t obj_vertex(std::string_view corner, std::size_t vertex_count, std::size_t line) {
  const std::string_view digits = corner.substr(0, corner.find('/'));
  long long index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size() || index == 0)
    fail_at_line(line, fmt::format("'{}' is not the corner of a face", corner.substr(0, 40)));
  const auto count = static_cast<long long>(vertex_count);
  const long long place = index > 0 ? index - 1 : count + index;
  if (place < 0 || place >= count)
    fail_at_line(line, fmt::format("a face names vertex {}, but {} vertices stand before it", index, count));
  return static_cast<std::uint32_t>(place);
}

/// Joins a line that ends in a backslash with the next.
std::optional<std::string_view> next_joined(LineReader& lines, std::string& joined) {
  auto line = lines.next();
  if (!line || !line->ends_with('\\')) return line;
  joined.clear();
  while (line && line->ends_with('\\')) {
    joined += line->substr(0, line->size() - 1);
    joined += ' ';
    line = lines.next();
  }
  if (line) joined += *line;
  return joined;
}

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < 84) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  if (bytes.size() == 84 + std::size_t{50} * count) return true;
  // Some programs write "solid" into binary files, others a wrong count: text has facets near its start.
  return !bytes.starts_with("solid") || bytes.substr(0, 2000).find("facet") == std::string_view::npos;
}

MeshData parse_binary_stl(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  const std::size_t room = (bytes.size() - 84) / 50;
  if (count > room)
    fail(fmt::format("the header claims {} triangles, but the file has {} bytes: room for {}", count,
                     bytes.size(), room));
  MeshData mesh;
  mesh.positions.reserve(std::size_t{3} * count);
  mesh.triangles.reserve(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    // 12 bytes of normal, which is not used, then three corners.
    const std::size_t start = 84 + std::size_t{50} * t + 12;
    for (std::size_t c = 0; c < 3; ++c) {
      std::array<float, 3> xyz{};
      std::memcpy(xyz.data(), bytes.data() + start + 12 * c, 12);
      const Vec3d p(xyz[0], xyz[1], xyz[2]);
      if (!is_in_range(p))
        fail(fmt::format("triangle {} (byte {}) has a coordinate that is not a number up to 1e15", t,
                         start + 12 * c));
      mesh.positions.push_back(p);
    }
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

MeshData parse_text_stl(std::string_view bytes) {
  MeshData mesh;
  PolygonCutter cutter;
  std::vector<std::uint32_t> loop;
  LineReader lines(bytes);
  while (auto line = lines.next()) {
    const std::string word = lower_case(take_word(*line).substr(0, 16));
    if (word == "vertex") {
      loop.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.push_back(take_point(*line, lines.number()));
    } else if (word == "endloop") {
      if (loop.size() < 3)
        fail_at_line(lines.number(), fmt::format("a facet of {} vertices; it needs 3", loop.size()));
      cutter.cut(loop, mesh);
      loop.clear();
    } else if (!word.empty() && word != "solid" && word != "facet" && word != "outer" && word != "endfacet" &&
               word != "endsolid" && word != "color") {
      fail_at_line(lines.number(), "this line does not belong into an STL file");
    }
  }
  if (!loop.empty()) fail("the file ends within a facet");
  return mesh;
}

/// Whether a property of a PLY mesh is looked at.
bool is_mesh_property(std::string_view element, std::string_view property) {
  if (element == "vertex") return property == "x" || property == "y" || property == "z";
  return (element == "face" || element == "tristrips") &&
         (property == "vertex_indices" || property == "vertex_index");
}

void read_ply_positions(PlyReader& reader, const PlyElement& element, MeshData& mesh) {
  const auto x = element.find("x"), y = element.find("y"), z = element.find("z");
  if (!x || !y || !z) fail("the vertices have no x, y and z");
  for (const auto& place : {x, y, z})
    if (element.properties[*place].count_type) fail("x, y and z must be one number each");
  reader.read_next([&](const PlyRow& row) {
    const Vec3d p(row.values[*x][0], row.values[*y][0], row.values[*z][0]);
    if (!is_in_range(p)) fail(fmt::format("vertex {} has a coordinate beyond 1e15", row.index));
    mesh.positions.push_back(p);
  });
}

std::size_t place_of_indices(const PlyElement& element, std::string_view what) {
  auto place = element.find("vertex_indices");
  if (!place) place = element.find("vertex_index");
  if (!place || !element.properties[*place].count_type)
    fail(fmt::format("the {} have no list 'vertex_indices'", what));
  return *place;
}

std::uint32_t ply_vertex(double index, const PlyRow& row, std::string_view what, const MeshData& mesh) {
  if (!(index >= 0) || index >= static_cast<double>(mesh.positions.size()) || index != std::floor(index))
    fail(fmt::format("{}{} {} names vertex {}, but there are {} vertices, counted from 0",
                     row.line > 0 ? fmt::format("line {}: ", row.line) : "", what, row.index, index,
                     mesh.positions.size()));
  return static_cast<std::uint32_t>(index);
}

void read_ply_faces(PlyReader& reader, const PlyElement& element, MeshData& mesh) {
  const std::size_t place = place_of_indices(element, "faces");
  PolygonCutter cutter;
  std::vector<std::uint32_t> corners;
  reader.read_next([&](const PlyRow& row) {
    corners.clear();
    for (const double index : row.values[place]) corners.push_back(ply_vertex(index, row, "face", mesh));
    cutter.cut(corners, mesh);
  });
}

/// Strips of triangles, as the Stanford models have them: each vertex makes a triangle with the two before
/// it, every other one turned, and -1 ends a strip.
void read_ply_strips(PlyReader& reader, const PlyElement& element, MeshData& mesh) {
  const std::size_t place = place_of_indices(element, "triangle strips");
  reader.read_next([&](const PlyRow& row) {
    std::size_t length = 0;
    std::uint32_t a = 0, b = 0;
    for (const double index : row.values[place]) {
      if (index == -1 || index == 0xFFFFFFFFU) {  // the second where indices have no sign
        length = 0;
        continue;
      }
      const std::uint32_t c = ply_vertex(index, row, "triangle strip", mesh);
      // Strips repeat a vertex to turn a corner; such a triangle has no area and belongs to nothing.
      if (++length >= 3 && a != b && b != c && c != a)
        mesh.triangles.push_back(length % 2 == 1 ? Triangle{a, b, c} : Triangle{b, a, c});
      a = b;
      b = c;
    }
  });
}

}  // namespace

MeshData parse_obj(std::string_view bytes) {
  MeshData mesh;
  PolygonCutter cutter;
  LineReader lines(bytes);
  std::string joined;
  std::vector<std::uint32_t> corners;
  while (auto line = next_joined(lines, joined)) {
    const std::string_view word = take_word(*line);
    if (word == "v") {
      mesh.positions.push_back(take_point(*line, lines.number()));
    } else if (word == "f") {
      corners.clear();
      for (std::string_view corner = take_word(*line); !corner.empty() && corner.front() != '#';
           corner = take_word(*line))
        corners.push_back(obj_vertex(corner, mesh.positions.size(), lines.number()));
      if (corners.size() < 3)
        fail_at_line(lines.number(), fmt::format("a face of {} corners; it needs 3", corners.size()));
      cutter.cut(corners, mesh);
    }
  }
  need_triangles(mesh);
  return mesh;
}

MeshData parse_ply_mesh(std::string_view bytes) {
  if (!PlyReader::is_ply(bytes)) fail("it does not begin with a line 'ply'");
  PlyReader reader(bytes, is_mesh_property);
  MeshData mesh;
  for (const PlyElement& element : reader.elements()) {
    if (element.name == "vertex" && mesh.positions.empty())
      read_ply_positions(reader, element, mesh);
    else if (element.name == "face")
      read_ply_faces(reader, element, mesh);
    else if (element.name == "tristrips")
      read_ply_strips(reader, element, mesh);
    else
      reader.read_next([](const PlyRow&) {});
  }
  need_triangles(mesh);
  return mesh;
}

MeshData parse_stl(std::string_view bytes) {
  MeshData mesh = is_binary_stl(bytes) ? parse_binary_stl(bytes) : parse_text_stl(bytes);
  need_triangles(mesh);
  return mesh;
}

MeshData read_mesh_file(const std::string& path) {
  std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (!ending.empty()) ending.erase(0, 1);
  const bool is_foreign = ending == "glb" || ending == "gltf" || ending == "fbx";
  if (!is_foreign && ending != "obj" && ending != "ply" && ending != "stl")
    fail(
        fmt::format("a file that ends in '.{}' is not read as a mesh: .obj, .ply, .stl, .glb, .gltf and .fbx "
                    "are",
                    ending.substr(0, 20)));
  const std::string bytes = read_whole_file(path);
  if (is_foreign) return parse_with_assimp(bytes, ending);
  if (ending == "obj") return parse_obj(bytes);
  return ending == "ply" ? parse_ply_mesh(bytes) : parse_stl(bytes);
}

}  // namespace repose
