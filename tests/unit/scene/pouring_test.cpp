// How much an emitter gives, and when.

#include "repose/scene/pouring.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Pouring, IsEvenFromStartToStop) {
  const Pouring pouring{.rate = 2, .start = 1, .stop = 4};
  EXPECT_EQ(pouring.mass(0, 1), 0);
  EXPECT_EQ(pouring.mass(0.5, 1.5), 1);
  EXPECT_EQ(pouring.mass(1, 4), 6);
  EXPECT_EQ(pouring.mass(3.5, 9), 1);
  EXPECT_EQ(pouring.mass(4, 9), 0);
  EXPECT_EQ((Pouring{.rate = 2}.mass(100, 101)), 2) << "never stops";
}

/// 2 kg/s until t = 2, then down to zero at t = 4: a triangle of 2 kg.
TEST(Pouring, FadesOnAStraightLine) {
  const Pouring pouring{.rate = 2, .start = 1, .stop = 4, .fade = 2};
  EXPECT_EQ(pouring.mass(1, 2), 2);
  EXPECT_DOUBLE_EQ(pouring.mass(2, 4), 2);
  EXPECT_DOUBLE_EQ(pouring.mass(2, 3), 1.5);
  EXPECT_DOUBLE_EQ(pouring.mass(3, 4), 0.5);
  EXPECT_DOUBLE_EQ(pouring.mass(1.5, 2.5), 1 + 0.875) << "across the bend";
  EXPECT_EQ(pouring.mass(4, 9), 0);
  double sum = 0;
  for (int k = 0; k < 50; ++k) sum += pouring.mass(0.1 * k, 0.1 * (k + 1));
  EXPECT_NEAR(sum, 4, 1e-12) << "steps add up";
}

TEST(Pouring, FollowsAnEmitter) {
  Emitter emitter;
  emitter.rate = 3;
  emitter.start = 1;
  EXPECT_EQ(pouring_of(emitter).mass(0, 3), 6);
  emitter.stop = 2;
  emitter.fade = 1;
  EXPECT_EQ(pouring_of(emitter).mass(0, 3), 1.5);
}

}  // namespace
}  // namespace repose
