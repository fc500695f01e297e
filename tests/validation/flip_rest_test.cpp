// Free fall and water at rest under flip.
//
// Free fall. Reference: z0 - g t^2 / 2 - g t dt / 2, what steps of length dt that change the velocity first
// give. Within 1e-4 of the way: velocities are float. Volume is kept: the mean density of the particles
// changes by less than 1 %.
//
// At rest. Reference: p = rho g (H - z); within 1 % of rho g H everywhere, with 16 cells of depth. The
// largest error is that of one cell at the surface, where neither grid nor particles say exactly where it is.
// No particle is faster than 1e-3 sqrt(g H): of those that start on a lattice in 2 s, and of those that start
// jittered from 4 s on. Their surface is uneven by some hundredths of a cell at first, which becomes waves of
// that height; in 2 s the root mean square of the speed is below 1e-3 sqrt(g H). The centre of mass moves by
// less than 1 % of H.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "support/flip_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"

namespace repose {
namespace {

double mean_height(const FlipState& state) {
  double sum = 0;
  for (const Vec3d& x : state.position) sum += x.z;
  return sum / static_cast<double>(state.size());
}

double mean_density(const FlipState& state) {
  double sum = 0;
  for (const float d : state.density) sum += d;
  return sum / static_cast<double>(state.size());
}

TEST(FlipRest, BlockInTheAirFallsFreely) {
  Threads threads(2);
  Scene scene = test::tank_scene({0.6, 0.6, 2}, 0.01);
  test::add_water(scene, {0.2, 0.2, 1.6}, {0.36, 0.36, 1.76});
  scene.solver.flip.dt = 0.004;
  FlipSolver solver(scene, threads, {});
  const double start = mean_height(solver.state());
  ASSERT_EQ(test::advance(solver, 0.004), "");
  const double density = mean_density(solver.state());
  ASSERT_EQ(test::advance(solver, 0.4), "");
  const double t = 0.4, dt = 0.004, fall = 0.5 * 9.81 * t * t + 0.5 * 9.81 * t * dt;
  EXPECT_NEAR(start - mean_height(solver.state()), fall, 1e-4 * fall);
  EXPECT_NEAR(mean_density(solver.state()), density, 0.01 * density);
  // It does not turn.
  Vec3d spin(0), center(0), velocity(0);
  const FlipState& state = solver.state();
  const auto n = static_cast<double>(state.size());
  for (std::size_t p = 0; p < state.size(); ++p)
    center += state.position[p] / n, velocity += Vec3d(state.velocity[p]) / n;
  for (std::size_t p = 0; p < state.size(); ++p)
    spin += (state.position[p] - center).cross(Vec3d(state.velocity[p]) - velocity) / n;
  EXPECT_LT(spin.length(), 1e-4 * 0.16 * velocity.length());
}

TEST(FlipRest, WaterAtRestStaysAndBearsItsWeight) {
  Threads threads(2);
  Scene scene = test::tank_scene({0.32, 0.32, 0.48}, 0.01);
  constexpr double kDepth = 0.32, kGravity = 9.81;
  test::add_water(scene, {0, 0, 0}, {0.32, 0.32, kDepth});
  FlipSolver solver(scene, threads, {});
  const double start = mean_height(solver.state());
  ASSERT_EQ(test::advance(solver, 2), "");
  const FlipState& state = solver.state();
  double worst = 0, square = 0;
  for (std::size_t p = 0; p < state.size(); ++p) {
    const double expected = 1000 * kGravity * (kDepth - state.position[p].z);
    worst = std::max(worst, std::abs(state.pressure[p] - expected) / (1000 * kGravity * kDepth));
    const Vec3d v(state.velocity[p]);
    square += v.dot(v) / static_cast<double>(state.size());
  }
  EXPECT_LT(worst, 0.01);
  EXPECT_LT(std::sqrt(square), 1e-3 * std::sqrt(kGravity * kDepth));
  EXPECT_LT(std::abs(mean_height(state) - start), 0.01 * kDepth);
  EXPECT_LT(state.residual, 1e-6);
  RecordProperty("pressure_error", std::to_string(worst));
  double fastest = 0;
  for (const double time : {4.0, 4.1, 4.2, 4.3, 4.4}) {
    ASSERT_EQ(test::advance(solver, time), "");
    fastest = std::max(fastest, state.max_speed);
  }
  EXPECT_LT(fastest, 1e-3 * std::sqrt(kGravity * kDepth));
  RecordProperty("fastest", std::to_string(fastest));
}

TEST(FlipRest, WaterOnALatticeNeverStirs) {
  Threads threads(2);
  Scene scene = test::tank_scene({0.32, 0.32, 0.48}, 0.01);
  constexpr double kDepth = 0.32, kGravity = 9.81;
  test::add_water(scene, {0, 0, 0}, {0.32, 0.32, kDepth});
  scene.fills.back().packing = Packing::lattice;
  FlipSolver solver(scene, threads, {});
  const double start = mean_height(solver.state());
  double fastest = 0;
  for (int k = 1; k <= 20; ++k) {
    ASSERT_EQ(test::advance(solver, 0.1 * k), "");
    fastest = std::max(fastest, solver.state().max_speed);
  }
  EXPECT_LT(fastest, 1e-3 * std::sqrt(kGravity * kDepth));
  EXPECT_LT(std::abs(mean_height(solver.state()) - start), 0.01 * kDepth);
  RecordProperty("fastest", std::to_string(fastest));
}

TEST(FlipRest, FloorBearsTheWeight) {
  // The mean force on the floor over half a second is the weight, and on opposite walls it is equal.
  Threads threads(2);
  Scene scene = test::tank_scene({0.2, 0.2, 0.4}, 0.01);
  test::add_water(scene, {0, 0, 0}, {0.2, 0.2, 0.2});
  FlipSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.5), "");
  solver.begin_interval();
  ASSERT_EQ(test::advance(solver, 1), "");
  std::vector<BodyRow> rows;
  solver.fill_bodies(rows);
  const double weight = solver.stats().mass * 9.81;
  const auto force_on = [&](const std::string& wall) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const BodyRow& r) { return r.name == wall; });
    if (row == rows.end()) throw std::out_of_range("there is no wall " + wall);
    return row->force;
  };
  EXPECT_NEAR(force_on("domain.z-").z, -weight, 0.02 * weight);
  // Half the pressure at the floor over the wetted side.
  const double side = 0.5 * 1000 * 9.81 * 0.2 * 0.2 * 0.2;
  EXPECT_NEAR(force_on("domain.x+").x, side, 0.04 * 0.5 * weight);
  EXPECT_NEAR(force_on("domain.x-").x, -side, 0.04 * 0.5 * weight);
  EXPECT_NEAR(force_on("domain.y+").y, side, 0.04 * 0.5 * weight);
  EXPECT_NEAR(force_on("domain.y-").y, -side, 0.04 * 0.5 * weight);
}

}  // namespace
}  // namespace repose
