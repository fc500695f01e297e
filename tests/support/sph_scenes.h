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

/// Under the paper's own law, with its three iterations and steps of 1 ms.
inline Scene as_printed(Scene scene) {
  scene.solver.sph.yield = YieldLaw::paper;
  scene.solver.sph.iterations = 3;
  scene.solver.sph.dt = 0.001;
  return scene;
}

/// The same with its sleeping below this speed [m/s].
inline Scene as_printed(Scene scene, double sleep_speed) {
  scene.solver.sph.sleep = true;
  scene.solver.sph.sleep_speed = sleep_speed;
  return as_printed(scene);
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

/// Tilts the ground by `tilt` [deg], so that x points down the slope: gravity turns.
inline void tilt_ground(SphSolver& solver, double tilt) {
  const double b = radians(tilt);
  solver.set_gravity(9.81 * Vec3d(std::sin(b), 0, -std::cos(b)));
}

/// A layer without end so many particles deep, 16 particles along and across, on a level floor that is
/// rougher than the sand.
inline Scene slope_patch(double angle, int depth) {
  constexpr double kSpacing = 0.01;
  Scene scene = under_sph(sand_layer(depth / 2 + 1, kSpacing, angle, 0, 10));
  scene.fills.clear();
  add_sand(scene, Vec3d(0), kSpacing * Vec3d(16, 16, depth));
  return scene;
}

/// What is due to a layer without end on a slope of `tilt`, of sand that stands at `angle` [deg] [m/s2].
inline double acceleration_due(double angle, double tilt) {
  const double b = radians(tilt);
  return 9.81 * (std::sin(b) - std::tan(radians(angle)) * std::cos(b));
}

/// How far a layer slides down in `seconds` after it is tilted at once at 0.2 s, and in the last 0.4 of that
/// time [spacings].
struct SphCreep {
  double all = 0, last = 0;
};
inline SphCreep creep_after_tilt(const Scene& scene, double tilt, double seconds) {
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(advance(solver, 0.2), "");
  tilt_ground(solver, tilt);
  SphCreep creep;
  const int pieces = static_cast<int>(std::lround(100 * seconds));
  for (int k = 1; k <= pieces; ++k) {
    EXPECT_EQ(advance(solver, 0.2 + 0.01 * k), "");
    const double distance = 0.01 * mean_speed(solver.state()) / scene.solver.spacing;
    creep.all += distance;
    if (k > 0.6 * pieces) creep.last += distance;
  }
  return creep;
}

/// How a layer goes after the ground was tilted: its mean acceleration [m/s2], and its speed in the end
/// [m/s].
struct SphSlide {
  double acceleration = 0, speed = 0;
};

/// Of a layer on level ground that is tilted by `tilt` [deg] at 0.2 s: the acceleration from 0.4 s to
/// `until`, the speed at `end` [s].
inline SphSlide slide_after_tilt(const Scene& scene, double tilt, double until, double end) {
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(advance(solver, 0.2), "");
  tilt_ground(solver, tilt);
  EXPECT_EQ(advance(solver, 0.4), "");
  const double before = mean_speed(solver.state());
  EXPECT_EQ(advance(solver, until), "");
  const double after = mean_speed(solver.state());
  EXPECT_EQ(advance(solver, end), "");
  return {(after - before) / (until - 0.4), mean_speed(solver.state())};
}

/// Whose tangent is the friction that leaves a layer on a slope of `tilt` [deg] this acceleration [deg].
inline double friction_angle_of(double tilt, double acceleration) {
  const double b = radians(tilt);
  return degrees(std::atan((9.81 * std::sin(b) - acceleration) / (9.81 * std::cos(b))));
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
