// Guides between two frames.

#include "repose/refine/guides.h"

#include "guide_frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(GuidePath, OfAThrownGuideIsItsParabola) {
  const RefineModel model = make_refine_model(refined_scene(1), ParticleKind::grains);
  const double T = 0.04, g = -9.81;
  Frame from, to;
  add_guide(from, 3, {1, 2, 3}, {1, 0, 2}, 0.05F);
  to.time = T;
  add_guide(to, 3, {1 + T, 2, 3 + 2 * T + 0.5 * g * T * T}, {1, 0, static_cast<float>(2 + g * T)}, 0.05F);
  const GuidePaths paths = find_paths(model, from, to);
  for (const double s : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const double t = s * T;
    const Vec3d at = position_at(paths, 0, s), due(1 + t, 2, 3 + 2 * t + 0.5 * g * t * t);
    EXPECT_LT((at - due).length(), 1e-8) << s;  // velocities are floats
  }
}

TEST(GuidePath, CrossesAPeriodicFaceTheShortWay) {
  Scene scene = refined_scene(1);
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {1, 1, 1}};
  scene.domain.faces.fill(FaceKind::periodic);
  const RefineModel model = make_refine_model(scene, ParticleKind::grains);
  Frame from, to;
  add_guide(from, 0, {0.98, 0.5, 0.5}, {1, 0, 0}, 0.05F);
  to.time = 0.04;
  add_guide(to, 0, {0.02, 0.5, 0.5}, {1, 0, 0}, 0.05F);
  const GuidePaths paths = find_paths(model, from, to);
  EXPECT_NEAR(position_at(paths, 0, 0.5).x, 1.0, 1e-12);
}

TEST(GuideStep, VelocityIsTheDistanceGoneOverTheTime) {
  const RefineModel model = make_refine_model(refined_scene(1), ParticleKind::grains);
  Threads threads(1);
  Frame from, to;
  add_guide(from, 0, {0, 0, 0}, {0, 0, 0}, 0.05F);
  to.time = 0.04;
  add_guide(to, 0, {0.01, 0, 0}, {0, 0, 0}, 0.05F);
  const GuidePaths paths = find_paths(model, from, to);
  double gone = 0;
  for (int n = 0; n < 4; ++n) {
    const GuideStep step = guides_over_step(model, paths, 0.25 * n, 0.25 * (n + 1), threads);
    ASSERT_EQ(step.x.size(), 1U);
    EXPECT_NEAR(model.place.to_world(step.x[0], 0, 0).x, gone, model.place.unit);
    gone += 0.01 * static_cast<double>(step.vx[0]);
  }
  EXPECT_NEAR(gone, 0.01, 1e-8);
}

TEST(GuideStep, PeriodicFacesShowImages) {
  Scene scene = refined_scene(1);
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {1, 1, 1}};
  scene.domain.faces.fill(FaceKind::periodic);
  const RefineModel model = make_refine_model(scene, ParticleKind::grains);
  Threads threads(1);
  Frame frame;
  add_guide(frame, 0, {0.01, 0.99, 0.5}, {0, 0, 0}, 0.05F);
  const GuidePaths paths = find_paths(model, frame, moved_on(frame, 0.04));
  // Beyond the face x+, beyond y-, and beyond both.
  EXPECT_EQ(guides_over_step(model, paths, 0, 1, threads).x.size(), 4U);
}

TEST(GuidePath, OfAGuideThatEndsGoesOn) {
  const RefineModel model = make_refine_model(refined_scene(1), ParticleKind::grains);
  Frame from, to;
  add_guide(from, 0, {0, 0, 0}, {1, 0, 0}, 0.05F);
  add_guide(from, 1, {5, 0, 0}, {2, 0, 0}, 0.05F);
  add_guide(to, 1, {5.1, 0, 0}, {2, 0, 0}, 0.05F);
  add_guide(to, 2, {9, 0, 0}, {0, 0, 0}, 0.05F);
  to.time = 0.05;
  const GuidePaths paths = find_paths(model, from, to);
  ASSERT_EQ(paths.id.size(), 2U);
  EXPECT_NEAR(position_at(paths, 0, 1).x, 0.05, 1e-12);
  EXPECT_NEAR(position_at(paths, 1, 1).x, 5.1, 1e-12);
}

}  // namespace
}  // namespace repose
