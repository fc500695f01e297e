// Bodies made of triangles, in dem.
//
// A flat floor is the same floor whether it is a plane, or the top of a box cut into triangles: the forces on
// it agree within 1 % (they agree to rounding as long as no grain's path has split up, so single grains are
// held to 1e-9). A wall one spacing thick lets no grain through, however fast: as a closed mesh, as a
// primitive box, and as an open sheet with a thickness.

#include <cmath>
#include <memory>

#include "support/dem_scenes.h"
#include "unit/geometry/mesh_cases.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

BodyDefinition body_of(const std::string& name, Shape shape, const Vec3d& position) {
  BodyDefinition body;
  body.name = name;
  body.shape = std::move(shape);
  body.shape.pose.position = position;
  return body;
}

/// A floor at z = 0 as a plane, or as the top of a box of triangles.
Scene floor_of(bool of_triangles, double spacing) {
  Scene scene = test::void_scene("sphere", spacing);
  scene.info.gravity = Vec3d(0, 0, -9.81);
  Shape plane;
  plane.kind = ShapeKind::plane;
  if (of_triangles)
    scene.bodies.push_back(body_of("floor", mesh_shape(box_mesh({2, 2, 0.5}, 40)), {0, 0, -0.25}));
  else
    scene.bodies.push_back(body_of("floor", plane, {0, 0, 0}));
  return scene;
}

/// A ball that rolls and slides over hundreds of triangles goes the way it goes over a plane.
TEST(MeshFloor, ABallRollsOverTrianglesAsOverAPlane) {
  std::vector<Vec3d> ends, spins;
  for (const bool of_triangles : {false, true}) {
    Scene scene = floor_of(of_triangles, 0.02);
    test::add_point(scene, {-0.7, 0.1, 0.0101}, {1.4, -0.3, 0});
    Threads threads(1);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.5), "");
    ends.push_back(solver.state().position[0]);
    spins.push_back(test::spin_of(solver));
  }
  EXPECT_LT((ends[0] - ends[1]).length(), 1e-9) << ends[0] << ends[1];
  EXPECT_LT((spins[0] - spins[1]).length(), 1e-6) << spins[0] << spins[1];
  EXPECT_GT((ends[0] - Vec3d(-0.7, 0.1, 0)).length(), 0.4) << "it went far";
}

/// Mean force on the floor while grains fall on it, and while the heap rests.
TEST(MeshFloor, AHeapPressesOnTrianglesAsOnAPlane) {
  std::vector<Vec3d> early, late;
  for (const bool of_triangles : {false, true}) {
    Scene scene = floor_of(of_triangles, 0.05);
    test::add_fill(scene, test::box_shape({0.4, 0.4, 0.3}, {0.013, 0.007, 0.2}));
    Threads threads(2);
    DemSolver solver(scene, threads, {});
    const auto mean_force = [&](double until) {
      solver.begin_interval();
      EXPECT_EQ(test::advance(solver, until), "");
      std::vector<BodyRow> rows;
      solver.fill_bodies(rows);
      return rows[0].force;
    };
    early.push_back(mean_force(0.3));
    late.push_back(mean_force(0.6));
  }
  for (const auto& forces : {early, late}) {
    EXPECT_LT(forces[1].z, -1);
    EXPECT_LT((forces[0] - forces[1]).length(), 0.01 * forces[0].length()) << forces[0] << forces[1];
  }
}

struct Wall {
  const char* name;
  Shape shape;
};

/// A wall of 1 m x 1 m, one spacing thick.
std::vector<Wall> walls(double spacing) {
  Shape sheet = mesh_shape(sheet_mesh(1, 7));
  sheet.thickness = spacing;
  Shape box;
  box.size = {1, 1, spacing};
  return {{"mesh box", mesh_shape(box_mesh({1, 1, spacing}, 7))}, {"open mesh", sheet}, {"box", box}};
}

/// Grains hit the wall at 5 and 80 m/s, from straight above and aslant, one after the other into the same
/// place too: none comes out below.
TEST(ThinWall, LetsNothingThroughUnderFastImpact) {
  constexpr double kSpacing = 0.02;
  for (const Wall& wall : walls(kSpacing))
    for (const double speed : {5.0, 80.0}) {
      Scene scene = test::void_scene("tetrahedron", kSpacing);
      scene.bodies.push_back(body_of("wall", wall.shape, {0, 0, 0}));
      scene.materials[0].young.reset();
      std::vector<Vec3d> positions, velocities, spins;
      for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j)
          for (int layer = 0; layer < 2; ++layer) {
            positions.emplace_back(0.05 * i, 0.05 * j, 0.05 + 0.03 * layer);
            velocities.push_back(speed * Vec3d(0.1 * i, 0.1 * (j % 3), -1).normalized());
            spins.emplace_back(3, 5 * i, 2 * j);
          }
      test::add_rows(scene, positions, velocities, spins);
      Threads threads(2);
      DemSolver solver(scene, threads, {});
      ASSERT_EQ(test::advance(solver, 0.2 / speed), "") << wall.name << ' ' << speed;
      for (const Vec3d& p : solver.state().position)
        ASSERT_GT(p.z, 0) << wall.name << " at " << speed << " m/s";
    }
}

/// A wall that is driven into a bed at rest lets nothing through either.
TEST(ThinWall, LetsNothingThroughWhenItMovesFast) {
  constexpr double kSpacing = 0.02;
  for (const Wall& wall : walls(kSpacing)) {
    Scene scene = test::void_scene("sphere", kSpacing);
    scene.materials[0].young.reset();
    BodyDefinition body = body_of("wall", wall.shape, {0, 0, -0.1});
    body.motion = Motion::keyframed;
    body.interpolation = Interpolation::linear;
    body.keyframes = {{0, {0, 0, -0.1}, {0, 0, 0}}, {0.02, {0, 0, 0.5}, {0, 0, 0}}};
    scene.bodies.push_back(body);
    std::vector<Vec3d> positions;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int layer = 0; layer < 3; ++layer)
          positions.emplace_back(0.021 * i, 0.021 * j, 0.02 + 0.021 * layer);
    const std::vector<Vec3d> still(positions.size(), Vec3d(0));
    test::add_rows(scene, positions, still, still);
    Threads threads(2);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.02), "") << wall.name;
    for (const Vec3d& p : solver.state().position) ASSERT_GT(p.z, 0.5) << wall.name;
  }
}

/// The same bits for any number of threads.
TEST(MeshFloor, HashesHoldForAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 4}) {
    Scene scene = floor_of(true, 0.05);
    test::add_fill(scene, test::box_shape({0.3, 0.3, 0.2}, {0, 0, 0.15}));
    Threads threads(count);
    DemSolver solver(scene, threads, {});
    ASSERT_EQ(test::advance(solver, 0.2), "");
    hashes.push_back(test::state_hash(solver));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace repose
