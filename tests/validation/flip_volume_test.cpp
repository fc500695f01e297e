// The volume of sloshing water, from the grid and from the surface around the particles: kept within 2 %. Of
// the surface: a periodic tank is cut open where it repeats, and there the surface rounds off; it may be off
// by another 1 %.

#include "support/sloshing_tank.h"

namespace repose {
namespace {

TEST(FlipVolume, IsKeptWhileWaterSloshes) {
  Threads threads(2);
  const test::SloshedVolume volume = test::slosh_for(2, 32, threads);
  RecordProperty("grid", std::to_string(volume.most_off_grid));
  RecordProperty("surface", std::to_string(volume.most_off_surface));
  RecordProperty("level", std::to_string(volume.level));
  EXPECT_LT(volume.most_off_grid, 0.02);
  EXPECT_LT(volume.most_off_surface, 0.03);
}

}  // namespace
}  // namespace repose
