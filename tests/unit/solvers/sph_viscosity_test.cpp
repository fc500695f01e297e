// Artificial viscosity under sph: how much of it there is, what it keeps, and that it never adds energy.

#include "repose/solvers/sph/sph_viscosity.h"

#include <cmath>
#include <numbers>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/physics/sph.h"
#include "repose/solvers/sph/sph_pairs.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01;

/// Particles with their pairs, as the viscosity of a step sees them.
class SphViscosity : public testing::Test {
 protected:
  /// With particles moved at random by up to this share of the spacing, and brought as much closer.
  void place(const Scene& scene, double disorder = 0, double closer = 1) {
    SphSetup setup = make_sph_setup(scene, threads_);
    model_ = std::move(setup.model);
    state_ = std::move(setup.state);
    for (std::size_t p = 0; p < state_.size(); ++p) {
      Random random(1, Stream::fill_position, 0, p);
      const double a = random.uniform(-1, 1), b = random.uniform(-1, 1), c = random.uniform(-1, 1);
      state_.position[p] = state_.position[p] / closer + disorder * kSpacing * Vec3d(a, b, c);
      wrap_into(model_.matter.box, state_.position[p]);
    }
    scratch_.cells = find_cells(state_.position, state_.id, model_.place, 0, threads_, scratch_.order);
    select_rows(state_, scratch_.order, threads_);
    scratch_.is_deep.assign(state_.size(), 0);
    find_pairs(model_, threads_, state_, scratch_);
  }
  template <class F>
  void set_velocity(F&& f) {
    scratch_.start.clear();
    for (const Vec3d& x : state_.position) scratch_.start.push_back(f(x));
  }
  void slow_down(double dt) { slow_down_approach(model_, dt, threads_, state_, scratch_); }

  Vec3d momentum() const {
    Vec3d sum(0);
    for (const Vec3d& v : scratch_.start) sum += v;
    return sum;
  }
  Vec3d spin() const {
    Vec3d sum(0);
    for (std::size_t p = 0; p < state_.size(); ++p) sum += state_.position[p].cross(scratch_.start[p]);
    return sum;
  }
  double energy() const {
    double sum = 0;
    for (const Vec3d& v : scratch_.start) sum += 0.5 * v.dot(v);
    return sum;
  }

  Threads threads_{2};
  SphModel model_;
  SphState state_;
  SphScratch scratch_;
};

Scene block_scene() { return test::sph_void_scene({0.4, 0.4, 0.4}, {0.5, 0.52, 0.48}, kSpacing); }

Vec3d any_velocity(const Vec3d& x) {
  return {std::sin(700 * x.x + 900 * x.z), std::cos(800 * x.y), std::sin(600 * x.z + 1000 * x.x)};
}

/// A shear wave decays as exp(-nu k^2 t). Among particles at random: on a lattice it depends on its
/// direction.
TEST_F(SphViscosity, IsThatOfMonaghan) {
  Scene scene = test::under_sph(test::sand_tank({0.16, 0.16, 0.32}, kSpacing, 30));
  scene.domain.faces.fill(FaceKind::periodic);
  test::add_sand(scene, {0, 0, 0}, {0.16, 0.16, 0.32});
  scene.solver.sph.viscosity = 0.01;
  place(scene, 32);
  const double k = 2 * std::numbers::pi / 0.32, dt = 1e-3;
  const auto wave = [&](const Vec3d& x) { return std::sin(k * x.z); };
  set_velocity([&](const Vec3d& x) { return Vec3d(wave(x), 0, 0); });
  const auto amplitude = [&] {
    double sum = 0, squares = 0;
    for (std::size_t p = 0; p < state_.size(); ++p) {
      sum += scratch_.start[p].x * wave(state_.position[p]);
      squares += wave(state_.position[p]) * wave(state_.position[p]);
    }
    return sum / squares;
  };
  for (int step = 0; step < 20; ++step) slow_down(dt);
  const double nu = -std::log(amplitude()) / (k * k * 20 * dt);
  const double due = sph_kinematic_viscosity(0.01, 10 * std::sqrt(2 * 9.81 * kSpacing), kSpacing);
  EXPECT_NEAR(nu, due, 0.05 * due);
}

/// Also among particles that crowd here and there, where a pair takes less than its share, and between wet
/// and dry ones.
TEST_F(SphViscosity, KeepsMomentumAndSpin) {
  place(block_scene(), 1);
  set_velocity(any_velocity);
  for (std::size_t p = 0; p < state_.size(); ++p) state_.wetness[p] = p % 3 == 0 ? 0.3F : 0;
  model_.has_wetness = true;
  model_.viscosity = 1;
  model_.wet_viscosity = 3;
  const Vec3d p = momentum(), l = spin();
  const double e = energy();
  slow_down(1e-3);
  const auto n = static_cast<double>(state_.size());
  EXPECT_LT((momentum() - p).length(), 1e-12 * n);
  EXPECT_LT((spin() - l).length(), 1e-6 * n * kSpacing);
  EXPECT_LT(energy(), 0.999 * e);
}

/// Whatever the step and the viscosity, on any velocities, and where particles crowd.
TEST_F(SphViscosity, NeverAddsEnergy) {
  place(block_scene(), 0.5, 3);
  set_velocity(any_velocity);
  model_.viscosity = 100;
  double before = energy();
  for (int step = 0; step < 20; ++step) {
    slow_down(1e-3);
    EXPECT_LT(energy(), before * (1 + 1e-6));
    before = energy();
  }
}

/// What flies apart, and what turns as a whole, feels nothing.
TEST_F(SphViscosity, LeavesAloneWhatDoesNotComeCloser) {
  place(block_scene());
  model_.viscosity = 1;
  const Vec3d center(0.45, 0.46, 0.44);
  set_velocity([&](const Vec3d& x) { return 3.0 * (x - center); });
  double before = energy();
  slow_down(1e-3);
  EXPECT_NEAR(energy(), before, 1e-6 * before);
  set_velocity([&](const Vec3d& x) { return Vec3d(1, 2, 3).cross(x - center); });
  before = energy();
  slow_down(1e-3);
  EXPECT_NEAR(energy(), before, 1e-4 * before);
}

}  // namespace
}  // namespace repose
