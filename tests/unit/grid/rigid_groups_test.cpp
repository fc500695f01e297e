// rigid clusters of cells (Zhu 2005, eq. 2.6 and 2.7 as they are meant).

#include "repose/grid/rigid_groups.h"

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "support/matter_grid.h"
#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

constexpr double kRounding = 1e-6;  ///< of velocities, which are float

struct Case : test::MatterGrid {
  std::vector<std::uint8_t> is_rigid = std::vector<std::uint8_t>(tiles.cell_count());
  FaceWeight mass = weight;
  Threads threads{2};
  RigidGroups result;

  explicit Case(TilePeriod period = {0, 0, 0}) : MatterGrid(period) {
    Random random(7, Stream::test, 0, 0);
    for_each_face([&](std::size_t axis, std::size_t face, const Vec3d&) {
      velocity.u[axis][face] = static_cast<float>(2 * random.uniform() - 1);
      mass.u[axis][face] = static_cast<float>(0.2 + 0.8 * random.uniform());
    });
  }
  void mark(const Vec3i& low, const Vec3i& high) {
    for_each_cell([&](std::size_t i, const Vec3i& cell) {
      if (cell.x >= low.x && cell.y >= low.y && cell.z >= low.z && cell.x < high.x && cell.y < high.y &&
          cell.z < high.z)
        is_rigid[i] = 1;
    });
  }
  void set_velocity(const Vec3d& v, const Vec3d& spin, const Vec3d& center) {
    for_each_face([&](std::size_t axis, std::size_t face, const Vec3d& at) {
      velocity.u[axis][face] = static_cast<float>((v + spin.cross(at - center))[static_cast<int>(axis)]);
    });
  }
  void run() { result = make_rigid(tiles, is_rigid, mass, threads, velocity); }

  /// Linear and angular momentum about the origin, and twice the energy, of the faces of each group, by a
  /// loop of its own.
  struct Sums {
    Vec3d linear{0, 0, 0}, angular{0, 0, 0};
    double energy = 0, scale = 0;
  };
  std::map<std::uint32_t, Sums> sums() const {
    std::map<std::uint32_t, std::set<std::pair<std::size_t, std::size_t>>> faces;
    std::map<std::pair<std::size_t, std::size_t>, Vec3d> place;
    for_each_face([&](std::size_t axis, std::size_t face, const Vec3d& at) { place[{axis, face}] = at; });
    std::map<std::array<int, 3>, std::size_t> index;
    for_each_cell([&](std::size_t i, const Vec3i& c) { index[{c.x, c.y, c.z}] = i; });
    for_each_cell([&](std::size_t i, const Vec3i& c) {
      if (result.of_cell[i] == kNoPart) return;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<int, 3> next{c.x, c.y, c.z};
        ++next[axis];
        faces[result.of_cell[i]].insert({axis, i});
        if (index.contains(next)) faces[result.of_cell[i]].insert({axis, index[next]});
      }
    });
    std::map<std::uint32_t, Sums> out;
    for (const auto& [group, list] : faces)
      for (const auto& [axis, face] : list) {
        Vec3d p(0);
        const double m = mass.u[axis][face], u = velocity.u[axis][face];
        p[static_cast<int>(axis)] = m * u;
        Sums& sum = out[group];
        sum.linear += p;
        sum.angular += place[{axis, face}].cross(p);
        sum.energy += m * u * u;
        sum.scale += std::abs(m * u);
      }
    return out;
  }
};

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << axis;
}

TEST(RigidGroups, OfRandomCellsKeepMomentumAndLoseEnergy) {
  Case grid;
  Random random(11, Stream::test, 0, 0);
  for (std::uint8_t& cell : grid.is_rigid) cell = random.uniform() < 0.25 ? 1 : 0;
  const FaceVelocity start = grid.velocity;
  grid.run();
  const auto after = grid.sums();
  const FaceVelocity end = std::exchange(grid.velocity, start);
  const auto before = grid.sums();
  ASSERT_GT(before.size(), 100U);
  ASSERT_EQ(before.size(), grid.result.groups.size());
  for (const auto& [g, sum] : before) {
    const RigidGroup& group = grid.result.groups[g];
    // In double, as the motion has it.
    const Vec6 kept = times(group.mass, group.motion);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(kept[i], group.momentum[i], 1e-12 * 30 * sum.scale) << g << ' ' << i;
    // The group's own sums, about its centre.
    expect_near({group.momentum[0], group.momentum[1], group.momentum[2]}, sum.linear, 1e-12 * sum.scale);
    expect_near({group.momentum[3], group.momentum[4], group.momentum[5]},
                sum.angular - group.center.cross(sum.linear), 1e-12 * 30 * sum.scale);
    // On the faces, which are float.
    expect_near(after.at(g).linear, sum.linear, kRounding * sum.scale);
    expect_near(after.at(g).angular, sum.angular, 30 * kRounding * sum.scale);
    EXPECT_LE(after.at(g).energy, sum.energy * (1 + kRounding));
  }
  // Faces of no group are as they were.
  grid.velocity = end;
  std::size_t others = 0;
  grid.for_each_cell([&](std::size_t i, const Vec3i& c) {
    if (grid.result.of_cell[i] != kNoPart || c.x == 0) return;
    const std::uint32_t tile = grid.tiles.find({(c.x - 1) >> 3, c.y >> 3, c.z >> 3});
    if (grid.result.of_cell[tile * kTileCells + cell_in_tile((c.x - 1) & 7, c.y & 7, c.z & 7)] != kNoPart)
      return;
    ++others;
    EXPECT_EQ(end.u[0][i], start.u[0][i]);
  });
  EXPECT_GT(others, 1000U);
}

TEST(RigidGroups, HaveNoStrain) {
  Case grid;
  grid.mark({3, 4, 5}, {12, 10, 9});
  grid.mark({5, 10, 6}, {7, 17, 8});
  grid.run();
  ASSERT_EQ(grid.result.groups.size(), 1U);
  const auto at = [&](std::size_t axis, int x, int y, int z) {
    const std::uint32_t tile = grid.tiles.find({x >> 3, y >> 3, z >> 3});
    return static_cast<double>(grid.velocity.u[axis][tile * kTileCells + cell_in_tile(x & 7, y & 7, z & 7)]);
  };
  for (int z = 5; z < 8; ++z)
    for (int y = 4; y < 9; ++y)
      for (int x = 3; x < 11; ++x) {
        EXPECT_NEAR(at(0, x + 1, y, z), at(0, x, y, z), kRounding);
        EXPECT_NEAR(at(1, x, y + 1, z), at(1, x, y, z), kRounding);
        EXPECT_NEAR(at(2, x, y, z + 1), at(2, x, y, z), kRounding);
        EXPECT_NEAR(at(0, x + 1, y + 1, z) - at(0, x + 1, y, z), at(1, x, y + 1, z) - at(1, x + 1, y + 1, z),
                    kRounding);
      }
}

TEST(RigidGroups, LeaveRigidMotionAlone) {
  Case grid;
  grid.mark({3, 4, 5}, {12, 10, 9});
  const Vec3d v(0.3, -0.2, 0.5), spin(0.1, 0.05, -0.2), center(7, 8, 9);
  grid.set_velocity(v, spin, center);
  const FaceVelocity start = grid.velocity;
  grid.run();
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < grid.tiles.cell_count(); ++i)
      EXPECT_NEAR(grid.velocity.u[axis][i], start.u[axis][i], 4 * kRounding);
  const RigidGroup& group = grid.result.groups.front();
  expect_near({group.motion[3], group.motion[4], group.motion[5]}, spin, kRounding);
  expect_near({group.motion[0], group.motion[1], group.motion[2]}, v + spin.cross(group.center - center),
              kRounding);
}

TEST(RigidGroups, OfOneCellOrARowDoNotTurnAboutWhatTheyHaveNot) {
  Case grid;
  grid.mark({4, 4, 4}, {5, 5, 5});
  grid.mark({2, 12, 12}, {20, 13, 13});
  grid.run();
  ASSERT_EQ(grid.result.groups.size(), 2U);
  for (const RigidGroup& group : grid.result.groups) EXPECT_EQ(group.motion[3], 0) << group.center.x;
  const std::size_t cell = grid.tiles.find({0, 0, 0}) * kTileCells + cell_in_tile(4, 4, 4);
  const Vec6& one = grid.result.groups[grid.result.of_cell[cell]].motion;
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(one[i], 0) << i;
}

TEST(RigidGroups, ThatMeetAtAnEdgeAreSeparate) {
  Case grid;
  grid.mark({2, 2, 2}, {8, 8, 8});
  grid.mark({8, 8, 2}, {12, 12, 8});     // by an edge
  grid.mark({12, 12, 8}, {14, 14, 10});  // by a corner
  grid.mark({2, 2, 8}, {4, 4, 9});       // by faces, to the first
  grid.run();
  EXPECT_EQ(grid.result.groups.size(), 3U);
}

TEST(RigidGroups, MoveAlikeAcrossTheEndOfAPeriodicDomain) {
  // The same block in the middle, and a third of the domain further: there it lies in two pieces.
  Case whole({3, 0, 0}), parted({3, 0, 0});
  whole.mark({4, 4, 4}, {12, 10, 9});
  parted.mark({20, 4, 4}, {24, 10, 9});
  parted.mark({0, 4, 4}, {4, 10, 9});
  const auto shifted = [&](std::size_t i, const Vec3i& c) {
    const Vec3i to((c.x + 16) % 24, c.y, c.z);
    const std::uint32_t tile = parted.tiles.find({to.x >> 3, to.y >> 3, to.z >> 3});
    const std::size_t k = tile * kTileCells + cell_in_tile(to.x & 7, to.y & 7, to.z & 7);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      parted.velocity.u[axis][k] = whole.velocity.u[axis][i];
      parted.mass.u[axis][k] = whole.mass.u[axis][i];
    }
  };
  whole.for_each_cell(shifted);
  whole.run();
  parted.run();
  ASSERT_EQ(whole.result.groups.size(), 1U);
  ASSERT_EQ(parted.result.groups.size(), 1U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(parted.result.groups[0].motion[i], whole.result.groups[0].motion[i], 1e-12) << i;
}

TEST(RigidGroups, ThatReachAroundADomainGoStraight) {
  Case grid({3, 3, 0});
  grid.mark({0, 0, 4}, {24, 24, 9});
  grid.run();
  ASSERT_EQ(grid.result.groups.size(), 1U);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_EQ(grid.result.groups[0].motion[i], 0) << i;
  // A bar along x may turn about x, and about nothing else.
  Case bar({3, 3, 0});
  bar.mark({0, 10, 4}, {24, 14, 9});
  bar.run();
  EXPECT_NE(bar.result.groups[0].motion[3], 0);
  EXPECT_EQ(bar.result.groups[0].motion[4], 0);
  EXPECT_EQ(bar.result.groups[0].motion[5], 0);
}

TEST(RigidGroups, AreTheSameForAnyThreads) {
  std::vector<FaceVelocity> results;
  for (const int count : {1, 2, 4}) {
    Case grid;
    Random random(11, Stream::test, 0, 0);
    for (std::uint8_t& cell : grid.is_rigid) cell = random.uniform() < 0.4 ? 1 : 0;
    Threads threads(count);
    make_rigid(grid.tiles, grid.is_rigid, grid.mass, threads, grid.velocity);
    results.push_back(grid.velocity);
  }
  EXPECT_EQ(results[0].u, results[1].u);
  EXPECT_EQ(results[0].u, results[2].u);
}

}  // namespace
}  // namespace repose
