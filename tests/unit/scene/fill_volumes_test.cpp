#include "repose/scene/fill_volumes.h"

#include "scene_text.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

FillVolume volume_of(const std::string& tables, std::size_t fill = 0, int threads = 1) {
  Threads pool(threads);
  return measure_fill(parse_with_needs("[material.m]\n" + tables), fill, pool);
}

TEST(FillVolumes, AreExactWhereNothingCuts) {
  const FillVolume room =
      volume_of("[fill.a]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 0.3\nposition = [0, 0, 1]\n");
  EXPECT_EQ(room.shape, room.in_domain);
  EXPECT_EQ(room.shape, room.free);
  EXPECT_NEAR(room.shape, 4.0 / 3 * kPi * 0.027, 1e-12);
}

TEST(FillVolumes, KnowDomainBodiesAndEarlierFills) {
  const std::string tables =
      "[fill.first]\nmaterial = \"m\"\nshape = \"box\"\nsize = [0.5, 2, 2]\nposition = [-0.75, 0, 1]\n"
      "[fill.second]\nmaterial = \"m\"\nshape = \"box\"\nsize = [4, 1, 1]\nposition = [0, 0, 1]\n"
      "[body.ball]\nshape = \"sphere\"\nradius = 0.4\nposition = [0.3, 0, 1]\n";
  const FillVolume room = volume_of(tables, 1);
  EXPECT_NEAR(room.shape, 4, 1e-12);
  EXPECT_NEAR(room.in_domain, 2, 1e-9);
  const double free = 2 - 0.5 - 4.0 / 3 * kPi * 0.064;
  EXPECT_NEAR(room.free, free, 0.002 * free);
  EXPECT_EQ(volume_of(tables, 1, 4).free, room.free);
}

TEST(FillVolumes, DoNotDependOnTheSpacing) {
  const std::string fill =
      "[fill.a]\nmaterial = \"m\"\nshape = \"sphere\"\nradius = 1\nposition = [0, 0, 0]\n";
  Threads threads(1);
  const Scene scene =
      parse_with_needs("[material.m]\n" + fill, std::vector<std::string>{"solver.spacing=1e-9"});
  const double half = 2.0 / 3 * kPi;
  EXPECT_NEAR(measure_fill(scene, 0, threads).free, half, 0.002 * half);
}

}  // namespace
}  // namespace repose
