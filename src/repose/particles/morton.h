#pragma once
// Morton codes: the bits of three cell numbers interleaved, so that cells near each other in space are mostly
// near each other in the order of their codes.

#include <cstdint>

namespace repose {

/// Bits of a cell number that go into a code.
inline constexpr int kMortonBits = 18;

/// Bit k of x (k < 18) at bit 3 k.
inline constexpr std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffffULL;
  x = (x | x << 16) & 0x001f0000ff0000ffULL;
  x = (x | x << 8) & 0x100f00f00f00f00fULL;
  x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
  x = (x | x << 2) & 0x1249249249249249ULL;
  return x;
}
/// The inverse of spread_bits; other bits of x, also those past the 18th, do not matter.
inline constexpr std::uint64_t collect_bits(std::uint64_t x) {
  x &= 0x1249249249249249ULL;
  x = (x | x >> 2) & 0x10c30c30c30c30c3ULL;
  x = (x | x >> 4) & 0x100f00f00f00f00fULL;
  x = (x | x >> 8) & 0x001f0000ff0000ffULL;
  x = (x | x >> 16) & 0x001f00000000ffffULL;
  x = (x | x >> 32) & ((1ULL << kMortonBits) - 1);
  return x;
}

inline constexpr std::uint64_t morton_code(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  return spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2;
}

}  // namespace repose
