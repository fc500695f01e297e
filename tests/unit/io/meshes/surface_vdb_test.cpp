// VDB files of surfaces keep their bytes. What they hold is read back by tests/cli/test_exchange.py.

#include "repose/io/meshes/surface_vdb.h"

#include <string>

#include "unit/io/meshes/surfaces.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SurfaceVdb, IsTheSameBytesForAnyNumberOfThreads) {
  const SurfaceMesh surface = test::blob_surface();
  Threads one(1), two(2), four(4);
  const std::string bytes = encode_surface_vdb(surface, 3, 0.125, one);
  EXPECT_GT(bytes.size(), 50000U);
  EXPECT_TRUE(encode_surface_vdb(surface, 3, 0.125, one) == bytes);
  EXPECT_TRUE(encode_surface_vdb(surface, 3, 0.125, two) == bytes);
  EXPECT_TRUE(encode_surface_vdb(surface, 3, 0.125, four) == bytes);
}

TEST(SurfaceVdb, OfNothingIsAFileToo) {
  Threads threads(1);
  EXPECT_GT(encode_surface_vdb({}, 0, 0, threads).size(), 100U);
}

}  // namespace
}  // namespace repose
