#include "repose/io/meshes/surface_ply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

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

std::vector<std::byte> encode_surface_ply(const SurfaceMesh& surface, int frame, double time) {
  const TriangleMesh& mesh = surface.mesh;
  const std::string header =
      fmt::format("{}{}\ncomment repose time {}\nelement vertex {}\n{}element face {}\n{}", kStart, frame,
                  time, mesh.positions.size(), kVertexProperties, mesh.triangles.size(), kFaceProperties);
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

}  // namespace repose
