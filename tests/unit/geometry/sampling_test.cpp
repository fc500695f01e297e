#include "repose/geometry/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shape_cases.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

using Key = std::array<double, 3>;
std::vector<Key> sorted(const std::vector<Vec3d>& points, const Vec3d& flip = {1, 1, 1}) {
  std::vector<Key> keys;
  keys.reserve(points.size());
  // Adding zero makes -0 and 0 equal.
  for (const Vec3d& p : points) keys.push_back({flip.x * p.x + 0.0, flip.y * p.y + 0.0, flip.z * p.z + 0.0});
  std::sort(keys.begin(), keys.end());
  return keys;
}

double least_distance(const std::vector<Vec3d>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, (points[i] - points[j]).length());
  return least;
}

class SamplingOf : public testing::TestWithParam<ShapeCase> {
 protected:
  Threads threads{2};
};
std::string case_name(const testing::TestParamInfo<ShapeCase>& info) { return info.param.name; }

TEST_P(SamplingOf, CountFollowsVolume) {
  const Shape shape = placed(GetParam().shape);
  for (const bool jittered : {false, true}) {
    VolumeSampling sampling;
    sampling.spacing = 0.05;
    sampling.jittered = jittered;
    const auto points = sample_volume(shape, sampling, threads);
    EXPECT_NEAR(static_cast<double>(points.size()) * std::pow(0.05, 3) / volume(shape), 1, 0.02) << jittered;
    for (const Vec3d& p : points) ASSERT_LE(signed_distance(shape, p), 1e-10);
  }
}

TEST_P(SamplingOf, BallsAreInsideAndClearOfObstaclesAndApart) {
  const Shape shape = placed(GetParam().shape);
  std::array<Shape, 2> obstacles{make_shape(ShapeKind::sphere), make_shape(ShapeKind::plane)};
  obstacles[0].radius = 0.3;
  obstacles[0].pose.position = shape.pose.position + Vec3d(0.3, 0.4, 0.3);
  obstacles[1].pose.position = shape.pose.position - Vec3d(0, 0, 0.4);
  VolumeSampling sampling;
  sampling.spacing = 0.13;
  sampling.jittered = true;
  sampling.min_distance = 0.11;
  sampling.radius = 0.055;
  sampling.obstacles = obstacles;
  sampling.clearance = 0.06;
  sampling.region.max.x = shape.pose.position.x + 0.5;
  const auto points = sample_volume(shape, sampling, threads);
  ASSERT_GT(points.size(), 20U);
  for (const Vec3d& p : points) {
    EXPECT_LE(signed_distance(shape, p), -0.055 + 1e-9);
    for (const Shape& obstacle : obstacles) EXPECT_GE(signed_distance(obstacle, p), 0.06 - 1e-9);
    EXPECT_LE(p.x, sampling.region.max.x + 1e-9);
  }
  EXPECT_GE(least_distance(points), 0.11);
}

TEST_P(SamplingOf, LatticeOfASymmetricSolidIsSymmetric) {
  // All of them are the same when x or y is turned round.
  VolumeSampling sampling;
  sampling.spacing = 0.07;
  const auto points = sample_volume(GetParam().shape, sampling, threads);
  ASSERT_GT(points.size(), 50U);
  EXPECT_TRUE(sorted(points) == sorted(points, {-1, 1, 1}));
  EXPECT_TRUE(sorted(points) == sorted(points, {1, -1, 1}));
}

TEST_P(SamplingOf, OnePointIsInside) {
  const Shape shape = placed(GetParam().shape);
  for (std::uint64_t i = 0; i < 200; ++i) {
    Random random(3, Stream::test, 0, i);
    const auto p = sample_point(shape, random, 0.02);
    ASSERT_TRUE(p.has_value());
    EXPECT_LE(signed_distance(shape, *p), -0.02);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SamplingOf, testing::ValuesIn(plain_solids()), case_name);

// Not a fixture of the other tests: two pools at a time hold each other to the smaller number of threads.
TEST(SamplingThreads, SameForAnyNumberOfThreads) {
  for (const ShapeCase& c : plain_solids()) {
    const Shape shape = placed(c.shape);
    VolumeSampling sampling;
    sampling.spacing = 0.06;
    sampling.jittered = true;
    std::vector<std::vector<Vec3d>> results;
    for (const int count : {1, 2, 4}) {
      Threads threads(count);
      results.push_back(sample_volume(shape, sampling, threads));
    }
    EXPECT_TRUE(results[0] == results[1]) << c.name;
    EXPECT_TRUE(results[0] == results[2]) << c.name;
    sampling.substream = 1;
    Threads threads(2);
    EXPECT_FALSE(results[0] == sample_volume(shape, sampling, threads)) << c.name;
  }
}

class Sampling : public testing::Test {
 protected:
  Threads threads{2};
};

TEST_F(Sampling, WholeCellsFillABoxExactly) {
  Shape box = make_shape(ShapeKind::box);
  box.size = {1.0, 0.8, 0.6};
  for (const double radius : {0.0, 0.05})
    for (const bool jittered : {false, true}) {
      VolumeSampling sampling;
      sampling.spacing = 0.1;
      sampling.radius = radius;
      sampling.jittered = jittered;
      sampling.min_distance = radius;
      EXPECT_EQ(sample_volume(box, sampling, threads).size(), 480U) << radius << jittered;
    }
}

TEST_F(Sampling, ThinLatticeTakesTheCountNearestToTheVolume) {
  Shape box = make_shape(ShapeKind::box);
  box.size = {1.05, 1.05, 1.05};
  VolumeSampling sampling;
  sampling.spacing = 0.1;
  // 10 x 10 x 11 = 1100 and 10 x 11 x 11 = 1210 against 1157.6.
  EXPECT_EQ(sample_volume(box, sampling, threads).size(), 1210U);
}

TEST_F(Sampling, RegionBoundsAPlane) {
  Shape plane = make_shape(ShapeKind::plane);
  plane.pose.position.z = 0.5;
  VolumeSampling sampling;
  sampling.spacing = 0.1;
  EXPECT_TRUE(test::refuses([&] { sample_volume(plane, sampling, threads); },
                            "a shape without bounds cannot be filled"));
  sampling.region = {{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(sample_volume(plane, sampling, threads).size(), 500U);
}

TEST_F(Sampling, TooManyCellsAreAnError) {
  Shape box = make_shape(ShapeKind::box);
  box.size = {1, 1, 1};
  VolumeSampling sampling;
  sampling.spacing = 1e-7;
  EXPECT_TRUE(
      test::refuses([&] { sample_volume(box, sampling, threads); }, "has too many cells of 1e-07 m to fill"));
}

TEST_F(Sampling, NothingWhereNothingFits) {
  Shape sphere = make_shape(ShapeKind::sphere);
  VolumeSampling sampling;
  sampling.spacing = 1.2;
  sampling.radius = 0.6;
  EXPECT_TRUE(sample_volume(sphere, sampling, threads).empty());
  sampling.radius = 0.5;
  EXPECT_EQ(sample_volume(sphere, sampling, threads).size(), 1U);
  sampling.radius = 0;
  sampling.region = {{5, 5, 5}, {6, 6, 6}};
  EXPECT_TRUE(sample_volume(sphere, sampling, threads).empty());
}

TEST_F(Sampling, PointsSpreadEvenly) {
  Shape cylinder = make_shape(ShapeKind::cylinder);
  Vec3d sum(0);
  double square = 0;
  constexpr int n = 4000;
  for (int i = 0; i < n; ++i) {
    Random random(3, Stream::test, 1, static_cast<std::uint64_t>(i));
    const Vec3d p = sample_point(cylinder, random).value();
    sum += p;
    square += p.x * p.x + p.y * p.y;
  }
  EXPECT_LT((sum / n).length(), 0.02);
  EXPECT_NEAR(square / n, 0.5 * 0.25, 0.004);
  Random random(3, Stream::test, 2, 0);
  EXPECT_FALSE(sample_point(make_shape(ShapeKind::plane), random).has_value());
}

}  // namespace
}  // namespace repose
