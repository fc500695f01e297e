// Vibrating plates (oscillation), under every solver.
//
// Reference: a plate at A sin(w t) pushes what lies on it with m (g - A w^2 sin(w t)) as long as that is more
// than nothing. With Gamma = A w^2 / g < 1 all goes along; with more it is let go where sin(w t) = 1 / Gamma,
// with the plate's velocity, and flies: the gap is (A sin p + A w cos p s - g s^2 / 2) - A sin(p + w s), with
// p the phase then and s the time since.

#include <algorithm>
#include <cmath>
#include <memory>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kG = 9.81, kFrequency = 10, kOmega = 2 * kPi * kFrequency;

/// Adds a plate at z = 0 that vibrates with this acceleration [g].
void add_plate(Scene& scene, double gamma) {
  scene.domain.min.z = -0.1;
  scene.domain.faces[4] = FaceKind::open;
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape.kind = ShapeKind::plane;
  plate.restitution = 0;
  plate.oscillation.amplitude = {0, 0, gamma * kG / (kOmega * kOmega)};
  plate.oscillation.frequency = kFrequency;
  scene.bodies.push_back(plate);
}

/// The largest gap of the first flight [m].
double flight_of(double gamma) {
  const double A = gamma * kG / (kOmega * kOmega), p = std::asin(1 / gamma);
  double largest = 0;
  for (double s = 0; s < 1 / kFrequency; s += 1e-5)
    largest = std::max(largest, A * std::sin(p) + A * kOmega * std::cos(p) * s - 0.5 * kG * s * s -
                                    A * std::sin(p + kOmega * s));
  return largest;
}

/// How far the middle of the matter gets from the plate within a period and a quarter, beyond where it was
/// [m].
double largest_gap(const Scene& scene) {
  Threads threads(2);
  const std::unique_ptr<Solver> solver = make_solver(scene, threads, {});
  EXPECT_EQ(test::advance(*solver, 0), "");
  Frame frame;
  const auto gap = [&] {
    solver->fill_frame(frame);
    double sum = 0;
    for (const Vec3d& x : frame.position) sum += x.z;
    return sum / static_cast<double>(frame.particle_count()) - frame.bodies[0].pose.position.z;
  };
  const double start = gap();
  double largest = 0;
  for (int k = 1; k <= 50; ++k) {
    EXPECT_EQ(test::advance(*solver, 1.25 / kFrequency * k / 50), "");
    EXPECT_NEAR(frame.bodies[0].pose.position.z,
                scene.bodies[0].oscillation.amplitude.z * std::sin(kOmega * (k - 1) * 1.25 / 50 / kFrequency),
                1e-12);
    largest = std::max(largest, gap() - start);
  }
  return largest;
}

Scene lone_sphere(double gamma) {
  Scene scene = test::floor_scene("sphere", 0.01);
  scene.materials[0].restitution = 0.1;
  add_plate(scene, gamma);
  test::add_point(scene, {0, 0, 0.00499});
  scene.info.settle = 0.3;
  return scene;
}

TEST(Oscillation, LiftsAGrainAboveOneGUnderDem) {
  for (const double gamma : {0.5, 0.9}) EXPECT_LT(largest_gap(lone_sphere(gamma)), 2e-5) << gamma;
  for (const double gamma : {1.5, 3.0})
    EXPECT_NEAR(largest_gap(lone_sphere(gamma)), flight_of(gamma), 0.03 * flight_of(gamma) + 2e-5) << gamma;
}

TEST(Oscillation, LiftsSandAboveOneGUnderFlipAndSph) {
  for (const bool is_sph : {false, true}) {
    const auto layer = [&](double gamma) {
      Scene scene = test::sand_layer(4, 0.01, 30, 0, 0.5);
      if (is_sph) scene = test::under_sph(scene);
      add_plate(scene, gamma);
      scene.info.settle = 0.2;
      return scene;
    };
    for (const double gamma : {0.5, 0.9})
      EXPECT_LT(largest_gap(layer(gamma)), 0.05 * 0.01) << is_sph << gamma;
    for (const double gamma : {2.0, 4.0})
      EXPECT_NEAR(largest_gap(layer(gamma)), flight_of(gamma), 0.1 * flight_of(gamma) + 0.05 * 0.01)
          << is_sph << gamma;
  }
}

/// Saved in the middle of a swing, and gone on with.
TEST(Oscillation, ResumesToTheBit) {
  for (const SolverKind kind : {SolverKind::dem, SolverKind::flip, SolverKind::sph}) {
    Scene scene = kind == SolverKind::dem ? lone_sphere(3) : test::sand_layer(3, 0.01, 30, 0, 0.5);
    scene.solver.type = kind;
    if (kind != SolverKind::dem) add_plate(scene, 3);
    scene.bodies[0].surface_velocity = {0.2, 0.1, 0};
    Threads threads(2);
    const auto whole = make_solver(scene, threads, {}), first = make_solver(scene, threads, {}),
               second = make_solver(scene, threads, {});
    for (const double t : {0.0, 0.037, 0.08}) EXPECT_EQ(test::advance(*whole, t), "");
    for (const double t : {0.0, 0.037}) EXPECT_EQ(test::advance(*first, t), "");
    ArchiveWriter out;
    first->save(out);
    ArchiveReader in(out.bytes());
    second->load(in);
    EXPECT_EQ(test::advance(*second, 0.08), "");
    EXPECT_EQ(test::state_hash(*whole), test::state_hash(*second)) << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace repose
