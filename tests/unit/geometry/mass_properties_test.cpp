#include "repose/geometry/mass_properties.h"

#include <cmath>
#include <limits>

#include "shape_cases.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

void expect_diagonal(const Imath::M33d& m, const Vec3d& diagonal, double tolerance) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(m[i][j], i == j ? diagonal[i] : 0.0, tolerance) << i << ' ' << j;
}

/// Moments by counting points of a jittered lattice over the bounds: from nothing but the signed distance.
MassProperties counted_properties(const Shape& shape) {
  const Box3d box = bounds(shape);
  const Vec3d size = box.size();
  Random random(11, Stream::test, 0, 1);
  constexpr int n = 64;
  VolumeMoments m;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3d cell(i % n, i / n % n, i / (n * n));
    const Vec3d p = box.min + (cell + Vec3d(random.uniform(), random.uniform(), random.uniform())) / n * size;
    if (signed_distance(shape, p) > 0) continue;
    m.one += 1;
    m.x += p;
    m.xx += p * p;
    m.yz_zx_xy += Vec3d(p.y * p.z, p.z * p.x, p.x * p.y);
  }
  MassProperties out = to_properties(m);
  const double share = size.x * size.y * size.z / (n * n * n);
  out.volume *= share;
  out.inertia *= share;
  return out;
}

void expect_counted(const Shape& shape) {
  const MassProperties exact = mass_properties(shape), counted = counted_properties(shape);
  EXPECT_NEAR(exact.volume, counted.volume, 0.01 * counted.volume);
  const double size = bounds(shape).size().length(),
               trace = counted.inertia[0][0] + counted.inertia[1][1] + counted.inertia[2][2];
  EXPECT_LT((exact.center - counted.center).length(), 0.002 * size);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(exact.inertia[i][j], counted.inertia[i][j], 0.003 * trace);
}

std::string case_name(const testing::TestParamInfo<ShapeCase>& info) { return info.param.name; }

class MassOfShape : public testing::TestWithParam<ShapeCase> {};

TEST_P(MassOfShape, IsWhatCountingGives) { expect_counted(placed(GetParam().shape)); }

TEST_P(MassOfShape, VolumeIsThatOfTheShape) {
  const Shape shape = placed(GetParam().shape);
  EXPECT_NEAR(mass_properties(shape).volume, volume(shape), 1e-12 * volume(shape));
}

INSTANTIATE_TEST_SUITE_P(Solids, MassOfShape, testing::ValuesIn(plain_solids()), case_name);
INSTANTIATE_TEST_SUITE_P(Shells, MassOfShape, testing::ValuesIn(shells()), case_name);

TEST(MassProperties, OfSolidsThatEveryoneKnows) {
  Shape box = make_shape(ShapeKind::box);
  box.size = {1, 2, 3};
  expect_diagonal(mass_properties(box).inertia, Vec3d(4 + 9, 1 + 9, 1 + 4) * 6 / 12, 1e-13);
  Shape ball = make_shape(ShapeKind::sphere);
  ball.radius = 2;
  const double v = 4.0 / 3 * kPi * 8;
  expect_diagonal(mass_properties(ball).inertia, Vec3d(0.4 * v * 4), 1e-11);
  Shape cylinder = make_shape(ShapeKind::cylinder);
  cylinder.radius = 0.5;
  cylinder.height = 3;
  const double vc = kPi * 0.25 * 3, side = vc * (3 * 0.25 + 9) / 12;
  expect_diagonal(mass_properties(cylinder).inertia, {side, side, vc * 0.25 / 2}, 1e-13);
  // A cone's centre is a quarter up its height; about it I = 3/10 m r^2 and 3/80 m (4 r^2 + h^2).
  Shape cone = make_shape(ShapeKind::cone);
  cone.radius = 0.5;
  cone.radius_top = 0;
  cone.height = 2;
  const MassProperties p = mass_properties(cone);
  const double m = kPi * 0.25 * 2 / 3;
  EXPECT_LT((p.center - Vec3d(0, 0, -0.5)).length(), 1e-14);
  expect_diagonal(p.inertia, {m * 3 / 80 * 5, m * 3 / 80 * 5, 0.3 * m * 0.25}, 1e-14);
  // A ring: I_z = m (R^2 + 3/4 a^2), I_x = m (R^2 / 2 + 5/8 a^2).
  const MassProperties torus = mass_properties(make_shape(ShapeKind::torus));
  const double vt = 2 * kPi * kPi * 0.5 * 0.04;
  expect_diagonal(torus.inertia,
                  {vt * (0.125 + 0.625 * 0.04), vt * (0.125 + 0.625 * 0.04), vt * (0.25 + 0.03)}, 1e-14);
}

TEST(MassProperties, OfSolidsWithoutBoundsAreInfinite) {
  Shape plane = placed(make_shape(ShapeKind::plane)), hollow = placed(make_shape(ShapeKind::box));
  hollow.invert = true;
  for (const Shape& shape : {plane, hollow}) {
    const MassProperties p = mass_properties(shape);
    EXPECT_EQ(p.volume, std::numeric_limits<double>::infinity());
    EXPECT_EQ(p.center, shape.pose.position);
    expect_diagonal(p.inertia, {0, 0, 0}, 0);
  }
}

/// A tetrahedron with one corner at the origin and three on the axes: volume a b c / 6, centre a quarter of
/// the corners' sum, and the integral of x^2 is a^3 b c / 60, of x y a^2 b^2 c / 120.
TEST(MeshMoments, OfATetrahedron) {
  const double a = 1, b = 2, c = 3;
  const std::vector<Vec3d> corners{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
  const std::vector<std::array<std::uint32_t, 3>> faces{{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const VolumeMoments m = mesh_moments(corners, faces);
  EXPECT_NEAR(m.one, a * b * c / 6, 1e-15);
  EXPECT_LT((m.x - Vec3d(a, b, c) * (m.one / 4)).length(), 1e-15);
  EXPECT_LT((m.xx - Vec3d(a * a, b * b, c * c) * (a * b * c / 60)).length(), 1e-14);
  EXPECT_LT((m.yz_zx_xy - Vec3d(b * c, c * a, a * b) * (a * b * c / 120)).length(), 1e-14);

  // The same somewhere else, and turned: the centre moves along, the inertia turns.
  const Pose pose{{3, -2, 1}, rotation_from_degrees({20, 50, -70})};
  std::vector<Vec3d> moved;
  for (const Vec3d& p : corners) moved.push_back(pose.to_world(p));
  const MassProperties here = to_properties(m), there = to_properties(mesh_moments(moved, faces));
  EXPECT_NEAR(there.volume, here.volume, 1e-13);
  EXPECT_LT((there.center - pose.to_world(here.center)).length(), 1e-13);
  const Vec3d w(0.3, -0.5, 0.8);
  const auto energy = [](const Imath::M33d& inertia, const Vec3d& spin) { return spin.dot(spin * inertia); };
  EXPECT_NEAR(energy(there.inertia, rotate(pose.rotation, w)), energy(here.inertia, w), 1e-12);
}

}  // namespace
}  // namespace repose
