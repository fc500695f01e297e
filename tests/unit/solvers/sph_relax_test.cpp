// Where the particles of fills and emitters start under sph.

#include "repose/solvers/sph/sph_relax.h"

#include <algorithm>
#include <cmath>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kSpacing = 0.01;
constexpr double kTurn = 6.283185307179586;

/// How much of a lattice of the spacing is in places, 0..1: the height of its peak in their spectrum. Of n
/// places at random it is about 1 / n.
double lattice_share(const std::vector<Vec3d>& places) {
  double highest = 0;
  const auto n = static_cast<double>(places.size());
  for (int axis = 0; axis < 3; ++axis) {
    double along = 0, across = 0;
    for (const Vec3d& x : places) {
      along += std::cos(kTurn * x[axis] / kSpacing) / n;
      across += std::sin(kTurn * x[axis] / kSpacing) / n;
    }
    highest = std::max(highest, along * along + across * across);
  }
  return highest;
}

double least_distance(const std::vector<Vec3d>& places) {
  double least = 1;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) least = std::min(least, (places[a] - places[b]).length());
  return least;
}

std::vector<Vec3d> started(const Scene& scene) {
  Threads threads(2);
  return SphSolver(scene, threads, {}).state().position;
}

/// Sand that fills a periodic domain: 16 x 16 x 16 places.
Scene endless_scene() {
  Scene scene = test::under_sph(test::sand_tank(Vec3d(16 * kSpacing), kSpacing, 30));
  scene.domain.faces.fill(FaceKind::periodic);
  scene.info.gravity = Vec3d(0);
  test::add_sand(scene, Vec3d(0), Vec3d(16 * kSpacing));
  return scene;
}

TEST(SphRelax, LeavesNoLatticeAndEvenDensities) {
  const Scene scene = endless_scene();
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(solver.state().size(), 4096U);
  EXPECT_LT(lattice_share(solver.state().position), 0.08);
  EXPECT_GT(least_distance(solver.state().position), 0.6 * kSpacing);
  solver.step(1e-6);  // makes densities
  double sum = 0, squares = 0;
  for (const float density : solver.state().density) {
    sum += static_cast<double>(density);
    squares += std::pow(static_cast<double>(density) - 1, 2);
  }
  EXPECT_NEAR(sum / 4096, 1, 0.002);
  EXPECT_LT(std::sqrt(squares / 4096), 0.01);
}

TEST(SphRelax, LeavesAloneWhatAsksForAnotherPacking) {
  Scene scene = endless_scene();
  scene.fills[0].packing = Packing::lattice;
  EXPECT_GT(lattice_share(started(scene)), 0.999);
  scene.fills[0].packing = Packing::jittered;
  EXPECT_GT(lattice_share(started(scene)), 0.9);
}

/// A free block keeps its faces: flat, half a spacing below the shape's.
TEST(SphRelax, KeepsTheFacesOfAFill) {
  const Scene scene = test::sph_void_scene(Vec3d(0.4), Vec3d(0.56), kSpacing);
  const std::vector<Vec3d> places = started(scene);
  ASSERT_EQ(places.size(), 4096U);
  double farthest = -1, off = 0;
  int faced = 0;
  for (const Vec3d& x : places) {
    double depth = 1;  // [spacings]
    for (int axis = 0; axis < 3; ++axis)
      depth = std::min({depth, (x[axis] - 0.4) / kSpacing, (0.56 - x[axis]) / kSpacing});
    farthest = std::max(farthest, -depth);
    if (depth < 0.9) off += std::abs(depth - 0.5), ++faced;
  }
  EXPECT_LT(farthest, 0) << "particles are outside";
  EXPECT_NEAR(faced, 4096 - 14 * 14 * 14, 100);
  EXPECT_LT(off / faced, 0.1);
}

/// Sand on both sides of a plate that is thinner than a particle stays on its side. It stands across the
/// lattice, so that shifts along a diagonal would reach through it.
TEST(SphRelax, NoParticleGoesThroughAThinPlate) {
  Scene scene = test::sph_void_scene(Vec3d(0.4), Vec3d(0.56), kSpacing);
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape = test::box_shape({0.001, 0.4, 0.4}, Vec3d(0.48));
  plate.shape.pose.rotation = Quatd(std::cos(kTurn / 16), 0, 0, std::sin(kTurn / 16));
  scene.bodies.push_back(plate);
  Threads threads(2);
  const std::vector<Vec3d> counted = make_sph_setup(scene, threads).state.position, places = started(scene);
  ASSERT_EQ(counted.size(), places.size());
  ASSERT_GT(places.size(), 3000U);
  const auto beside = [&](const Vec3d& x) { return plate.shape.pose.to_local(x).x; };
  for (std::size_t p = 0; p < places.size(); ++p) {
    EXPECT_EQ(beside(places[p]) > 0, beside(counted[p]) > 0) << p;
    EXPECT_GT(std::abs(beside(places[p])), 0.3 * kSpacing) << p;
  }
}

/// Poured downwards, after a time in which what came first is still falling.
TEST(SphEmitter, PoursAStreamWithoutALattice) {
  Scene scene = test::sph_void_scene(Vec3d(0.4), Vec3d(0.5), kSpacing);
  scene.fills.clear();
  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "sand";
  emitter.shape = test::box_shape({0.08, 0.08, 0.03}, {0.5, 0.5, 0.9});
  emitter.rate = 1600 * 0.08 * 0.08 * 0.5;
  emitter.velocity = {0, 0, -0.5};
  scene.emitters.push_back(emitter);
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.5), "");
  const std::vector<Vec3d>& places = solver.state().position;
  EXPECT_NEAR(static_cast<double>(places.size()), 0.5 * emitter.rate / solver.model().mass(0), 2);
  EXPECT_LT(lattice_share(places), 0.03);
  EXPECT_GT(least_distance(places), 0.4 * kSpacing);
}

/// Into a bin that is full to the top of the emitter after 0.23 s. The same rate would fill it twice in a
/// second.
TEST(SphEmitter, WaitsWhenSandHasReachedIt) {
  Scene scene = test::under_sph(test::sand_tank({0.1, 0.1, 0.3}, 0.01, 30));
  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "sand";
  emitter.shape = test::box_shape({0.1, 0.1, 0.03}, {0.05, 0.05, 0.1});
  emitter.velocity = {0, 0, -0.5};
  emitter.rate = 1600 * 0.1 * 0.1 * 0.5;
  scene.emitters.push_back(emitter);
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 1), "");
  EXPECT_GT(solver.state().size(), 1100U);
  EXPECT_LT(solver.state().size(), 1250U) << "the bin holds 1150 up to there";
}

}  // namespace
}  // namespace repose
