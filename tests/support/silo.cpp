#include "support/silo.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace repose::test {
namespace {

/// A settled cylinder that stands on z = 0.
void add_bed(Scene& scene, double radius, double height) {
  Shape bed;
  bed.kind = ShapeKind::cylinder;
  bed.radius = radius;
  bed.height = height;
  bed.pose.position = {0, 0, 0.5 * height};
  add_fill(scene, bed, Packing::settled);
}

constexpr double kBeadFriction = 0.2;  ///< of what runs out [-]
constexpr double kWall = 0.004;        ///< thickness of the silo [m]
constexpr double kGravity = 9.81;      ///< [m/s2]
constexpr double kInterval = 0.01;     ///< between readings [s]
constexpr double kQuiet = 0.25;        ///< without a grain that leaves: the end [s]

/// A cup with a hole in its bottom, whose inside starts at z = 0.
BodyDefinition silo_body(double hole, double radius, double height) {
  BodyDefinition body;
  body.name = "silo";
  body.shape.kind = ShapeKind::lathe;
  body.shape.profile = {{hole, -kWall},
                        {radius + kWall, -kWall},
                        {radius + kWall, height},
                        {radius, height},
                        {radius, 0},
                        {hole, 0},
                        {hole, -kWall}};
  body.friction = kSiloFriction;
  return body;
}

/// Least squares y = a + b x.
struct Line {
  double a, b, r_squared;
};

Line line_through(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  return {my - xy / xx * mx, xy / xx, xy * xy / (xx * yy)};
}

double mass_of(const DemSolver& solver, std::size_t g) {
  const DemState& state = solver.state();
  return solver.model().grain_mass(state.shape[g], state.material[g], state.radius[g]);
}

/// By the share of grains whose centres lie two diameters or more from walls, bottom and surface.
double density_inside(const DemSolver& solver, double radius, double height) {
  const double off = 2 * kSiloGrain;
  double mass = 0;
  for (std::size_t g = 0; g < solver.state().size(); ++g) {
    const Vec3d& x = solver.state().position[g];
    if (std::hypot(x.x, x.y) < radius - off && x.z > off && x.z < height - off) mass += mass_of(solver, g);
  }
  return mass / (kPi * (radius - off) * (radius - off) * (height - 2 * off));
}

void read_rates(Discharge& out) {
  const double all = out.mass.back();
  std::vector<double> t, m;
  for (std::size_t i = 0; i < out.mass.size(); ++i)
    if (out.mass[i] > 0.25 * all && out.mass[i] < 0.75 * all)
      t.push_back(out.time[i]), m.push_back(out.mass[i]);
  if (t.size() < 6) return;
  const Line line = line_through(t, m);
  out.rate = line.b;
  out.r_squared = line.r_squared;
  const std::size_t half = t.size() / 2;
  const std::span<const double> ts = t, ms = m;
  out.first_half = line_through(ts.first(half), ms.first(half)).b;
  out.second_half = line_through(ts.subspan(half), ms.subspan(half)).b;
}

/// Keyframes that hold, go down by a tenth of a diameter, and hold again.
constexpr double kLowerFrom = 0.1, kLowerTo = 0.25, kMeasureFrom = 0.5, kMeasureTo = 0.6;  ///< [s]

BodyDefinition falling_bottom(double radius) {
  BodyDefinition body;
  body.name = "bottom";
  body.shape.kind = ShapeKind::cylinder;
  body.shape.radius = radius - 0.25 * kSiloGrain;
  body.shape.height = 2 * kWall;
  body.shape.pose.position = {0, 0, -kWall};
  body.motion = Motion::keyframed;
  const Vec3d before = body.shape.pose.position, after = before - Vec3d(0, 0, 0.1 * kSiloGrain);
  body.keyframes = {{.t = 0, .position = before},
                    {.t = kLowerFrom, .position = before},
                    {.t = kLowerTo, .position = after},
                    {.t = 10, .position = after}};
  body.interpolation = Interpolation::linear;
  body.friction = kSiloFriction;
  return body;
}

double janssen_load(double L, double height) { return L / height * (1 - std::exp(-height / L)); }

double squared_deviation(double L, const std::vector<double>& heights, const std::vector<BottomLoad>& loads) {
  double sum = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double p = loads[i].force / loads[i].area, w = loads[i].weight / loads[i].area;
    sum += std::pow(p - w * janssen_load(L, heights[i]), 2);
  }
  return sum;
}

}  // namespace

BottomLoad bottom_load(const Filling& filling) {
  const double radius = 0.5 * filling.width * kSiloGrain, height = filling.height * 2 * radius;
  Scene scene = void_scene(filling.grain, kSiloGrain);
  scene.info.gravity = {0, 0, -kGravity};
  scene.info.seed = filling.seed;
  scene.domain.min = {-radius - 0.02, -radius - 0.02, -0.02};
  scene.domain.max = {radius + 0.02, radius + 0.02, 2 * height + 0.1};
  scene.materials[0].young = 5e6;
  scene.materials[0].density = kSiloDensity;
  scene.materials[0].friction = kSiloFriction;
  BodyDefinition wall = silo_body(radius, radius, 2 * height);
  wall.shape.profile = {{radius, -2 * kWall},
                        {radius + kWall, -2 * kWall},
                        {radius + kWall, 2 * height},
                        {radius, 2 * height},
                        {radius, -2 * kWall}};
  wall.name = "wall";
  wall.friction = filling.friction;
  scene.bodies = {wall, falling_bottom(radius)};
  add_bed(scene, radius, height);
  if (filling.dt_factor != 1) scene.solver.dem.dt = filling.dt_factor * automatic_dt(scene);

  Threads threads(1);
  DemSolver solver(scene, threads, {});
  BottomLoad out;
  out.area = kPi * radius * radius;
  out.failure = advance(solver, kMeasureFrom);
  solver.begin_interval();
  if (out.failure.empty()) out.failure = advance(solver, kMeasureTo);
  const SolverStats stats = solver.stats();
  out.weight = stats.mass * kGravity;
  out.kinetic = stats.kinetic / (out.weight * kSiloGrain);
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  for (const BodyRow& row : rows) {
    if (row.name == "bottom") out.force = -row.force.z;
    if (row.name == "wall") out.wall = -row.force.z;
  }
  return out;
}

JanssenFit fit_janssen(const std::vector<double>& heights, const std::vector<BottomLoad>& loads) {
  // Golden section over the logarithm of L; the deviation has one valley.
  const double share = 0.5 * (std::sqrt(5.0) - 1);
  double low = std::log(0.05 * heights.front()), high = std::log(50 * heights.back());
  while (high - low > 1e-9) {
    const double a = high - share * (high - low), b = low + share * (high - low);
    if (squared_deviation(std::exp(a), heights, loads) < squared_deviation(std::exp(b), heights, loads))
      high = b;
    else
      low = a;
  }
  JanssenFit fit;
  fit.L = std::exp(0.5 * (low + high));
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double expected = loads[i].weight * janssen_load(fit.L, heights[i]);
    fit.largest_residual = std::max(fit.largest_residual, std::abs(loads[i].force / expected - 1));
  }
  return fit;
}

Discharge discharge(const Orifice& orifice, double most) {
  const double D = orifice.diameter * kSiloGrain, radius = 0.5 * orifice.width * D,
               height = orifice.height * D;
  Scene scene = void_scene(orifice.grain, kSiloGrain);
  scene.info.gravity = {0, 0, -kGravity};
  scene.info.seed = orifice.seed;
  scene.domain.min = {-radius - 0.02, -radius - 0.02, -0.04};
  scene.domain.max = {radius + 0.02, radius + 0.02, 2 * height + 0.1};
  scene.materials[0].young = 1e6;
  scene.materials[0].density = kSiloDensity;
  scene.materials[0].friction = kBeadFriction;
  scene.bodies.push_back(silo_body(0.5 * D, radius, 1.5 * height));
  add_bed(scene, radius, height);
  if (orifice.dt_factor != 1) scene.solver.dem.dt = orifice.dt_factor * automatic_dt(scene);

  Threads threads(1);
  DemSolver solver(scene, threads, {});
  Discharge out;
  out.bed_density = density_inside(solver, radius, height);
  const double start = solver.stats().mass;
  double last_change = 0;
  for (double t = kInterval; t < most && t - last_change < kQuiet; t += kInterval) {
    out.failure = advance(solver, t);
    if (!out.failure.empty()) return out;
    double inside = 0;
    for (std::size_t g = 0; g < solver.state().size(); ++g)
      if (solver.state().position[g].z > -kWall) inside += mass_of(solver, g);
    if (out.mass.empty() || start - inside > out.mass.back()) last_change = t;
    out.time.push_back(t);
    out.mass.push_back(start - inside);
  }
  read_rates(out);
  return out;
}

BeverlooFit fit_beverloo(const std::vector<double>& diameters, const std::vector<double>& rates,
                         double density) {
  std::vector<double> roots;
  for (const double W : rates) roots.push_back(std::pow(W, 0.4));
  const Line line = line_through(diameters, roots);  // W^(2/5) = (C rho sqrt(g))^(2/5) (D - k d)
  BeverlooFit fit;
  fit.C = std::pow(line.b, 2.5) / (density * std::sqrt(kGravity));
  fit.k = -line.a / line.b / kSiloGrain;
  for (std::size_t i = 0; i < roots.size(); ++i)
    fit.largest_deviation =
        std::max(fit.largest_deviation, std::abs(line.a + line.b * diameters[i] - roots[i]) / roots[i]);
  return fit;
}

}  // namespace repose::test
