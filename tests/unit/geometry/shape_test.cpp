#include "repose/geometry/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shape_cases.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

Random numbers(std::uint64_t index) { return Random(7, Stream::test, 0, index); }

Vec3d random_point(Random& random, double reach) {
  return {random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach)};
}

/// Points along straight lines and arcs of the half-plane (r, z), `step` apart.
void add_line(std::vector<Vec2d>& out, const Vec2d& a, const Vec2d& b, double step) {
  const int n = 1 + static_cast<int>((b - a).length() / step);
  for (int i = 0; i <= n; ++i) out.push_back(a + (b - a) * (static_cast<double>(i) / n));
}
void add_arc(std::vector<Vec2d>& out, const Vec2d& center, double radius, double from, double to,
             double step) {
  const int n = 1 + static_cast<int>(radius * std::abs(to - from) / step);
  for (int i = 0; i <= n; ++i) {
    const double angle = from + (to - from) * i / n;
    const Vec2d p = center + radius * Vec2d(std::cos(angle), std::sin(angle));
    if (p.x >= 0) out.push_back(p);
  }
}

/// The outline of a plain solid of revolution, from its definition.
std::vector<Vec2d> outline(const Shape& s, double step) {
  std::vector<Vec2d> out;
  const double half = 0.5 * s.height, bottom = s.radius;
  const double top = s.kind == ShapeKind::cone ? s.radius_top : s.radius;
  switch (s.kind) {
    case ShapeKind::sphere:
      add_arc(out, {0, 0}, s.radius, -kPi / 2, kPi / 2, step);
      break;
    case ShapeKind::cylinder:
    case ShapeKind::cone:
      add_line(out, {0, -half}, {bottom, -half}, step);
      add_line(out, {bottom, -half}, {top, half}, step);
      add_line(out, {top, half}, {0, half}, step);
      break;
    case ShapeKind::capsule:
      add_arc(out, {0, -half}, s.radius, -kPi / 2, 0, step);
      add_line(out, {s.radius, -half}, {s.radius, half}, step);
      add_arc(out, {0, half}, s.radius, 0, kPi / 2, step);
      break;
    case ShapeKind::torus:
      add_arc(out, {s.radius, 0}, s.tube, -kPi, kPi, step);
      break;
    default: {
      const std::vector<Vec2d>& p = s.profile;
      const bool closed = p.front() == p.back();
      if (!closed) add_line(out, {0, p.front().y}, p.front(), step);
      for (std::size_t i = 0; i + 1 < p.size(); ++i) add_line(out, p[i], p[i + 1], step);
      if (!closed) add_line(out, p.back(), {0, p.back().y}, step);
    }
  }
  return out;
}

struct Surface {
  std::vector<Vec3d> points;
  std::vector<Vec2d> outline;  ///< empty for a box
};

Surface surface_points(const Shape& s, double step) {
  Surface surface;
  if (s.kind == ShapeKind::box) {
    const Vec3d half = 0.5 * s.size;
    for (int axis = 0; axis < 3; ++axis) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const int nu = 1 + static_cast<int>(s.size[u] / step), nv = 1 + static_cast<int>(s.size[v] / step);
      for (int i = 0; i <= nu; ++i)
        for (int j = 0; j <= nv; ++j)
          for (const double side : {-1.0, 1.0}) {
            Vec3d p;
            p[axis] = side * half[axis];
            p[u] = half[u] * (2.0 * i / nu - 1);
            p[v] = half[v] * (2.0 * j / nv - 1);
            surface.points.push_back(p);
          }
    }
    return surface;
  }
  surface.outline = outline(s, step);
  for (const Vec2d& p : surface.outline) {
    const int n = 1 + static_cast<int>(2 * kPi * p.x / step);
    for (int i = 0; i < n; ++i) {
      const double angle = 2 * kPi * i / n;
      surface.points.emplace_back(p.x * std::cos(angle), p.x * std::sin(angle), p.y);
    }
  }
  return surface;
}

/// Whether p is inside, by the angle under which the outline and the axis are seen.
bool is_inside(const Shape& s, const Surface& surface, const Vec3d& p) {
  if (s.kind == ShapeKind::box)
    return std::abs(p.x) < 0.5 * s.size.x && std::abs(p.y) < 0.5 * s.size.y && std::abs(p.z) < 0.5 * s.size.z;
  const Vec2d q(std::hypot(p.x, p.y), p.z);
  double angle = 0;
  for (std::size_t i = 0; i < surface.outline.size(); ++i) {
    const Vec2d a = surface.outline[i] - q, b = surface.outline[(i + 1) % surface.outline.size()] - q;
    angle += std::atan2(a.x * b.y - a.y * b.x, a.dot(b));
  }
  return std::abs(angle) > kPi;
}

class PlainSolid : public testing::TestWithParam<ShapeCase> {};
std::string case_name(const testing::TestParamInfo<ShapeCase>& info) { return info.param.name; }

TEST_P(PlainSolid, DistanceIsThatOfTheNearestSurfacePoint) {
  const Shape& shape = GetParam().shape;
  constexpr double kStep = 0.01;
  const Surface surface = surface_points(shape, kStep);
  Random random = numbers(1);
  int sides = 0;
  for (int i = 0; i < 150; ++i) {
    const Vec3d p = random_point(random, 1.1);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec3d& q : surface.points) nearest = std::min(nearest, (p - q).length());
    const double d = signed_distance(shape, p);
    EXPECT_LE(std::abs(d), nearest + 1e-12) << p;
    EXPECT_GE(std::abs(d), nearest - 0.71 * kStep) << p;
    if (std::abs(d) > kStep) {
      EXPECT_EQ(d < 0, is_inside(shape, surface, p)) << p;
      ++sides;
    }
  }
  EXPECT_GT(sides, 100);
}

TEST_P(PlainSolid, SteppingBackAlongTheNormalEndsOnTheSurface) {
  for (const Shape& shape : {GetParam().shape, placed(GetParam().shape)}) {
    Random random = numbers(2);
    for (int i = 0; i < 2000; ++i) {
      const Vec3d p = shape.pose.position + random_point(random, 2.0);
      const SurfacePoint s = distance_and_normal(shape, p);
      EXPECT_NEAR(s.normal.length(), 1, 1e-14);
      EXPECT_NEAR(signed_distance(shape, p - s.distance * s.normal), 0, 1e-13);
      EXPECT_EQ(s.distance, signed_distance(shape, p));
    }
  }
}

TEST_P(PlainSolid, NormalIsTheGradientOffTheMedialAxis) {
  const Shape shape = placed(GetParam().shape);
  Random random = numbers(3);
  constexpr double h = 1e-5;
  int smooth = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3d p = shape.pose.position + random_point(random, 2.0);
    Vec3d gradient;
    double bend = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d e(0);
      e[axis] = h;
      const double low = signed_distance(shape, p - e), high = signed_distance(shape, p + e);
      gradient[axis] = (high - low) / (2 * h);
      bend += std::abs(high + low - 2 * signed_distance(shape, p)) / h;
    }
    if (bend > 1e-2) continue;
    ++smooth;
    EXPECT_LT((gradient - distance_and_normal(shape, p).normal).length(), 1e-3) << p;
  }
  EXPECT_GT(smooth, 450);
}

TEST_P(PlainSolid, ScaleTurnAndMoveCarryDistanceAndNormalAlong) {
  const Shape& plain = GetParam().shape;
  const Shape moved = placed(plain);
  Random random = numbers(4);
  int normals = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3d p = random_point(random, 1.0);
    const SurfacePoint a = distance_and_normal(plain, p),
                       b = distance_and_normal(moved, moved.pose.to_world(moved.scale * p));
    EXPECT_NEAR(b.distance, moved.scale * a.distance, 1e-13);
    if (std::abs(a.distance) > 1e-3) {
      EXPECT_LT((b.normal - rotate(moved.pose.rotation, a.normal)).length(), 1e-9) << p;
      ++normals;
    }
  }
  EXPECT_GT(normals, 200);
}

TEST_P(PlainSolid, InvertTurnsSignAndNormal) {
  Shape inverted = GetParam().shape;
  inverted.invert = true;
  Random random = numbers(5);
  for (int i = 0; i < 100; ++i) {
    const Vec3d p = random_point(random, 1.0);
    const SurfacePoint a = distance_and_normal(GetParam().shape, p), b = distance_and_normal(inverted, p);
    EXPECT_EQ(b.distance, -a.distance);
    EXPECT_EQ(b.normal, -a.normal);
  }
  EXPECT_EQ(volume(inverted), std::numeric_limits<double>::infinity());
  EXPECT_EQ(bounds(inverted).max.x, std::numeric_limits<double>::infinity());
}

TEST_P(PlainSolid, ShellIsHalfItsThicknessOnEachSideOfTheSurface) {
  Shape shell = placed(GetParam().shape);
  const Shape solid = shell;
  shell.thickness = 0.08;
  Shape inverted = shell;
  inverted.invert = true;
  Random random = numbers(6);
  for (int i = 0; i < 500; ++i) {
    const Vec3d p = shell.pose.position + random_point(random, 2.0);
    const double d = signed_distance(shell, p);
    // The shell of a lathe leaves out the closing discs.
    if (shell.kind == ShapeKind::lathe) {
      EXPECT_GE(d, std::abs(signed_distance(solid, p)) - 0.04 - 1e-13);
    } else {
      EXPECT_NEAR(d, std::abs(signed_distance(solid, p)) - 0.04, 1e-13);
    }
    EXPECT_EQ(signed_distance(inverted, p), d);
  }
}

TEST_P(PlainSolid, BoundsTouchTheSolidOnAllSides) {
  const Shape shape = placed(GetParam().shape);
  const Box3d box = bounds(shape);
  Box3d touched;
  for (const Vec3d& p : surface_points(GetParam().shape, 0.02).points)
    touched.extendBy(shape.pose.to_world(shape.scale * p));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(box.min[axis], touched.min[axis], 2e-3);
    EXPECT_NEAR(box.max[axis], touched.max[axis], 2e-3);
    EXPECT_LE(box.min[axis], touched.min[axis] + 1e-12);
    EXPECT_GE(box.max[axis], touched.max[axis] - 1e-12);
  }
}

/// Volume by counting points of a randomly shifted lattice, and what it is good for.
void expect_volume(const Shape& shape) {
  const Box3d box = bounds(shape);
  Random random = numbers(8);
  constexpr int n = 60;
  std::uint64_t inside = 0;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3d cell(i % n, i / n % n, i / (n * n));
    const Vec3d u = (cell + Vec3d(random.uniform(), random.uniform(), random.uniform())) / n;
    inside += signed_distance(shape, box.min + u * box.size()) <= 0;
  }
  const Vec3d size = box.size();
  const double counted = static_cast<double>(inside) / (n * n * n) * size.x * size.y * size.z;
  EXPECT_NEAR(volume(shape), counted, 0.004 * counted);
}

TEST_P(PlainSolid, VolumeIsWhatCountingGives) { expect_volume(placed(GetParam().shape)); }

TEST_P(PlainSolid, FiniteForAnyFinitePoint) {
  for (const double thickness : {0.0, 0.1}) {
    Shape shape = GetParam().shape;
    shape.thickness = thickness;
    const double values[] = {0.0, -0.0, 1e-320, 1e-160, 0.25, -0.3, 0.4, 0.5, 0.55, 1e60, -1e200, 1.7e308};
    for (const double x : values)
      for (const double y : values)
        for (const double z : values) {
          const SurfacePoint s = distance_and_normal(shape, {x, y, z});
          EXPECT_TRUE(std::isfinite(s.distance)) << Vec3d(x, y, z);
          EXPECT_NEAR(s.normal.length(), 1, 1e-12) << Vec3d(x, y, z);
        }
  }
}

TEST_P(PlainSolid, NormalsOnTheSurfacePointOutwards) {
  const Shape& shape = GetParam().shape;
  for (const Vec3d& q : surface_points(shape, 0.1).points) {
    const SurfacePoint s = distance_and_normal(shape, q);
    ASSERT_NEAR(s.distance, 0, 1e-12);
    EXPECT_GT(signed_distance(shape, q + 1e-4 * s.normal), 0) << q;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PlainSolid, testing::ValuesIn(plain_solids()), case_name);

class Shell : public testing::TestWithParam<ShapeCase> {};

TEST_P(Shell, VolumeIsWhatCountingGives) {
  Shape shape = GetParam().shape;
  for (const double thickness : {0.1, 0.6}) {
    shape.thickness = thickness;
    expect_volume(shape);
  }
}

TEST_P(Shell, SteppingBackFromOutsideEndsOnTheSurface) {
  const Shape& shape = GetParam().shape;
  Random random = numbers(9);
  int outside = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(random, 1.0);
    const SurfacePoint s = distance_and_normal(shape, p);
    EXPECT_NEAR(s.normal.length(), 1, 1e-14);
    if (s.distance > 0) {
      EXPECT_NEAR(signed_distance(shape, p - s.distance * s.normal), 0, 1e-13);
      ++outside;
    }
  }
  EXPECT_GT(outside, 300);
}

INSTANTIATE_TEST_SUITE_P(All, Shell, testing::ValuesIn(shells()), case_name);

TEST(Shape, LatheShellIsOpenWhereItsProfileIs) {
  Shape hopper = make_lathe({{0.1, -0.5}, {0.5, 0.5}});
  hopper.thickness = 0.02;
  EXPECT_GT(signed_distance(hopper, {0, 0, -0.5}), 0.08);
  EXPECT_GT(signed_distance(hopper, {0, 0, 0.5}), 0.4);
  EXPECT_LT(signed_distance(hopper, {0.3, 0, 0}), 0);
}

TEST(Shape, PlaneIsTheSolidBelowIt) {
  Shape plane = make_shape(ShapeKind::plane);
  plane.pose = {{0, 0, 2}, rotation_from_degrees({90, 0, 0})};
  EXPECT_NEAR(signed_distance(plane, {5, -3, 1}), 3, 1e-14);
  EXPECT_LT((distance_and_normal(plane, {5, -3, 1}).normal - Vec3d(0, -1, 0)).length(), 1e-15);
  plane.pose.rotation = {1, 0, 0, 0};
  EXPECT_EQ(bounds(plane).max.z, 2);
  EXPECT_EQ(bounds(plane).min.z, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(volume(plane), std::numeric_limits<double>::infinity());
  plane.thickness = 0.5;
  EXPECT_EQ(bounds(plane).min.z, 1.75);
  EXPECT_EQ(signed_distance(plane, {1, 1, 0}), 1.75);
}

TEST(Shape, IntegratedShellVolumeAgreesWithTheClosedForm) {
  for (const double thickness : {0.001, 0.02, 0.3}) {
    Shape cylinder = make_shape(ShapeKind::cylinder),
          lathe = make_lathe({{0, -0.55}, {0.5, -0.55}, {0.5, 0.55}, {0, 0.55}});
    cylinder.thickness = lathe.thickness = thickness;
    EXPECT_NEAR(volume(lathe) / volume(cylinder), 1, 1e-4);
  }
}

TEST(Shape, VolumesOfSolidsThatEveryoneKnows) {
  Shape cone = make_shape(ShapeKind::cone);
  cone.radius_top = 0;
  EXPECT_NEAR(volume(cone), kPi * 0.25 * 1.1 / 3, 1e-15);
  EXPECT_NEAR(volume(make_shape(ShapeKind::torus)), 2 * kPi * kPi * 0.5 * 0.04, 1e-15);
  EXPECT_NEAR(volume(make_lathe({{0.5, -1}, {0.5, 1}})), kPi * 0.5, 1e-15);
}

}  // namespace
}  // namespace repose
