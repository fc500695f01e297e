#include "repose/solvers/flip/spread_surface.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/sand_scenes.h"
#include <gtest/gtest.h>

#include "repose/solvers/flip/flip_solver.h"
#include "repose/solvers/flip/liquid.h"
#include "repose/solvers/flip/solids.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01, kCell = 2 * kSpacing, kTop = 6 * kCell, kPeriod = 8 * kCell;

/// A layer six cells high, periodic along x and y.
class SpreadSurface : public testing::Test {
 protected:
  FlipState& state() { return setup_.state; }

  std::vector<Vec3f> spread(double dt = 0.01) {
    FlipScratch scratch;
    scratch.cells = find_cells(state().position, state().id, setup_.model.place, 3, threads_, scratch.order);
    select_rows(state(), scratch.order, threads_);
    find_solids(setup_.bodies, setup_.model.place, scratch.cells.tiles, setup_.model.support, threads_,
                scratch.solids);
    find_crowding(setup_.model, state(), threads_, scratch);
    find_liquid(setup_.model, state(), threads_, scratch);
    return spread_surface(setup_.model, dt, threads_, scratch, state());
  }
  /// Every second particle goes one way, the others the other way.
  void shake(float speed) {
    for (std::size_t p = 0; p < state().size(); ++p)
      state().velocity[p] = {state().id[p] % 2 == 0 ? speed : -speed, 0, 0};
  }

  Threads threads_{2};
  FlipSetup setup_ = make_flip_setup(test::sand_layer(6, kSpacing, 30, 0, 0.5), threads_);
};

TEST_F(SpreadSurface, AddsNothingToAMotionAsOne) {
  for (Vec3f& v : state().velocity) v = {1, 2, 3};
  for (const Vec3f& way : spread()) EXPECT_EQ(way.length(), 0);
}

TEST_F(SpreadSurface, GoesByTheWayAgainstNeighboursAndNotByTheStep) {
  shake(0.01F);
  const std::vector<Vec3f> once = spread(0.02);
  shake(0.02F);
  const std::vector<Vec3f> faster = spread(0.01);
  double most = 0;
  for (std::size_t p = 0; p < once.size(); ++p) {
    EXPECT_NEAR((once[p] - faster[p]).length(), 0, 1e-8) << p;
    most = std::max(most, static_cast<double>(once[p].length()));
  }
  EXPECT_GT(most, 1e-5);
}

TEST_F(SpreadSurface, LeavesWhatIsDeepAndPartsWhatIsNear) {
  shake(0.5F);
  const auto nearest = [&] {
    double sum = 0, count = 0;
    for (const Vec3d& a : state().position) {
      if (a.z < kTop - kSpacing || std::abs(a.x - kPeriod / 2) > kPeriod / 4) continue;
      double least = 1;
      for (const Vec3d& b : state().position)
        if (&a != &b) least = std::min(least, (b - a).length());
      sum += least, ++count;
    }
    return sum / count;
  };
  const double before = nearest();
  double lifted = 0;
  int deep = 0;
  for (int step = 0; step < 30; ++step) {
    const std::vector<Vec3f> way = spread();
    for (std::size_t p = 0; p < way.size(); ++p) {
      EXPECT_LE(way[p].length(), 0.0501 * kCell);
      if (state().position[p].z < kTop - 2.6 * kCell) {
        EXPECT_EQ(way[p].length(), 0) << p;
        ++deep;
      }
      state().position[p] += Vec3d(way[p]);
      state().position[p].x -= kPeriod * std::floor(state().position[p].x / kPeriod);
      state().position[p].y -= kPeriod * std::floor(state().position[p].y / kPeriod);
      lifted += static_cast<double>(way[p].z) / static_cast<double>(way.size());
    }
  }
  EXPECT_GT(deep, 100);
  EXPECT_GT(nearest(), 1.2 * before);
  EXPECT_NEAR(lifted, 0, 0.02 * kCell);
  for (const Vec3d& x : state().position) EXPECT_LT(x.z, kTop + 0.5 * kSpacing);
}

TEST_F(SpreadSurface, IsTheSameAcrossTheEndOfAPeriodicDomain) {
  shake(0.05F);
  const std::vector<Vec3f> here = spread();
  std::vector<Vec3f> by_id(here.size());
  for (std::size_t p = 0; p < here.size(); ++p) by_id[state().id[p]] = here[p];
  for (Vec3d& x : state().position) x.x += x.x < kPeriod / 2 ? kPeriod / 2 : -kPeriod / 2;
  const std::vector<Vec3f> there = spread();
  for (std::size_t p = 0; p < there.size(); ++p)
    EXPECT_NEAR((there[p] - by_id[state().id[p]]).length(), 0, 1e-4 * kCell) << p;
}

}  // namespace
}  // namespace repose
