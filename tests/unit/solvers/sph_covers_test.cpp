// Boundary particles of bodies under sph. Reference: a layer of sand adds 0.15 to the density of particles
// one spacing away (physics/sph.h), whatever the sampling of the layer (Ihmsen 2013, eq. 16), and pushes
// straight away from it.

#include "repose/solvers/sph/sph_covers.h"

#include <algorithm>
#include <cmath>

#include "support/refuses.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/physics/sph.h"
#include "repose/solvers/sph/sph_model.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.02;

/// A plate whose top is the plane z = 0.1, covered with particles of this radius [spacings].
Scene plate_scene(double radius) {
  Scene scene = test::under_sph(test::sand_tank({0.6, 0.6, 0.4}, kSpacing, 30));
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape = test::box_shape({0.5, 0.5, 0.08}, {0.3, 0.3, 0.06});
  plate.surface = BodySurface::particles;
  plate.particle_radius = radius * kSpacing;
  scene.bodies.push_back(plate);
  return scene;
}

/// Over many places half a spacing above the plate, where particles at rest are.
struct Found {
  double lowest = 1, highest = 0;  ///< density
  double mean_slope = 0;           ///< of the density, along z [1/spacing]
  double tilt = 0;                 ///< largest sideways part of the gradient, as a share
  double off = 0;                  ///< largest error of the distance [spacings]
};

Found look_over(double radius) {
  const Scene scene = plate_scene(radius);
  Threads threads(2);
  const Bodies bodies(scene);
  const std::vector<SphCover> covers = make_sph_covers(scene, bodies, threads);
  Found out;
  constexpr int kSide = 20;
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const Vec3d x(0.2 + 0.2 * i / kSide, 0.2 + 0.2 * j / kSide, 0.1 + 0.5 * kSpacing);
      const CoverTouch touch = touch_cover(covers[0], bodies, kSpacing, x);
      out.lowest = std::min(out.lowest, touch.density);
      out.highest = std::max(out.highest, touch.density);
      out.mean_slope += kSpacing * touch.gradient.z / (kSide * kSide);
      out.tilt = std::max(out.tilt, std::hypot(touch.gradient.x, touch.gradient.y) / touch.gradient.length());
      out.off = std::max(out.off, std::abs(touch.distance / kSpacing - 1));
    }
  return out;
}

TEST(SphCovers, AnySamplingAddsTheSameDensity) {
  for (const double radius : {0.25, 0.5, 1.0}) {
    const Found found = look_over(radius);
    EXPECT_GT(found.lowest, 0.15 - 0.02) << radius;
    EXPECT_LT(found.highest, 0.15 + 0.02) << radius;
    EXPECT_NEAR(found.mean_slope, -0.5, 0.02) << radius;
    EXPECT_LT(found.tilt, 0.15) << radius;
    EXPECT_LT(found.off, 0.05) << radius;
  }
}

/// Between particles almost two spacings apart the kernel would see next to nothing.
TEST(SphCovers, ACoarseSamplingIsMadeFinerAndSaysSo) {
  Threads threads(1);
  for (const double radius : {0.5, 1.0}) {
    const Scene scene = plate_scene(radius);
    const SphModel model = make_sph_model(scene, Bodies(scene), threads);
    ASSERT_EQ(model.notes.size(), radius > 0.5 ? 1U : 0U);
    if (radius > 0.5) {
      EXPECT_NE(model.notes[0].find("'plate' is covered with particles of radius 0.01 m in place of 0.02"),
                std::string::npos);
    }
  }
}

TEST(SphCovers, ALayerIsTheIntegralOverItsPlane) {
  EXPECT_NEAR(sph_layer(0.0), kSphLayerShare, 1e-12);
  EXPECT_NEAR(sph_layer(1.0), 0.15, 1e-12);
  EXPECT_EQ(sph_layer(2.0), 0);
  for (const double z : {0.2, 0.7, 1.0, 1.6}) {
    constexpr double kStep = 1e-5;
    EXPECT_NEAR(sph_layer_slope(z), (sph_layer(z + kStep) - sph_layer(z - kStep)) / (2 * kStep), 1e-8) << z;
    EXPECT_NEAR(sph_solid_layer_slope(z),
                (sph_solid_layer(z + kStep) - sph_solid_layer(z - kStep)) / (2 * kStep), 1e-8)
        << z;
  }
  EXPECT_GT(sph_kernel(0.0) + sph_solid_layer(0.5), 1) << "one particle alone goes through";
}

TEST(SphCovers, RefusesWhatHasNoEnd) {
  Scene scene = plate_scene(0.5);
  scene.bodies[0].shape.kind = ShapeKind::plane;
  Threads threads(1);
  const Bodies bodies(scene);
  EXPECT_TRUE(test::refuses([&] { make_sph_covers(scene, bodies, threads); },
                            "an unbounded shape cannot be covered with particles"));
}

}  // namespace
}  // namespace repose
