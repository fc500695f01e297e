#pragma once
// Small scenes of snow for tests, built in code.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/dem_scenes.h"

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

}  // namespace repose::test
