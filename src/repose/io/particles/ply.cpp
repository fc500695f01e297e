#include "repose/io/particles/ply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/frame_columns.h"
#include "repose/io/read_file.h"

namespace repose {
namespace {

static_assert(std::endian::native == std::endian::little, "PLY files are written in machine byte order");

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames{{{"char", PlyType::int8},
                                               {"uchar", PlyType::uint8},
                                               {"short", PlyType::int16},
                                               {"ushort", PlyType::uint16},
                                               {"int", PlyType::int32},
                                               {"uint", PlyType::uint32},
                                               {"float", PlyType::float32},
                                               {"double", PlyType::float64},
                                               {"int8", PlyType::int8},
                                               {"uint8", PlyType::uint8},
                                               {"int16", PlyType::int16},
                                               {"uint16", PlyType::uint16},
                                               {"int32", PlyType::int32},
                                               {"uint32", PlyType::uint32},
                                               {"float32", PlyType::float32},
                                               {"float64", PlyType::float64}}};

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::float64:
      return 8;
    default:
      return 4;
  }
}

// --- writing ---

/// The names that most readers know: meshio takes uchar for a signed number and has no ushort.
std::string_view type_name(ColumnType type) {
  switch (type) {
    case ColumnType::uint8:
      return "uint8";
    case ColumnType::uint16:
      return "uint16";
    case ColumnType::uint32:
      return "uint";
    default:
      return "float";
  }
}

/// By ParticleKind.
constexpr std::array<std::string_view, 3> kKindNames{"grains", "granular", "fluid"};

std::string header_text(const Frame& frame, const std::vector<FrameColumn>& columns) {
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment repose frame {}\ncomment repose time {}\ncomment repose "
      "particles {}\nelement vertex {}\n",
      frame.index, frame.time, kKindNames[static_cast<std::size_t>(frame.kind)], frame.particle_count());
  for (const FrameColumn& column : columns)
    text += fmt::format("property {} {}\n", type_name(column.type), column.name);
  return text + "end_header\n";
}

// --- reading ---

struct InColumn {
  std::string name;
  PlyType type = PlyType::float32;
  std::size_t offset = 0;  ///< in the row [bytes]
};

struct Header {
  std::optional<ParticleKind> kind;  ///< files of earlier versions do not say
  int frame = 0;
  double time = 0;
  std::uint64_t rows = 0;
  std::size_t row_size = 0;
  std::vector<InColumn> columns;
  std::size_t data_start = 0;
};

/// What a reader needs to complain about the right file.
struct Source {
  std::span<const std::byte> bytes;
  const std::string& name;
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::run_failed, fmt::format("{}: {}", name, what));
  }
};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

template <class T>
bool parse_number(std::string_view word, T& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

/// The next line of the header, without its end.
std::string_view next_line(const Source& source, std::size_t& position) {
  constexpr std::size_t kLongestLine = 4096;
  const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()), source.bytes.size());
  const std::string_view rest = text.substr(position, kLongestLine);
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) source.fail("the PLY header has no end: the file is damaged");
  position += end + 1;
  std::string_view line = rest.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void read_property(const Source& source, const std::vector<std::string_view>& words, Header& header) {
  constexpr std::size_t kMostColumns = 1000;
  if (words.size() == 5 && words[1] == "list")
    source.fail("particles with list properties are not supported");
  if (words.size() != 3) source.fail("a property line of the PLY header is wrong");
  const auto found = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                  [&](const TypeName& t) { return t.name == words[1]; });
  if (found == kTypeNames.end()) source.fail(fmt::format("'{}' is no PLY type", words[1]));
  for (const InColumn& column : header.columns)
    if (column.name == words[2]) source.fail(fmt::format("property '{}' is there twice", words[2]));
  if (header.columns.size() == kMostColumns) source.fail("too many properties");
  header.columns.push_back({std::string(words[2]), found->type, header.row_size});
  header.row_size += size_of(found->type);
}

void read_comment(const std::vector<std::string_view>& words, Header& header) {
  if (words.size() != 4 || words[1] != "repose") return;
  if (words[2] == "frame") parse_number(words[3], header.frame);
  if (words[2] == "time") parse_number(words[3], header.time);
  const auto kind = std::find(kKindNames.begin(), kKindNames.end(), words[3]);
  if (words[2] == "particles" && kind != kKindNames.end())
    header.kind = static_cast<ParticleKind>(kind - kKindNames.begin());
}

Header read_header(const Source& source) {
  Header header;
  std::size_t position = 0;
  if (source.bytes.size() < 4 || next_line(source, position) != "ply") source.fail("is no PLY file");
  bool binary = false, in_vertex = false, vertex_seen = false;
  while (true) {
    const auto words = words_of(next_line(source, position));
    if (words.empty()) continue;
    if (words[0] == "end_header") break;
    if (words[0] == "comment") {
      read_comment(words, header);
    } else if (words[0] == "format") {
      binary = words.size() == 3 && words[1] == "binary_little_endian";
    } else if (words[0] == "element") {
      if (words.size() != 3) source.fail("an element line of the PLY header is wrong");
      in_vertex = words[1] == "vertex" && !vertex_seen;
      if (!in_vertex && !vertex_seen) source.fail("the particles (element vertex) must come first");
      if (in_vertex && !parse_number(words[2], header.rows)) source.fail("the number of particles is wrong");
      vertex_seen = true;
    } else if (words[0] == "property" && in_vertex) {
      read_property(source, words, header);
    }
  }
  if (!binary) source.fail("only binary_little_endian PLY is read here");
  if (!vertex_seen) source.fail("holds no particles (element vertex)");
  header.data_start = position;
  return header;
}

/// Checks the header's word against what is there before anything is allocated.
void check_size(const Source& source, const Header& header) {
  const std::size_t available = source.bytes.size() - header.data_start;
  if (header.row_size == 0 && header.rows > 0) source.fail("the particles have no properties");
  if (header.rows > 0 && header.rows > available / header.row_size)
    source.fail(fmt::format("is cut short: {} particles of {} bytes do not fit into {} bytes", header.rows,
                            header.row_size, available));
}

/// Numbers of any type as T; what does not fit becomes the nearest that does, a NaN the smallest.
template <class T, class S>
T convert(S value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<S>) {
    const double number = static_cast<double>(value);
    if (!(number >= static_cast<double>(std::numeric_limits<T>::min()))) return std::numeric_limits<T>::min();
    if (number >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(number);
  } else {
    return static_cast<T>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(value), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
}

template <class S, class T, class Set>
void read_values(const Source& source, const Header& header, const InColumn& column, Set& set) {
  const std::byte* at = source.bytes.data() + header.data_start + column.offset;
  for (std::size_t i = 0; i < header.rows; ++i, at += header.row_size) {
    S value;
    std::memcpy(&value, at, sizeof(S));
    set(i, convert<T>(value));
  }
}

/// Calls set(row, value) for the named column; false where there is none.
template <class T, class Set>
bool read_column(const Source& source, const Header& header, std::string_view name, Set set) {
  const auto column = std::find_if(header.columns.begin(), header.columns.end(),
                                   [&](const InColumn& c) { return c.name == name; });
  if (column == header.columns.end()) return false;
  switch (column->type) {
    case PlyType::int8:
      read_values<std::int8_t, T>(source, header, *column, set);
      break;
    case PlyType::uint8:
      read_values<std::uint8_t, T>(source, header, *column, set);
      break;
    case PlyType::int16:
      read_values<std::int16_t, T>(source, header, *column, set);
      break;
    case PlyType::uint16:
      read_values<std::uint16_t, T>(source, header, *column, set);
      break;
    case PlyType::int32:
      read_values<std::int32_t, T>(source, header, *column, set);
      break;
    case PlyType::uint32:
      read_values<std::uint32_t, T>(source, header, *column, set);
      break;
    case PlyType::float32:
      read_values<float, T>(source, header, *column, set);
      break;
    case PlyType::float64:
      read_values<double, T>(source, header, *column, set);
      break;
  }
  return true;
}

template <class V>
bool read_vector(const Source& source, const Header& header, std::array<std::string_view, 3> names,
                 std::vector<V>& values) {
  using Scalar = typename V::BaseType;
  values.assign(header.rows, V(0, 0, 0));
  bool complete = true;
  for (int axis = 0; axis < 3; ++axis)
    complete &= read_column<Scalar>(source, header, names[static_cast<std::size_t>(axis)],
                                    [&](std::size_t i, Scalar value) { values[i][axis] = value; });
  return complete;
}

void read_grains(const Source& source, const Header& header, Frame& frame) {
  frame.kind = ParticleKind::grains;
  frame.orientation.assign(header.rows, Quatf(1, 0, 0, 0));
  read_column<float>(source, header, "qw", [&](std::size_t i, float v) { frame.orientation[i].r = v; });
  read_column<float>(source, header, "qx", [&](std::size_t i, float v) { frame.orientation[i].v.x = v; });
  read_column<float>(source, header, "qy", [&](std::size_t i, float v) { frame.orientation[i].v.y = v; });
  read_column<float>(source, header, "qz", [&](std::size_t i, float v) { frame.orientation[i].v.z = v; });
  read_vector(source, header, {"wx", "wy", "wz"}, frame.angular_velocity);
  frame.shape.assign(header.rows, 0);
  read_column<std::uint16_t>(source, header, "shape",
                             [&](std::size_t i, std::uint16_t v) { frame.shape[i] = v; });
}

bool is_own_column(std::string_view name) {
  constexpr std::array<std::string_view, 17> kOwn{"x",      "y",  "z",        "vx", "vy",   "vz",
                                                  "radius", "id", "material", "qw", "qx",   "qy",
                                                  "qz",     "wx", "wy",       "wz", "shape"};
  return std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end();
}

}  // namespace

std::vector<std::byte> encode_ply(const Frame& frame) {
  const auto columns = frame_columns(frame);
  const std::string header = header_text(frame, columns);
  const std::size_t stride = row_size(columns), count = frame.particle_count();
  std::vector<std::byte> bytes(header.size() + stride * count);
  std::memcpy(bytes.data(), header.data(), header.size());
  for (std::size_t begin = 0; begin < count; begin += kRowBlock)
    put_rows(columns, begin, std::min(begin + kRowBlock, count),
             bytes.data() + header.size() + begin * stride);
  return bytes;
}

Frame decode_ply(std::span<const std::byte> bytes, const std::string& name) {
  const Source source{bytes, name};
  const Header header = read_header(source);
  check_size(source, header);

  Frame frame;
  frame.index = header.frame;
  frame.time = header.time;
  if (!read_vector(source, header, {"x", "y", "z"}, frame.position))
    source.fail("one of the properties x, y, z is missing");
  read_vector(source, header, {"vx", "vy", "vz"}, frame.velocity);
  frame.radius.assign(header.rows, 0);
  read_column<float>(source, header, "radius", [&](std::size_t i, float v) { frame.radius[i] = v; });
  frame.id.resize(header.rows);
  for (std::size_t i = 0; i < frame.id.size(); ++i) frame.id[i] = static_cast<std::uint32_t>(i);
  read_column<std::uint32_t>(source, header, "id", [&](std::size_t i, std::uint32_t v) { frame.id[i] = v; });
  frame.material.assign(header.rows, 0);
  read_column<std::uint8_t>(source, header, "material",
                            [&](std::size_t i, std::uint8_t v) { frame.material[i] = v; });
  const bool grains = std::any_of(header.columns.begin(), header.columns.end(),
                                  [](const InColumn& column) { return column.name == "qw"; });
  frame.kind = header.kind.value_or(ParticleKind::granular);
  if (grains) read_grains(source, header, frame);
  for (const InColumn& column : header.columns) {
    if (is_own_column(column.name)) continue;
    frame.scalars.push_back({column.name, std::vector<float>(header.rows)});
    auto& values = frame.scalars.back().values;
    read_column<float>(source, header, column.name, [&](std::size_t i, float v) { values[i] = v; });
  }
  return frame;
}

void write_ply(const std::filesystem::path& path, const Frame& frame) { write_file(path, encode_ply(frame)); }

Frame read_ply(const std::filesystem::path& path) { return decode_ply(read_bytes(path), path.string()); }

void round_to_file_precision(Frame& frame) {
  for (Vec3d& p : frame.position) {
    for (int axis = 0; axis < 3; ++axis) {
      // Through memory: g++ 12 vectorises (double)(float)x of neighbouring members to a plain copy.
      volatile float rounded = static_cast<float>(p[axis]);
      p[axis] = rounded;
    }
  }
}

}  // namespace repose
