// 100 tetrahedra that collide in empty space, alone and with a rigid body among them.
//
// Reference: momentum and angular momentum are conserved, and energy never rises. Tolerance: |dP| <= 1e-10 of
// the sum of m |v| and |dL| <= 1e-8 of the sum of the angular momenta's sizes, which is rounding, since the
// forces of a pair cancel to the bit; energy (motion, spin and elastic) never rises by more than 1e-3 of what
// there was, and drifts by less than 1e-3 without damping and friction.

#include <cmath>
#include <vector>

#include "support/body_scenes.h"
#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/physics/contact.h"

namespace repose {
namespace {

/// Grains at random in a ball, all on their way to its middle, spinning.
Scene swarm(int count) {
  Scene scene = test::void_scene("tetrahedron", 0.01);
  scene.materials[0].young = 1e7;
  std::vector<Vec3d> positions, velocities, spins;
  for (std::uint64_t k = 0; positions.size() < static_cast<std::size_t>(count); ++k) {
    Random random(1, Stream::test, 0, k);
    const auto cube = [&] {
      return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    const Vec3d x = 0.045 * cube();
    bool is_free = x.length() < 0.045;
    for (const Vec3d& other : positions) is_free = is_free && (x - other).length() > 0.01;
    if (!is_free) continue;
    positions.push_back(x);
    velocities.push_back(-20.0 * x + 0.3 * cube());
    spins.push_back(30.0 * cube());
  }
  test::add_rows(scene, positions, velocities, spins);
  return scene;
}

/// Elastic energy of all overlaps, (2/5) k_r x^(5/2) each (Bell 2005, eq. 12 and 15).
double elastic_energy(const DemSolver& solver) {
  const DemState& state = solver.state();
  const DemModel& model = solver.model();
  double energy = 0;
  std::vector<std::vector<ShapeSphere>> spheres;
  for (std::size_t g = 0; g < state.size(); ++g) {
    spheres.emplace_back();
    for (const ShapeSphere& s : model.shapes[state.shape[g]].form.spheres)
      spheres.back().push_back({state.position[g] + rotate(state.orientation[g], state.radius[g] * s.center),
                                state.radius[g] * s.radius});
  }
  for (std::size_t g = 0; g < state.size(); ++g)
    for (std::size_t h = g + 1; h < state.size(); ++h) {
      if ((state.position[g] - state.position[h]).length() > state.radius[g] + state.radius[h]) continue;
      for (const ShapeSphere& a : spheres[g])
        for (const ShapeSphere& b : spheres[h]) {
          const double overlap = a.radius + b.radius - (a.center - b.center).length();
          const double k_r = model.law(0, 0).hertz * std::sqrt(harmonic_sum(a.radius, b.radius));
          if (overlap > 0) energy += 0.4 * k_r * std::pow(overlap, 2.5);
        }
    }
  Touches touches;
  for (std::size_t b = 0; b < solver.bodies().size(); ++b)
    for (const auto& grain : spheres)
      for (const ShapeSphere& sphere : grain) {
        solver.bodies().find_touches(b, sphere.center, sphere.radius, touches);
        const double k_r = model.law(0, model.materials.size() + b).hertz * std::sqrt(sphere.radius);
        for (const Touch& touch : touches)
          energy += 0.4 * k_r * std::pow(sphere.radius - touch.distance, 2.5);
      }
  return energy;
}

double kinetic_energy(const DemSolver& solver) {
  return solver.stats().kinetic + test::sums_of(solver.bodies()).kinetic;
}

struct Sums {
  Vec3d P{0, 0, 0}, L{0, 0, 0};
  double sizes_of_P = 0, sizes_of_L = 0;
};

Sums sums_of(const DemSolver& solver) {
  const DemState& state = solver.state();
  Sums sums;
  for (std::size_t g = 0; g < state.size(); ++g) {
    const double mass = solver.model().grain_mass(state.shape[g], state.material[g], state.radius[g]);
    const Vec3d p = mass * state.velocity[g], l = state.position[g].cross(p) + state.angular_momentum[g];
    sums.P += p;
    sums.L += l;
    sums.sizes_of_P += p.length();
    sums.sizes_of_L += l.length();
  }
  const test::BodySums bodies = test::sums_of(solver.bodies());
  sums.P += bodies.P;
  sums.L += bodies.L;
  sums.sizes_of_P += bodies.sizes_of_P;
  sums.sizes_of_L += bodies.sizes_of_L;
  return sums;
}

void expect_conservation(const Scene& scene, double rise_allowed, double fall_allowed) {
  Threads threads(2);
  DemSolver solver(scene, threads, {});
  const Sums before = sums_of(solver);
  const double start = kinetic_energy(solver);
  double lowest = start;
  std::uint64_t steps = 0, contacts = 0;
  while (solver.time() < 0.12) {
    ASSERT_EQ(solver.step(1).failure, "");
    if (++steps % 10 != 0) continue;
    const double energy = kinetic_energy(solver) + elastic_energy(solver);
    ASSERT_LT(energy, lowest + rise_allowed * start) << "t " << solver.time();
    lowest = std::min(lowest, energy);
    contacts += static_cast<std::uint64_t>(solver.stats().errors[1].value);
  }
  const Sums after = sums_of(solver);
  EXPECT_LE((after.P - before.P).length(), 1e-10 * before.sizes_of_P);
  EXPECT_LE((after.L - before.L).length(), 1e-8 * before.sizes_of_L);
  EXPECT_GT(lowest, (1 - fall_allowed) * start);
  EXPECT_GT(contacts, 1000U);  // they did meet
}

TEST(Isolated, DampedGrainsKeepMomentumAndLoseEnergy) {
  Scene scene = swarm(100);
  for (const double share : {1.0, 0.5}) {
    scene.solver.dem.dt = share * test::automatic_dt(scene);
    expect_conservation(scene, 1e-3, 1);
  }
}

TEST(Isolated, ElasticGrainsKeepTheirEnergy) {
  Scene scene = swarm(100);
  scene.materials[0].restitution = 1;
  scene.materials[0].friction = 0;
  for (const double share : {1.0, 0.5}) {
    scene.solver.dem.dt = share * test::automatic_dt(scene);
    expect_conservation(scene, 1e-3, 1e-3);
  }
}

/// The same around a box that spins in their midst, as heavy as eight grains or as light as half of one.
Scene swarm_around_a_box(double density) {
  Scene scene = swarm(100);
  BodyDefinition box = test::dynamic_box("box", {0.02, 0.016, 0.012}, Vec3d(0.002, 0.001, 0), density);
  box.velocity = {0.1, -0.2, 0.3};
  box.angular_velocity = {5, 10, -5};
  box.restitution = 0.5;
  scene.bodies.push_back(box);
  Fill& fill = scene.fills[0];
  FillRows rows;
  for (std::size_t i = 0; i < fill.rows.position.size(); ++i) {
    if (fill.rows.position[i].length() < 0.021) continue;
    rows.position.push_back(fill.rows.position[i]);
    rows.velocity.push_back(fill.rows.velocity[i]);
    rows.angular_velocity.push_back(fill.rows.angular_velocity[i]);
  }
  fill.rows = rows;
  return scene;
}

TEST(Isolated, GrainsAndABodyKeepTheirMomentum) {
  for (const double density : {2500.0, 150.0}) {
    const Scene scene = swarm_around_a_box(density);
    expect_conservation(scene, 1e-3, 1);
  }
}

// Friction with memory stores energy that the sum here leaves out: a few per cent may come back.
TEST(Isolated, GrainsWithMemoryKeepTheirMomentum) {
  for (const TangentialLaw law : {TangentialLaw::spring, TangentialLaw::mindlin}) {
    Scene scene = swarm(100);
    scene.solver.dem.tangential = law;
    scene.materials[0].rolling_friction = 0.1;
    scene.materials[0].cohesion = 100;
    expect_conservation(scene, 0.02, 1);
  }
}

// Bell 2005, section 3.3: a body covered with spheres.
TEST(Isolated, GrainsAndACoveredBodyKeepTheirMomentum) {
  for (const double density : {2500.0, 150.0}) {
    Scene scene = swarm_around_a_box(density);
    scene.bodies[0].surface = BodySurface::particles;
    scene.bodies[0].particle_radius = 0.0015;
    scene.bodies[0].roughness = 0.4;
    expect_conservation(scene, 0.02, 1);
  }
}

TEST(Isolated, ElasticGrainsAndABodyKeepTheirEnergy) {
  Scene scene = swarm_around_a_box(2500);
  scene.materials[0].restitution = scene.bodies[0].restitution = 1;
  scene.materials[0].friction = scene.bodies[0].friction = 0;
  expect_conservation(scene, 1e-3, 1e-3);
}

}  // namespace
}  // namespace repose
