// Grains that pass a surface: once, twice, around a periodic box, and not at all.

#include "repose/measure/flow.h"

#include "frames.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

using namespace test;

class FlowTest : public testing::Test {
 protected:
  static Frame frame_at(const std::vector<double>& heights) {
    Frame frame;
    for (const double z : heights) add_grain(frame, {0, 0, z}, 0.1);
    return frame;
  }
  /// Net number of grains that came in between the moments.
  double net(FlowWatch& watch, const Frame& frame) {
    double mass = 0;
    for (const Crossing& crossing : watch.advance(frame, grains_, threads_)) mass += crossing.mass;
    return mass / (2500 * ball_volume(0.1F));
  }
  GrainTable grains_{plain_scene(), lone_spheres()};
  Threads threads_{2};
};

TEST_F(FlowTest, CountsCentresThatPass) {
  FlowWatch watch(below(0), {});
  watch.begin(frame_at({1, 1, -1}), threads_);
  const auto crossings = watch.advance(frame_at({-1, 0.5, -2}), grains_, threads_);
  ASSERT_EQ(crossings.size(), 1U);
  EXPECT_EQ(crossings[0].when, 0.5);
  EXPECT_NEAR(crossings[0].mass, 2500 * ball_volume(0.1F), 1e-9);
}

TEST_F(FlowTest, InAndOutAgainIsNothing) {
  FlowWatch watch(below(0), {});
  watch.begin(frame_at({1}), threads_);
  double sum = net(watch, frame_at({-1}));
  EXPECT_NEAR(sum, 1, 1e-12);
  sum += net(watch, frame_at({1}));
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST_F(FlowTest, WhatComesAndGoesDidNotPass) {
  FlowWatch watch(below(0), {});
  Frame before = frame_at({1, -1, 1}), after = frame_at({1, -1, -1});
  before.id = {0, 3, 5};
  after.id = {0, 4, 5};  // 3 was drained, 4 emitted, both below
  watch.begin(before, threads_);
  EXPECT_NEAR(net(watch, after), 1, 1e-12);
}

TEST_F(FlowTest, APeriodicBoxIsPassedTheShortWay) {
  const DomainBox box{Vec3d(0), Vec3d(1), {false, false, true}};
  FlowWatch watch(below(0.5), box);
  watch.begin(frame_at({0.02, 0.52}), threads_);
  // The first went out at the bottom and came in at the top: the plane in the middle saw nothing of it.
  EXPECT_NEAR(net(watch, frame_at({0.98, 0.48})), 1, 1e-12);
}

TEST_F(FlowTest, AClosedShapeCountsBothWays) {
  FlowWatch watch(box(Vec3d(1)), {});
  watch.begin(frame_at({1, 0, 0.2}), threads_);
  EXPECT_NEAR(net(watch, frame_at({0.4, -0.6, 0.1})), 0, 1e-12);
}

}  // namespace
}  // namespace repose
