#include "repose/io/meshes/surface_file.h"

#include <filesystem>

#include "support/temporary_folder.h"
#include "unit/io/meshes/surfaces.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SurfaceFile, OfNothingIsAFileToo) {
  const test::TemporaryFolder folder;
  Threads threads(1);
  for (const char* format : {"ply", "vdb"}) {
    const auto path = folder.path() / format;
    write_surface(path, format, {}, 0, 0, threads);
    EXPECT_TRUE(std::filesystem::exists(path)) << format;
  }
}

TEST(SurfaceFile, TurnsPlacesNormalsAndVelocities) {
  const SurfaceMesh surface = test::blob_surface();
  SurfaceMesh turned = surface;
  turn_y_up(turned);
  const auto is_turned = [](const Vec3f& a, const Vec3f& b) { return b == Vec3f(a.x, a.z, -a.y); };
  ASSERT_GT(surface.mesh.positions.size(), 1000U);
  for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v) {
    ASSERT_TRUE(is_turned(surface.mesh.positions[v], turned.mesh.positions[v]));
    ASSERT_TRUE(is_turned(surface.mesh.normals[v], turned.mesh.normals[v]));
    ASSERT_TRUE(is_turned(surface.velocity[v], turned.velocity[v]));
  }
  EXPECT_EQ(turned.color, surface.color);
}

}  // namespace
}  // namespace repose
