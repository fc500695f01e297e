#include "repose/io/surface_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
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
/// IEC 61966-2-1, the inverse of encode_srgb().
float from_byte(std::uint8_t byte) {
  const float s = static_cast<float>(byte) / 255;
  return s <= 0.04045F ? s / 12.92F : std::pow((s + 0.055F) / 1.055F, 2.4F);
}

/// Walks through a file from the front.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ExitCode::run_failed,
                fmt::format("{}: {}; make it again with `repose surface`", name_, what));
  }
  void expect(std::string_view text) {
    if (left() < text.size() || std::memcmp(bytes_.data() + at_, text.data(), text.size()) != 0)
      fail("is no surface that repose wrote");
    at_ += text.size();
  }
  std::string_view line() {
    const auto* first = reinterpret_cast<const char*>(bytes_.data() + at_);
    const auto* end = static_cast<const char*>(std::memchr(first, '\n', left()));
    if (end == nullptr) fail("is no surface that repose wrote");
    at_ += static_cast<std::size_t>(end - first) + 1;
    return {first, static_cast<std::size_t>(end - first)};
  }
  std::size_t count(std::string_view before) {
    expect(before);
    const std::string_view text = line();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail("has a count that is no number");
    return value;
  }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  Vec3f get_vector() {
    const float x = get<float>(), y = get<float>(), z = get<float>();
    return {x, y, z};
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::byte> encode_surface(const SurfaceMesh& surface, int frame, double time) {
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

SurfaceMesh decode_surface(std::span<const std::byte> bytes, const std::string& name) {
  Reader in(bytes, name);
  in.expect(kStart);
  in.line();
  in.expect("comment repose time ");
  in.line();
  const std::size_t vertices = in.count("element vertex ");
  in.expect(kVertexProperties);
  const std::size_t faces = in.count("element face ");
  in.expect(kFaceProperties);
  if (vertices > in.left() / kVertexSize || faces > in.left() / kFaceSize ||
      vertices * kVertexSize + faces * kFaceSize != in.left())
    in.fail("does not have the size that its header says");

  SurfaceMesh surface;
  TriangleMesh& mesh = surface.mesh;
  for (std::size_t v = 0; v < vertices; ++v) {
    mesh.positions.push_back(in.get_vector());
    mesh.normals.push_back(in.get_vector());
    surface.velocity.push_back(in.get_vector());
    const auto red = in.get<std::uint8_t>(), green = in.get<std::uint8_t>(), blue = in.get<std::uint8_t>();
    surface.color.emplace_back(from_byte(red), from_byte(green), from_byte(blue));
    const Vec3f& x = mesh.positions.back();
    if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z))
      in.fail("has a vertex that is no number");
  }
  for (std::size_t f = 0; f < faces; ++f) {
    if (in.get<std::uint8_t>() != 3) in.fail("has a face that is no triangle");
    std::array<std::uint32_t, 3> triangle{};
    for (std::uint32_t& vertex : triangle) {
      vertex = in.get<std::uint32_t>();
      if (vertex >= vertices) in.fail("has a face of vertices that are not there");
    }
    mesh.triangles.push_back(triangle);
  }
  return surface;
}

void write_surface(const std::filesystem::path& path, const SurfaceMesh& surface, int frame, double time) {
  write_file(path, encode_surface(surface, frame, time));
}

SurfaceMesh read_surface(const std::filesystem::path& path) {
  return decode_surface(read_bytes(path), path.string());
}

}  // namespace repose
