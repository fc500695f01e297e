#include "repose/particles/neighbors.h"

#include <limits>

#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/core/random.h"

namespace repose {
namespace {

using Pairs = std::vector<std::vector<std::uint32_t>>;

struct Spheres {
  std::vector<Vec3d> positions;
  std::vector<double> radii;

  void add(const Vec3d& position, double radius) {
    positions.push_back(position);
    radii.push_back(radius);
  }
};

/// Spheres in a box whose radii go from radius to radius * ratio, evenly in their logarithm.
Spheres random_spheres(std::size_t count, const Vec3d& min, const Vec3d& max, double radius, double ratio) {
  Spheres spheres;
  for (std::size_t i = 0; i < count; ++i) {
    Random random(11, Stream::test, 0, i);
    const Vec3d x(random.uniform(min.x, max.x), random.uniform(min.y, max.y), random.uniform(min.z, max.z));
    spheres.add(x, radius * std::pow(ratio, random.uniform()));
  }
  return spheres;
}

/// The definition of neighbours, applied to all pairs.
Pairs compare_all_pairs(const Spheres& spheres, double margin, const DomainBox& box) {
  Pairs pairs(spheres.positions.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    for (std::uint32_t j = 0; j < pairs.size(); ++j) {
      Vec3d d = spheres.positions[j] - spheres.positions[i];
      for (unsigned a = 0; a < 3; ++a) {
        const double length = box.max[a] - box.min[a];
        if (box.periodic[a]) d[a] -= length * std::nearbyint(d[a] / length);
      }
      const double reach = spheres.radii[i] + spheres.radii[j] + margin;
      if (i != j && d.dot(d) < reach * reach) pairs[i].push_back(j);
    }
  }
  return pairs;
}

Pairs search(const NeighborSearch& search) {
  Pairs pairs(search.size());
  for (std::size_t i = 0; i < search.size(); ++i) {
    search.for_each_neighbor(i, [&](std::uint32_t j, const Vec3d&) { pairs[i].push_back(j); });
    std::sort(pairs[i].begin(), pairs[i].end());
  }
  return pairs;
}

/// Checks visitor and lists against all pairs; returns how many neighbours there were.
std::size_t expect_exact(const Spheres& spheres, double margin, const DomainBox& box = {}) {
  Threads threads(2);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, margin, box);
  const Pairs expected = compare_all_pairs(spheres, margin, box);
  EXPECT_EQ(search(found), expected);

  NeighborLists lists;
  found.build_lists(threads, lists);
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto list = lists.of(i);
    EXPECT_EQ(std::vector<std::uint32_t>(list.begin(), list.end()), expected[i]) << "sphere " << i;
    count += expected[i].size();
  }
  EXPECT_EQ(count, lists.neighbor.size());
  return count;
}

TEST(NeighborSearch, FindsWhatComparingAllPairsFinds) {
  // a thousand random spheres with radii of 1 to 5.
  EXPECT_GT(expect_exact(random_spheres(1000, {-1, -2, 3}, {1, 0, 5}, 0.03, 5), 0.01), 1000U);
}

TEST(NeighborSearch, IsExactForEqualSpheresWithAndWithoutMargin) {
  EXPECT_GT(expect_exact(random_spheres(800, {0, 0, 0}, {1, 1, 1}, 0.05, 1), 0), 1000U);
  EXPECT_GT(expect_exact(random_spheres(800, {0, 0, 0}, {1, 1, 1}, 0.05, 1), 0.04), 1000U);
}

TEST(NeighborSearch, IsExactAlongEveryChoiceOfPeriodicAxes) {
  for (unsigned choice = 0; choice < 8; ++choice) {
    const DomainBox box{
        {-0.3, 0.1, -2}, {0.7, 1.2, -1.05}, {(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0}};
    SCOPED_TRACE(choice);
    EXPECT_GT(expect_exact(random_spheres(500, box.min, box.max, 0.025, 5), 0.01, box), 1000U);
  }
}

TEST(NeighborSearch, TakesPositionsOutsideThePeriodicBox) {
  const DomainBox box{{0, 0, 0}, {1, 1, 1}, {true, true, false}};
  EXPECT_GT(expect_exact(random_spheres(600, {-2.5, -1, 0}, {3.5, 4, 1}, 0.06, 2), 0, box), 500U);
}

TEST(NeighborSearch, IsExactWhenThePeriodIsTwoInteractionsLong) {
  const DomainBox box{{0, 0, 0}, {0.4, 0.4, 0.4}, {true, true, true}};
  EXPECT_GT(expect_exact(random_spheres(60, box.min, box.max, 0.09, 1), 0.02, box), 100U);
}

TEST(NeighborSearch, RefusesAPeriodShorterThanTwoInteractions) {
  Threads threads(1);
  Spheres spheres;
  spheres.add({0, 0, 0}, 0.1);
  NeighborSearch found;
  const DomainBox box{{0, 0, 0}, {0.3, 1, 1}, {true, false, false}};
  EXPECT_TRUE(test::refuses([&] { found.build(threads, spheres.positions, spheres.radii, 0, box); },
                            "the periodic domain is 0.3 m long along x"));
}

TEST(NeighborSearch, IsExactForClusters) {
  Spheres spheres;
  for (std::size_t i = 0; i < 700; ++i) {
    Random random(3, Stream::test, 1, i);
    const double center = static_cast<double>(i % 7) * 12.3;
    spheres.add({center + random.uniform(), -center + random.uniform(), random.uniform()}, 0.05);
  }
  EXPECT_GT(expect_exact(spheres, 0.02), 400U);
}

TEST(NeighborSearch, FindsCoincidentPoints) {
  Spheres spheres;
  for (int i = 0; i < 40; ++i) spheres.add({0.5, -0.25, 1e-9 * (i / 20)}, 0.01);
  EXPECT_EQ(expect_exact(spheres, 0), 40U * 39U);
}

TEST(NeighborSearch, TakesNoneOneAndTwoSpheres) {
  Spheres spheres;
  EXPECT_EQ(expect_exact(spheres, 0.1), 0U);
  spheres.add({1, 2, 3}, 0.5);
  EXPECT_EQ(expect_exact(spheres, 0.1), 0U);
  spheres.add({1, 2, 4.05}, 0.5);
  EXPECT_EQ(expect_exact(spheres, 0.1), 2U);
  EXPECT_EQ(expect_exact(spheres, 0.04), 0U);
}

TEST(NeighborSearch, TakesPointsWithoutRadiusOrMargin) {
  Spheres spheres = random_spheres(100, {0, 0, 0}, {1, 1, 1}, 0, 1);
  EXPECT_EQ(expect_exact(spheres, 0), 0U);
  EXPECT_GT(expect_exact(spheres, 0.2), 100U);
  spheres.add({0.5, 0.5, 0.5}, 0.3);
  EXPECT_GT(expect_exact(spheres, 0), 5U);
}

TEST(NeighborSearch, IsExactForAHundredToOneRadii) {
  EXPECT_GT(expect_exact(random_spheres(1500, {0, 0, 0}, {1, 1, 1}, 0.003, 100), 0.001), 1000U);
}

TEST(NeighborSearch, SurvivesHugeExtents) {
  // Pairs of 1 mm spheres that are kilometres apart, also past the 2^18 cells after which numbers repeat.
  Spheres spheres;
  for (std::size_t i = 0; i < 300; ++i) {
    Random random(5, Stream::test, 2, i);
    const Vec3d x(random.uniform(-1e4, 1e4), random.uniform(-1e4, 1e4), random.uniform(-1e4, 1e4));
    spheres.add(x, 0.001);
    spheres.add(x + Vec3d(0.001, -0.0005, 0.001), 0.001);
  }
  const double width = 0.002;
  for (int k = 0; k < 4; ++k) spheres.add({0, width * 262144 * k, width * 262144 * k}, 0.001);
  EXPECT_EQ(expect_exact(spheres, 0), 600U);

  Spheres two;
  two.add({0, 0, 0}, 0.001);
  two.add({1e9, 0, -1e12}, 0.001);
  two.add({1e9, 0, -1e12}, 1e8);
  EXPECT_EQ(expect_exact(two, 0), 2U);
}

TEST(NeighborSearch, IsExactAtDistancesThatJustTouch) {
  // A lattice whose spacing is the diameter, far from the origin: rounding decides, as in the definition.
  Spheres spheres;
  for (int i = 0; i < 512; ++i)
    spheres.add(Vec3d(i % 8, (i / 8) % 8, i / 64) * 0.1 + Vec3d(1000.1, -77.7, 3e-3), 0.05);
  expect_exact(spheres, 0);
  EXPECT_GT(expect_exact(spheres, 1e-15), 0U);
}

TEST(NeighborSearch, LosesNothingToRoundingAtTheFacesOfCells) {
  // Spheres that only just touch across the face where space closes, one of them on a face between two cells.
  // Found by trying: the range of cells about the other one, as computed, ends short of it.
  struct Case {
    double min, max, right, left;
  };
  for (const Case& c :
       {Case{0x1.c56ea2b5d4a8cp+10, 0x1.c62d8cab41cfep+10, 0x1.c62d8cab41cfep+10, 0x1.c575091c3b0f2p+10},
        Case{-0x1.5c9553e2312acp+10, -0x1.5c31166e9dec8p+10, -0x1.5c3ac9cc61d9cp+10, -0x1.5c98a0d98eb1ap+10},
        Case{0x1.33473d3b6e2f2p+10, 0x1.3390962700ef1p+10, 0x1.3390962700ef1p+10, 0x1.334da3a1d4958p+10}}) {
    Spheres spheres;
    spheres.add({c.left, 0, 0}, 0.05);
    spheres.add({c.right, 0, 0}, 0.05);
    // Others in many rows, so that the rows of a query are looked up one by one.
    for (int k = 1; k < 50; ++k) spheres.add({c.min + 0.02 * k, 1.0 * k, 0}, 0.05);
    EXPECT_EQ(expect_exact(spheres, 0, {{c.min, 0, 0}, {c.max, 0, 0}, {true, false, false}}), 2U);
  }
}

TEST(NeighborSearch, VisitsALongLineOfSpheresOnce) {
  // More cells along x than a fold has, all in one row.
  Threads threads(1);
  Spheres spheres;
  for (int i = 0; i < 5; ++i) spheres.add({1e5 * i, 0, 0}, 0.001);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0, {});
  std::vector<std::uint32_t> visited;
  found.for_each_within({0, 0, 0}, 1e6, [&](std::uint32_t j, const Vec3d&) { visited.push_back(j); });
  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(NeighborSearch, VisitsFoldedCellsOnceInAQueryWiderThanTheFold) {
  // 2^18 cells of 2 mm are 524 m: a ball of 2 km about spheres that are 300 m apart spans several folds.
  Threads threads(1);
  Spheres spheres;
  for (int i = 0; i < 5; ++i) spheres.add(Vec3d(1, 1, 1) * (300.0 * i), 0.001);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0, {});
  std::vector<std::uint32_t> visited;
  found.for_each_within({700, 700, 700}, 2000, [&](std::uint32_t j, const Vec3d&) { visited.push_back(j); });
  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  visited.clear();
  found.for_each_within({1000, 1000, 1000}, 400,
                        [&](std::uint32_t j, const Vec3d&) { visited.push_back(j); });
  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, (std::vector<std::uint32_t>{3, 4}));
}

TEST(NeighborSearch, IsNotSpoiltByPositionsThatAreNotFinite) {
  Spheres spheres = random_spheres(300, {0, 0, 0}, {1, 1, 1}, 0.05, 1);
  const std::size_t count = expect_exact(spheres, 0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  spheres.add({std::nan(""), 0.5, 0.5}, 0.05);
  spheres.add({0.5, kInfinity, 0.5}, 0.05);
  spheres.add({0.5, 0.5, -kInfinity}, 0.05);
  EXPECT_EQ(expect_exact(spheres, 0), count);

  Threads threads(1);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0, {});
  EXPECT_LT(found.count_candidates(threads), 20 * spheres.positions.size());
}

TEST(NeighborSearch, GivesTheDifferenceOfNearestImages) {
  Threads threads(1);
  const DomainBox box{{0, 0, 0}, {1, 1, 1}, {true, false, false}};
  Spheres spheres;
  spheres.add({0.02, 0.5, 0.5}, 0.05);
  spheres.add({0.97, 0.5, 0.52}, 0.05);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0, box);
  int visits = 0;
  found.for_each_neighbor(0, [&](std::uint32_t j, const Vec3d& d) {
    ++visits;
    EXPECT_EQ(j, 1U);
    EXPECT_NEAR((d - Vec3d(-0.05, 0, 0.02)).length(), 0, 1e-15);
  });
  EXPECT_EQ(visits, 1);
}

TEST(NeighborSearch, FindsTheSpheresThatABallOverlaps) {
  Threads threads(2);
  const DomainBox box{{0, 0, 0}, {1, 1, 1}, {true, false, true}};
  NeighborSearch found;
  // From more cells than spheres in a query to more spheres than cells.
  for (std::size_t q = 0; q < 200; ++q) {
    Random random(9, Stream::test, 3, q);
    const Spheres spheres = random_spheres(q % 4 == 0 ? 500 : q / 4, box.min, box.max, 0.01, 8);
    found.build(threads, spheres.positions, spheres.radii, 0.03, box);
    const Vec3d point(random.uniform(-0.2, 1.2), random.uniform(-0.2, 1.2), random.uniform(-0.2, 1.2));
    const double radius = 0.4 * random.uniform() * random.uniform();
    std::vector<std::uint32_t> expected, visited;
    for (std::uint32_t j = 0; j < spheres.positions.size(); ++j) {
      const Vec3d d = box.minimum_image(spheres.positions[j] - point);
      const double reach = spheres.radii[j] + radius;
      if (d.dot(d) < reach * reach) expected.push_back(j);
    }
    found.for_each_within(point, radius, [&](std::uint32_t j, const Vec3d&) { visited.push_back(j); });
    std::sort(visited.begin(), visited.end());
    EXPECT_EQ(visited, expected);
  }
}

TEST(NeighborSearch, ListsTakeWhatIsAcceptedInTheOrderOfRanks) {
  Threads threads(2);
  const Spheres spheres = random_spheres(900, {0, 0, 0}, {1, 1, 1}, 0.05, 2);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0, {});
  // Three spheres a grain; ranks run against the indices.
  NeighborLists lists;
  found.build_lists(
      threads, [](std::size_t i, std::size_t j) { return i / 3 != j / 3; },
      [](std::uint32_t j) { return 1000 - static_cast<int>(j); }, lists);
  Pairs expected = compare_all_pairs(spheres, 0, {});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::erase_if(expected[i], [i](std::uint32_t j) { return i / 3 == j / 3; });
    std::reverse(expected[i].begin(), expected[i].end());
    const auto list = lists.of(i);
    EXPECT_EQ(std::vector<std::uint32_t>(list.begin(), list.end()), expected[i]);
  }
}

TEST(NeighborSearch, DoesNotDependOnThreadsOrEarlierSearches) {
  const Spheres spheres = random_spheres(20000, {0, 0, 0}, {1, 1, 1}, 0.008, 4);
  const Spheres others = random_spheres(300, {5, 5, 5}, {9, 9, 9}, 0.3, 1);
  NeighborLists first;
  std::vector<std::uint32_t> first_order;
  for (const int count : {1, 2, 4, 7}) {
    Threads threads(count);
    NeighborSearch found;
    NeighborLists lists;
    if (count > 1) {
      found.build(threads, others.positions, others.radii, 0.1, {});
      found.build_lists(threads, lists);
    }
    found.build(threads, spheres.positions, spheres.radii, 0.001, {});
    found.build_lists(threads, lists);
    const std::vector<std::uint32_t> order(found.order().begin(), found.order().end());
    if (count == 1) {
      first = lists;
      first_order = order;
    }
    EXPECT_EQ(lists.offset, first.offset);
    EXPECT_EQ(lists.neighbor, first.neighbor);
    EXPECT_EQ(order, first_order);
  }
}

double candidates_per_sphere(std::size_t count, double ratio) {
  // The box grows with the number of spheres: the same density everywhere.
  const double side = std::cbrt(static_cast<double>(count));
  const Spheres spheres = random_spheres(count, {0, 0, 0}, {side, side, side}, 0.4, ratio);
  Threads threads(2);
  NeighborSearch found;
  found.build(threads, spheres.positions, spheres.radii, 0.05, {});
  return static_cast<double>(found.count_candidates(threads)) / static_cast<double>(count);
}

TEST(NeighborSearch, VisitsCandidatesInProportionToTheSpheres) {
  // slope 1 of cost over number; the share of the border falls with the number, hence the tolerance.
  for (const double ratio : {1.0, 5.0}) {
    const double small = candidates_per_sphere(4000, ratio), large = candidates_per_sphere(64000, ratio);
    EXPECT_NEAR(std::log(large / small) / std::log(16.0), 0, 0.1) << ratio;
  }
}

}  // namespace
}  // namespace repose
