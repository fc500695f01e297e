#pragma once
// Scan, sort and gather on all threads. The results do not depend on the number of threads: chunks have a
// fixed size, and the sort is stable, so there is only one right answer to begin with.

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/exec/threads.h"

namespace repose {

/// out[i] = in[0] + ... + in[i-1]; returns the sum of all. `in` and `out` may be the same memory.
template <std::integral T>
T exclusive_scan(Threads& threads, std::span<const T> in, std::span<T> out) {
  assert(in.size() == out.size());
  constexpr std::size_t kScanChunk = 16384;
  std::vector<T> sums((in.size() + kScanChunk - 1) / kScanChunk);
  threads.for_chunks(in.size(), kScanChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    T sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum = static_cast<T>(sum + in[i]);
    sums[chunk] = sum;
  });
  T total = 0;
  for (T& sum : sums) {
    const T before = total;
    total = static_cast<T>(total + sum);
    sum = before;
  }
  threads.for_chunks(in.size(), kScanChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    T sum = sums[chunk];
    for (std::size_t i = begin; i < end; ++i) {
      const T value = in[i];
      out[i] = sum;
      sum = static_cast<T>(sum + value);
    }
  });
  return total;
}

/// out[k] = in[order[k]].
template <class T>
void gather(Threads& threads, std::span<const T> in, std::span<const std::uint32_t> order, std::span<T> out) {
  assert(order.size() == out.size());
  threads.for_each(order.size(), [&](std::size_t k) { out[k] = in[order[k]]; });
}

/// The i in [0, n) with chosen(i), in order.
template <class Chosen>
void select_indices(Threads& threads, std::size_t n, Chosen&& chosen, std::vector<std::uint32_t>& out) {
  constexpr std::size_t kSelectChunk = 16384;
  std::vector<std::size_t> places((n + kSelectChunk - 1) / kSelectChunk);
  threads.for_chunks(n, kSelectChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += chosen(i) ? 1 : 0;
    places[chunk] = count;
  });
  std::size_t total = 0;
  for (std::size_t& place : places) {
    const std::size_t before = total;
    total += place;
    place = before;
  }
  out.resize(total);
  threads.for_chunks(n, kSelectChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::size_t place = places[chunk];
    for (std::size_t i = begin; i < end; ++i) {
      if (chosen(i)) out[place++] = static_cast<std::uint32_t>(i);
    }
  });
}

/// Keys and values that are sorted together, with the memory that the sort works in.
template <std::unsigned_integral Key>
struct SortablePairs {
  std::vector<Key> keys;
  std::vector<std::uint32_t> values;
  std::vector<Key> other_keys{};
  std::vector<std::uint32_t> other_values{};
  std::vector<std::uint32_t> counts{};
};

namespace radix {
inline constexpr std::size_t kDigitBits = 8;
inline constexpr std::size_t kDigits = 1U << kDigitBits;
inline constexpr std::size_t kChunk = 16384;

/// One stable pass over the digit that starts at bit `shift`, from keys and values into the other ones.
template <std::unsigned_integral Key>
void pass(Threads& threads, SortablePairs<Key>& pairs, int shift) {
  const std::size_t n = pairs.keys.size(), chunk_count = (n + kChunk - 1) / kChunk;
  const auto digit = [shift](Key key) { return static_cast<std::size_t>(key >> shift) % kDigits; };
  pairs.counts.assign(chunk_count * kDigits, 0);
  threads.for_chunks(n, kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::uint32_t* count = &pairs.counts[chunk * kDigits];
    for (std::size_t i = begin; i < end; ++i) ++count[digit(pairs.keys[i])];
  });
  // Turn the counts into places: smaller digits go first, and within a digit earlier chunks.
  std::uint32_t place = 0;
  for (std::size_t d = 0; d < kDigits; ++d) {
    for (std::size_t chunk = 0; chunk < chunk_count; ++chunk) {
      std::uint32_t& count = pairs.counts[chunk * kDigits + d];
      const std::uint32_t before = place;
      place += count;
      count = before;
    }
  }
  threads.for_chunks(n, kChunk, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
    std::array<std::uint32_t, kDigits> next;
    std::copy_n(&pairs.counts[chunk * kDigits], kDigits, next.begin());
    for (std::size_t i = begin; i < end; ++i) {
      const Key key = pairs.keys[i];
      const std::uint32_t to = next[digit(key)]++;
      pairs.other_keys[to] = key;
      pairs.other_values[to] = pairs.values[i];
    }
  });
}
}  // namespace radix

/// Sorts by key; equal keys keep their order. At most 2^32 - 1 pairs. Digits that are the same in all keys
/// cost nothing.
template <std::unsigned_integral Key>
void sort_pairs(Threads& threads, SortablePairs<Key>& pairs) {
  const std::size_t n = pairs.keys.size();
  assert(pairs.values.size() == n);
  if (n < 2) return;
  pairs.other_keys.resize(n);
  pairs.other_values.resize(n);
  const Key first = pairs.keys[0];
  const Key varying = threads.reduce(
      n, Key{0},
      [&](std::size_t begin, std::size_t end) {
        Key bits = 0;
        for (std::size_t i = begin; i < end; ++i) bits = static_cast<Key>(bits | (pairs.keys[i] ^ first));
        return bits;
      },
      [](Key a, Key b) { return static_cast<Key>(a | b); }, radix::kChunk);
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Key)); shift += radix::kDigitBits) {
    if ((static_cast<std::size_t>(varying >> shift) % radix::kDigits) == 0) continue;
    radix::pass(threads, pairs, shift);
    pairs.keys.swap(pairs.other_keys);
    pairs.values.swap(pairs.other_values);
  }
}

}  // namespace repose
