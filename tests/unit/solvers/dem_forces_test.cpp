// Forces between grains: signs, sums, mixing of surfaces.

#include <algorithm>
#include <cmath>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/solvers/dem/body_contacts.h"
#include "repose/solvers/dem/contacts.h"
#include "repose/solvers/dem/neighbor_lists.h"

namespace repose {
namespace {

/// Force and torque on every grain of a scene at its start, by row.
struct Forces {
  DemState state;
  DemScratch scratch;

  explicit Forces(const Scene& scene) {
    Threads threads(2);
    DemSetup setup = make_dem_setup(scene, threads);
    state = setup.placement.state;
    prepare_grains(setup.model, state, scratch, threads);
    update_neighbors(setup.model, state, setup.bodies, scratch, threads);
    accumulate_contact_forces(setup.model, state, 0, scratch, threads);
    find_body_forces(setup.model, state, setup.bodies, 0, scratch, threads);
  }
  GrainLoad load(std::size_t g) const {
    return load_of(scratch, g, state.position[g], &scratch.sums[scratch.first_sphere[g]]);
  }
  Vec3d force(std::size_t g) const { return load(g).force; }
  Vec3d torque(std::size_t g) const { return load(g).torque; }
};

TEST(DemForces, OverlappingSpheresPushApart) {
  Scene scene = test::void_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0});
  test::add_point(scene, {0.0099, 0, 0});
  const Forces f(scene);
  EXPECT_LT(f.force(0).x, 0);
  EXPECT_GT(f.force(1).x, 0);
  EXPECT_EQ(f.force(0), -f.force(1));  // to the bit
}

TEST(DemForces, PartingSpheresDoNotPull) {
  Scene scene = test::void_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0}, {-100, 0, 0});
  test::add_point(scene, {0.00999, 0, 0}, {100, 0, 0});
  EXPECT_EQ(Forces(scene).force(0), Vec3d(0));
}

TEST(DemForces, FrictionOpposesSlipAndTurnsTheGrain) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0.00499}, {1, 0, 0});
  const Forces f(scene);
  EXPECT_GT(f.force(0).z, 0);
  EXPECT_LT(f.force(0).x, 0);
  EXPECT_NEAR(f.force(0).x, -0.5 * f.force(0).z, 1e-12);  // mu = 0.5
  EXPECT_GT(f.torque(0).y, 0);                            // rolls along x
}

TEST(DemForces, OfManyGrainsSumToZero) {
  Scene scene = test::void_scene("tetrahedron", 0.01);
  test::add_fill(scene, test::box_shape(Vec3d(0.05), Vec3d(0)), Packing::lattice);
  scene.fills[0].velocity_spread = 1;
  // Press them into each other: smaller distances with the same grains.
  Threads threads(2);
  DemSetup setup = make_dem_setup(scene, threads);
  std::vector<Vec3d> positions, velocities;
  for (std::size_t g = 0; g < setup.placement.state.size(); ++g) {
    positions.push_back(0.75 * setup.placement.state.position[g]);
    velocities.push_back(setup.placement.state.velocity[g]);
  }
  scene.fills.clear();
  test::add_rows(scene, positions, velocities, {});
  const Forces f(scene);
  Vec3d force(0), torque(0);
  double sizes = 0;
  for (std::size_t g = 0; g < f.state.size(); ++g) {
    force += f.force(g);
    torque += f.torque(g) + f.state.position[g].cross(f.force(g));
    sizes += f.force(g).length();
  }
  EXPECT_GT(f.scratch.extremes.pair_sides, 200U);
  EXPECT_GT(sizes, 0);
  EXPECT_LT(force.length(), 1e-13 * sizes);
  EXPECT_LT(torque.length(), 1e-13 * sizes * 0.05);
}

TEST(DemForces, ReachAcrossPeriodicFaces) {
  Scene scene = test::void_scene("sphere", 0.01);
  scene.domain.min = Vec3d(0);
  scene.domain.max = Vec3d(0.1);
  scene.domain.faces.fill(FaceKind::periodic);
  test::add_point(scene, {0.001, 0.05, 0.05});
  test::add_point(scene, {0.0915, 0.05, 0.05});
  const Forces f(scene);
  EXPECT_GT(f.force(0).x, 0);
  EXPECT_EQ(f.force(0), -f.force(1));
}

TEST(DemForces, HeldGrainsPushButDoNotMove) {
  Scene scene = test::void_scene("sphere", 0.01);
  test::add_point(scene, {0, 0, 0});
  test::add_point(scene, {0.0099, 0, 0});
  scene.fills[0].fixed = true;
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  for (int i = 0; i < 50; ++i) ASSERT_EQ(solver.step(1).failure, "");
  EXPECT_EQ(solver.state().position[0], Vec3d(0));
  EXPECT_EQ(solver.state().velocity[0], Vec3d(0));
  EXPECT_GT(solver.state().velocity[1].x, 0);
}

TEST(DemForces, BodiesFeelTheReaction) {
  Scene scene = test::floor_scene("sphere", 0.01);
  test::add_point(scene, {0.2, 0, 0.00499}, {0, 0, -0.01});
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  solver.begin_interval();
  const double before = solver.stats().momentum.z, mass = solver.stats().mass;
  for (int i = 0; i < 20; ++i) solver.step(1);
  Frame frame;
  solver.fill_frame(frame);
  ASSERT_EQ(frame.bodies.size(), 1U);
  EXPECT_EQ(frame.bodies[0].name, "domain.z-");
  const double gained = solver.stats().momentum.z - before + mass * 9.81 * solver.time();
  EXPECT_NEAR(frame.bodies[0].force.z * solver.time(), -gained, 1e-12);
}

TEST(DemModel, MixesSurfacesAsStated) {
  Scene scene = test::floor_scene("sphere", 0.01);
  scene.materials[0].friction = 0.9;
  scene.materials.push_back(test::material_of("ice", "sphere"));
  scene.materials[1].friction = 0.1;
  BodyDefinition slab;
  slab.name = "slab";
  slab.shape = test::box_shape(Vec3d(0.1), {0, 0, 5});
  slab.friction = 0.7;
  slab.restitution = 1;
  scene.bodies.push_back(slab);
  scene.domain.friction.fill(0.2);
  test::add_point(scene, {0, 0, 1});
  test::add_point(scene, {0, 0, 2});
  scene.fills[1].material = "ice";
  ContactPair contact;
  contact.between = {"slab", "ice"};
  contact.friction = 0.01;
  scene.contacts.push_back(contact);

  Threads threads(1);
  const DemModel model = make_dem_setup(scene, threads).model;
  EXPECT_DOUBLE_EQ(model.law(0, 0).friction, 0.9);
  EXPECT_DOUBLE_EQ(model.law(0, 1).friction, 0.3);  // geometric mean
  EXPECT_DOUBLE_EQ(model.law(1, 0).friction, 0.3);
  EXPECT_DOUBLE_EQ(model.law(0, 2).friction, 0.7);                          // the body's own
  EXPECT_DOUBLE_EQ(model.law(1, 2).friction, 0.01);                         // [contact]
  EXPECT_DOUBLE_EQ(model.law(0, 3).friction, 0.2);                          // the wall's own
  EXPECT_EQ(model.law(0, 2).damping_ratio, 0);                              // the body's restitution
  EXPECT_EQ(model.law(0, 3).damping_ratio, model.law(0, 0).damping_ratio);  // the material's, for walls
  EXPECT_EQ(model.law(0, 1).hertz, model.law(1, 0).hertz);
  EXPECT_DOUBLE_EQ(model.law(0, 2).hertz, 2 * model.law(0, 0).hertz);  // rigid partner
}

TEST(DemModel, RefusesWhatItCannotDo) {
  const auto refused = [](auto change) {
    Scene scene = test::floor_scene("sphere", 0.01);
    test::add_point(scene, {0, 0, 1});
    change(scene);
    Threads threads(1);
    try {
      make_dem_setup(scene, threads);
    } catch (const Error& error) {
      return error.code() == ExitCode::bad_scene;
    }
    return false;
  };
  EXPECT_FALSE(refused([](Scene&) {}));
  EXPECT_TRUE(refused([](Scene& s) { s.materials[0].kind = MaterialKind::fluid; }));
  EXPECT_TRUE(refused([](Scene& s) { s.materials[0].kind = MaterialKind::snow; }));
  EXPECT_TRUE(refused([](Scene& s) { s.materials[0].grain = "no such grain"; }));
  EXPECT_TRUE(refused([](Scene& s) { s.solver.dem.normal = NormalLaw::general; }));  // without alpha, beta
  EXPECT_TRUE(refused([](Scene& s) { s.solver.dem.alpha = 0.5; }));
  EXPECT_TRUE(refused([](Scene& s) { s.solver.dem.contact_time = 1e-3; }));
  EXPECT_TRUE(refused([](Scene& s) { s.solver.dem.k_t = 2; }));  // of which law?
  EXPECT_TRUE(refused([](Scene& s) { s.solver.dem.restitution_speed = 1; }));
  EXPECT_TRUE(refused([](Scene& s) {
    s.solver.dem.tangential = TangentialLaw::coulomb_viscous;
    s.solver.dem.damping_t = 1;
  }));
  EXPECT_TRUE(refused([](Scene& s) {
    s.solver.dem.tangential = TangentialLaw::mindlin;
    s.solver.dem.k_t = 1;
  }));
  EXPECT_TRUE(refused([](Scene& s) {
    s.solver.dem.integrator = Integrator::rkf45;
    s.solver.dem.tangential = TangentialLaw::spring;
  }));
  EXPECT_TRUE(refused([](Scene& s) { s.domain.faces[0] = FaceKind::periodic; }));
  EXPECT_FALSE(refused([](Scene& s) {  // only what is used counts
    s.materials.push_back(s.materials[0]);
    s.materials[1].kind = MaterialKind::snow;
  }));
}

// Eq. 18 holds no slope for good (Bell 2005, section 2.2): it is for who asks, and where forces may have no
// memory.
TEST(DemModel, FrictionHasSpringsUnlessTheSceneSaysOtherwise) {
  Threads threads(1);
  for (const char* grain : {"sphere", "tetrahedron"}) {
    Scene scene = test::floor_scene(grain, 0.01);
    test::add_point(scene, {0, 0, 1});
    const auto laws_are = [&](TangentialLaw expected) {
      const DemModel model = make_dem_setup(scene, threads).model;
      return std::all_of(model.laws.begin(), model.laws.end(),
                         [&](const PairLaw& law) { return law.tangential == expected; });
    };
    EXPECT_TRUE(laws_are(TangentialLaw::spring)) << grain;
    scene.solver.dem.integrator = Integrator::rkf45;
    EXPECT_TRUE(laws_are(TangentialLaw::coulomb_viscous)) << grain;
    scene.solver.dem.tangential = TangentialLaw::viscous;
    EXPECT_TRUE(laws_are(TangentialLaw::viscous)) << grain;
  }
}

}  // namespace
}  // namespace repose
