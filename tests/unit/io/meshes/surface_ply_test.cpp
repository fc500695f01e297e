#include "repose/io/meshes/surface_ply.h"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

TEST(SurfacePly, HoldsVerticesAndTriangles) {
  const std::vector<std::byte> bytes = encode_surface_ply(triangle(), 7, 0.25);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_TRUE(text.starts_with(
      "ply\nformat binary_little_endian 1.0\ncomment repose surface of frame 7\ncomment repose time 0.25\n"
      "element vertex 3\n"));
  const std::size_t start = text.find("end_header\n") + 11;
  constexpr std::size_t kVertex = 9 * 4 + 3, kFace = 1 + 3 * 4;
  ASSERT_EQ(bytes.size(), start + 3 * kVertex + kFace);
  float z = 0, vz = 0;
  std::memcpy(&z, &bytes[start + kVertex + 8], 4);
  std::memcpy(&vz, &bytes[start + kVertex + 32], 4);
  EXPECT_EQ(z, 0.1F);
  EXPECT_EQ(vz, -9.5F);
  // 0.62 linear is 206 of 255 in sRGB.
  EXPECT_EQ(bytes[start + kVertex + 36], std::byte{206});
  EXPECT_EQ(bytes[start + 3 * kVertex], std::byte{3});
  EXPECT_EQ(bytes[start + 3 * kVertex + 9], std::byte{2});
}

}  // namespace
}  // namespace repose
