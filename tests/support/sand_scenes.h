#pragma once
// Small scenes of sand under flip for tests, built in code.

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_solver.h"
#include "repose/solvers/flip/flip_state.h"

namespace repose::test {

/// An empty tank with walls all around but an open top, for sand that stands at this slope [deg].
inline Scene sand_tank(const Vec3d& size, double spacing, double angle) {
  Scene scene = tank_scene(size, spacing);
  Material& sand = scene.materials[0];
  sand.name = "sand";
  sand.kind = MaterialKind::granular;
  sand.density = 1600;
  sand.friction_angle = radians(angle);
  return scene;
}

inline void add_sand(Scene& scene, const Shape& shape) { add_fill(scene, shape, Packing::settled); }
inline void add_sand(Scene& scene, const Vec3d& low, const Vec3d& high) {
  add_sand(scene, box_shape(high - low, 0.5 * (low + high)));
}

/// A layer of `cells` cells without end on a floor that is tilted by `tilt` [deg] along x: gravity is. It
/// comes again after `across` cells, a multiple of eight.
inline Scene sand_layer(int cells, double spacing, double angle, double tilt, double wall_friction,
                        int across = 8) {
  const double h = 2 * spacing;
  Scene scene = sand_tank({across * h, across * h, (cells + 6) * h}, spacing, angle);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  scene.domain.friction.fill(wall_friction);
  scene.info.gravity = 9.81 * Vec3d(std::sin(radians(tilt)), 0, -std::cos(radians(tilt)));
  add_sand(scene, {0, 0, 0}, {across * h, across * h, cells * h});
  return scene;
}

/// A column of length L0 and height a L0 by a smooth wall, periodic across.
inline Scene sand_column(double length, double aspect, double wall_friction, double spacing = 0.005) {
  const double cell = 2 * spacing;
  const double height = aspect * length;
  Scene scene = sand_tank({6 * length, 8 * cell, 1.3 * height}, spacing, 30);
  scene.domain.faces = {FaceKind::wall,     FaceKind::wall, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall, FaceKind::open};
  scene.domain.friction.fill(wall_friction);
  scene.domain.friction[0] = scene.domain.friction[1] = 0;
  add_sand(scene, {0, 0, 0}, {length, 8 * cell, height});
  return scene;
}

/// A floor that is tilted by `tilt` [deg] along x, as gravity is, with room for sand of `size` [m] that
/// slides by 0.3 m and spreads by seven cells to each side.
inline Scene sand_floor(const Vec3d& size, double spacing, double angle, double tilt, double wall_friction) {
  const double h = 2 * spacing;
  Scene scene = sand_tank(size + Vec3d(15 * h + 0.3, 15 * h, 6 * h), spacing, angle);
  scene.domain.faces.fill(FaceKind::open);
  scene.domain.faces[4] = FaceKind::wall;
  scene.domain.friction.fill(wall_friction);
  scene.info.gravity = 9.81 * Vec3d(std::sin(radians(tilt)), 0, -std::cos(radians(tilt)));
  return scene;
}

/// Sand with ends on a tilted floor: of this width and height, in cells, `place` cells off the grid.
struct SandOnFloor {
  double width, height, tilt, friction, place;  ///< tilt [deg]; friction of the floor

  std::string name() const {
    std::ostringstream text;
    text << width << " x " << height << " cells, tilt " << tilt << ", friction " << friction << ", " << place
         << " off the grid";
    return text.str();
  }
};

/// A block of sand that is too firm to yield.
inline Scene firm_block(const SandOnFloor& block, double spacing) {
  const double h = 2 * spacing;
  const Vec3d size = h * Vec3d(block.width, block.width, block.height),
              low = h * Vec3d(7 + block.place, 7 + block.place, 0);
  Scene scene = sand_floor(size, spacing, 45, block.tilt, block.friction);
  scene.materials[0].cohesion = 1e4;
  add_sand(scene, low, low + size);
  return scene;
}

/// A cone of dry sand of 35 degrees.
inline Scene dry_heap(const SandOnFloor& heap, double spacing) {
  const double h = 2 * spacing;
  Scene scene =
      sand_floor(h * Vec3d(heap.width, heap.width, heap.height), spacing, 35, heap.tilt, heap.friction);
  Shape cone;
  cone.kind = ShapeKind::cone;
  cone.radius = 0.5 * heap.width * h;
  cone.height = heap.height * h;
  cone.pose.position =
      h * Vec3d(7 + heap.place + 0.5 * heap.width, 7 + heap.place + 0.5 * heap.width, 0.5 * heap.height);
  add_sand(scene, cone);
  return scene;
}

/// Along x [m/s].
inline double mean_speed(const FlipState& state) {
  double sum = 0;
  for (const Vec3f& v : state.velocity) sum += static_cast<double>(v.x);
  return sum / static_cast<double>(state.size());
}

/// Mean acceleration along the slope from 0.1 to 0.3 s, and the speed then.
struct Slide {
  double acceleration, speed;
};
inline Slide slide(const Scene& scene) {
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  EXPECT_EQ(advance(solver, 0.1), "");
  const double before = mean_speed(solver.state());
  EXPECT_EQ(advance(solver, 0.3), "");
  const double after = mean_speed(solver.state());
  return {(after - before) / 0.2, after};
}

inline std::vector<Vec3d> positions_by_id(const FlipState& state) {
  std::vector<Vec3d> positions(state.size());
  for (std::size_t p = 0; p < state.size(); ++p) positions[state.id[p]] = state.position[p];
  return positions;
}

/// How far each particle is from where it was, rising [m].
inline std::vector<double> ways_since(const std::vector<Vec3d>& start, const FlipState& state) {
  std::vector<double> ways;
  for (std::size_t p = 0; p < state.size(); ++p)
    ways.push_back((state.position[p] - start[state.id[p]]).length());
  std::sort(ways.begin(), ways.end());
  return ways;
}

}  // namespace repose::test
