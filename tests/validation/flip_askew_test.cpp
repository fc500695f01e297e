// Sand on floors that lie askew to the grid, under flip: bodies that are tilted, not gravity.
//
// Reference: Coulomb's law, as in flip_sand_ends_test.cpp. The friction that sand feels, found from how it
// speeds up, is that of the floor, whatever the tilt, the way downhill and the place on the grid:
//   firm blocks of 8 x 8 x 4 cells: within 0.012 for a floor without friction (found: 0.009), within
//   0.01 + 5 % of it else (found: 4 %); where tan(tilt) is less they creep by less than 1 mm/s (0.5), one at
//   0.93 of the friction, 25 degrees on 0.5, too (0.6 at most over ten places and ways downhill);
//   dry layers of 20 x 10 x 4 cells, which spread at their ends: within 0.01 + 7 % of what the same layer
//   feels on a floor along the grid under tilted gravity (found: 0.015 for 0.2).
// Before closed faces slipped, blocks felt 0.19, 0.37 and 0.75 on floors of 10, 20 and 40 degrees without
// friction, and layers 0.10 to 0.23: the stair that a tilted floor is on the grid held them.
//
// The floor bears the weight of a block that stands on it, in all three components: within 6 % (found: 5.1
// too little; a known limit whose cause is not known).

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/askew_floor.h"
#include <gtest/gtest.h>

#include "repose/core/archive.h"

namespace repose {
namespace {

class FlipAskew : public testing::TestWithParam<double> {};

TEST_P(FlipAskew, FirmBlocksFeelTheFrictionOfTheirFloor) {
  double worst = 0, creep = 0, place = 0;
  for (const double tilt : {5.0, 20.0, 40.0})
    for (const double friction : {0.0, 0.2, 0.5}) {
      place = std::fmod(place + 0.37, 1.0);
      const test::AskewFloor floor{.tilt = tilt,
                                   .azimuth = GetParam(),
                                   .friction = friction,
                                   .place = place,
                                   .is_firm = true,
                                   .size = {8, 8, 4},
                                   .is_plane = friction == 0.2};
      const test::AskewSlide slide = test::slide_askew(floor, 0.05, 0.15);
      EXPECT_EQ(slide.failure, "") << floor.name();
      const double due = std::min(friction, std::tan(radians(tilt)));
      EXPECT_NEAR(slide.felt, due, friction == 0 ? 0.012 : 0.01 + 0.05 * due) << floor.name();
      worst = std::max(worst, std::abs(slide.felt - due));
      if (due == friction) continue;
      EXPECT_LT(std::abs(slide.creep), 1e-3) << floor.name();
      creep = std::max(creep, std::abs(slide.creep));
    }
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("creep", std::to_string(creep));
}

TEST_P(FlipAskew, LayersFeelWhatTheyDoOnAFloorAlongTheGrid) {
  double worst = 0;
  for (const auto& [tilt, friction] : {std::pair{10.0, 0.0}, {30.0, 0.0}, {20.0, 0.2}, {30.0, 0.5}}) {
    test::AskewFloor floor{
        .tilt = tilt, .azimuth = GetParam(), .friction = friction, .place = 0.35, .size = {20, 10, 4}};
    const double felt = test::slide_askew(floor, 0.03, 0.1).felt;
    floor.turns_gravity = true;
    const double along = test::slide_askew(floor, 0.03, 0.1).felt;
    EXPECT_NEAR(felt, along, 0.01 + 0.07 * along) << floor.name();
    worst = std::max(worst, std::abs(felt - along));
  }
  RecordProperty("worst", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Azimuths, FlipAskew, testing::Values(0.0, 30.0));

TEST(FlipAskewFloor, BlockCloseToItsFrictionStands) {
  double worst = 0;
  for (const double azimuth : {0.0, 30.0})
    for (const double place : {0.0, 0.2, 0.37, 0.6, 0.8}) {
      const test::AskewFloor floor{.tilt = 25,
                                   .azimuth = azimuth,
                                   .friction = 0.5,
                                   .place = place,
                                   .is_firm = true,
                                   .size = {8, 8, 4}};
      const test::AskewSlide slide = test::slide_askew(floor, 0.1, 0.25);
      EXPECT_EQ(slide.failure, "") << floor.name();
      EXPECT_LT(std::abs(slide.creep), 1e-3) << floor.name();
      worst = std::max(worst, std::abs(slide.creep));
    }
  RecordProperty("creep", std::to_string(worst));
}

TEST(FlipAskewFloor, BearsTheWeightOfABlock) {
  for (const double tilt : {10.0, 25.0}) {
    const test::AskewFloor floor{
        .tilt = tilt, .azimuth = 30, .friction = 0.8, .is_firm = true, .size = {8, 8, 4}};
    Threads threads(2);
    FlipSolver solver(test::askew_scene(floor), threads, {});
    ASSERT_EQ(test::advance(solver, 0.2), "");
    solver.begin_interval();
    ASSERT_EQ(test::advance(solver, 0.3), "");
    std::vector<BodyRow> rows;
    solver.fill_bodies(rows);
    const double weight = 9.81 * solver.stats().mass;
    EXPECT_LT((rows[0].force - Vec3d(0, 0, -weight)).length(), 0.06 * weight) << tilt << " " << rows[0].force;
  }
}

TEST(FlipAskewFloor, GivesTheSameBitsForAnyThreadsAndAcrossAResume) {
  // With a free body that is askew too.
  const auto scene = [] {
    Scene made = test::askew_scene({.tilt = 20, .azimuth = 30, .friction = 0.5, .size = {10, 8, 3}});
    BodyDefinition box;
    box.name = "box";
    box.shape = test::box_shape(Vec3d(0.03), test::base_of({.size = {10, 8, 3}}) + Vec3d(0, 0, 0.07));
    box.shape.pose.rotation.setAxisAngle(Vec3d(1, 2, 0).normalized(), 0.5);
    box.motion = Motion::dynamic;
    box.density = 800;
    made.bodies.push_back(box);
    return made;
  }();
  const auto bytes = [](const FlipSolver& solver) {
    ArchiveWriter out;
    solver.save(out);
    return out;
  };
  Threads one(1), two(2);
  FlipSolver whole(scene, one, {}), other(scene, two, {}), later(scene, two, {});
  ASSERT_EQ(test::advance(whole, 0.05), "");
  const ArchiveWriter saved = bytes(whole);
  ASSERT_EQ(test::advance(whole, 0.1), "");
  ASSERT_EQ(test::advance(other, 0.05), "");
  ASSERT_EQ(test::advance(other, 0.1), "");
  EXPECT_EQ(bytes(whole).hash(), bytes(other).hash());
  ArchiveReader in(saved.bytes());
  later.load(in);
  EXPECT_TRUE(in.at_end());
  ASSERT_EQ(test::advance(later, 0.1), "");
  EXPECT_EQ(bytes(whole).hash(), bytes(later).hash());
}

}  // namespace
}  // namespace repose
