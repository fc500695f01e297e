#include "repose/io/particles/vtp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/frame_columns.h"

namespace repose {
namespace {

static_assert(std::endian::native == std::endian::little, "VTP files are written in machine byte order");

/// Rows that are put together at a time.
constexpr std::size_t kBlock = 16384;

/// One <DataArray>: tuples of numbers, handed out in blocks.
struct DataArray {
  std::string name;
  std::string type;
  std::vector<std::string> components;  ///< their names; one empty name for a plain number
  std::size_t tuple_size = 0;           ///< [bytes]
  std::size_t count = 0;                ///< tuples
  std::function<void(std::size_t begin, std::size_t end, std::byte* out)> put;
};

std::string_view vtk_type(ColumnType type) {
  switch (type) {
    case ColumnType::uint8:
      return "UInt8";
    case ColumnType::uint16:
      return "UInt16";
    case ColumnType::uint32:
      return "UInt32";
    default:
      return "Float32";
  }
}

/// Columns of the particle table that make up one array of vectors.
struct Group {
  std::string_view name;
  std::vector<std::string_view> columns;
  std::vector<std::string> components;
};

const std::vector<Group>& column_groups() {
  static const std::vector<Group> groups{{"position", {"x", "y", "z"}, {"x", "y", "z"}},
                                         {"velocity", {"vx", "vy", "vz"}, {"x", "y", "z"}},
                                         {"orientation", {"qw", "qx", "qy", "qz"}, {"w", "x", "y", "z"}},
                                         {"angular_velocity", {"wx", "wy", "wz"}, {"x", "y", "z"}}};
  return groups;
}

DataArray array_of(std::string_view name, std::vector<std::string> components,
                   std::span<const FrameColumn> columns, std::size_t count) {
  DataArray array{
      std::string(name), std::string(vtk_type(columns[0].type)), std::move(components), 0, count, {}};
  const std::size_t size = size_of(columns[0].type);
  array.tuple_size = size * columns.size();
  array.put = [columns, size, stride = array.tuple_size](std::size_t begin, std::size_t end, std::byte* out) {
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].put(begin, end, out + c * size, stride);
  };
  return array;
}

/// The table's columns as arrays, in their order; the first is the position. They refer to `columns`.
std::vector<DataArray> particle_arrays(std::span<const FrameColumn> columns, std::size_t count) {
  std::vector<DataArray> arrays;
  for (std::size_t i = 0; i < columns.size();) {
    const auto group = std::find_if(column_groups().begin(), column_groups().end(),
                                    [&](const Group& g) { return g.columns[0] == columns[i].name; });
    if (group == column_groups().end()) {
      arrays.push_back(array_of(columns[i].name, {""}, columns.subspan(i, 1), count));
      ++i;
    } else {
      const std::size_t width = group->columns.size();
      arrays.push_back(array_of(group->name, group->components, columns.subspan(i, width), count));
      i += width;
    }
  }
  return arrays;
}

/// An array whose values are computed: value(i) for each tuple.
template <class T, class Get>
DataArray computed_array(std::string name, std::string type, std::size_t count, Get get) {
  return {std::move(name),
          std::move(type),
          {""},
          sizeof(T),
          count,
          [get](std::size_t begin, std::size_t end, std::byte* out) {
            for (std::size_t i = begin; i < end; ++i, out += sizeof(T)) {
              const T value = get(i);
              std::memcpy(out, &value, sizeof(T));
            }
          }};
}

DataArray vector_array(std::string name, const std::vector<Vec3f>& values) {
  static_assert(sizeof(Vec3f) == 12);
  return {std::move(name),
          "Float32",
          {"x", "y", "z"},
          sizeof(Vec3f),
          values.size(),
          [&values](std::size_t begin, std::size_t end, std::byte* out) {
            std::memcpy(out, reinterpret_cast<const std::byte*>(values.data() + begin),
                        (end - begin) * sizeof(Vec3f));
          }};
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

/// What stands in one section (<Points>, <Verts>, ...) of the file.
struct Section {
  std::string name;
  std::vector<DataArray> arrays;
};

/// The file as a whole: the XML that announces the arrays, then their bytes, each after its length.
class VtpFile {
 public:
  VtpFile(int frame, double time) : frame_(frame), time_(time) {}
  std::size_t points = 0, verts = 0, polys = 0;
  std::vector<Section> sections;

  void write(const std::filesystem::path& path) const {
    AtomicFile file(path);
    file.write(header());
    std::vector<std::byte> block;
    for (const Section& section : sections)
      for (const DataArray& array : section.arrays) write_array(array, block, file);
    file.write("\n  </AppendedData>\n</VTKFile>\n");
    file.commit();
  }

 private:
  std::string header() const {
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n"
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}"
        "</DataArray>\n"
        "      <DataArray type=\"Int32\" Name=\"frame\" NumberOfTuples=\"1\" format=\"ascii\">{}"
        "</DataArray>\n    </FieldData>\n"
        "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n",
        time_, frame_, points, verts, polys);
    std::size_t offset = 0;
    for (const Section& section : sections) {
      text += fmt::format("      <{}>\n", section.name);
      for (const DataArray& array : section.arrays) {
        text += announcement(array, offset);
        offset += sizeof(std::uint64_t) + array.count * array.tuple_size;
      }
      text += fmt::format("      </{}>\n", section.name);
    }
    return text + "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _";
  }

  static std::string announcement(const DataArray& array, std::size_t offset) {
    std::string text =
        fmt::format("        <DataArray type=\"{}\" Name=\"{}\"", array.type, escaped(array.name));
    if (array.components.size() > 1) {
      text += fmt::format(" NumberOfComponents=\"{}\"", array.components.size());
      for (std::size_t c = 0; c < array.components.size(); ++c)
        text += fmt::format(" ComponentName{}=\"{}\"", c, array.components[c]);
    }
    return text + fmt::format(" format=\"appended\" offset=\"{}\"/>\n", offset);
  }

  static void write_array(const DataArray& array, std::vector<std::byte>& block, AtomicFile& file) {
    const std::uint64_t length = array.count * array.tuple_size;
    file.write(std::as_bytes(std::span(&length, 1)));
    for (std::size_t begin = 0; begin < array.count; begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, array.count);
      block.resize((end - begin) * array.tuple_size);
      array.put(begin, end, block.data());
      file.write(block);
    }
  }

  int frame_;
  double time_;
};

/// Cells are numbered by 32 bits.
void require_countable(const std::filesystem::path& path, std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(ExitCode::run_failed, fmt::format("{}: {} cells are more than a VTP file of Repose can hold",
                                                  path.string(), count));
}

template <class Get>
DataArray index_array(std::string name, std::size_t count, Get get) {
  return computed_array<std::int32_t>(std::move(name), "Int32", count,
                                      [get](std::size_t i) { return static_cast<std::int32_t>(get(i)); });
}

}  // namespace

void write_vtp(const std::filesystem::path& path, const Frame& frame) {
  const std::size_t count = frame.particle_count();
  require_countable(path, count);
  const std::vector<FrameColumn> columns = frame_columns(frame);
  std::vector<DataArray> arrays = particle_arrays(columns, count);
  VtpFile file(frame.index, frame.time);
  file.points = file.verts = count;
  file.sections.push_back({"Points", {arrays[0]}});
  file.sections.push_back({"PointData", {arrays.begin() + 1, arrays.end()}});
  file.sections.push_back({"Verts",
                           {index_array("connectivity", count, [](std::size_t i) { return i; }),
                            index_array("offsets", count, [](std::size_t i) { return i + 1; })}});
  file.write(path);
}

void write_vtp_mesh(const std::filesystem::path& path, int frame, double time,
                    std::span<const VtpPart> parts) {
  TriangleMesh all;
  std::vector<std::int32_t> numbers;
  for (const VtpPart& part : parts) {
    const auto base = static_cast<std::uint32_t>(all.positions.size());
    all.positions.insert(all.positions.end(), part.mesh.positions.begin(), part.mesh.positions.end());
    for (const std::array<std::uint32_t, 3>& t : part.mesh.triangles)
      all.triangles.push_back({base + t[0], base + t[1], base + t[2]});
    numbers.insert(numbers.end(), part.mesh.triangles.size(), part.number);
  }
  require_countable(path, 3 * all.triangles.size());
  VtpFile file(frame, time);
  file.points = all.positions.size();
  file.polys = all.triangles.size();
  const auto corner = [&all](std::size_t i) { return all.triangles[i / 3][i % 3]; };
  file.sections.push_back({"Points", {vector_array("position", all.positions)}});
  file.sections.push_back(
      {"CellData", {index_array("body", numbers.size(), [&](std::size_t i) { return numbers[i]; })}});
  file.sections.push_back({"Polys",
                           {index_array("connectivity", 3 * file.polys, corner),
                            index_array("offsets", file.polys, [](std::size_t i) { return 3 * (i + 1); })}});
  file.write(path);
}

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const PvdEntry& entry : entries)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        escaped(entry.file));
  write_file(path, text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace repose
