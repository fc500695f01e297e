#include "repose/geometry/tessellate.h"

#include <array>
#include <cmath>
#include <map>

#include "shape_cases.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kTolerance = 2e-3;  // [m]

std::vector<ShapeCase> all_cases() {
  std::vector<ShapeCase> cases = plain_solids();
  for (const ShapeCase& c : shells()) cases.push_back(c);
  ShapeCase hopper{"hopper_shell", make_lathe({{0.1, -0.6}, {0.1, -0.4}, {0.5, 0.2}, {0.5, 0.6}})};
  hopper.shape.thickness = 0.05;
  cases.push_back(hopper);
  ShapeCase bowl{"bowl_shell", make_lathe({{0.5, 0.4}, {0.4, 0.1}, {0, 0}})};
  bowl.shape.thickness = 0.08;
  cases.push_back(bowl);
  for (std::size_t i = 0, n = cases.size(); i < n; ++i) {
    ShapeCase moved{cases[i].name + "_placed", placed(cases[i].shape)};
    cases.push_back(moved);
  }
  return cases;
}

double signed_volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3d a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
    sum += 0.5 * (b - a).cross(c - a).length();
  }
  return sum;
}

class TessellationOf : public testing::TestWithParam<ShapeCase> {};

TEST_P(TessellationOf, IsClosed) {
  const TriangleMesh mesh = tessellate(GetParam().shape, kTolerance);
  using Place = std::array<float, 3>;
  std::map<std::pair<Place, Place>, int> edges;
  const auto place = [&](std::uint32_t v) {
    const Vec3f& p = mesh.positions[v];
    return Place{p.x + 0.0F, p.y + 0.0F, p.z + 0.0F};
  };
  ASSERT_FALSE(mesh.triangles.empty());
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const Place a = place(t[i]), b = place(t[(i + 1) % 3]);
      ASSERT_NE(a, b);
      ++edges[{a, b}];
      --edges[{b, a}];
    }
  for (const auto& [edge, count] : edges) ASSERT_EQ(count, 0);
}

TEST_P(TessellationOf, VerticesAreOnTheSurfaceAndTrianglesNearIt) {
  const Shape& shape = GetParam().shape;
  const TriangleMesh mesh = tessellate(shape, kTolerance);
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  // The shell of a torus without a hole follows a polyline.
  const bool followed = shape.kind == ShapeKind::torus && shape.tube > shape.radius && shape.thickness > 0;
  for (const Vec3f& p : mesh.positions)
    EXPECT_NEAR(signed_distance(shape, Vec3d(p)), 0, followed ? kTolerance : 1e-6);
  for (const auto& t : mesh.triangles) {
    const Vec3f middle = (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3.0F;
    EXPECT_NEAR(signed_distance(shape, Vec3d(middle)), 0, kTolerance);
  }
}

TEST_P(TessellationOf, NormalsAreUnitAndAgreeWithTheTriangles) {
  const Shape& shape = GetParam().shape;
  const TriangleMesh mesh = tessellate(shape, kTolerance);
  for (const Vec3f& n : mesh.normals) EXPECT_NEAR(n.length(), 1, 1e-6);
  double worst = 1;
  for (const auto& t : mesh.triangles) {
    const Vec3d a(mesh.positions[t[0]]), b(mesh.positions[t[1]]), c(mesh.positions[t[2]]);
    const Vec3d face = (b - a).cross(c - a).normalized();
    for (const std::uint32_t v : t) worst = std::min(worst, face.dot(Vec3d(mesh.normals[v])));
    // Outside is where the normal points.
    EXPECT_GT(signed_distance(shape, (a + b + c) / 3.0 + 4 * kTolerance * face), 0);
  }
  EXPECT_GT(worst, 0.8);
}

TEST_P(TessellationOf, EnclosesTheVolume) {
  const Shape& shape = GetParam().shape;
  const TriangleMesh mesh = tessellate(shape, kTolerance);
  EXPECT_NEAR(signed_volume(mesh), volume(shape), kTolerance * area(mesh));
}

INSTANTIATE_TEST_SUITE_P(All, TessellationOf, testing::ValuesIn(all_cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Tessellation, InvertedShapesFaceInwards) {
  Shape sphere = make_shape(ShapeKind::sphere);
  const double outwards = signed_volume(tessellate(sphere, kTolerance));
  sphere.invert = true;
  const TriangleMesh mesh = tessellate(sphere, kTolerance);
  EXPECT_NEAR(signed_volume(mesh), -outwards, 1e-6);
  for (std::size_t i = 0; i < mesh.normals.size(); ++i)
    EXPECT_LT(mesh.normals[i].dot(mesh.positions[i]), -0.499F);
}

TEST(Tessellation, PlaneIsASquareOfTheSizeAskedFor) {
  Shape plane = placed(make_shape(ShapeKind::plane));
  const TriangleMesh mesh = tessellate(plane, kTolerance, 6);
  ASSERT_EQ(mesh.triangles.size(), 2U);
  for (const Vec3f& p : mesh.positions) {
    EXPECT_NEAR((Vec3d(p) - plane.pose.position).length(), 3 * std::sqrt(2.0), 1e-5);
    EXPECT_NEAR(signed_distance(plane, Vec3d(p)), 0, 1e-6);
  }
  plane.thickness = 0.5;
  EXPECT_NEAR(signed_volume(tessellate(plane, kTolerance, 6)), 18, 1e-4);
}

TEST(Tessellation, CreasesOfABoxAreSharp) {
  const TriangleMesh mesh = tessellate(make_shape(ShapeKind::box), kTolerance);
  EXPECT_EQ(mesh.positions.size(), 24U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
}

TEST(Tessellation, FinerToleranceGivesMoreTriangles) {
  const Shape sphere = make_shape(ShapeKind::sphere);
  const auto coarse = tessellate(sphere, 1e-2), fine = tessellate(sphere, 1e-4);
  // Chord errors go with the square of the parts: 10 times as many each way.
  EXPECT_NEAR(static_cast<double>(fine.triangles.size()) / static_cast<double>(coarse.triangles.size()), 100,
              25);
}

TEST(Tessellation, ThickFoldedShellsStayInsideTheShell) {
  Shape folded = make_lathe({{0.1, 0}, {0.3, 0.02}, {0.1, 0.04}, {0.3, 0.06}});
  folded.thickness = 0.1;
  const TriangleMesh mesh = tessellate(folded, kTolerance);
  ASSERT_FALSE(mesh.triangles.empty());
  for (const Vec3f& p : mesh.positions) EXPECT_LT(signed_distance(folded, Vec3d(p)), 1e-6);
}

}  // namespace
}  // namespace repose
