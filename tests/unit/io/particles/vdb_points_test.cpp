// VDB files keep their bytes. What they hold is read back by tests/cli/test_exchange.py.

#include "repose/io/particles/vdb_points.h"

#include "unit/io/frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(VdbPoints, AreTheSameBytesForAnyNumberOfThreads) {
  Frame frame = test::make_frame(5000, true);
  for (float& radius : frame.radius) radius = 0.05F;  // several grains to a voxel, many leaves
  Threads one(1), two(2), four(4);
  const std::string bytes = encode_vdb(frame, one);
  EXPECT_GT(bytes.size(), 100000U);
  EXPECT_TRUE(encode_vdb(frame, one) == bytes);
  EXPECT_TRUE(encode_vdb(frame, two) == bytes);
  EXPECT_TRUE(encode_vdb(frame, four) == bytes);
}

TEST(VdbPoints, TellFramesApart) {
  Frame frame = test::make_frame(100, false);
  Threads threads(1);
  const std::string bytes = encode_vdb(frame, threads);
  frame.velocity[50].x += 1;
  // Other content, other mark in the head of the file.
  EXPECT_NE(encode_vdb(frame, threads).substr(0, 57), bytes.substr(0, 57));
}

TEST(VdbPoints, AFrameMayBeEmpty) {
  Threads threads(1);
  EXPECT_GT(encode_vdb(test::make_frame(0, true), threads).size(), 100U);
}

}  // namespace
}  // namespace repose
