#include "repose/exec/compact.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Compact, FindsWhatIsBelowInOrder) {
  for (const std::size_t lanes : {0, 1, 2, 7}) {
    const std::size_t n = lanes * kCompactLanes;
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(static_cast<float>(i * i));
    if (n > 3) values[3] = NAN, values[2] = INFINITY, values[1] = 0.25F;
    std::vector<std::uint32_t> want;
    for (std::uint32_t i = 0; i < n; ++i)
      if (values[i] < 0.25F) want.push_back(i);
    std::vector<std::uint32_t> got(n + kCompactLanes);
    got.resize(indices_below(values.data(), n, 0.25F, got.data()));
    EXPECT_EQ(got, want) << n;
  }
}

}  // namespace
}  // namespace repose
