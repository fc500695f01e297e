// Settled fills: mass, overlaps and the same bits, whatever bounds them. How still they are is measured in
// tests/validation/dem_packing_test.cpp.

#include <algorithm>
#include <cmath>
#include <ostream>

#include "support/body_scenes.h"
#include "support/dem_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kDiameter = 0.01;

Scene packed_box(const std::string& grain, double edge, double fraction = 0.6) {
  Scene scene = test::box_scene(grain, {edge, edge, 3 * edge}, kDiameter);
  scene.materials[0].density = fraction * scene.materials[0].grain_density;
  test::add_fill(scene, test::box_shape(Vec3d(edge), Vec3d(0.5 * edge)), Packing::settled);
  return scene;
}

/// The deepest overlap of any two grains, by comparing all pairs, in diameters of the smaller.
double deepest_overlap(const DemSolver& solver) {
  const DemState& state = solver.state();
  double deepest = 0;
  const auto spheres = [&](std::size_t g) {
    std::vector<ShapeSphere> placed = solver.model().shapes[state.shape[g]].form.spheres;
    for (ShapeSphere& s : placed)
      s = {state.position[g] + rotate(state.orientation[g], state.radius[g] * s.center),
           state.radius[g] * s.radius};
    return placed;
  };
  for (std::size_t a = 0; a < state.size(); ++a) {
    const auto own = spheres(a);
    for (std::size_t b = a + 1; b < state.size(); ++b) {
      const Vec3d d = solver.model().box.minimum_image(state.position[b] - state.position[a]);
      if (d.length() > state.radius[a] + state.radius[b]) continue;
      for (const ShapeSphere& s : own)
        for (const ShapeSphere& t : spheres(b)) {
          const double distance = solver.model().box.minimum_image(t.center - s.center).length();
          deepest = std::max(
              deepest, (s.radius + t.radius - distance) / (2 * std::min(state.radius[a], state.radius[b])));
        }
    }
  }
  return deepest;
}

double share_of_mass(const DemSolver& solver, const Scene& scene, double volume) {
  return solver.stats().mass / (scene.materials[0].density * volume);
}

TEST(DemSettled, HoldsItsMassWithoutOverlaps) {
  Threads threads(2);
  for (const char* grain : {"sphere", "tetrahedron"}) {
    const Scene scene = packed_box(grain, 0.035);
    const DemSolver solver(scene, threads, {});
    EXPECT_GT(solver.state().size(), 25U);
    EXPECT_NEAR(share_of_mass(solver, scene, 0.035 * 0.035 * 0.035), 1, 0.02) << grain;
    EXPECT_LT(deepest_overlap(solver), 0.01) << grain;
    EXPECT_LT(solver.stats().errors.at(0).value, 0.01) << "with walls";
    EXPECT_EQ(solver.stats().max_speed, 0);
  }
}

// Friction with memory starts as deep as the grains will lie in the run, so that they do lie still.
TEST(DemSettled, StartsShallowHoweverSoftItsGrainsAndHeavyWhatFallsOnThem) {
  Threads threads(2);
  Scene scene = packed_box("tetrahedron", 0.05);
  scene.materials[0].young = 5e4;
  scene.solver.dem.tangential = TangentialLaw::coulomb_viscous;
  scene.bodies.push_back(test::dynamic_ball("ball", 0.02, {0.025, 0.025, 0.12}, 8000));
  const DemSolver solver(scene, threads, {});
  EXPECT_GT(solver.model().weight_overlap, 0.02) << "what the run itself will see";
  EXPECT_LT(deepest_overlap(solver), 0.01);
}

TEST(DemSettled, KeepsTheSharesOfSizes) {
  Threads threads(2);
  Scene scene = packed_box("sphere", 0.04, 0.62);
  scene.materials[0].sizes = {{1, 0.6}, {0.5, 0.4}};
  const DemSolver solver(scene, threads, {});
  double large = 0, all = 0;
  for (const double r : solver.state().radius) {
    all += r * r * r;
    large += r > 0.004 ? r * r * r : 0;
  }
  EXPECT_NEAR(large / all, 0.6, 0.04) << "half a dozen of the largest";
  EXPECT_NEAR(share_of_mass(solver, scene, 0.04 * 0.04 * 0.04), 1, 0.02);
  EXPECT_LT(deepest_overlap(solver), 0.01);
}

// Wide mixtures are packed without gravity here: with it, a large grain that rests on few small ones presses
// into them, as in the run, by what the run's own stiffness gives.
Scene mixed_box(const char* grain, const std::vector<SizeClass>& sizes, double edge, double fraction) {
  Scene scene = packed_box(grain, edge, fraction);
  scene.materials[0].sizes = sizes;
  scene.info.gravity = Vec3d(0);
  return scene;
}

/// Share of the mass in grains of a radius [-].
double share_of_size(const DemSolver& solver, double radius) {
  double own = 0, all = 0;
  for (const double r : solver.state().radius) {
    all += r * r * r;
    own += std::abs(r - radius) < 1e-9 * radius ? r * r * r : 0;
  }
  return own / all;
}

struct Mixture {
  const char* name;
  const char* grain;
  double fraction;
  std::vector<SizeClass> sizes;
  double edge;
};
void PrintTo(const Mixture& mixture, std::ostream* out) { *out << mixture.name; }
class DemMixtures : public testing::TestWithParam<Mixture> {};

// Small grains between large ones: denser than any packing of one size, 0.64 for spheres and 0.62 for
// tetrahedra. Shares are right to half a grain of a size and of the next larger one.
TEST_P(DemMixtures, LieBetweenEachOther) {
  const Mixture& mixture = GetParam();
  Threads threads(2);
  const Scene scene = mixed_box(mixture.grain, mixture.sizes, mixture.edge, mixture.fraction);
  const DemSolver solver(scene, threads, {});
  const double volume = std::pow(mixture.edge, 3);
  EXPECT_NEAR(share_of_mass(solver, scene, volume), 1, 0.01);
  EXPECT_LT(deepest_overlap(solver), 0.01);
  EXPECT_LT(solver.stats().errors.at(0).value, 0.01) << "with walls";
  const double grain = solver.model().shapes[solver.state().shape[0]].volume / (mixture.fraction * volume);
  double larger = 0;
  for (const SizeClass& size : mixture.sizes) {
    const double radius = 0.5 * kDiameter * size.diameter, own = 0.5 * grain * std::pow(radius, 3);
    EXPECT_NEAR(share_of_size(solver, radius), size.share, own + larger + 0.01) << size.diameter;
    larger = own;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Sizes, DemMixtures,
    testing::Values(Mixture{"SixToOneOfSpheres", "sphere", 0.72, {{1, 0.75}, {1.0 / 6, 0.25}}, 0.03},
                    Mixture{"MostlySmall", "sphere", 0.67, {{1, 0.25}, {1.0 / 6, 0.75}}, 0.02},
                    Mixture{"MostlyLarge", "sphere", 0.64, {{1, 0.95}, {0.1, 0.05}}, 0.03},
                    Mixture{"TenToOneOfSpheres", "sphere", 0.74, {{1, 0.75}, {0.1, 0.25}}, 0.02},
                    Mixture{"TwentyToOneOfSpheres", "sphere", 0.76, {{1, 0.75}, {0.05, 0.25}}, 0.016},
                    Mixture{"SixToOneOfTetrahedra", "tetrahedron", 0.67, {{1, 0.75}, {1.0 / 6, 0.25}}, 0.02},
                    Mixture{"ThreeSizes", "sphere", 0.72, {{1, 0.5}, {0.4, 0.3}, {0.12, 0.2}}, 0.024},
                    Mixture{"EightSizesEqualMass",
                            "sphere",
                            0.67,
                            {{1, 0.125},
                             {0.8, 0.125},
                             {0.6, 0.125},
                             {0.5, 0.125},
                             {0.4, 0.125},
                             {0.3, 0.125},
                             {0.2, 0.125},
                             {0.15, 0.125}},
                            0.02}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(DemSettled, MixesSizesTheSameForAnyNumberOfThreads) {
  const Scene scene = mixed_box("sphere", {{1, 0.7}, {1.0 / 6, 0.3}}, 0.02, 0.7);
  Threads one(1), two(2), four(4);
  const DemSolver a(scene, one, {}), b(scene, two, {}), c(scene, four, {});
  EXPECT_EQ(test::state_hash(a), test::state_hash(b));
  EXPECT_EQ(test::state_hash(a), test::state_hash(c));
}

TEST(DemSettled, MixesSizesInAPeriodicBox) {
  Threads threads(2);
  Scene scene = mixed_box("sphere", {{1, 0.75}, {1.0 / 6, 0.25}}, 0.03, 0.71);
  scene.domain.max.z = 0.03;
  scene.domain.faces.fill(FaceKind::periodic);
  const DemSolver solver(scene, threads, {});
  EXPECT_LT(deepest_overlap(solver), 0.01);
  EXPECT_NEAR(share_of_mass(solver, scene, std::pow(0.03, 3)), 1, 0.02);
}

TEST(DemSettled, IsTheSameForAnyNumberOfThreads) {
  const Scene scene = packed_box("tetrahedron", 0.025);
  Threads one(1), two(2), four(4);
  const DemSolver a(scene, one, {}), b(scene, two, {}), c(scene, four, {});
  EXPECT_EQ(test::state_hash(a), test::state_hash(b));
  EXPECT_EQ(test::state_hash(a), test::state_hash(c));
}

TEST(DemSettled, ClosesOnItselfInAPeriodicBox) {
  Threads threads(2);
  Scene scene = packed_box("sphere", 0.05);
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  const DemSolver solver(scene, threads, {});
  EXPECT_LT(deepest_overlap(solver), 0.01);
  EXPECT_NEAR(share_of_mass(solver, scene, 0.05 * 0.05 * 0.05), 1, 0.02);
  // A seam would show as a gap: beside the faces there are as many centres as elsewhere.
  double beside = 0;
  for (const Vec3d& x : solver.state().position)
    for (int axis = 0; axis < 2; ++axis) beside += x[axis] < 0.005 || x[axis] > 0.045 ? 1 : 0;
  EXPECT_NEAR(beside / static_cast<double>(2 * solver.state().size()), 0.2, 0.04);

  scene.domain.max.z = 0.05;
  scene.domain.faces.fill(FaceKind::periodic);
  scene.info.gravity = Vec3d(0);
  const DemSolver closed(scene, threads, {});
  EXPECT_LT(deepest_overlap(closed), 0.01);
  EXPECT_NEAR(share_of_mass(closed, scene, 0.05 * 0.05 * 0.05), 1, 0.02);
}

TEST(DemSettled, MakesRoomForBodiesAndOtherGrains) {
  Threads threads(2);
  Scene scene = packed_box("tetrahedron", 0.06, 0.58);
  BodyDefinition post;
  post.name = "post";
  post.shape.kind = ShapeKind::cylinder;
  post.shape.radius = 0.012;
  post.shape.height = 0.2;
  post.shape.pose.position = {0.03, 0.03, 0.05};
  scene.bodies.push_back(post);
  test::add_point(scene, {0.012, 0.012, 0.02});
  const DemSolver solver(scene, threads, {});
  EXPECT_LT(solver.stats().errors.at(0).value, 0.01) << "with the post, the walls and the grain";
  const auto& x = solver.state().position;
  EXPECT_EQ(std::count(x.begin(), x.end(), Vec3d(0.012, 0.012, 0.02)), 1);
  const double volume = 0.06 * (0.06 * 0.06 - kPi * 0.012 * 0.012);
  EXPECT_NEAR(share_of_mass(solver, scene, volume), 1, 0.02);
}

TEST(DemSettled, MakesRoomForTheParticlesThatCoverABody) {
  Threads threads(2);
  // A heap on a slab whose second layer stands out of it by a quarter of a grain.
  Scene scene = test::floor_scene("tetrahedron", kDiameter);
  scene.materials[0].density = 0.58 * scene.materials[0].grain_density;
  BodyDefinition slab;
  slab.name = "slab";
  slab.shape = test::box_shape({0.14, 0.14, 0.02}, {0, 0, 0.01});
  slab.surface = BodySurface::particles;
  slab.particle_radius = 0.005;
  slab.roughness = 0.5;
  scene.bodies.push_back(slab);
  Shape heap;
  heap.kind = ShapeKind::cone;
  heap.radius = 0.05;
  heap.radius_top = 0.01;
  heap.height = 0.03;
  heap.pose.position = {0, 0, 0.0375};
  test::add_fill(scene, heap, Packing::settled);
  const DemSolver solver(scene, threads, {});
  EXPECT_GT(solver.state().size(), 100U);
  EXPECT_LT(deepest_overlap(solver), 0.01);
  EXPECT_LT(solver.stats().errors.at(0).value, 0.01) << "with the slab";
  for (const Vec3d& x : solver.state().position)
    EXPECT_LT(signed_distance(heap, x), 0.5 * kDiameter) << "thrown out: " << x.x << ' ' << x.y << ' ' << x.z;
}

TEST(DemSettled, DoesNotSlumpBeforeTheStart) {
  Threads threads(2);
  Scene scene = test::floor_scene("sphere", kDiameter);
  scene.materials[0].density = 0.6 * 2500;
  Shape column;
  column.kind = ShapeKind::cylinder;
  column.radius = 0.03;
  column.height = 0.06;
  column.pose.position = {0, 0, 0.03};
  test::add_fill(scene, column, Packing::settled);
  const DemSolver solver(scene, threads, {});
  for (const Vec3d& x : solver.state().position) {
    EXPECT_LT(std::hypot(x.x, x.y), 0.03 + 0.3 * kDiameter);
    EXPECT_GT(x.z, 0.45 * kDiameter);
  }
  // In the air nothing holds it at all, and it stays.
  scene.fills[0].shape->pose.position.z = 0.5;
  const DemSolver hanging(scene, threads, {});
  double lowest = 1;
  for (const Vec3d& x : hanging.state().position) lowest = std::min(lowest, x.z);
  EXPECT_NEAR(lowest, 0.47, 0.3 * kDiameter);
}

TEST(DemSettled, TurnsAllGrainsAsTheFillSays) {
  Threads threads(2);
  Scene scene = packed_box("rice", 0.03, 0.5);
  scene.fills[0].grain_rotation.emplace(0, 0, 90);
  scene.info.gravity = Vec3d(0);
  const DemSolver solver(scene, threads, {});
  for (const Quatd& q : solver.state().orientation)
    EXPECT_LT((q.v - rotation_from_degrees({0, 0, 90}).v).length(), 1e-6);
  EXPECT_LT(deepest_overlap(solver), 0.01);
}

TEST(DemSettled, TurnsTheShapeAndLeavesGrainsAsTheyPack) {
  Threads threads(2);
  Scene scene = packed_box("tetrahedron", 0.03, 1600.0 / 2650);
  scene.info.gravity = Vec3d(0);
  scene.fills[0].shape->rotation_degrees = {0, 0, 30};
  scene.fills[0].shape->pose.rotation = rotation_from_degrees({0, 0, 30});
  const DemSolver solver(scene, threads, {});
  const Quatd& first = solver.state().orientation[0];
  std::size_t alike = 0;
  for (const Quatd& q : solver.state().orientation) alike += (q.v - first.v).length() < 1e-6 ? 1 : 0;
  EXPECT_EQ(alike, 1U);
  // Turned alike the same grains do not pack so dense, and the message says so.
  scene.fills[0].grain_rotation.emplace(0, 0, 30);
  try {
    const DemSolver refused(scene, threads, {});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("leave grain_rotation out"), std::string::npos) << error.what();
  }
}

TEST(DemSettled, NamesTheRangeOfFractions) {
  Threads threads(2);
  const auto text_of = [&](double fraction) {
    try {
      const DemSolver solver(packed_box("sphere", 0.04, fraction), threads, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_scene);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(text_of(0.7).find("asks for a solid fraction"), std::string::npos);
  EXPECT_NE(text_of(0.3).find("kg/m3"), std::string::npos);
  EXPECT_EQ(text_of(0.63), "");
  std::vector<std::string> said;
  const DemSolver loose(packed_box("sphere", 0.04, 0.45), threads,
                        [&](LogLevel level, std::string_view text) {
                          if (level == LogLevel::warning) said.emplace_back(text);
                        });
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("will fall together"), std::string::npos) << said[0];
}

TEST(DemSettled, FillsThatMeetLoseNoMass) {
  Threads threads(2);
  Scene scene = packed_box("sphere", 0.05);
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].name = "other";
  scene.fills[0].shape = test::box_shape({0.05, 0.05, 0.025}, {0.025, 0.025, 0.0125});
  test::add_fill(scene, test::box_shape({0.05, 0.05, 0.025}, {0.025, 0.025, 0.0375}), Packing::settled);
  scene.fills[1].material = "other";
  const DemSolver solver(scene, threads, {});
  EXPECT_NEAR(share_of_mass(solver, scene, 0.05 * 0.05 * 0.05), 1, 0.03);
  EXPECT_LT(deepest_overlap(solver), 0.01);
}

}  // namespace
}  // namespace repose
