#include "repose/particles/rows.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Rows, ComeInTheOrderOfIdsHoweverFewAreLeft) {
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(rows_by_id(Numbers{}), Numbers{});
  EXPECT_EQ(rows_by_id(Numbers{0}), Numbers{0});
  EXPECT_EQ(rows_by_id(Numbers{3, 0, 4, 1}), (Numbers{1, 3, 0, 2}));             // by place
  EXPECT_EQ(rows_by_id(Numbers{3000000000U, 0, 70, 1}), (Numbers{1, 3, 2, 0}));  // by sorting
}

}  // namespace
}  // namespace repose
