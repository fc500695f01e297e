#include "repose/exec/algorithms.h"

#include <numeric>

#include <gtest/gtest.h>

#include "repose/core/random.h"

namespace repose {
namespace {

// Sizes about the chunk length of the algorithms.
constexpr std::size_t kSizes[] = {0, 1, 2, 1000, 16383, 16384, 16385, 100003};

template <class T>
std::vector<T> random_words(std::size_t n, T mask) {
  std::vector<T> words(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random random(1, Stream::test, 0, i);
    const std::uint64_t high = random.bits(), low = random.bits();
    words[i] = static_cast<T>(high << 32 | low) & mask;
  }
  return words;
}

TEST(ExclusiveScan, AddsWhatComesBefore) {
  for (const int count : {1, 2, 4, 7}) {
    Threads threads(count);
    for (const std::size_t n : kSizes) {
      const std::vector<std::uint64_t> in = random_words<std::uint64_t>(n, 0xffff);
      std::vector<std::uint64_t> expected(n), out(n), in_place = in;
      std::exclusive_scan(in.begin(), in.end(), expected.begin(), std::uint64_t{0});
      const std::uint64_t total = exclusive_scan<std::uint64_t>(threads, in, out);
      EXPECT_EQ(total, std::accumulate(in.begin(), in.end(), std::uint64_t{0}));
      EXPECT_EQ(out, expected);
      exclusive_scan<std::uint64_t>(threads, in_place, in_place);
      EXPECT_EQ(in_place, expected);
    }
  }
}

template <class Key>
void expect_sorted_as_std_does(std::size_t n, Key mask, int thread_count) {
  Threads threads(thread_count);
  SortablePairs<Key> pairs;
  pairs.keys = random_words<Key>(n, mask);
  pairs.values.resize(n);
  std::iota(pairs.values.begin(), pairs.values.end(), 0U);
  std::vector<std::uint32_t> expected = pairs.values;
  const std::vector<Key> keys = pairs.keys;
  std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  sort_pairs(threads, pairs);
  EXPECT_EQ(pairs.values, expected);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(pairs.keys[i], keys[expected[i]]);
}

TEST(SortPairs, SortsAsAStableSortDoes) {
  for (const std::size_t n : kSizes) {
    for (const int threads : {1, 2, 4}) {
      expect_sorted_as_std_does<std::uint32_t>(n, ~0U, threads);
      expect_sorted_as_std_does<std::uint64_t>(n, ~0ULL, threads);
    }
  }
}

TEST(SortPairs, KeepsTheOrderOfEqualKeysAndSkipsConstantDigits) {
  for (const std::uint64_t mask : {0x0ULL, 0x3ULL, 0xff00ULL, 0xf000000000000001ULL, 0x00ff0000ff000000ULL}) {
    expect_sorted_as_std_does<std::uint64_t>(50000, mask, 2);
    expect_sorted_as_std_does<std::uint32_t>(50000, static_cast<std::uint32_t>(mask), 2);
  }
}

TEST(Gather, TakesInTheGivenOrder) {
  Threads threads(2);
  const std::vector<double> in{1, 2, 3};
  const std::vector<std::uint32_t> order{2, 0, 0, 1};
  std::vector<double> out(4);
  gather<double>(threads, in, order, out);
  EXPECT_EQ(out, (std::vector<double>{3, 1, 1, 2}));
}

TEST(SelectIndices, GivesTheChosenOnesInOrder) {
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    for (const std::size_t n : kSizes) {
      const std::vector<std::uint32_t> words = random_words<std::uint32_t>(n, 7);
      std::vector<std::uint32_t> expected, out;
      for (std::uint32_t i = 0; i < n; ++i) {
        if (words[i] == 3) expected.push_back(i);
      }
      select_indices(
          threads, n, [&](std::size_t i) { return words[i] == 3; }, out);
      EXPECT_EQ(out, expected);
    }
  }
}

}  // namespace
}  // namespace repose
