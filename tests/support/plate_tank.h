#pragma once
// A tank that a thin plate parts in two, with water or sand on one side, under flip: does all of it stay
// there, and how hard does it press on the plate?

#include <array>
#include <cmath>
#include <string>

#include "support/sand_scenes.h"
#include "unit/geometry/mesh_cases.h"

#include "repose/core/random.h"
#include "repose/scene/scene.h"
#include "repose/solvers/flip/flip_solver.h"

namespace repose::test {

inline constexpr double kPlateSpacing = 0.01, kPlateCell = 2 * kPlateSpacing;  ///< [m]

/// What a plate is made of.
enum class PlateKind {
  box,
  mesh,   ///< closed
  sheet,  ///< an open mesh with a thickness
  keyframed,
};

/// Lengths in cells. The plate is wider than the tank.
struct PlateCase {
  double thickness = 1;
  Vec3d middle{8, 2, 4};  ///< a point of its middle plane
  Vec3d normal{1, 0, 0};  ///< from the side with matter to the empty one
  double top = 8;         ///< of the matter
  Vec3d tank{16, 4, 12};
  bool is_sand = false;
  bool fits = false;        ///< ends at the walls: for plates along the grid
  Vec3d velocity{0, 0, 0};  ///< not 0: a moving plate [m/s]
  double time = 0.4;        ///< [s]
  PlateKind kind = PlateKind::box;
};

struct PlateResult {
  std::size_t particles = 0;
  std::size_t passed = 0;  ///< are beyond the plate's middle at the end
  std::size_t lost = 0;    ///< are gone
  double force = 0;        ///< along the normal, mean over the second half of the time [N]
  double at_rest = 0;      ///< the same by hydrostatics [N]
  std::string failure;
};

/// The rotation that takes the x axis to the unit vector n.
inline Quatd rotation_from_x(const Vec3d& n) {
  Quatd q;
  return q.setRotation(Vec3d(1, 0, 0), n);
}

/// How far beyond the plate's middle plane a point lies [m].
inline double beyond_plate(const PlateCase& plate, const Vec3d& point, double time) {
  return plate.normal.normalized().dot(point - kPlateCell * plate.middle - time * plate.velocity);
}

/// Turns a plate that is a box into what it is made of, and sets it going.
inline void make_plate_of(const PlateCase& plate, BodyDefinition& body) {
  const Pose pose = body.shape.pose;
  if (plate.kind == PlateKind::mesh) body.shape = mesh_shape(box_mesh(body.shape.size, 3));
  if (plate.kind == PlateKind::sheet) {
    body.shape = mesh_shape(sheet_mesh(60 * kPlateCell, 3));
    body.shape.thickness = kPlateCell * plate.thickness;
  }
  body.shape.pose = pose;
  if (plate.kind == PlateKind::sheet) {
    Quatd up;
    up.setAxisAngle(Vec3d(0, 1, 0), 0.5 * kPi);  // it faces z, and the box x
    body.shape.pose.rotation = pose.rotation * up;
  }
  if (plate.velocity == Vec3d(0)) return;
  body.motion = Motion::moving;
  body.velocity = plate.velocity;
  if (plate.kind != PlateKind::keyframed) return;
  body.motion = Motion::keyframed;
  body.velocity = Vec3d(0);
  body.interpolation = Interpolation::linear;
  for (const double t : {0.0, plate.time}) {
    Keyframe key;
    key.t = t;
    key.position = pose.position + t * plate.velocity;
    const Vec3d& n = plate.normal;
    key.rotation.y = -degrees(std::atan2(n.z, n.x));  // for normals across y
    body.keyframes.push_back(key);
  }
}

inline Scene plate_scene(const PlateCase& plate) {
  const Vec3d size = kPlateCell * plate.tank;
  Scene scene = plate.is_sand ? sand_tank(size, kPlateSpacing, 30) : tank_scene(size, kPlateSpacing);
  BodyDefinition body;
  body.name = "plate";
  body.shape = box_shape(kPlateCell * Vec3d(plate.thickness, 60, 60), kPlateCell * plate.middle);
  body.shape.pose.rotation = rotation_from_x(plate.normal.normalized());
  if (plate.fits) {
    const int axis = plate.normal.x != 0 ? 0 : plate.normal.y != 0 ? 1 : 2;
    Vec3d edges = size, center = 0.5 * size;
    edges[axis] = kPlateCell * plate.thickness;
    center[axis] = kPlateCell * plate.middle[axis];
    body.shape = box_shape(edges, center);
  }
  make_plate_of(plate, body);
  scene.bodies.push_back(body);
  // One particle in each cube of the spacing, off its middle by chance.
  Fill fill;
  fill.name = "fill";
  fill.material = scene.materials[0].name;
  const double s = kPlateSpacing;
  std::uint64_t index = 0;
  for (double z = 0.5 * s; z < size.z; z += s)
    for (double y = 0.5 * s; y < size.y; y += s)
      for (double x = 0.5 * s; x < size.x; x += s) {
        const std::array<std::uint32_t, 4> random = philox4x32(7, 1, index++);
        if (z > kPlateCell * plate.top) continue;
        const Vec3d at =
            Vec3d(x, y, z) + 0.4 * s * (0x1p-32 * Vec3d(random[0], random[1], random[2]) - Vec3d(0.5));
        if (beyond_plate(plate, at, 0) < -0.5 * kPlateCell * plate.thickness - 0.25 * s)
          fill.points.push_back(at);
      }
  scene.fills.push_back(fill);
  return scene;
}

/// What water of this volume [m3] does to the plate at rest [N].
inline double hydrostatic_force(const PlateCase& plate, double volume) {
  constexpr int kParts = 20;  // of a cell
  const Vec3d n = plate.normal.normalized();
  const int axis = std::abs(n.x) > 0.5   ? 0
                   : std::abs(n.y) > 0.5 ? 1
                                         : 2,
            other = (axis + 1) % 3, third = (axis + 2) % 3;
  const double step = kPlateCell / kParts;
  // Columns along the axis from a wall, or from the open top, to the plate: by height, volume and area.
  const auto sum = [&](double level, bool force) {
    double total = 0;
    for (double u = 0.5 * step; u < kPlateCell * plate.tank[other]; u += step)
      for (double v = 0.5 * step; v < kPlateCell * plate.tank[third]; v += step) {
        Vec3d at(0);
        at[other] = u, at[third] = v;
        const double surface = -0.5 * kPlateCell * plate.thickness - beyond_plate(plate, at, 0);
        at[axis] = std::clamp(surface / n[axis], 0.0, kPlateCell * plate.tank[axis]);
        const bool meets = at[axis] == surface / n[axis];
        if (force) {
          if (meets) total += step * step / std::abs(n[axis]) * std::max(0.0, level - at.z) * 9810;
        } else if (axis == 2) {
          total += step * step * std::max(0.0, n.z < 0 ? level - at.z : std::min(level, at.z));
        } else if (at.z < level) {
          total += step * step * (n[axis] > 0 ? at[axis] : kPlateCell * plate.tank[axis] - at[axis]);
        }
      }
    return total;
  };
  double low = 0, high = kPlateCell * plate.tank.z;
  for (int k = 0; k < 40; ++k) (sum(0.5 * (low + high), false) < volume ? low : high) = 0.5 * (low + high);
  return sum(low, true);
}

inline PlateResult run_plate(const PlateCase& plate, bool measures_force = false) {
  Threads threads(1);
  const Scene scene = plate_scene(plate);
  FlipSolver solver(scene, threads, {});
  PlateResult result;
  result.particles = solver.state().size();
  result.failure = advance(solver, 0.5 * plate.time);
  solver.begin_interval();
  if (result.failure.empty()) result.failure = advance(solver, plate.time);
  for (const Vec3d& x : solver.state().position)
    if (beyond_plate(plate, x, plate.time) > 0) ++result.passed;
  result.lost = result.particles - solver.state().size();
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  result.force = rows[0].force.dot(plate.normal.normalized());
  if (measures_force)
    result.at_rest = hydrostatic_force(
        plate, static_cast<double>(result.particles) * kPlateSpacing * kPlateSpacing * kPlateSpacing);
  return result;
}

}  // namespace repose::test
