#include "repose/geometry/surface_particles.h"

#include <cmath>

#include "mesh_cases.h"
#include "shape_cases.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

/// Bounded surfaces of all kinds: smooth, with edges, with a hole, thin, of triangles, inverted.
std::vector<ShapeCase> surfaces() {
  std::vector<ShapeCase> cases = plain_solids();
  std::vector<ShapeCase> out;
  for (ShapeCase& c : cases)
    if (c.name == "box" || c.name == "sphere" || c.name == "cylinder" || c.name == "torus" ||
        c.name == "vase" || c.name == "ring") {
      c.shape = placed(c.shape);
      out.push_back(c);
    }
  out.push_back({"mesh_box", placed(mesh_shape(box_mesh({0.8, 1.4, 0.6}, 3)))});
  Shape ball = make_shape(ShapeKind::sphere);
  out.push_back({"mesh_ball", mesh_shape(drawn_as_mesh(ball, 1e-3))});
  Shape bowl = make_lathe({{0, 0}, {0.4, 0.1}, {0.7, 0.6}});
  bowl.thickness = 0.2;
  out.push_back({"bowl", bowl});
  Shape sheet = mesh_shape(sheet_mesh(1, 3));
  sheet.thickness = 0.2;
  out.push_back({"sheet", sheet});
  ball.invert = true;
  out.push_back({"hollow", ball});
  return out;
}

class SurfaceOf : public testing::TestWithParam<ShapeCase> {};
std::string case_name(const testing::TestParamInfo<ShapeCase>& info) { return info.param.name; }

SurfaceSampling sampling_with(double offset) {
  SurfaceSampling sampling;
  sampling.radius = 0.05;
  sampling.offset = offset;
  return sampling;
}

/// Perfect hexagons have mean 1, spread 0, smallest 1, gap 0.577. A closed surface cannot carry them without
/// faults, and patches of the pattern meet at angles, where neighbours come nearer and holes are wider. Darts
/// alone have mean 0.80, gap 0.83. Measured here: mean 0.88 to 0.92 (1.03 for the sheet, whose round rim is
/// drawn too small and gets too few), spread 0.03 to 0.05 (0.07), smallest 0.74 and more, gap 0.64 to 0.78.
/// The number is what the density asks for within 2 %, and within 8 % where round edges are drawn sharp.
TEST_P(SurfaceOf, IsCoveredEvenly) {
  Threads threads(2);
  const Shape& shape = GetParam().shape;
  for (const double offset : {0.0, -0.02, 0.05}) {
    const SurfaceSampling sampling = sampling_with(offset);
    const SurfaceParticles p = sample_surface(shape, sampling, threads);
    const double wanted = p.area / (kPi * sampling.radius * sampling.radius);
    EXPECT_NEAR(static_cast<double>(p.positions.size()), wanted, 0.08 * wanted);
    EXPECT_TRUE(p.converged) << p.steps;
    const SurfaceEvenness even = measure_evenness(shape, sampling, p, threads);
    EXPECT_GT(even.mean, 0.86);
    EXPECT_LT(even.mean, 1.06);
    EXPECT_LT(even.spread, 0.08);
    EXPECT_GT(even.smallest, 0.7);
    EXPECT_LT(even.gap, 0.8);
    for (std::size_t i = 0; i < p.positions.size(); ++i) {
      ASSERT_NEAR(signed_distance(shape, p.positions[i]), offset, 1e-4 * p.spacing);
      ASSERT_NEAR(p.normals[i].length(), 1, 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SurfaceOf, testing::ValuesIn(surfaces()), case_name);

TEST(SurfaceParticles, AreTheSameForAnyNumberOfThreads) {
  Threads one(1), two(2), four(4);
  const Shape shape = placed(mesh_shape(box_mesh({0.8, 1.4, 0.6}, 3)));
  const SurfaceSampling sampling = sampling_with(-0.05);
  const SurfaceParticles a = sample_surface(shape, sampling, one), b = sample_surface(shape, sampling, two),
                         c = sample_surface(shape, sampling, four);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.positions, c.positions);
  EXPECT_EQ(a.normals, c.normals);
  SurfaceSampling other = sampling;
  other.substream = 1;
  EXPECT_NE(a.positions, sample_surface(shape, other, two).positions);
}

TEST(SurfaceParticles, RepulsionIsWhatMakesThemEven) {
  Threads threads(2);
  const Shape ball = make_shape(ShapeKind::sphere);
  SurfaceSampling sampling = sampling_with(0);
  sampling.most_steps = 0;
  const SurfaceEvenness thrown =
      measure_evenness(ball, sampling, sample_surface(ball, sampling, threads), threads);
  EXPECT_LT(thrown.mean, 0.82);
  EXPECT_GT(thrown.gap, 0.8);
}

TEST(SurfaceParticles, ComeByDensityAndArea) {
  Threads threads(2);
  const Shape ball = make_shape(ShapeKind::sphere);
  SurfaceSampling sampling = sampling_with(0);
  for (const double density : {0.5, 0.9069, 2.0}) {
    sampling.density = density;
    const SurfaceParticles p = sample_surface(ball, sampling, threads);
    EXPECT_NEAR(p.area, kPi, 0.01 * kPi);
    EXPECT_NEAR(static_cast<double>(p.positions.size()), density * kPi / (kPi * 0.05 * 0.05),
                0.02 * density * 400);
    // At the density of touching discs the spacing is the diameter.
    EXPECT_NEAR(p.spacing, 0.1 * std::sqrt(0.9069 / density), 1e-3);
  }
}

TEST(SurfaceParticles, NeedASurfaceToLieOn) {
  Threads threads(1);
  EXPECT_TRUE(test::refuses([&] { sample_surface(make_shape(ShapeKind::plane), sampling_with(0), threads); },
                            "a plane has no end"));
  SurfaceSampling tiny = sampling_with(0);
  tiny.radius = 1e-6;
  EXPECT_TRUE(test::refuses([&] { sample_surface(make_shape(ShapeKind::sphere), tiny, threads); },
                            "take larger ones"));
  Shape thin = make_shape(ShapeKind::box);
  thin.size = {1, 1, 0.05};
  EXPECT_TRUE(sample_surface(thin, sampling_with(-0.05), threads).positions.empty());
}

}  // namespace
}  // namespace repose
