#pragma once
// Water that was tilted and sloshes for a while, and what becomes of its volume.

#include "support/water_rows.h"
#include "support/water_volume.h"
#include <gtest/gtest.h>

namespace repose::test {

struct SloshedVolume {
  double most_off_grid = 0, most_off_surface = 0;  ///< largest share by which the volume was wrong
  double level = 0;  ///< height of the centre of mass at the end over half the depth
};

/// A tank of 0.64 m with water of a mean depth of 0.24 m that stands 0.1 m higher at one end, `cells` along
/// it and one tile wide; looked at ten times a second.
inline SloshedVolume slosh_for(double seconds, int cells, Threads& threads) {
  constexpr double kLength = 0.64, kDepth = 0.24, kTilt = 0.1;
  const double h = kLength / cells;
  Scene scene = tank_scene({kLength, 8 * h, 0.6}, 0.5 * h);
  scene.domain.faces[2] = scene.domain.faces[3] = FaceKind::periodic;
  scene.surface.smoothing = 0;
  add_water_rows(
      scene, Vec3d(0), {kLength, 8 * h, kDepth + kTilt},
      [&](const Vec3d& x) { return x.z < kDepth + kTilt * (0.5 - x.x / kLength); },
      [](const Vec3d&) { return Vec3d(0); });
  FlipSolver solver(scene, threads, {});
  const double exact = kLength * 8 * h * kDepth;
  SloshedVolume result;
  for (int k = 1; k <= static_cast<int>(10 * seconds); ++k) {
    EXPECT_EQ(advance(solver, 0.1 * k), "");
    result.most_off_grid = std::max(result.most_off_grid, std::abs(grid_volume(solver) / exact - 1));
    result.most_off_surface =
        std::max(result.most_off_surface, std::abs(surface_volume(solver, scene, threads) / exact - 1));
  }
  for (const Vec3d& x : solver.state().position)
    result.level += x.z / static_cast<double>(solver.state().size()) / (0.5 * kDepth);
  EXPECT_EQ(solver.state().escaped, 0U);
  return result;
}

}  // namespace repose::test
