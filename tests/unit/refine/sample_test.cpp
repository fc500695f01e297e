// The sampling of a guide with fine grains. Shares and moments are closed forms; bounds are three standard
// deviations.

#include "repose/refine/sample.h"

#include <cmath>

#include "guide_frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr std::uint32_t kCount = 70000;

RefineModel model_of(RefineMethod method) {
  RefineModel model = make_refine_model(refined_scene(kCount), ParticleKind::grains);
  model.method = method;
  return model;
}

TEST(SampleIhmsen2013, FourOfSevenLieInTheBoundingBox) {
  const RefineModel model = model_of(RefineMethod::ihmsen2013);
  int inside = 0;
  Vec3d mean(0);
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const Vec3d at = sample_offset(model, 5, k, 0);
    inside += std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)}) <= 1 ? 1 : 0;
    mean += at / kCount;
    // In one of the cubes: not beyond two radii along one axis, one along the others.
    EXPECT_LE(std::max({std::fabs(at.x), std::fabs(at.y), std::fabs(at.z)}), 2);
    int beyond = 0;
    for (int axis = 0; axis < 3; ++axis) beyond += std::fabs(at[axis]) > 1 ? 1 : 0;
    EXPECT_LE(beyond, 1);
  }
  EXPECT_NEAR(static_cast<double>(inside) / kCount, 4.0 / 7, 0.005);
  EXPECT_LT(mean.length(), 3 * std::sqrt(3 * 0.62 / kCount));
}

TEST(SampleAlduan2009, IsUniformInTheBall) {
  const RefineModel model = model_of(RefineMethod::alduan2009);
  double radius = 0, square = 0;
  for (std::uint32_t k = 0; k < kCount; ++k) {
    const Vec3d at = sample_offset(model, 5, k, 0);
    ASSERT_LE(at.length(), 1);
    radius += at.length() / kCount;
    square += at.dot(at) / kCount;
  }
  EXPECT_NEAR(radius, 0.75, 3 * std::sqrt((0.6 - 0.75 * 0.75) / kCount));
  EXPECT_NEAR(square, 0.6, 3 * std::sqrt((3.0 / 7 - 0.36) / kCount));
}

TEST(Sample, OfTwoGuidesDiffers) {
  const RefineModel model = model_of(RefineMethod::ihmsen2013);
  EXPECT_NE(sample_offset(model, 7, 0, 0), sample_offset(model, 14, 0, 0));
  EXPECT_EQ(sample_offset(model, 7, 3, 0), sample_offset(model, 7, 3, 0));
}

TEST(Sample, LeavesObstaclesAlone) {
  Scene scene = refined_scene(500);
  scene.domain = {.given = true, .min = {-1, -1, 0}, .max = {1, 1, 1}};
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.06;
  ball.shape.pose.position = {0.08, 0, 0.05};
  scene.bodies.push_back(ball);
  const RefineModel model = make_refine_model(scene, ParticleKind::grains);
  Frame frame;
  frame.kind = ParticleKind::grains;
  add_guide(frame, 0, {0, 0, 0.05}, {1, 2, 3}, 0.05F);
  model.bodies.fill_rows(frame.bodies, 0);
  const std::vector<Obstacle> obstacles = obstacles_over_step(model, frame, frame, 0, 1);
  FineGrains grains;
  grains.resize(500);
  sample_guide(model, frame, 0, obstacles, 0, grains);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Vec3d at = model.place.to_world(grains.x[i], grains.y[i], grains.z[i]);
    for (const Obstacle& obstacle : obstacles)
      EXPECT_GT(obstacle.nearest(at).distance, model.radius - 2 * model.place.unit);
    EXPECT_EQ(grains.vx[i], 1);
    EXPECT_EQ(grains.id[i], i);
  }
}

}  // namespace
}  // namespace repose
