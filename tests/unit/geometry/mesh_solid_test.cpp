#include "repose/geometry/mesh/mesh_solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh_cases.h"
#include "shape_cases.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/geometry/sampling.h"

namespace repose {
namespace {

Vec3d random_point(Random& random, double reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
}

Shape box_shape() { return make_shape(ShapeKind::box); }

TEST(MeshSolid, ABoxOfTrianglesIsABox) {
  const Shape box = placed(box_shape());
  Shape mesh = mesh_shape(box_mesh(box.size, 5));
  mesh.pose = box.pose;
  mesh.scale = box.scale;
  Random random(7, Stream::test, 0, 1);
  int normals = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3d p = box.pose.position + random_point(random, 2.5);
    const SurfacePoint a = distance_and_normal(box, p), b = distance_and_normal(mesh, p);
    ASSERT_NEAR(a.distance, b.distance, 1e-13) << p;
    // Deep inside several faces may be as near.
    if (a.distance > -0.05 && std::abs(a.distance) > 1e-6) {
      ASSERT_LT((a.normal - b.normal).length(), 1e-9) << p;
      ++normals;
    }
  }
  EXPECT_GT(normals, 3000);
  EXPECT_NEAR(volume(mesh), volume(box), 1e-13);
  const MassProperties exact = mass_properties(box), found = mass_properties(mesh);
  EXPECT_LT((exact.center - found.center).length(), 1e-14);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(exact.inertia[i][j], found.inertia[i][j], 1e-13);
  EXPECT_LT((bounds(mesh).min - bounds(box).min).length(), 1e-13);
  EXPECT_LT((bounds(mesh).max - bounds(box).max).length(), 1e-13);
}

/// Solids with hollows and a hole: the sign is right wherever the distance is more than the drawing is off.
TEST(MeshSolid, SignHoldsForSolidsThatAreNotConvex) {
  for (const ShapeCase& c : plain_solids()) {
    constexpr double kTolerance = 2e-3;
    const Shape mesh = mesh_shape(drawn_as_mesh(c.shape, kTolerance));
    EXPECT_TRUE(mesh.mesh->is_closed()) << c.name;
    Random random(7, Stream::test, 0, 2);
    for (int i = 0; i < 1000; ++i) {
      const Vec3d p = random_point(random, 0.9);
      ASSERT_NEAR(signed_distance(mesh, p), signed_distance(c.shape, p), kTolerance) << c.name << p;
    }
    EXPECT_NEAR(volume(mesh), volume(c.shape), 0.02 * volume(c.shape)) << c.name;
  }
}

TEST(MeshSolid, MassOfATessellatedBallNearsTheBalls) {
  Shape ball = make_shape(ShapeKind::sphere);
  const MassProperties exact = mass_properties(ball);
  double last = 1;
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const MassProperties p = mass_properties(mesh_shape(drawn_as_mesh(ball, tolerance)));
    const double error = std::abs(p.inertia[0][0] / exact.inertia[0][0] - 1);
    EXPECT_LT(error, 0.2 * last);
    EXPECT_LT(p.center.length(), 1e-7);
    last = error;
  }
}

TEST(MeshSolid, ShellsAreTheSurfaceWithAThickness) {
  Shape box = box_shape(), mesh = mesh_shape(box_mesh(box.size, 3));
  box.thickness = mesh.thickness = 0.1;
  Random random(7, Stream::test, 0, 3);
  for (int i = 0; i < 500; ++i) {
    const Vec3d p = random_point(random, 1.0);
    EXPECT_NEAR(signed_distance(mesh, p), signed_distance(box, p), 1e-13);
  }
  EXPECT_NEAR(volume(mesh), volume(box), 2e-3 * volume(box));
  const MassProperties exact = mass_properties(box), found = mass_properties(mesh);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(found.inertia[i][i], exact.inertia[i][i], 3e-3 * exact.inertia[i][i]);

  Shape sheet = mesh_shape(sheet_mesh(1, 4));
  EXPECT_FALSE(sheet.mesh->is_closed());
  sheet.thickness = 0.2;
  EXPECT_NEAR(signed_distance(sheet, {0.1, 0.2, 0.5}), 0.4, 1e-15);
  EXPECT_NEAR(signed_distance(sheet, {0.1, 0.2, -0.5}), 0.4, 1e-15);
  EXPECT_NEAR(signed_distance(sheet, {0.8, 0, 0}), 0.2, 1e-15);
  EXPECT_NEAR(signed_distance(sheet, {0, 0, 0}), -0.1, 1e-15);
  // A slab with half-round edges and quarter-ball corners.
  const double t = 0.1;
  EXPECT_NEAR(volume(sheet), 2 * t + 0.5 * kPi * t * t * 4 + 4.0 / 3 * kPi * t * t * t, 5e-4);
}

TEST(MeshSolid, InvertedItIsThereWhereItWasNot) {
  Shape mesh = placed(mesh_shape(box_mesh({1, 1, 1}, 2)));
  const Shape solid = mesh;
  mesh.invert = true;
  Random random(7, Stream::test, 0, 4);
  for (int i = 0; i < 100; ++i) {
    const Vec3d p = mesh.pose.position + random_point(random, 1.0);
    EXPECT_EQ(signed_distance(mesh, p), -signed_distance(solid, p));
  }
  EXPECT_EQ(volume(mesh), std::numeric_limits<double>::infinity());
}

TEST(MeshSolid, FiniteForAnyFinitePoint) {
  const Shape mesh = mesh_shape(drawn_as_mesh(make_shape(ShapeKind::torus), 0.02));
  const double values[] = {0.0, -0.0, 1e-320, 1e-160, 0.25, -0.3, 0.7, 1e60, -1e200, 1.7e308};
  for (const double x : values)
    for (const double y : values)
      for (const double z : values) {
        const SurfacePoint s = distance_and_normal(mesh, {x, y, z});
        EXPECT_TRUE(std::isfinite(s.distance)) << Vec3d(x, y, z);
        EXPECT_NEAR(s.normal.length(), 1, 1e-12) << Vec3d(x, y, z);
      }
}

/// The normals of two faces that lie back to back cancel but for rounding, which is no direction: the place
/// at their corner gets a unit normal all the same. (From mutated input.)
TEST(MeshSolid, FacesBackToBackLeaveUnitNormals) {
  const MeshData data{.positions = {{0, 5, 0}, {1.1e-319, 0, 0}, {0, 2, 0}, {0, 0, 3}},
                      .triangles = {{0, 3, 2}, {0, 1, 3}}};
  const Shape mesh = mesh_shape(data);
  for (const Vec3d& p : data.positions)
    EXPECT_NEAR(distance_and_normal(mesh, p).normal.length(), 1, 1e-12) << p;
}

/// The top of a box cut into triangles every which way: above it a ball is pushed once, straight up, wherever
/// it stands, also right above edges and corners of the triangles.
TEST(MeshTouches, AFlatSurfaceInTrianglesPushesOnce) {
  constexpr std::uint32_t kCells = 8;
  const Shape mesh = mesh_shape(box_mesh({2, 2, 2}, kCells));
  Random random(7, Stream::test, 0, 5);
  Touches touches;
  for (int i = 0; i < 20000; ++i) {
    Vec3d p(random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), 1 + random.uniform(0.01, 0.2));
    const auto snapped = [&](double x) { return std::round(x * kCells / 2) * 2 / kCells; };
    if (i % 3 == 0) p.x = snapped(p.x);
    if (i % 5 == 0) p.y = snapped(p.y);
    if (i % 7 == 0) p.y = p.x;
    find_touches(mesh, p, 0.21, touches);
    ASSERT_EQ(touches.size(), 1U) << p;
    ASSERT_NEAR(touches[0].distance, p.z - 1, 1e-14) << p;
    ASSERT_LT((touches[0].normal - Vec3d(0, 0, 1)).length(), 1e-12) << p;
    find_touches(mesh, {0.1, 0.3, 1.1}, 0.21, touches);
    const int face = touches[0].face;
    find_touches(mesh, p, 0.21, touches);
    ASSERT_EQ(touches[0].face, face) << "the part keeps its number all over the flat surface";
  }
}

/// In the corner of a hollow box of triangles a ball rests on the same faces as in the hollow box itself.
TEST(MeshTouches, AHollowCornerPushesFromEveryFace) {
  Shape box = box_shape(), mesh = mesh_shape(box_mesh(box.size, 4));
  for (const double thickness : {0.0, 0.04}) {
    box.thickness = mesh.thickness = thickness;
    box.invert = mesh.invert = thickness == 0;
    Random random(7, Stream::test, 0, 6);
    Touches a, b;
    for (int i = 0; i < 3000; ++i) {
      Vec3d p;
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = random.uniform(-0.5, 0.5) * (box.size[axis] - thickness - 0.02);
      find_touches(box, p, 0.15, a);
      find_touches(mesh, p, 0.15, b);
      ASSERT_EQ(a.size(), b.size()) << p;
      Vec3d push_a(0), push_b(0);
      for (const Touch& touch : a) push_a += (0.15 - touch.distance) * touch.normal;
      for (const Touch& touch : b) push_b += (0.15 - touch.distance) * touch.normal;
      ASSERT_LT((push_a - push_b).length(), 1e-12) << p;
    }
  }
}

TEST(MeshTouches, OutsideACornerOfABoxOnlyTheNearestPlacePushes) {
  const Shape box = box_shape(), mesh = mesh_shape(box_mesh(box.size, 4));
  Random random(7, Stream::test, 0, 8);
  Touches touches;
  int met = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3d p = random_point(random, 1.0);
    const SurfacePoint s = distance_and_normal(box, p);
    if (!(s.distance > 1e-3 && s.distance < 0.15)) continue;
    find_touches(mesh, p, 0.15, touches);
    ASSERT_EQ(touches.size(), 1U) << p;
    ASSERT_NEAR(touches[0].distance, s.distance, 1e-13);
    ASSERT_LT((touches[0].normal - s.normal).length(), 1e-9);
    ++met;
  }
  EXPECT_GT(met, 500);
}

TEST(MeshTouches, NearIsWhatTheDistanceSays) {
  Shape solid = mesh_shape(drawn_as_mesh(make_shape(ShapeKind::torus), 0.01)), hollow = solid, shell = solid;
  hollow.invert = true;
  shell.thickness = 0.1;
  for (Shape shape : {solid, hollow, shell, make_shape(ShapeKind::box)}) {
    shape.scale = 1.7;
    Random random(7, Stream::test, 0, 10);
    for (int i = 0; i < 3000; ++i) {
      const Vec3d p = random_point(random, 1.5);
      for (const double reach : {0.02, 0.3})
        ASSERT_EQ(is_nearer_than(shape, p, reach), distance_in_own_frame(shape, p).distance < reach) << p;
    }
  }
}

TEST(MeshTouches, ASheetPushesToBothSidesAndAroundItsRim) {
  Shape sheet = mesh_shape(sheet_mesh(1, 4));
  sheet.thickness = 0.02;
  Touches touches;
  for (const double side : {-1.0, 1.0}) {
    find_touches(sheet, {0.21, 0.17, 0.05 * side}, 0.1, touches);
    ASSERT_EQ(touches.size(), 1U);
    EXPECT_NEAR(touches[0].distance, 0.04, 1e-15);
    EXPECT_NEAR(touches[0].normal.z, side, 1e-15);
  }
  find_touches(sheet, {0.53, 0.04, 0.04}, 0.1, touches);
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_NEAR(touches[0].distance, 0.04, 1e-15);
  EXPECT_NEAR(touches[0].normal.x, 0.6, 1e-12);
}

TEST(MeshTopology, JoinsCornersAndTurnsTriangles) {
  const MeshData data = box_mesh({1, 1, 1}, 2);
  const MeshTopology mesh = make_topology(data);
  EXPECT_EQ(mesh.positions.size(), 26U);
  EXPECT_EQ(mesh.facts.merged_vertices.count, 54U - 26U);
  EXPECT_TRUE(mesh.is_closed());
  EXPECT_EQ(mesh.facts.part_count, 1U);
  EXPECT_EQ(mesh.edge_count(), 3 * mesh.triangles.size() / 2);

  MeshData turned = data;
  for (const std::size_t t : {3U, 17U, 40U}) std::swap(turned.triangles[t][0], turned.triangles[t][1]);
  const MeshTopology again = make_topology(turned);
  EXPECT_EQ(again.facts.turned_triangles.count, 3U);
  EXPECT_EQ(again.facts.turned_triangles.triangle, 3U);
  EXPECT_TRUE(again.is_closed());
  EXPECT_NEAR(mesh_moments(again.positions, again.triangles).one, 1, 1e-14);

  MeshData inside_out = data;
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  const MeshTopology out = make_topology(inside_out);
  EXPECT_TRUE(out.facts.was_inside_out);
  EXPECT_NEAR(mesh_moments(out.positions, out.triangles).one, 1, 1e-14);
}

TEST(MeshTopology, AHollowInsideStaysAHollow) {
  MeshData data = box_mesh({1, 1, 1}, 1), hollow = box_mesh({0.5, 0.5, 0.5}, 1);
  for (Triangle& t : hollow.triangles) std::swap(t[0], t[1]);
  append(data, hollow);
  const Shape shape = mesh_shape(data);
  EXPECT_NEAR(volume(shape), 1 - 0.125, 1e-14);
  EXPECT_GT(signed_distance(shape, {0, 0, 0}), 0);
  EXPECT_LT(signed_distance(shape, {0.4, 0, 0}), 0);
  EXPECT_EQ(shape.mesh->topology().facts.part_count, 2U);
}

TEST(MeshSolid, RefusesWhatHasNoArea) {
  const std::string text = "no triangle in it has an area";
  const MeshData line{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}};
  const MeshData point{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}};
  EXPECT_TRUE(test::refuses([&] { MeshSolid solid(line); }, text));
  EXPECT_TRUE(test::refuses([&] { MeshSolid solid(point); }, text));
}

/// Fills, for which a mesh is a shape like any other.
TEST(MeshSolid, FillsLikeItsBox) {
  Threads one(1), two(2), four(4);
  const Shape box = placed(box_shape());
  Shape mesh = mesh_shape(box_mesh(box.size, 3));
  mesh.pose = box.pose;
  mesh.scale = box.scale;
  VolumeSampling sampling;
  sampling.spacing = 0.11;
  const auto expected = sample_volume(box, sampling, one), found = sample_volume(mesh, sampling, one);
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_EQ(found, sample_volume(mesh, sampling, two));
  EXPECT_EQ(found, sample_volume(mesh, sampling, four));
}

TEST(MeshDrawing, ClosedMeshesAndShellsAreClosed) {
  Shape box = placed(mesh_shape(box_mesh({1, 2, 3}, 2)));
  for (const double thickness : {0.0, 0.1}) {
    box.thickness = thickness;
    const MeshTopology drawn = make_topology(drawn_as_mesh(box, 0.01));
    EXPECT_TRUE(drawn.is_closed());
    EXPECT_EQ(drawn.facts.turned_triangles.count, 0U);
  }
  Shape sheet = mesh_shape(sheet_mesh(1, 3));
  sheet.thickness = 0.1;
  const MeshTopology drawn = make_topology(drawn_as_mesh(sheet, 0.01));
  EXPECT_TRUE(drawn.is_closed());
  EXPECT_EQ(drawn.facts.turned_triangles.count, 0U);
  EXPECT_FALSE(drawn.facts.was_inside_out);
  EXPECT_NEAR(mesh_moments(drawn.positions, drawn.triangles).one, 0.1, 1e-6);
}

}  // namespace
}  // namespace repose
