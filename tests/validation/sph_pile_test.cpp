// Poured piles under sph. Reference: friction_angle, within 3 degrees, for a pile that is poured from
// a small height: what falls far spreads the top. The other angles and more particles are in
// sph_pile_long_test.cpp.

#include "support/figure.h"
#include "support/sph_piles.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SphPile, StandsAtItsFrictionAngle) {
  Threads threads(2);
  const double angle = test::poured_pile_angle({30, 7000}, threads);
  RecordProperty("angle", test::figure(angle));
  EXPECT_NEAR(angle, 30, 3);
}

}  // namespace
}  // namespace repose
