#include "repose/core/random.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

// Known answers of Philox4x32-10 that Salmon et al. publish with their code (Random123, kat_vectors).
TEST(Random, PhiloxGivesThePublishedWords) {
  EXPECT_EQ(philox4x32(0, 0, 0),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32(~0ULL, ~0ULL, ~0ULL),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Random, UniformHasMeanHalfAndVarianceOneTwelfth) {
  const int n = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    Random random(7, Stream::test, 0, static_cast<std::uint64_t>(i));
    const double u = random.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  const double mean = sum / n;
  // Four standard errors of the mean and of the variance of a uniform number.
  EXPECT_NEAR(mean, 0.5, 4 * 0.2887 / std::sqrt(n));
  EXPECT_NEAR(squares / n - mean * mean, 1.0 / 12, 4 * 0.0745 / std::sqrt(n));
}

TEST(Random, SequencesOfNeighbouringIndicesDiffer) {
  Random a(1, Stream::test, 0, 5), b(1, Stream::test, 0, 6), c(1, Stream::test, 1, 5),
      d(2, Stream::test, 0, 5);
  const auto first = a.bits();
  EXPECT_NE(first, b.bits());
  EXPECT_NE(first, c.bits());
  EXPECT_NE(first, d.bits());
}

}  // namespace
}  // namespace repose
