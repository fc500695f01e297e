#include "repose/grid/tiles.h"

#include <vector>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Tiles, AreFoundWhereTheyAreAndNowhereElse) {
  const std::vector<Vec3i> given{{0, 0, 0}, {-1, 0, 0}, {5, -7, 1000}, {0, 0, 0}};
  const TileSet tiles(given);
  EXPECT_EQ(tiles.size(), 3U);
  for (const Vec3i& tile : given) {
    const std::uint32_t place = tiles.find(tile);
    ASSERT_NE(place, kNoTile);
    EXPECT_EQ(tiles.coordinate(place), tile);
  }
  EXPECT_EQ(tiles.find({1, 0, 0}), kNoTile);
}

TEST(Tiles, OrderDoesNotDependOnHowTheyWereGiven) {
  const std::vector<Vec3i> one{{3, 1, 2}, {-4, 0, 0}, {0, 0, 9}}, other{{0, 0, 9}, {3, 1, 2}, {-4, 0, 0}};
  const TileSet a(one), b(other);
  for (std::size_t tile = 0; tile < 3; ++tile) EXPECT_EQ(a.coordinate(tile), b.coordinate(tile));
}

TEST(Tiles, KnowTheirNeighbours) {
  const TileSet tiles(std::vector<Vec3i>{{0, 0, 0}, {1, 0, 0}, {1, 1, 1}});
  const std::uint32_t first = tiles.find({0, 0, 0});
  EXPECT_EQ(tiles.neighbor(first, neighbor_slot(0, 0, 0)), first);
  EXPECT_EQ(tiles.neighbor(first, neighbor_slot(1, 0, 0)), tiles.find({1, 0, 0}));
  EXPECT_EQ(tiles.neighbor(first, neighbor_slot(1, 1, 1)), tiles.find({1, 1, 1}));
  EXPECT_EQ(tiles.neighbor(first, neighbor_slot(-1, 0, 0)), kNoTile);
}

TEST(Tiles, WrapAlongPeriodicAxes) {
  const TileSet tiles(std::vector<Vec3i>{{0, 0, 0}, {3, 0, 0}, {-1, 0, 1}}, {4, 0, 0});
  EXPECT_EQ(tiles.size(), 3U);
  EXPECT_EQ(tiles.coordinate(tiles.find({-1, 0, 1})), Vec3i(3, 0, 1));
  EXPECT_EQ(tiles.neighbor(tiles.find({0, 0, 0}), neighbor_slot(-1, 0, 0)), tiles.find({3, 0, 0}));
  EXPECT_EQ(tiles.neighbor(tiles.find({0, 0, 0}), neighbor_slot(-1, 0, 1)), tiles.find({3, 0, 1}));
}

}  // namespace
}  // namespace repose
