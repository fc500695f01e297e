#include "repose/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "support/jittered_particles.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/geometry/mass_properties.h"

namespace repose {
namespace {

using test::ball_of_particles;
using test::frame_of;

const SurfaceOptions kOptions{.spacing = 0.5, .radius = 1, .support = 2, .smoothing = 0};

double enclosed_volume(const TriangleMesh& mesh) {
  const std::vector<Vec3d> positions(mesh.positions.begin(), mesh.positions.end());
  return mesh_moments(positions, mesh.triangles).one;
}

/// Times that each edge of the mesh is gone along, less the times it is gone back: zero all over when closed.
bool is_closed(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  return std::all_of(edges.begin(), edges.end(), [](const auto& edge) { return edge.second == 0; });
}

/// What is missing of the ball's volume falls with the square of the grid's spacing.
TEST(Surface, OfOneParticleIsABall) {
  Threads threads(2);
  const Vec3d center(0.3, -7.99, 0.1);
  const double volume = 4.0 / 3 * kPi;
  std::vector<double> missing;
  for (const double spacing : {0.6, 0.3}) {
    SurfaceOptions options = kOptions;
    options.spacing = spacing;
    const SurfaceMesh surface = make_surface(frame_of({center}), {}, options, threads);
    ASSERT_FALSE(surface.mesh.triangles.empty());
    EXPECT_TRUE(is_closed(surface.mesh));
    for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v) {
      const Vec3d d = Vec3d(surface.mesh.positions[v]) - center;
      EXPECT_NEAR(d.length(), 1, 0.3 * spacing * spacing);
      EXPECT_GT(Vec3d(surface.mesh.normals[v]).dot(d.normalized()), 1 - 0.2 * spacing * spacing);
    }
    missing.push_back(1 - enclosed_volume(surface.mesh) / volume);
  }
  EXPECT_GT(missing[0] / missing[1], 3);
  EXPECT_LT(missing[1], 0.1);
}

TEST(Surface, OfABallHasItsVolumeAndIsClosed) {
  Threads threads(2);
  const SurfaceMesh surface = make_surface(ball_of_particles(12, {30, -2, 0.4}), {}, kOptions, threads);
  EXPECT_TRUE(is_closed(surface.mesh));
  EXPECT_NEAR(enclosed_volume(surface.mesh) / (4.0 / 3 * kPi * 12 * 12 * 12), 1, 0.015);
  double sum = 0, squares = 0, worst = 0;
  for (const Vec3f& x : surface.mesh.positions) {
    const double e = (Vec3d(x) - Vec3d(30, -2, 0.4)).length() - 12;
    sum += e;
    squares += e * e;
    worst = std::max(worst, std::abs(e));
  }
  const auto n = static_cast<double>(surface.mesh.positions.size());
  EXPECT_LT(std::sqrt(squares / n - sum * sum / n / n), 0.02);
  EXPECT_LT(worst, 0.15);
}

/// A lone particle is the ball of radius r under either method; particles in a row stand out of the mean
/// less.
TEST(Surface, OfBlobbiesIsTheSumOfBalls) {
  Threads threads(2);
  SurfaceOptions options = kOptions;
  options.method = SurfaceMethod::blobbies;
  options.spacing = 0.3;
  const SurfaceMesh lone = make_surface(frame_of({{0.3, 0.2, 0.1}}), {}, options, threads);
  ASSERT_TRUE(is_closed(lone.mesh));
  for (const Vec3f& x : lone.mesh.positions) EXPECT_NEAR((Vec3d(x) - Vec3d(0.3, 0.2, 0.1)).length(), 1, 0.03);
  // Two at one place: twice (1 - s^2)^3 is that of r / R = 1/2 at s = 0.7054.
  const double radius = 2 * std::sqrt(1 - 0.75 / std::cbrt(2.0));
  const SurfaceMesh two = make_surface(frame_of({{0, 0, 0}, {0, 0, 0}}), {}, options, threads);
  for (const Vec3f& x : two.mesh.positions) EXPECT_NEAR(Vec3d(x).length(), radius, 0.03);
}

TEST(Surface, CarriesVelocityAndColour) {
  Threads threads(2);
  Frame frame = ball_of_particles(6, {0, 0, 0});
  for (std::size_t p = 0; p < frame.particle_count(); ++p) {
    frame.velocity[p] = Vec3f(1, 2, 3);
    frame.material[p] = frame.position[p].x > 0 ? 1 : 0;
  }
  std::vector<Material> materials(2);
  materials[0].color = {1, 0, 0};
  materials[1].color = {0, 1, 0};
  const SurfaceMesh surface = make_surface(frame, materials, kOptions, threads);
  int red = 0, green = 0;
  for (std::size_t v = 0; v < surface.mesh.positions.size(); ++v) {
    EXPECT_LT((surface.velocity[v] - Vec3f(1, 2, 3)).length(), 1e-5F);
    if (surface.mesh.positions[v].x < -2.1F) {
      EXPECT_LT((surface.color[v] - Color(1, 0, 0)).length(), 1e-5F);
      ++red;
    }
    if (surface.mesh.positions[v].x > 2.1F) {
      EXPECT_LT((surface.color[v] - Color(0, 1, 0)).length(), 1e-5F);
      ++green;
    }
  }
  EXPECT_GT(red, 10);
  EXPECT_GT(green, 10);
}

TEST(Surface, SmoothingWidensAndKeepsThinSheets) {
  Threads threads(2);
  std::vector<Vec3d> sheet;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 20; ++x) sheet.emplace_back(x + 0.3, y + 0.1, 0.2);
  SurfaceOptions smooth = kOptions;
  smooth.smoothing = 3;
  const double before = enclosed_volume(make_surface(frame_of(sheet), {}, kOptions, threads).mesh);
  const double after = enclosed_volume(make_surface(frame_of(sheet), {}, smooth, threads).mesh);
  EXPECT_GE(after, before);
  EXPECT_LT(after, 1.4 * before);
}

TEST(Surface, DoesNotDependOnThreadsOrOnTheOrderOfRows) {
  std::vector<SurfaceMesh> surfaces;
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    surfaces.push_back(make_surface(ball_of_particles(5, {0, 0, 0}), {}, kOptions, threads));
  }
  for (const SurfaceMesh& surface : surfaces) {
    EXPECT_EQ(surface.mesh.positions, surfaces[0].mesh.positions);
    EXPECT_EQ(surface.mesh.triangles, surfaces[0].mesh.triangles);
  }
}

TEST(Surface, LiesFlatAgainstWalls) {
  // Half a ball of liquid on the floor, in the corner of two walls: an eighth of a ball.
  Threads threads(2);
  Frame whole = ball_of_particles(9, {0, 0, 0});
  std::vector<Vec3d> positions;
  for (const Vec3d& x : whole.position)
    if (x.x > 0 && x.y > 0 && x.z > 0) positions.push_back(x);
  SurfaceOptions options = kOptions;
  options.walls.min = Vec3d(0);
  const SurfaceMesh surface = make_surface(frame_of(positions), {}, options, threads);
  EXPECT_TRUE(is_closed(surface.mesh));
  const double eighth = 4.0 / 3 * kPi * 9 * 9 * 9 / 8;
  EXPECT_NEAR(enclosed_volume(surface.mesh), eighth, 0.05 * eighth);  // edges are rounded by a cell
  std::size_t flat = 0;
  for (const Vec3f& v : surface.mesh.positions) {
    EXPECT_GT(v.z, -1e-4F);
    // Well within the face on the floor.
    if (v.z < 0.7F && v.x > 1 && v.y > 1 && v.x * v.x + v.y * v.y < 49) {
      EXPECT_NEAR(v.z, 0, 1e-4F);
      ++flat;
    }
  }
  EXPECT_GT(flat, 50U);
}

TEST(Surface, OfNothingIsNothing) {
  Threads threads(2);
  EXPECT_TRUE(make_surface({}, {}, kOptions, threads).mesh.triangles.empty());
}

TEST(Surface, OptionsFollowTheSpacingAndRefuseTooFineAGrid) {
  Scene scene;
  scene.solver.spacing = 0.02;
  const SurfaceOptions options = surface_options(scene, ParticleKind::granular);
  EXPECT_DOUBLE_EQ(options.spacing, 0.01);
  EXPECT_DOUBLE_EQ(options.radius, 0.02);
  EXPECT_DOUBLE_EQ(options.support, 0.04);
  scene.surface.spacing = 0.001;
  EXPECT_TRUE(test::refuses([&] { surface_options(scene, ParticleKind::granular); },
                            "surface.spacing is 0.001 m: too fine"));
}

TEST(Surface, OptionsOfLiquidsKnowTheWallsAndHowFullTheyAre) {
  Scene scene;
  scene.solver.spacing = 0.02;
  scene.domain.given = true;
  scene.domain.min = {-1, -2, 0};
  scene.domain.max = {1, 2, 3};
  scene.domain.faces.fill(FaceKind::open);
  scene.domain.faces[1] = scene.domain.faces[4] = FaceKind::wall;
  const SurfaceOptions options = surface_options(scene, ParticleKind::fluid);
  EXPECT_DOUBLE_EQ(options.spacing, 0.015);
  EXPECT_DOUBLE_EQ(options.support, 0.06);
  EXPECT_EQ(options.full, 14U);  // half of 3^3
  EXPECT_EQ(options.walls.max.x, 1);
  EXPECT_EQ(options.walls.min.z, 0);
  EXPECT_FALSE(std::isfinite(options.walls.min.x));
  EXPECT_FALSE(std::isfinite(options.walls.max.z));
  // Blobbies of liquids are those of any particles, cut off at walls.
  scene.surface.method = SurfaceMethod::blobbies;
  const SurfaceOptions blobbies = surface_options(scene, ParticleKind::fluid);
  EXPECT_EQ(blobbies.method, SurfaceMethod::blobbies);
  EXPECT_DOUBLE_EQ(blobbies.radius, 0.02);
  EXPECT_DOUBLE_EQ(blobbies.support, 0.04);
  EXPECT_EQ(blobbies.shave, 0);
  EXPECT_EQ(blobbies.walls.max.x, 1);
}

TEST(Surface, TooFarAwayIsAnErrorThatSaysWhatToDo) {
  Threads threads(1);
  try {
    make_surface(frame_of({{0, 0, 1e9}}), {}, kOptions, threads);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("surface.spacing"), std::string::npos);
  }
}

}  // namespace
}  // namespace repose
