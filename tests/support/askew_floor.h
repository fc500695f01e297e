#pragma once
// Sand on a floor that lies askew to the grid: a body that is tilted, where sand_scenes.h tilts gravity.

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "support/sand_scenes.h"

#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_solver.h"

namespace repose::test {

struct AskewFloor {
  double tilt = 20;            ///< [deg]
  double azimuth = 0;          ///< of the way downhill, from x towards y [deg]
  double friction = 0;         ///< of the floor
  double place = 0;            ///< of the floor, off the grid, in cells
  bool is_firm = false;        ///< a block that is too firm to yield, or dry sand of 40 degrees
  Vec3d size{24, 16, 4};       ///< of the sand, in cells: downhill, across, high
  bool is_plane = false;       ///< a ground plane, or a box
  double spacing = 0.005;      ///< [m]
  bool turns_gravity = false;  ///< the same with a floor along the grid, for comparison

  Vec3d downhill() const {
    const double b = turns_gravity ? 0 : radians(tilt), a = radians(azimuth);
    return {std::cos(b) * std::cos(a), std::cos(b) * std::sin(a), -std::sin(b)};
  }
  Vec3d across() const {
    const double a = radians(azimuth);
    return {-std::sin(a), std::cos(a), 0};
  }
  Vec3d normal() const { return downhill().cross(across()); }
  Quatd rotation() const {
    Quatd turn, tip;
    turn.setAxisAngle(Vec3d(0, 0, 1), radians(azimuth));
    tip.setAxisAngle(across(), turns_gravity ? 0 : radians(tilt));
    return tip * turn;
  }
  std::string name() const {
    std::ostringstream text;
    text << (is_firm ? "block" : "layer") << " of " << size << " cells, tilt " << tilt << ", azimuth "
         << azimuth << ", friction " << friction << ", " << place << " off the grid";
    return text.str();
  }
};

/// Where the middle of the sand's base lies at first [m].
inline Vec3d base_of(const AskewFloor& floor) {
  const double h = 2 * floor.spacing;
  const double room = 12 + 0.5 * std::max(floor.size.x, floor.size.y);
  return h * (Vec3d(room, room, room) + floor.place * Vec3d(0.31, 0.17, 1));
}

inline Scene askew_scene(const AskewFloor& floor) {
  const double h = 2 * floor.spacing, room = 24 + std::max(floor.size.x, floor.size.y);
  Scene scene = sand_tank(h * Vec3d(room + 8, room + 8, room), floor.spacing, floor.is_firm ? 45 : 40);
  scene.domain.faces.fill(FaceKind::open);
  if (floor.is_firm) scene.materials[0].cohesion = 1e4;
  if (floor.turns_gravity)
    scene.info.gravity = 9.81 * (std::sin(radians(floor.tilt)) * floor.downhill() -
                                 std::cos(radians(floor.tilt)) * floor.normal());
  BodyDefinition body;
  body.name = "floor";
  const Vec3d base = base_of(floor);
  const double thick = 20 * h;
  if (floor.is_plane) {
    body.shape.kind = ShapeKind::plane;
    body.shape.pose.position = base;
    body.shape.pose.rotation = floor.rotation();
  } else {
    body.shape = box_shape(h * Vec3d(400, 400, 20), base - 0.5 * thick * floor.normal());
    body.shape.pose.rotation = floor.rotation();
  }
  body.friction = floor.friction;
  scene.bodies.push_back(body);
  Shape sand = box_shape(h * floor.size, base + 0.5 * h * floor.size.z * floor.normal());
  sand.pose.rotation = floor.rotation();
  add_sand(scene, sand);
  return scene;
}

struct AskewSlide {
  double felt;   ///< friction
  double creep;  ///< mean speed downhill of the middle at the end [m/s]
  std::string failure;
};

/// From the motion of the middle third of the sand between two times [s].
inline AskewSlide slide_askew(const AskewFloor& floor, double from = 0.05, double to = 0.2) {
  Threads threads(1);
  FlipSolver solver(askew_scene(floor), threads, {});
  const double h = 2 * floor.spacing, b = radians(floor.tilt);
  const Vec3d t = floor.downhill(), c = floor.across(), base = base_of(floor);
  std::vector<bool> is_middle(solver.state().size());
  for (std::size_t p = 0; p < solver.state().size(); ++p) {
    const Vec3d x = solver.state().position[p] - base;
    is_middle[solver.state().id[p]] = floor.is_firm || (std::abs(x.dot(t)) < h * floor.size.x / 6 &&
                                                        std::abs(x.dot(c)) < h * floor.size.y / 4);
  }
  const auto speed = [&] {
    double sum = 0, count = 0;
    for (std::size_t p = 0; p < solver.state().size(); ++p)
      if (is_middle[solver.state().id[p]]) sum += t.dot(Vec3d(solver.state().velocity[p])), count += 1;
    return sum / count;
  };
  AskewSlide result{};
  result.failure = advance(solver, from);
  const double before = speed();
  if (result.failure.empty()) result.failure = advance(solver, to);
  result.creep = speed();
  result.felt = std::tan(b) - (result.creep - before) / (to - from) / (9.81 * std::cos(b));
  return result;
}

}  // namespace repose::test
