// Particles that meet one by one under sph.

#include "repose/solvers/sph/sph_contacts.h"

#include <algorithm>
#include <cmath>

#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/sph/sph_pairs.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01;

Scene empty_scene() {
  Scene scene = test::sph_void_scene({0.4, 0.4, 0.4}, Vec3d(0.5), kSpacing);
  scene.fills.clear();
  return scene;
}

/// Two that fly at each other meet and go on together, but for the parting.
TEST(SphContacts, TwoParticlesDoNotPassThroughEachOther) {
  Scene scene = empty_scene();
  test::add_point(scene, {0.45, 0.5, 0.5}, {0.5, 0, 0});
  test::add_point(scene, {0.55, 0.5005, 0.5}, {-0.3, 0, 0});
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  for (int k = 1; k <= 40; ++k) {
    ASSERT_EQ(test::advance(solver, 0.01 * k), "");
    const SphState& state = solver.state();
    const std::size_t first = state.id[0] == 0 ? 0 : 1;
    EXPECT_LT(state.position[first].x, state.position[1 - first].x) << k;
    EXPECT_NEAR(state.velocity[0].x + state.velocity[1].x, 0.2, 1e-9);
  }
  EXPECT_NEAR(solver.state().velocity[0].x, 0.1, 0.02);
  EXPECT_NEAR(solver.state().velocity[1].x, 0.1, 0.02);
}

/// Those that stand in one place come apart, up to the least distance, and slowly.
TEST(SphContacts, ParticlesInOnePlacePart) {
  Scene scene = empty_scene();
  for (int k = 0; k < 3; ++k) test::add_point(scene, Vec3d(0.5) + 1e-4 * Vec3d(k % 2, k / 2, k));
  Threads threads(1);
  SphSolver solver(scene, threads, {});
  double fastest = 0;
  for (int k = 1; k <= 60; ++k) {
    ASSERT_EQ(test::advance(solver, 0.1 * k), "");
    for (const Vec3d& v : solver.state().velocity) fastest = std::max(fastest, v.length());
  }
  const SphState& state = solver.state();
  for (std::size_t p = 0; p < state.size(); ++p)
    for (std::size_t q = 0; q < p; ++q)
      EXPECT_GT((state.position[p] - state.position[q]).length(), 0.9 * kClosePair * kSpacing);
  EXPECT_GT(fastest, 0);
  EXPECT_LT(fastest, 0.1 * std::sqrt(0.1 * kSpacing));
}

/// In sand at rest nobody is that close.
TEST(SphContacts, SandAtRestHasNone) {
  Scene scene = test::under_sph(test::sand_tank({0.16, 0.16, 0.4}, kSpacing, 30));
  test::add_sand(scene, {0, 0, 0}, {0.16, 0.16, 0.1});
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  ASSERT_EQ(test::advance(solver, 0.3), "");
  std::size_t count = 0;
  for (std::size_t s = 0; s < solver.scratch().slab_count; ++s)
    for (const SphContact& contact : solver.scratch().slabs[s].contacts)
      if (solver.state().position[contact.of].z < 0.08) ++count;
  EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace repose
