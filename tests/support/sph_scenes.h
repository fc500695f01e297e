#pragma once
// Small scenes of sand under sph for tests, built in code.

#include "support/sand_scenes.h"

#include "repose/solvers/sph/sph_solver.h"

namespace repose::test {

/// The same scene under sph.
inline Scene under_sph(Scene scene) {
  scene.solver.type = SolverKind::sph;
  return scene;
}

/// A block of sand in space without end and without gravity.
inline Scene sph_void_scene(const Vec3d& low, const Vec3d& high, double spacing) {
  Scene scene = under_sph(sand_tank({1, 1, 1}, spacing, 30));
  scene.domain.faces.fill(FaceKind::open);
  scene.info.gravity = Vec3d(0);
  add_sand(scene, low, high);
  return scene;
}

/// Along x [m/s].
inline double mean_speed(const SphState& state) {
  double sum = 0;
  for (const Vec3d& v : state.velocity) sum += v.x;
  return sum / static_cast<double>(state.size());
}

inline double mean_height(const SphState& state) {
  double sum = 0;
  for (const Vec3d& x : state.position) sum += x.z;
  return sum / static_cast<double>(state.size());
}

/// What bodies and walls bear together, downwards, over the interval [N].
inline double weight_borne(const SphSolver& solver) {
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  double down = 0;
  for (const BodyRow& row : rows) down -= row.force.z;
  return down;
}

}  // namespace repose::test
