#include "repose/render/facets.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/core/random.h"
#include "repose/render/lighting.h"

namespace repose {
namespace {

bool holds(const FacetShape& shape, const Vec3f& p, float slack = 0) {
  if (p.length() > 1 + slack) return false;
  for (std::size_t i = 0; i < kFacets; ++i)
    if (shape.normal(i).dot(p) > shape.offset[i] + slack) return false;
  return true;
}

TEST(Facets, ShapesHaveTheVolumeOfTheirGrainAndLieInTheirBox) {
  for (std::size_t k = 1; k < kShapes; k += 5) {
    const FacetShape& shape = facet_shapes()[k];
    constexpr int kAcross = 60;
    double volume = 0;
    const auto at = [](int i) { return (2 * static_cast<float>(i) + 1) / kAcross - 1; };
    for (int z = 0; z < kAcross; ++z)
      for (int y = 0; y < kAcross; ++y)
        for (int x = 0; x < kAcross; ++x) {
          const Vec3f p(at(x), at(y), at(z));
          if (!holds(shape, p)) continue;
          volume += std::pow(2.0 * static_cast<double>(shape.ball) / kAcross, 3);
          for (int axis = 0; axis < 3; ++axis)
            ASSERT_TRUE(p[axis] > shape.low[axis] && p[axis] < shape.high[axis]) << k;
        }
    EXPECT_NEAR(volume / (4 * kPi / 3), 1, 0.02) << k;
    EXPECT_LT(shape.ball, 1.45F) << k;
  }
}

TEST(Facets, AGrainsFormIsItsOwnAndVolumesKeepTheirMean) {
  double cubes = 0;
  std::vector<int> counts(kShapes, 0);
  constexpr std::uint32_t kCount = 100000;
  for (std::uint32_t id = 0; id < kCount; ++id) {
    const GrainForm form = grain_form(id);
    ASSERT_EQ(form.shape, grain_form(id).shape);
    ++counts[form.shape];
    cubes += std::pow(static_cast<double>(form.size), 3) / kCount;
  }
  EXPECT_NEAR(cubes, 1, 0.005);
  EXPECT_EQ(counts[kBallShape], 0);
  EXPECT_GT(*std::min_element(counts.begin() + 1, counts.end()), kCount / kShapes / 2);
}

Vec3f random_vector(Random& random) {
  return Vec3f(Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
}

/// The passage of a ray through a ball of radius 1 about zero, if it meets it.
bool find_passage(const Vec3f& o, const Vec3f& d, BallPassage& passage) {
  passage.at = -o.dot(d);
  passage.nearest = o + d * passage.at;
  const float inside = 1 - passage.nearest.dot(passage.nearest);
  passage.half = std::sqrt(std::max(0.0F, inside));
  return inside > 0;
}

TEST(Facets, RaysMeetAShapeWhereItBegins) {
  Random random(1, Stream::test, 0, 0);
  int met = 0, missed = 0, round = 0;
  for (int k = 0; k < 20000; ++k) {
    const FacetShape& shape = facet_shapes()[random.bits() % kShapes];
    const Vec3f o = random_vector(random) * 3.0F, d = unit(random_vector(random) - o * 0.5F);
    BallPassage passage;
    if (!find_passage(o, d, passage)) continue;
    const FacetHit hit = intersect_facets(shape, 1, passage, d, 0, 100);
    // What lies on the ray before the hit is on one side, what lies just behind on the other.
    const bool inside = holds(shape, o);
    const float end = hit.hit ? hit.t - 1e-3F : 8;
    for (float t = 0; t < end; t += 0.02F)
      ASSERT_EQ(holds(shape, o + d * t, inside ? 1e-4F : -1e-4F), inside);
    hit.hit ? ++met : ++missed;
    if (!hit.hit) continue;
    const Vec3f p = o + d * hit.t;
    ASSERT_TRUE(holds(shape, p, 1e-4F));
    if (hit.facet == FacetHit::kRound) {
      ++round;
      ASSERT_NEAR(p.length(), 1, 1e-4);
    } else {
      const auto i = static_cast<std::size_t>(hit.facet);
      ASSERT_NEAR(shape.normal(i).dot(p), shape.offset[i], 1e-4);
      ASSERT_EQ(shape.normal(i).dot(d) > 0, inside);
    }
    ASSERT_FALSE(intersect_facets(shape, 1, passage, d, 0, hit.t - 1e-3F).hit) << "a ray that ends before";
  }
  EXPECT_GT(met, 1000);
  EXPECT_GT(missed, 100);
  EXPECT_GT(round, 5);
}

}  // namespace
}  // namespace repose
