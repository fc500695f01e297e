// Mass properties of compounds (Bell 2005, section 3.4).
//
// Reference, in closed form for n spheres of mass m and radius r: a tetrahedron of edge L has the inertia
// (8/5) m r^2 + m L^2 about every axis, a cube of edge a has (16/5) m r^2 + 4 m a^2; both are isotropic.
// Tolerance: 1e-12 of the value, rounding.

#include <gtest/gtest.h>

#include "repose/particles/grain_mass.h"
#include "repose/solvers/dem/dem_model.h"

namespace repose {
namespace {

void expect_isotropic(const std::vector<ShapeSphere>& spheres, double expected) {
  const double r = spheres[0].radius, m = 4.0 / 3 * kPi * r * r * r;
  for (const MassProperties& p : {mass_of_sum(spheres), mass_of_union(spheres)}) {
    EXPECT_NEAR(p.volume, static_cast<double>(spheres.size()) * m, 1e-12 * p.volume);
    EXPECT_LT(p.center.length(), 1e-12 * r);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(p.inertia[i][k], i == k ? m * expected : 0.0, 1e-12 * m * expected);
  }
  EXPECT_TRUE(make_dem_shape("", spheres, GrainMass::sum_of_spheres).isotropic);
}

TEST(MassProperties, TetrahedronOfTouchingSpheres) {
  const double r = 0.003, a = r / std::sqrt(2.0), L = 2 * r;
  expect_isotropic({{{a, a, a}, r}, {{a, -a, -a}, r}, {{-a, a, -a}, r}, {{-a, -a, a}, r}},
                   1.6 * r * r + L * L);
  EXPECT_NEAR(1.6 * r * r + L * L, 5.6 * r * r, 1e-18);
}

TEST(MassProperties, CubeOfTouchingSpheres) {
  const double r = 0.003, a = 2 * r;
  std::vector<ShapeSphere> cube;
  for (int k = 0; k < 8; ++k)
    cube.push_back({{(k & 1 ? 0.5 : -0.5) * a, (k & 2 ? 0.5 : -0.5) * a, (k & 4 ? 0.5 : -0.5) * a}, r});
  expect_isotropic(cube, 3.2 * r * r + 4 * a * a);
  EXPECT_NEAR(3.2 * r * r + 4 * a * a, 19.2 * r * r, 1e-18);
}

// The closed forms hold for every edge where each sphere counts for itself. Where overlaps count once, the
// lenses are taken off: two caps of height h = r - L/2 each, and no three spheres meet while r < L / sqrt(3).
TEST(MassProperties, TetrahedronOfOverlappingSpheres) {
  const double r = 0.003, L = r / 0.55, a = L / std::sqrt(8.0);
  const std::vector<ShapeSphere> grain{{{a, a, a}, r}, {{a, -a, -a}, r}, {{-a, a, -a}, r}, {{-a, -a, a}, r}};
  const double m = 4.0 / 3 * kPi * r * r * r;
  const MassProperties sum = mass_of_sum(grain), once = mass_of_union(grain);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(sum.inertia[i][i], m * (1.6 * r * r + L * L), 1e-12 * sum.inertia[0][0]);
    EXPECT_NEAR(once.inertia[i][i], once.inertia[0][0], 1e-12 * once.inertia[0][0]);
  }
  const double h = r - 0.5 * L, lens = 2 * kPi * h * h * (3 * r - h) / 3;
  EXPECT_NEAR(once.volume, 4 * m - 6 * lens, 1e-12 * once.volume);
}

TEST(MassProperties, OverlapsCountTwiceInTheSumAndOnceInTheUnion) {
  const double r = 0.003, a = 0.8 * r / std::sqrt(2.0);
  const std::vector<ShapeSphere> tight{{{a, a, a}, r}, {{a, -a, -a}, r}, {{-a, a, -a}, r}, {{-a, -a, a}, r}};
  EXPECT_GT(mass_of_sum(tight).volume, 1.05 * mass_of_union(tight).volume);
  EXPECT_TRUE(make_dem_shape("", tight, GrainMass::union_of_spheres).isotropic);
}

}  // namespace
}  // namespace repose
