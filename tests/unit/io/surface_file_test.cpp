#include "repose/io/surface_file.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

SurfaceMesh triangle() {
  SurfaceMesh surface;
  const auto add = [&](const Vec3f& x, const Vec3f& normal, const Vec3f& velocity, const Color& color) {
    surface.mesh.positions.push_back(x);
    surface.mesh.normals.push_back(normal);
    surface.velocity.push_back(velocity);
    surface.color.push_back(color);
  };
  add({0, 0, 0}, {0, 0, 1}, {1, 2, 3}, {0, 0.2F, 1});
  add({1, 0, 0.1F}, {0, 0.6F, 0.8F}, {0, 0, -9.5F}, {0.62F, 0.45F, 0.27F});
  add({0, 1, -2}, {1, 0, 0}, {0.1F, 0, 0}, {1, 1, 1});
  surface.mesh.triangles = {{0, 1, 2}};
  return surface;
}

TEST(SurfaceFile, ComesBackAsItWas) {
  const test::TemporaryFolder folder;
  const SurfaceMesh written = triangle();
  write_surface(folder.path() / "s.ply", written, 7, 0.25);
  const SurfaceMesh read = read_surface(folder.path() / "s.ply");
  EXPECT_EQ(read.mesh.positions, written.mesh.positions);
  EXPECT_EQ(read.mesh.normals, written.mesh.normals);
  EXPECT_EQ(read.mesh.triangles, written.mesh.triangles);
  EXPECT_EQ(read.velocity, written.velocity);
  for (std::size_t v = 0; v < 3; ++v)
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(read.color[v][channel], written.color[v][channel], 0.005);
}

TEST(SurfaceFile, OfNothingIsAFileToo) {
  const SurfaceMesh read = decode_surface(encode_surface({}, 0, 0), "s.ply");
  EXPECT_TRUE(read.mesh.positions.empty());
  EXPECT_TRUE(read.mesh.triangles.empty());
}

std::string failure(const std::vector<std::byte>& bytes) {
  try {
    decode_surface(bytes, "s.ply");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SurfaceFile, CutShortAnywhereIsAnError) {
  const std::vector<std::byte> whole = encode_surface(triangle(), 7, 0.25);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(failure({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
}

TEST(SurfaceFile, DamageIsNamed) {
  std::vector<std::byte> bytes = encode_surface(triangle(), 7, 0.25);
  const std::size_t last_index = bytes.size() - 4;
  bytes[last_index] = std::byte{3};
  EXPECT_NE(failure(bytes).find("vertices that are not there"), std::string::npos);
  bytes = encode_surface(triangle(), 7, 0.25);
  bytes[bytes.size() - 13] = std::byte{4};
  EXPECT_NE(failure(bytes).find("no triangle"), std::string::npos);
  bytes = encode_surface(triangle(), 7, 0.25);
  const float none = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&bytes[bytes.size() - 13 - 3 * 39], &none, sizeof(none));
  EXPECT_NE(failure(bytes).find("no number"), std::string::npos);
  std::string text = "ply\nformat ascii 1.0\n";
  EXPECT_NE(failure({reinterpret_cast<const std::byte*>(text.data()),
                     reinterpret_cast<const std::byte*>(text.data()) + text.size()})
                .find("no surface"),
            std::string::npos);
}

}  // namespace
}  // namespace repose
