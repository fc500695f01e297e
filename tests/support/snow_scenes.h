#pragma once
// Small scenes of snow for tests, built in code.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/scene/scene.h"
#include "repose/solvers/snow/snow_solver.h"

namespace repose::test {

/// An empty tank with walls without friction all around but an open top, for snow of 100 kg/m3.
inline Scene snow_tank(const Vec3d& size, double spacing) {
  Scene scene = box_scene("sphere", size, spacing);
  scene.solver.type = SolverKind::snow;
  scene.domain.friction.fill(0);
  Material& snow = scene.materials[0];
  snow.name = "snow";
  snow.kind = MaterialKind::snow;
  snow.density = 100;
  snow.friction_angle = radians(35.0);
  return scene;
}

inline void add_snow(Scene& scene, const Vec3d& low, const Vec3d& high) {
  add_fill(scene, box_shape(high - low, 0.5 * (low + high)), Packing::settled);
}

/// A solid that goes along a path of keyframes, linear from one to the next: z of its middle at each time.
inline void add_piston(Scene& scene, const Shape& shape, const std::vector<std::array<double, 2>>& path) {
  BodyDefinition piston;
  piston.name = "piston";
  piston.shape = shape;
  piston.motion = Motion::keyframed;
  piston.friction = 0;
  piston.interpolation = Interpolation::linear;
  for (const auto& [t, z] : path) {
    Keyframe key;
    key.t = t;
    key.position = {shape.pose.position.x, shape.pose.position.y, z};
    piston.keyframes.push_back(key);
  }
  scene.bodies.push_back(piston);
}

/// Upward force of the snow on the first body, mean over the time up to `time` [N].
inline double mean_lift(SnowSolver& solver, double time, std::string& failure) {
  solver.begin_interval();
  failure = advance(solver, time);
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  return rows.at(0).force.z;
}

inline double mean_height(const FlipState& state) {
  double sum = 0;
  for (const Vec3d& x : state.position) sum += x.z;
  return sum / static_cast<double>(state.size());
}

template <class Values>
double mean_of(const Values& values) {
  double sum = 0;
  for (const auto value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

/// A layer of ten cells without end, on a floor without slip; gravity is tilted along x [deg].
inline Scene snow_layer(double spacing, double tilt) {
  const double h = 2 * spacing;
  Scene scene = snow_tank({8 * h, 8 * h, 16 * h}, spacing);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  scene.domain.friction.fill(std::numeric_limits<double>::infinity());
  scene.info.gravity = 9.81 * Vec3d(std::sin(radians(tilt)), 0, -std::cos(radians(tilt)));
  add_snow(scene, {0, 0, 0}, {8 * h, 8 * h, 10 * h});
  return scene;
}

/// Along x: mean acceleration from one time to the other, and the speed then.
struct Slide {
  double acceleration, speed;
};
inline Slide slide_of(const Scene& scene, double from, double to) {
  Threads threads(2);
  SnowSolver solver(scene, threads, {});
  const auto mean_speed = [&] {
    double sum = 0;
    for (const Vec3f& v : solver.state().velocity) sum += static_cast<double>(v.x);
    return sum / static_cast<double>(solver.state().size());
  };
  EXPECT_EQ(advance(solver, from), "");
  const double before = mean_speed();
  EXPECT_EQ(advance(solver, to), "");
  const double after = mean_speed();
  return {(after - before) / (to - from), after};
}

/// Density over that of fallen snow when the stress on the piston first reaches `peak` [Pa]. The piston packs
/// a box of snow at a constant speed.
inline double packed_at(Material snow, double peak) {
  constexpr double kHeight = 0.32, kEdge = 0.08, kThick = 0.04, kSpeed = 0.1, kInterval = 0.02;
  Scene scene = snow_tank({kEdge, kEdge, kHeight + 0.08}, 0.005);
  snow.name = scene.materials[0].name;
  scene.materials[0] = snow;
  add_snow(scene, {0, 0, 0}, {kEdge, kEdge, kHeight});
  const double above = kHeight + 0.5 * kThick, end = 0.95 * kHeight / kSpeed;
  add_piston(scene, box_shape({kEdge, kEdge, kThick}, {0.5 * kEdge, 0.5 * kEdge, above}),
             {{0, above}, {end, above - kSpeed * end}});
  Threads threads(2);
  SnowSolver solver(scene, threads, {});
  for (double time = kInterval; time < end; time += kInterval) {
    std::string failure;
    const double stress = mean_lift(solver, time, failure) / (kEdge * kEdge);
    EXPECT_EQ(failure, "");
    if (stress >= peak) return kHeight / (kHeight - kSpeed * (time - 0.5 * kInterval));
  }
  return 0;
}

}  // namespace repose::test
