#include "repose/io/meshes/surface_ply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/core/ply_reader.h"
#include "repose/io/read_file.h"
#include "repose/render/tone.h"

namespace repose {
namespace {

constexpr std::string_view kVertexProperties =
    "property float x\nproperty float y\nproperty float z\n"
    "property float nx\nproperty float ny\nproperty float nz\n"
    "property float vx\nproperty float vy\nproperty float vz\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\n";
constexpr std::string_view kFaceProperties = "property list uchar int vertex_indices\nend_header\n";
constexpr std::string_view kStart = "ply\nformat binary_little_endian 1.0\ncomment repose surface of frame ";
constexpr std::string_view kYUp = "comment repose up y\n";
constexpr std::size_t kVertexSize = 9 * sizeof(float) + 3;
constexpr std::size_t kFaceSize = 1 + 3 * sizeof(std::int32_t);

class Bytes {
 public:
  explicit Bytes(std::vector<std::byte>& out) : out_(out) {}
  template <class T>
  void put(const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    out_.insert(out_.end(), first, first + sizeof(T));
  }
  void put(const Vec3f& v) {
    put(v.x);
    put(v.y);
    put(v.z);
  }

 private:
  std::vector<std::byte>& out_;
};

std::uint8_t to_byte(float linear) {
  return static_cast<std::uint8_t>(std::lround(255 * encode_srgb(std::clamp(linear, 0.0F, 1.0F))));
}

}  // namespace

std::vector<std::byte> encode_surface_ply(const SurfaceMesh& surface, int frame, double time, bool y_up) {
  const TriangleMesh& mesh = surface.mesh;
  const std::string header = fmt::format(
      "{}{}\ncomment repose time {}\n{}element vertex {}\n{}element face {}\n{}", kStart, frame, time,
      y_up ? kYUp : "", mesh.positions.size(), kVertexProperties, mesh.triangles.size(), kFaceProperties);
  std::vector<std::byte> bytes;
  bytes.reserve(header.size() + mesh.positions.size() * kVertexSize + mesh.triangles.size() * kFaceSize);
  for (const char c : header) bytes.push_back(static_cast<std::byte>(c));
  Bytes out(bytes);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    out.put(mesh.positions[v]);
    out.put(mesh.normals[v]);
    out.put(surface.velocity[v]);
    for (int channel = 0; channel < 3; ++channel) out.put(to_byte(surface.color[v][channel]));
  }
  for (const std::array<std::uint32_t, 3>& triangle : mesh.triangles) {
    out.put(std::uint8_t{3});
    for (const std::uint32_t vertex : triangle) out.put(static_cast<std::int32_t>(vertex));
  }
  return bytes;
}

namespace {

void read_vertices(PlyReader& reader, const PlyElement& element, bool y_up, TriangleMesh& mesh) {
  const std::array<const char*, 6> names{"x", "y", "z", "nx", "ny", "nz"};
  std::array<std::size_t, 6> at{};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto found = element.find(names[k]);
    if (!found) throw Error(ExitCode::run_failed, fmt::format("vertices have no '{}'", names[k]));
    at[k] = *found;
  }
  reader.read_next([&](const PlyRow& row) {
    std::array<float, 6> v{};
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<float>(row.values[at[k]].at(0));
    for (const std::size_t first : {std::size_t{0}, std::size_t{3}}) {
      Vec3f vector(v[first], v[first + 1], v[first + 2]);
      if (y_up) vector = {vector.x, -vector.z, vector.y};
      (first == 0 ? mesh.positions : mesh.normals).push_back(vector);
    }
  });
}

void read_faces(PlyReader& reader, const PlyElement& element, TriangleMesh& mesh) {
  const auto at = element.find("vertex_indices");
  if (!at) throw Error(ExitCode::run_failed, "faces have no 'vertex_indices'");
  reader.read_next([&](const PlyRow& row) {
    const std::vector<double>& corners = row.values[*at];
    std::array<std::uint32_t, 3> triangle{};
    if (corners.size() != 3)
      throw Error(ExitCode::run_failed, fmt::format("face {} is no triangle", row.index));
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(corners[k] >= 0 && corners[k] < static_cast<double>(mesh.positions.size())))
        throw Error(ExitCode::run_failed, fmt::format("face {} has a vertex that is not there", row.index));
      triangle[k] = static_cast<std::uint32_t>(corners[k]);
    }
    mesh.triangles.push_back(triangle);
  });
}

}  // namespace

TriangleMesh read_surface_ply(const std::filesystem::path& path) {
  const std::string bytes = read_text(path);
  TriangleMesh mesh;
  try {
    PlyReader reader(bytes, [](std::string_view element, std::string_view property) {
      return element == "face" ? property == "vertex_indices"
                               : element == "vertex" && property[0] != 'v' && property.size() < 3;
    });
    const std::size_t header = bytes.find("end_header");
    const bool y_up = bytes.find(kYUp) < header;
    for (const PlyElement& element : reader.elements())
      if (element.name == "vertex")
        read_vertices(reader, element, y_up, mesh);
      else if (element.name == "face")
        read_faces(reader, element, mesh);
      else
        reader.read_next([](const PlyRow&) {});
  } catch (const Error& error) {
    throw Error(ExitCode::run_failed,
                fmt::format("{}: is no surface of repose, or damaged: {}; `repose surface` makes it again",
                            path.string(), error.what()));
  }
  return mesh;
}

}  // namespace repose
