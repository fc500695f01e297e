// Poured piles under sph, in full. Reference: friction_angle, within 3 degrees, at 7 and at 60
// thousand particles. The paper's stood at 31 and 35 degrees where 55 were asked for. Small piles differ by a
// degree or two from one to the next: of these the mean of three counts. 33 and 38 degrees are those of dry
// sand and gravel, which stand at the same slope under every solver.

#include <string>

#include "support/figure.h"
#include "support/sph_piles.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

class SphPileLong : public testing::TestWithParam<test::PouredPile> {};

TEST_P(SphPileLong, StandsAtItsFrictionAngle) {
  Threads threads(1);
  const std::uint64_t piles = GetParam().count < 10000 ? 3 : 1;
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= piles; ++seed) {
    const double angle = test::poured_pile_angle(GetParam(), threads, seed);
    RecordProperty("angle_" + std::to_string(seed), test::figure(angle));
    mean += angle / static_cast<double>(piles);
  }
  RecordProperty("angle", test::figure(mean));
  EXPECT_NEAR(mean, GetParam().angle, 3);
}

INSTANTIATE_TEST_SUITE_P(Pile, SphPileLong,
                         testing::Values(test::PouredPile{20, 7000}, test::PouredPile{33, 7000},
                                         test::PouredPile{38, 7000}, test::PouredPile{40, 7000},
                                         test::PouredPile{20, 60000}, test::PouredPile{30, 60000},
                                         test::PouredPile{40, 60000}),
                         [](const auto& test) {
                           return std::to_string(static_cast<int>(test.param.angle)) + "_of_" +
                                  std::to_string(static_cast<int>(test.param.count));
                         });

}  // namespace
}  // namespace repose
