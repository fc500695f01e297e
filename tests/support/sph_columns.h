#pragma once
// Columns of sand that collapse under sph, for validation.

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/sph_scenes.h"

namespace repose::test {

inline constexpr double kColumnSpacing = 0.005;  ///< [m]

struct SandColumn {
  bool is_round = false;
  double aspect = 1;  ///< height over length, or over the radius
  double angle = 30;  ///< of the sand [deg]
  int size = 20;      ///< the lesser of height and length, or radius [spacings]
};

struct Spread {
  double runout = 0;  ///< (tip - length) / length
  double height = 0;  ///< of the deposit in its middle, over the length
};

inline Scene column_scene(const SandColumn& column, double length) {
  if (!column.is_round) {
    Scene scene = under_sph(sand_column(length, column.aspect, 0.6, kColumnSpacing));
    scene.domain.max.x = (3 + 3 * column.aspect) * length;
    scene.materials[0].friction_angle = radians(column.angle);
    return scene;
  }
  const double wide = length * (2 + 2 * column.aspect), height = column.aspect * length;
  Scene scene = under_sph(sand_tank({1, 1, 1}, kColumnSpacing, column.angle));
  scene.domain.min = {-wide, -wide, 0};
  scene.domain.max = {wide, wide, 1.3 * height};
  scene.domain.friction.fill(0.6);
  Shape shape;
  shape.kind = ShapeKind::cylinder;
  shape.radius = length;
  shape.height = height;
  shape.pose.position.z = 0.5 * height;
  add_sand(scene, shape);
  return scene;
}

/// Lets the column go and reads what lies there after 5 sqrt(height / g): collapses last about 3.3 of these.
inline Spread collapse_of(const SandColumn& column, Threads& threads) {
  const double length = column.size * kColumnSpacing / std::min(1.0, column.aspect);
  SphSolver solver(column_scene(column, length), threads, {});
  EXPECT_EQ(advance(solver, 5 * std::sqrt(column.aspect * length / 9.81)), "");
  std::vector<double> ways;
  Spread spread;
  for (const Vec3d& x : solver.state().position) {
    ways.push_back(column.is_round ? std::hypot(x.x, x.y) : x.x);
    if (ways.back() < 4 * kColumnSpacing) spread.height = std::max(spread.height, x.z / length);
  }
  std::sort(ways.begin(), ways.end());
  const auto place = [&](double share) {
    return ways[static_cast<std::size_t>(share * static_cast<double>(ways.size()))];
  };
  // The deposit ends in a wedge: with a share s of the sand beyond it, a place is sqrt(s) times a length from
  // the tip, so the tip lies as far beyond the place of 99 % as that lies beyond the place of 96 %.
  spread.runout = (2 * place(0.99) - place(0.96) - length) / length;
  return spread;
}

}  // namespace repose::test
