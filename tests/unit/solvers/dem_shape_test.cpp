#include <cmath>

#include <gtest/gtest.h>

#include "repose/particles/grain_mass.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

std::vector<ShapeSphere> turned(const std::vector<ShapeSphere>& spheres, const Quatd& q, const Vec3d& shift) {
  std::vector<ShapeSphere> out;
  for (const ShapeSphere& s : spheres) out.push_back({rotate(q, s.center) + shift, s.radius});
  return out;
}

Vec3d inertia_along(const MassProperties& m, const Vec3d& axis) { return apply(m.inertia, axis); }

TEST(GrainMass, UnionOfTwoSpheresIsTheirSumLessTheLens) {
  const double R = 0.7, r = 0.5, d = 0.6;
  const std::vector<ShapeSphere> pair =
      turned({{{0, 0, 0}, R}, {{0, 0, d}, r}}, exp_rotation({1, 2, 3}), {1, 2, 3});
  const double lens = kPi * std::pow(R + r - d, 2) *
                      (d * d + 2 * d * r - 3 * r * r + 2 * d * R + 6 * r * R - 3 * R * R) / (12 * d);
  const double both = 4.0 / 3 * kPi * (R * R * R + r * r * r);
  EXPECT_NEAR(mass_of_union(pair).volume, both - lens, 1e-11);
  EXPECT_NEAR(mass_of_sum(pair).volume, both, 1e-12);
}

TEST(GrainMass, UnionOfSpheresThatDoNotOverlapIsTheirSum) {
  const std::vector<ShapeSphere> apart{{{0, 0, 0}, 1}, {{3, 0, 0}, 1.5}, {{0, -4, 1}, 0.5}};
  const MassProperties a = mass_of_union(apart), b = mass_of_sum(apart);
  EXPECT_EQ(a.volume, b.volume);
  EXPECT_EQ(a.center, b.center);
}

TEST(GrainMass, BuriedSpheresAddNothing) {
  const std::vector<ShapeSphere> one{{{0.5, 0, 0}, 1}};
  const std::vector<ShapeSphere> more{{{0.5, 0, 0}, 1}, {{0.5, 0, 0}, 1}, {{0.6, 0.1, 0}, 0.3}};
  EXPECT_NEAR(mass_of_union(more).volume, mass_of_sum(one).volume, 1e-12);
  EXPECT_NEAR(mass_of_union(more).inertia[1][1], mass_of_sum(one).inertia[1][1], 1e-12);
}

// Five spheres with triple overlaps: the result must turn and shift with the solid.
TEST(GrainMass, UnionTurnsWithTheSolid) {
  const std::vector<ShapeSphere> solid{
      {{1, 1, 1}, 1.2}, {{-1, -1, 1}, 1.2}, {{-1, 1, -1}, 1.2}, {{1, -1, -1}, 1.3}, {{0.1, 0, 0}, 1.5}};
  const Quatd q = exp_rotation({0.3, 1.1, -0.7});
  const MassProperties a = mass_of_union(solid), b = mass_of_union(turned(solid, q, {0.3, 0.2, 0.1}));
  EXPECT_NEAR(a.volume, b.volume, 1e-7 * a.volume);
  EXPECT_NEAR((rotate(q, a.center) + Vec3d(0.3, 0.2, 0.1) - b.center).length(), 0, 1e-7);
  for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
    const Vec3d difference = rotate(q, inertia_along(a, axis)) - inertia_along(b, rotate(q, axis));
    EXPECT_LT(difference.length(), 1e-7 * a.inertia[0][0]);
  }
}

// Twelve layers of spheres close together make a rod with known ends; the union must not count anything
// twice.
TEST(GrainMass, UnionAgreesWithCounting) {
  const std::vector<ShapeSphere> solid{{{0, 0, 0}, 1}, {{0.8, 0.1, 0}, 0.9}, {{0.3, 0.9, 0.2}, 0.8}};
  constexpr int kCells = 160;
  constexpr double kWidth = 4.0 / kCells;
  double count = 0;
  Vec3d sum(0);
  for (int x = 0; x < kCells; ++x)
    for (int y = 0; y < kCells; ++y)
      for (int z = 0; z < kCells; ++z) {
        const Vec3d p = Vec3d(-1.6, -1.5, -2) + kWidth * Vec3d(x + 0.5, y + 0.5, z + 0.5);
        for (const ShapeSphere& s : solid)
          if ((p - s.center).length() < s.radius) {
            count += 1;
            sum += p;
            break;
          }
      }
  const MassProperties m = mass_of_union(solid);
  EXPECT_NEAR(m.volume, count * kWidth * kWidth * kWidth, 2e-3 * m.volume);
  EXPECT_LT((m.center - sum / count).length(), 2e-3);
}

TEST(DemShape, IsAboutItsCentreOfMassWithBoundingRadiusOne) {
  const DemShape shape =
      make_dem_shape("pear", {{{5, 5, 5}, 2}, {{5, 5, 8}, 1.5}}, GrainMass::union_of_spheres);
  double bounding = 0;
  for (const ShapeSphere& s : shape.form.spheres) bounding = std::max(bounding, s.center.length() + s.radius);
  EXPECT_DOUBLE_EQ(bounding, 1.0);
  const MassProperties again = mass_of_union(shape.form.spheres);
  EXPECT_LT(again.center.length(), 1e-12);
  EXPECT_NEAR(again.volume, shape.volume, 1e-12);
  EXPECT_FALSE(shape.isotropic);
  EXPECT_LT(shape.smallest, shape.largest);
}

TEST(DemShape, ASphereIsASphere) {
  const DemShape shape = make_dem_shape("sphere", {{{3, 0, 0}, 0.2}}, GrainMass::union_of_spheres);
  EXPECT_DOUBLE_EQ(shape.volume, 4.0 / 3 * kPi);
  EXPECT_TRUE(shape.isotropic);
  EXPECT_DOUBLE_EQ(shape.inertia[0][0], 0.4);
  EXPECT_DOUBLE_EQ(shape.inverse_inertia[2][2], 2.5);
}

TEST(Rotation, SpinAndAngularMomentumAreInverse) {
  const DemShape shape =
      make_dem_shape("pear", {{{0, 0, 0}, 1}, {{0.3, 1, 0.5}, 0.6}}, GrainMass::sum_of_spheres);
  const Quatd q = exp_rotation({0.4, -1.2, 2});
  const Vec3d spin(3, -1, 0.5);
  const Vec3d L = angular_momentum(shape, q, spin, 0.2, 0.01);
  EXPECT_LT((angular_velocity(shape, q, L, 1 / 0.2, 0.01) - spin).length(), 1e-12);
  EXPECT_EQ(angular_velocity(shape, q, L, 0.0, 0.01), Vec3d(0));  // held
}

TEST(Rotation, SmallTurnsAreThoseOfTheExponential) {
  for (const double angle : {0.0, 1e-9, 1e-3, 0.03, 0.0999, 0.11, 2.0}) {
    const Vec3d w = angle * Vec3d(2, -3, 6) / 7.0;
    const Quatd a = small_rotation(w), b = exp_rotation(w);
    EXPECT_NEAR(a.r, b.r, 2e-16);
    EXPECT_LT((a.v - b.v).length(), 2e-16);
  }
}

TEST(Rotation, ManyTurnsKeepTheLength) {
  const DemShape shape =
      make_dem_shape("pear", {{{0, 0, 0}, 1}, {{0.3, 1, 0.5}, 0.6}}, GrainMass::sum_of_spheres);
  Quatd q = exp_rotation({0.4, -1.2, 2});
  for (int i = 0; i < 100000; ++i) q = turned(shape, q, {1e-3, 2e-3, -1e-3}, 1, 0.1, 1e-2);
  EXPECT_NEAR(q.length(), 1, 1e-15);
}

TEST(Rotation, MatrixAndQuaternionAgree) {
  const Quatd q = exp_rotation({0.4, -1.2, 2});
  const Vec3d v(0.3, -0.7, 1.9);
  EXPECT_LT((RotationMatrix(q).apply(v) - rotate(q, v)).length(), 1e-15);
}

}  // namespace
}  // namespace repose
