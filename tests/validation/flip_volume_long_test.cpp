// The volume of water that sloshes for 10 s, from the grid and from the surface: kept within 2 % (and 1 %
// more for the ends of a periodic tank, see flip_volume_test.cpp). In the end it lies level: the centre of
// mass is at half its depth.

#include "support/sloshing_tank.h"

namespace repose {
namespace {

TEST(FlipVolumeLong, IsKeptForTenSeconds) {
  Threads threads(2);
  const test::SloshedVolume volume = test::slosh_for(10, 64, threads);
  RecordProperty("grid", std::to_string(volume.most_off_grid));
  RecordProperty("surface", std::to_string(volume.most_off_surface));
  RecordProperty("level", std::to_string(volume.level));
  EXPECT_LT(volume.most_off_grid, 0.02);
  EXPECT_LT(volume.most_off_surface, 0.03);
  EXPECT_NEAR(volume.level, 1, 0.02);
}

}  // namespace
}  // namespace repose
