#include "support/drum.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace repose::test {
namespace {

constexpr double kGrain = 0.005;   ///< bounding diameter [m]
constexpr double kGravity = 9.81;  ///< [m/s2]
constexpr int kReadings = 60;

}  // namespace

Scene drum_scene(const Drum& drum) {
  const double d = kGrain, R = drum.radius * d, W = drum.width * d;
  Scene scene = box_scene(drum.grain, Vec3d(1), d);
  scene.info.seed = drum.seed;
  scene.domain.min = {-R - d, 0, -R - d};
  scene.domain.max = {R + d, W, R + d};
  scene.domain.faces = {FaceKind::open,     FaceKind::open, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::open, FaceKind::open};
  scene.solver.dem.tangential = TangentialLaw::spring;
  Material& sand = scene.materials[0];
  sand.young = 1e6;
  sand.friction = drum.friction;
  sand.density = 0.58 * sand.grain_density;

  BodyDefinition shell;
  shell.name = "drum";
  shell.shape.kind = ShapeKind::cylinder;
  shell.shape.invert = true;
  shell.shape.radius = R;
  shell.shape.height = 4 * W;
  shell.shape.pose.position = {0, 0.5 * W, 0};
  shell.shape.pose.rotation = rotation_from_degrees({90, 0, 0});
  shell.motion = Motion::moving;
  shell.angular_velocity = {0, std::sqrt(drum.froude * kGravity / R), 0};
  shell.friction = 1;  // a lining that grips: the bed goes round with it
  shell.restitution = sand.restitution;
  scene.bodies.push_back(shell);

  // The drum cuts the box to half a cylinder.
  add_fill(scene, box_shape({2 * R, W, R}, {0, 0.5 * W, -0.5 * R}), Packing::settled);
  if (drum.dt_factor != 1) scene.solver.dem.dt = drum.dt_factor * automatic_dt(scene);
  return scene;
}

namespace {

/// The surface in slices one diameter wide across the drum: mean over columns along the axis of the highest
/// grain's top [m]; where there is none, not a number.
std::vector<double> surface_of(const DemState& state, const Drum& drum) {
  const double d = kGrain, R = drum.radius * d;
  const auto slices = static_cast<std::size_t>(2 * drum.radius),
             columns = static_cast<std::size_t>(drum.width / 2);
  std::vector<double> top(slices * columns, -R), out(slices);
  for (std::size_t g = 0; g < state.size(); ++g) {
    const Vec3d& x = state.position[g];
    const double s = (x.x + R) / d, c = x.y / (2 * d);
    if (s < 0 || s >= static_cast<double>(slices)) continue;
    const auto column = std::min(columns - 1, static_cast<std::size_t>(std::max(0.0, c)));
    double& z = top[static_cast<std::size_t>(s) * columns + column];
    z = std::max(z, x.z + state.radius[g]);
  }
  for (std::size_t s = 0; s < slices; ++s)
    for (std::size_t c = 0; c < columns; ++c) out[s] += top[s * columns + c] / static_cast<double>(columns);
  return out;
}

/// Least squares over the middle 60 % across: height and slope of the line there, and the largest distance
/// from it [m].
struct SurfaceLine {
  double height = 0, slope = 0, distance = 0;
};
SurfaceLine line_of(const std::vector<double>& surface, const Drum& drum) {
  const double d = kGrain, R = drum.radius * d;
  double n = 0, mx = 0, mz = 0, xx = 0, xz = 0;
  const auto each = [&](auto&& f) {
    for (std::size_t s = 0; s < surface.size(); ++s) {
      const double x = (static_cast<double>(s) + 0.5) * d - R;
      if (std::abs(x) < 0.6 * R) f(x, surface[s]);
    }
  };
  each([&](double x, double z) { n += 1, mx += x, mz += z; });
  mx /= n, mz /= n;
  each([&](double x, double z) { xx += (x - mx) * (x - mx), xz += (x - mx) * (z - mz); });
  SurfaceLine out{mz, xz / xx, 0};
  each([&](double x, double z) {
    out.distance = std::max(out.distance, std::abs(z - mz - out.slope * (x - mx)) / std::hypot(1, out.slope));
  });
  return out;
}

}  // namespace

DrumFlow turn_drum(const Drum& drum) {
  const Scene scene = drum_scene(drum);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const double R = drum.radius * kGrain, speed = scene.bodies[0].angular_velocity.y;
  DrumFlow out;
  std::vector<double> mean;
  double sum2 = 0;
  for (int k = 0; k < kReadings; ++k) {
    out.failure = advance(solver, (drum.turn + drum.watch * k / (kReadings - 1)) / speed);
    if (!out.failure.empty()) return out;
    const std::vector<double> surface = surface_of(solver.state(), drum);
    mean.resize(surface.size());
    for (std::size_t s = 0; s < surface.size(); ++s) mean[s] += surface[s] / kReadings;
    const double angle = degrees(std::atan(std::abs(line_of(surface, drum).slope)));
    out.angle += angle / kReadings;
    sum2 += angle * angle / kReadings;
    Vec3d center(0);
    for (const Vec3d& x : solver.state().position) center += x / static_cast<double>(solver.state().size());
    out.by_mass += degrees(std::atan2(std::abs(center.x), -center.z)) / kReadings;
  }
  out.spread = std::sqrt(std::max(0.0, sum2 - out.angle * out.angle));
  out.curvature = line_of(mean, drum).distance / R;
  out.grains = solver.state().size();
  return out;
}

}  // namespace repose::test
