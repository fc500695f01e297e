#include <cmath>

#include <gtest/gtest.h>

#include "repose/particles/grain_mass.h"
#include "repose/solvers/dem/dem_model.h"
#include "repose/solvers/dem/rotation.h"

namespace repose {
namespace {

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
