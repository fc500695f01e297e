// Thick liquids under flip.
//
// Between two plates that stand still, a liquid that gravity pulls along them ends up with the profile of
// Poiseuille, u = g z (H - z) / (2 nu), and the plates bear its weight. 12 cells between the plates; every
// particle within 3 % of the largest velocity. Steps are half as long as the flow takes to become steady.
//
// A film of thickness H that runs down a plate has u = g z (2 H - z) / (2 nu): no traction at its surface.
// Within 5 % of the largest velocity, since the surface is known to a part of a cell.
//
// A liquid that runs onto a plate at a steady rate Q spreads as R = 0.715 (g Q^3 / (3 nu))^(1/8) t^(1/2)
// (Huppert 1982, "The propagation of two-dimensional and axisymmetric viscous gravity currents over a rigid
// horizontal surface", eq. 2.26 with his eta_N; as recalled, not opened). The thread is wide and falls, and
// the film is but two to four cells thick: within 10 %.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.005, kCell = 2 * kSpacing;

/// Periodic along x and y, a tile wide; gravity pulls along x.
Scene layer_scene(double height, double depth, double gravity, double viscosity) {
  Scene scene = test::tank_scene({8 * kCell, 8 * kCell, height}, kSpacing);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::wall};
  scene.materials[0].viscosity = viscosity;
  scene.info.gravity = {gravity, 0, depth < height ? -9.81 : 0.0};
  test::add_water(scene, {0, 0, 0}, {8 * kCell, 8 * kCell, depth});
  return scene;
}

TEST(FlipViscosity, BetweenPlatesIsThatOfPoiseuille) {
  const double H = 12 * kCell, g = 1, mu = 20, nu = mu / 1000;
  Threads threads(2);
  FlipSolver solver(layer_scene(H, H, g, mu), threads, {});
  ASSERT_EQ(test::advance(solver, 0.6), "");  // H^2 / (pi^2 nu) is 0.073 s
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 0.7), "");
  EXPECT_GT(solver.state().viscous_iterations, 0);
  EXPECT_LE(solver.state().viscous_residual, 1e-5);
  const FlipState& state = solver.state();
  const double most = g * H * H / (8 * nu);
  double error = 0, mass = 0;
  for (std::size_t p = 0; p < state.size(); ++p) {
    const double z = state.position[p].z, expected = g * z * (H - z) / (2 * nu);
    error = std::max(error, std::abs(static_cast<double>(state.velocity[p].x) - expected));
    mass += solver.model().particle_mass;
  }
  RecordProperty("error", std::to_string(error / most));
  EXPECT_LT(error, 0.03 * most);
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  double force = 0;
  for (const BodyRow& row : rows) force += row.force.x;
  EXPECT_NEAR(force, mass * g, 0.03 * mass * g);
}

TEST(FlipViscosity, FilmOnAPlateIsThatOfNusselt) {
  const double H = 10 * kCell, g = 0.5, mu = 20, nu = mu / 1000;
  Threads threads(2);
  FlipSolver solver(layer_scene(16 * kCell, H, g, mu), threads, {});
  ASSERT_EQ(test::advance(solver, 1.2), "");  // 4 H^2 / (pi^2 nu) is 0.2 s
  const FlipState& state = solver.state();
  const double most = g * H * H / (2 * nu);
  double sum = 0, expected = 0;
  for (std::size_t p = 0; p < state.size(); ++p) {
    const double z = state.position[p].z;
    sum += static_cast<double>(state.velocity[p].x);
    expected += g * z * (2 * H - z) / (2 * nu);
  }
  const auto n = static_cast<double>(state.size());
  RecordProperty("mean", std::to_string(sum / expected));
  EXPECT_NEAR(sum / n, expected / n, 0.05 * most);
}

TEST(FlipViscosity, PuddleSpreadsAsHuppertSays) {
  const double spacing = 0.002, radius = 0.008, speed = 0.25, mu = 10, rho = 1420, nu = mu / rho;
  Scene scene = test::tank_scene({0.16, 0.16, 0.12}, spacing);
  scene.materials[0].viscosity = mu;
  scene.materials[0].density = rho;
  Emitter thread;
  thread.name = "thread";
  thread.material = "water";
  thread.shape.kind = ShapeKind::cylinder;
  thread.shape.radius = radius;
  thread.shape.height = 0.006;
  thread.shape.pose.position = {0.08, 0.08, 0.06};
  const double Q = std::numbers::pi * radius * radius * speed;
  thread.velocity = {0, 0, -speed};
  thread.rate = rho * Q;
  scene.emitters.push_back(thread);
  Threads threads(2);
  FlipSolver solver(scene, threads, {});
  const double begins = 0.09;  // when it meets the plate [s]
  const auto front = [&] {
    std::vector<double> distances;
    for (const Vec3d& x : solver.state().position)
      if (x.z < 0.01) distances.push_back(std::hypot(x.x - 0.08, x.y - 0.08));
    std::sort(distances.begin(), distances.end());
    return distances[static_cast<std::size_t>(0.99 * static_cast<double>(distances.size()))];
  };
  for (const double t : {0.8, 1.2}) {
    for (int k = 1; k <= 10; ++k) ASSERT_EQ(test::advance(solver, t - 0.4 + 0.04 * k), "");
    const double expected = 0.715 * std::pow(9.81 * Q * Q * Q / (3 * nu), 0.125) * std::sqrt(t - begins);
    RecordProperty("front_" + std::to_string(t), std::to_string(front() / expected));
    EXPECT_NEAR(front(), expected, 0.1 * expected) << t;
  }
}

}  // namespace
}  // namespace repose
