#include "support/incline.h"

#include <algorithm>
#include <cmath>

namespace repose::test {
namespace {

constexpr double kDiameter = 0.01;  ///< [m]
constexpr double kGravity = 9.81;   ///< [m/s2]
constexpr double kBase = 1.5;       ///< thickness of what is held, in diameters
constexpr double kSlice = 2;        ///< of profiles, in diameters
constexpr double kInterval = 0.5;   ///< between readings, in sqrt(d / g)

Scene incline_scene(const Incline& incline) {
  const double d = kDiameter, Lx = incline.length * d, Ly = incline.width * d;
  Scene scene = box_scene("sphere", {Lx, Ly, (3 * incline.height + 20) * d}, d);
  scene.info.seed = incline.seed;
  const double theta = radians(incline.angle);
  scene.info.gravity = {kGravity * std::sin(theta), 0, -kGravity * std::cos(theta)};
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  Material& sand = scene.materials[0];
  const double mass = sand.grain_density * kPi / 6 * d * d * d;
  sand.restitution = 0.88;
  sand.friction = 0.5;
  sand.density = 0.58 * sand.grain_density;
  DemSettings& dem = scene.solver.dem;
  dem.normal = NormalLaw::linear;
  dem.stiffness = incline.stiffness * mass * kGravity / d;
  dem.tangential = TangentialLaw::spring;
  dem.k_t = 2.0 / 7 * *dem.stiffness;
  dem.damping_t = 0;
  add_fill(scene, box_shape({Lx, Ly, kBase * d}, {0.5 * Lx, 0.5 * Ly, 0.5 * kBase * d}), Packing::settled);
  scene.fills[0].fixed = true;
  const double H = incline.height * d, low = (kBase + 0.6) * d;
  add_fill(scene, box_shape({Lx, Ly, H}, {0.5 * Lx, 0.5 * Ly, low + 0.5 * H}), Packing::settled);
  scene.fills[1].velocity = {incline.start * std::sqrt(kGravity * d), 0, 0};
  if (incline.dt_factor != 1) dem.dt = incline.dt_factor * automatic_dt(scene);
  return scene;
}

struct Reading {
  double height = 0, mean_speed = 0, energy = 0, surface = 0;
};

double top_of_base(const DemState& state) {
  double top = 0;
  for (std::size_t g = 0; g < state.size(); ++g)
    if (state.held[g] != 0) top = std::max(top, state.position[g].z);
  return top;
}

Reading read_layer(const DemState& state, double base) {
  const double d = kDiameter, unit = std::sqrt(kGravity * d);
  Reading out;
  double n = 0, top_count = 0;
  for (std::size_t g = 0; g < state.size(); ++g) {
    if (state.held[g] != 0) continue;
    n += 1;
    out.height += 2 * (state.position[g].z - base) / d;
    out.mean_speed += state.velocity[g].x / unit;
    out.energy += 0.5 * state.velocity[g].length2() / (kGravity * d);
  }
  out.height /= n, out.mean_speed /= n, out.energy /= n;
  for (std::size_t g = 0; g < state.size(); ++g) {
    if (state.held[g] != 0 || state.position[g].z < base + (out.height - 2) * d) continue;
    top_count += 1;
    out.surface += state.velocity[g].x / unit;
  }
  out.surface /= std::max(1.0, top_count);
  return out;
}

/// Volume of a ball of diameter 1 below a height over its centre.
double ball_below(double z) {
  const double h = std::clamp(z + 0.5, 0.0, 1.0);
  return kPi * h * h * (1.5 - h) / 3;
}

void add_profiles(const DemState& state, double base, const Incline& incline, double weight, LayerFlow& out) {
  const double d = kDiameter;
  std::vector<double> count(out.solid.size()), speed(out.solid.size());
  for (std::size_t g = 0; g < state.size(); ++g) {
    const double z = (state.position[g].z - base) / d;
    for (std::size_t s = 0; s < out.solid.size(); ++s) {
      const double low = kSlice * static_cast<double>(s);
      const double part = ball_below(low + kSlice - z) - ball_below(low - z);
      out.solid[s] += weight * part / (kSlice * incline.length * incline.width);
      if (state.held[g] != 0) continue;
      count[s] += part;
      speed[s] += part * state.velocity[g].x / std::sqrt(kGravity * d);
    }
  }
  for (std::size_t s = 0; s < count.size(); ++s)
    if (count[s] > 0) out.speed[s] += weight * speed[s] / count[s];
}

}  // namespace

LayerFlow flow_down(const Incline& incline) {
  const Scene scene = incline_scene(incline);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const double unit = std::sqrt(kDiameter / kGravity), base = top_of_base(solver.state());
  LayerFlow out;
  out.solid.resize(static_cast<std::size_t>(incline.height / kSlice));
  out.speed.resize(out.solid.size());
  const double start = incline.time - incline.window;
  const int readings = static_cast<int>(incline.window / kInterval);
  for (int k = 1; k <= readings; ++k) {
    out.failure = advance(solver, (start + k * kInterval) * unit);
    if (!out.failure.empty()) return out;
    const Reading now = read_layer(solver.state(), base);
    out.height += now.height / readings;
    out.surface += now.surface / readings;
    (2 * k <= readings ? out.first : out.second) += 2 * now.mean_speed / readings;
    out.energy = now.energy;
    add_profiles(solver.state(), base, incline, 1.0 / readings, out);
  }
  return out;
}

}  // namespace repose::test
