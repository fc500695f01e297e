#include "repose/exec/spares.h"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

#include "repose/exec/threads.h"

namespace repose {
namespace {

TEST(Spares, GiveEachUserItsOwnAndMakeNoMoreThanAreUsedAtOnce) {
  struct Item {
    std::atomic<int> users = 0;
    bool is_counted = false;
  };
  Spares<Item> spares;
  std::atomic<int> made = 0, shared = 0;
  Threads threads(4);
  threads.for_each(
      1000,
      [&](std::size_t) {
        const auto item = spares.take();
        if (item->users.fetch_add(1) != 0) ++shared;
        if (!item->is_counted) ++made;
        item->is_counted = true;
        item->users.fetch_sub(1);
      },
      1);
  EXPECT_EQ(shared, 0);
  EXPECT_GE(made, 1);
  EXPECT_LE(made, 4);
}

}  // namespace
}  // namespace repose
