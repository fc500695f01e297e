// The order of fine grains in memory, and that it changes no grain.

#include "repose/refine/spatial_order.h"

#include <algorithm>

#include "guide_frames.h"
#include <gtest/gtest.h>

#include "repose/refine/advect.h"
#include "repose/refine/cell_counts.h"
#include "repose/refine/sample.h"

namespace repose {
namespace {

/// A block of guides over a floor, sampled: 20 grains each.
struct Block {
  Scene scene = refined_scene(20);
  Frame frame = guide_block(6, 0.1, {3, -2, 1}, 0.4);
  RefineModel model;
  FineGrains grains;

  Block() {
    scene.domain = {.given = true, .min = {-2, -2, -0.1}, .max = {2, 2, 2}};
    model = make_refine_model(scene, ParticleKind::grains);
    model.bodies.fill_rows(frame.bodies, 0);
    grains.place = model.place;
    grains.resize(frame.particle_count() * model.ratio);
    const std::vector<Obstacle> obstacles = obstacles_over_step(model, frame, frame, 0, 1);
    for (std::size_t row = 0; row < frame.particle_count(); ++row)
      sample_guide(model, frame, row, obstacles, row * model.ratio, grains);
  }
};

TEST(SpatialOrder, KeepsGrainsAndMakesRunsOfNeighbours) {
  Threads threads(2);
  Block block;
  const std::uint64_t before = hash_grains(block.grains, threads);
  for (const std::size_t at_once : {kSortedAtOnce, std::size_t{1000}}) {
    std::vector<std::uint32_t> runs;
    sort_in_space(threads, block.grains, runs, at_once);
    EXPECT_EQ(hash_grains(block.grains, threads), before);
    ASSERT_GT(runs.size(), 4U);
    EXPECT_EQ(runs.front(), 0U);
    EXPECT_EQ(runs.back(), block.grains.size());
    for (std::size_t r = 0; r + 1 < runs.size(); ++r) {
      ASSERT_LT(runs[r], runs[r + 1]);
      const PlaceBox box = box_of(block.grains, runs[r], runs[r + 1]);
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_LT(box.extent(axis), 2 << FinePlace::kInfluenceBits);
    }
  }
}

TEST(SpatialOrder, AGrainDoesNotDependOnItsRun) {
  Threads threads(2);
  const Block block;
  Frame to = moved_on(block.frame, 0.01);
  const GuidePaths paths = find_paths(block.model, block.frame, to);
  const LeadingStep step{.dt = 0.01,
                         .guides = guides_over_step(block.model, paths, 0, 1, threads),
                         .obstacles = obstacles_over_step(block.model, block.frame, to, 0, 1)};
  Crowding crowding(block.model, 4);  // a quarter of the room
  crowding.count(block.grains, 0.01, threads);
  ASSERT_FALSE(crowding.is_none());
  std::vector<std::uint64_t> hashes;
  for (const std::uint32_t length : {1U, 7U, 64U, 1000U, 4320U}) {
    FineGrains grains = block.grains;
    std::vector<std::uint32_t> runs;
    for (std::uint32_t i = 0; i < grains.size(); i += length) runs.push_back(i);
    runs.push_back(static_cast<std::uint32_t>(grains.size()));
    advect(block.model, std::span(&step, 1), &crowding, runs, threads, grains);
    hashes.push_back(hash_grains(grains, threads));
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes.front());
}

TEST(CellCounts, CountAnywhere) {
  CellCounts first, second;
  for (int k = 0; k < 3000; ++k) {
    const CellCounts::Cell cell{k % 13 - 6, k % 7 - 300, -(k % 11)};
    (k % 2 == 0 ? first : second).at(CellCounts::tile_of(cell)).count[CellCounts::cell_in_tile(cell)] += 1;
  }
  first.add(second);
  for (int k = 0; k < 1001; ++k)
    EXPECT_EQ(first.count({k % 13 - 6, k % 7 - 300, -(k % 11)}), k < 3000 - 2 * 1001 ? 3U : 2U) << k;
  EXPECT_EQ(first.count({7, -300, 0}), 0U);
  for (const CellCounts::Tile& tile : first.tiles())
    for (std::size_t c = 0; c < CellCounts::kTileCells; ++c) {
      const CellCounts::Cell cell = CellCounts::cell_of(tile, c);
      EXPECT_EQ(CellCounts::tile_of(cell), tile.coordinate);
      EXPECT_EQ(CellCounts::cell_in_tile(cell), c);
    }
}

}  // namespace
}  // namespace repose
