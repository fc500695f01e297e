// Mass properties of unions of spheres against closed forms: two spheres (caps are polynomials), four spheres
// whose common part is Reuleaux' tetrahedron, and identities that hold for every solid.

#include "repose/particles/grain_mass.h"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/math/rotation.h"

namespace repose {
namespace {

using Spheres = std::vector<ShapeSphere>;

Spheres turned(const Spheres& spheres, const Quatd& q, const Vec3d& shift) {
  Spheres out;
  for (const ShapeSphere& s : spheres) out.push_back({rotate(q, s.center) + shift, s.radius});
  return out;
}

Quatd some_turn() { return Quatd(0.3, Vec3d(0.7, -0.2, 0.5)).normalized(); }

/// Volume, first moments and second moments (xx, yy, zz, yz, zx, xy) about the origin.
using Moments = std::array<double, 10>;

Moments moments_of(const MassProperties& m) {
  const Vec3d c = m.center;
  const double trace = 0.5 * (m.inertia[0][0] + m.inertia[1][1] + m.inertia[2][2]);
  Moments out{m.volume, m.volume * c.x, m.volume * c.y, m.volume * c.z};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out[static_cast<std::size_t>(4 + i)] = trace - m.inertia[i][i] + m.volume * c[i] * c[i];
    out[static_cast<std::size_t>(7 + i)] = -m.inertia[j][k] + m.volume * c[j] * c[k];
  }
  return out;
}

Moments union_of(const Spheres& spheres) { return moments_of(mass_of_union(spheres)); }

void add(Moments& to, double times, const Moments& what) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += times * what[k];
}

void expect_same(const Moments& a, const Moments& b, double tolerance) {
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], tolerance) << k;
}

/// Moments of the part z > h of a ball about the origin: antiderivatives of (R^2 - z^2)^n z^m.
Moments cap(double R, double h) {
  const auto volume = [&](double z) { return kPi * (R * R * z - z * z * z / 3); };
  const auto first = [&](double z) { return kPi * (R * R * z * z / 2 - z * z * z * z / 4); };
  const auto second = [&](double z) { return kPi * (R * R * z * z * z / 3 - std::pow(z, 5) / 5); };
  const auto across = [&](double z) {
    return kPi / 4 * (std::pow(R, 4) * z - 2 * R * R * z * z * z / 3 + std::pow(z, 5) / 5);
  };
  return {volume(R) - volume(h),
          0,
          0,
          first(R) - first(h),
          across(R) - across(h),
          across(R) - across(h),
          second(R) - second(h),
          0,
          0,
          0};
}

/// The same body moved along z.
Moments lifted(Moments m, double by) {
  m[6] += 2 * by * m[3] + by * by * m[0];
  m[3] += by * m[0];
  return m;
}

/// Turned upside down.
Moments flipped(Moments m) {
  m[3] = -m[3];
  return m;
}

TEST(GrainMass, UnionOfTwoSpheresIsTwoCutBalls) {
  struct Pair {
    double R, r, d;
  };
  // Apart by a hair, common, nearly concentric, a small one that only just looks out.
  for (const auto& [R, r, d] :
       {Pair{0.7, 0.5, 1.1999}, Pair{0.7, 0.5, 0.6}, Pair{1, 1, 1e-3}, Pair{1, 0.2, 0.8001}}) {
    const double plane = (d * d + R * R - r * r) / (2 * d);  // where the surfaces meet
    Moments expected = flipped(cap(R, -plane));
    add(expected, 1, lifted(cap(r, plane - d), d));
    const Spheres pair{{{0, 0, 0}, R}, {{0, 0, d}, r}};
    expect_same(union_of(pair), expected, 1e-13);
    EXPECT_NEAR(mass_of_union(turned(pair, some_turn(), {1, 2, 3})).volume, expected[0], 1e-13 * expected[0]);
  }
}

TEST(GrainMass, OverlapsOfThreeAndFourSpheresAreThoseOfReuleaux) {
  // Unit spheres about the corners of a tetrahedron of edge 1 have Reuleaux' tetrahedron in common, of volume
  // (3 sqrt(2) - 49 pi + 162 atan(sqrt(2))) / 12; it is the sum over all unions with alternating signs.
  const double a = std::sqrt(0.125);
  const Spheres four =
      turned({{{a, a, a}, 1}, {{a, -a, -a}, 1}, {{-a, a, -a}, 1}, {{-a, -a, a}, 1}}, some_turn(), Vec3d(0));
  Moments common{};
  for (unsigned subset = 1; subset < 16; ++subset) {
    Spheres some;
    for (std::size_t k = 0; k < 4; ++k)
      if ((subset >> k & 1) != 0) some.push_back(four[k]);
    add(common, some.size() % 2 == 1 ? 1 : -1, union_of(some));
  }
  EXPECT_NEAR(common[0], (3 * std::sqrt(2.0) - 49 * kPi + 162 * std::atan(std::sqrt(2.0))) / 12, 1e-13);
  for (const std::size_t k : {1U, 2U, 3U, 7U, 8U, 9U}) EXPECT_NEAR(common[k], 0, 1e-13) << k;
  EXPECT_NEAR(common[4], common[5], 1e-13);
  EXPECT_NEAR(common[5], common[6], 1e-13);
}

TEST(GrainMass, OverlapsOfTwoAddUpWhereNoThreeMeet) {
  const double a = 1, r = 0.55 * std::sqrt(8.0);  // three would meet from r = edge / sqrt(3) on
  const Spheres grain{{{a, a, a}, r}, {{a, -a, -a}, r}, {{-a, a, -a}, r}, {{-a, -a, a}, r}};
  Moments expected{};
  for (std::size_t i = 0; i < 4; ++i) {
    add(expected, -2, union_of({grain[i]}));
    for (std::size_t k = i + 1; k < 4; ++k) add(expected, 1, union_of({grain[i], grain[k]}));
  }
  expect_same(union_of(grain), expected, 1e-12);
}

TEST(GrainMass, UnionOfSpheresThatDoNotOverlapIsTheirSum) {
  const Spheres apart{{{0, 0, 0}, 1}, {{3, 0, 0}, 1.5}, {{0, -4, 1}, 0.5}};
  const MassProperties a = mass_of_union(apart), b = mass_of_sum(apart);
  EXPECT_EQ(a.volume, b.volume);
  EXPECT_EQ(a.center, b.center);
}

TEST(GrainMass, BuriedSpheresAddNothing) {
  const Spheres one{{{0.5, 0, 0}, 1}};
  const Spheres more{{{0.5, 0, 0}, 1}, {{0.5, 0, 0}, 1}, {{0.6, 0.1, 0}, 0.3}};
  expect_same(union_of(more), moments_of(mass_of_sum(one)), 1e-13);
  // Hidden by two others together, and by none of them alone.
  const Spheres two{{{0, 0, -0.5}, 1}, {{0, 0, 0.5}, 1}};
  Spheres three = two;
  three.push_back({{0, 0, 0}, 0.8});
  expect_same(union_of(three), union_of(two), 1e-13);
}

TEST(GrainMass, SpheresThatCutOneCircleCountItOnce) {
  // All go through the circle of radius 1 in the plane z = 0: the middle one is hidden by the other two.
  const auto through = [](double z) { return ShapeSphere{{0, 0, z}, std::sqrt(1 + z * z)}; };
  const Spheres two{through(-0.5), through(0.5)}, three{through(-0.5), through(0.1), through(0.5)};
  expect_same(union_of(three), union_of(two), 1e-12);
}

/// Spheres of the kinds that make trouble: a cube, where rims of three meet in a point, and random heaps.
std::vector<Spheres> solids() {
  std::vector<Spheres> all(1);
  for (int k = 0; k < 8; ++k)
    all[0].push_back({{k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5}, 0.75});
  for (const std::uint64_t count : {3U, 6U, 12U, 40U, 150U}) {
    Spheres heap;
    Random random(1, Stream::test, 0, count);
    for (std::uint64_t k = 0; k < count; ++k) {
      const double x = random.uniform(), y = random.uniform(), z = random.uniform();
      heap.push_back({{x, y, z}, random.uniform(0.1, 0.35)});
    }
    all.push_back(heap);
  }
  return all;
}

TEST(GrainMass, UnionTurnsWithTheSolid) {
  const Quatd q = some_turn();
  const Vec3d shift(0.3, 0.2, 0.1);
  for (const Spheres& solid : solids()) {
    const MassProperties a = mass_of_union(solid), b = mass_of_union(turned(solid, q, shift));
    EXPECT_NEAR(a.volume, b.volume, 1e-13 * a.volume);
    EXPECT_LT((rotate(q, a.center) + shift - b.center).length(), 1e-13);
    for (const Vec3d& axis : {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)}) {
      const Vec3d difference = rotate(q, apply(a.inertia, axis)) - apply(b.inertia, rotate(q, axis));
      EXPECT_LT(difference.length(), 1e-13 * a.inertia[0][0]);
    }
  }
}

TEST(GrainMass, UnionAgreesWithCounting) {
  const Spheres solid{{{0, 0, 0}, 1}, {{0.8, 0.1, 0}, 0.9}, {{0.3, 0.9, 0.2}, 0.8}, {{0.2, 0.3, 0.7}, 0.7}};
  constexpr int kCells = 120;
  constexpr double kWidth = 4.0 / kCells;
  Moments counted{};
  for (int x = 0; x < kCells; ++x)
    for (int y = 0; y < kCells; ++y)
      for (int z = 0; z < kCells; ++z) {
        const Vec3d p = Vec3d(-1.6, -1.5, -2) + kWidth * Vec3d(x + 0.5, y + 0.5, z + 0.5);
        for (const ShapeSphere& s : solid)
          if ((p - s.center).length2() < s.radius * s.radius) {
            add(counted, kWidth * kWidth * kWidth,
                {1, p.x, p.y, p.z, p.x * p.x, p.y * p.y, p.z * p.z, p.y * p.z, p.z * p.x, p.x * p.y});
            break;
          }
      }
  expect_same(union_of(solid), counted, 3e-3 * counted[0]);
}

}  // namespace
}  // namespace repose
