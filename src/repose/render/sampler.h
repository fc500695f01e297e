#pragma once
// Sample points for the path tracer: pairs of numbers that fill the unit square evenly, over the samples of
// one pixel and over blocks of neighbouring pixels too. A pixel's samples are a run of one long Sobol
// sequence, taken in Z-order over the image, so that every block of 2^k x 2^k pixels gets a well spread set;
// what noise remains is then of high frequency and the denoiser removes it best (Ahmed and Wonka 2020,
// "Screen-space blue-noise diffusion of Monte Carlo sampling error via hierarchical ordering of pixels").
//
// Each pair of dimensions has its own shuffle of the order and its own scrambling of the values, both nested
// in Owen's sense by hashing (Burley 2020, "Practical hash-based Owen scrambling"). All of it is a pure
// function of pixel, sample and dimension: no state, the same picture for any number of threads. It is not
// core/random.h because it must not be random: independent numbers need about four times the samples.

#include <cstdint>

namespace repose {

struct Point2 {
  float x, y;  ///< in [0, 1)
};

inline std::uint32_t reverse_bits(std::uint32_t v) {
  v = ((v >> 1) & 0x55555555U) | ((v & 0x55555555U) << 1);
  v = ((v >> 2) & 0x33333333U) | ((v & 0x33333333U) << 2);
  v = ((v >> 4) & 0x0F0F0F0FU) | ((v & 0x0F0F0F0FU) << 4);
  v = ((v >> 8) & 0x00FF00FFU) | ((v & 0x00FF00FFU) << 8);
  return (v >> 16) | (v << 16);
}

/// A well mixed 32-bit word, for seeds (the finaliser of MurmurHash3, Appleby 2011).
inline std::uint32_t mix_bits(std::uint32_t v) {
  v = (v ^ (v >> 16)) * 0x85EBCA6BU;
  v = (v ^ (v >> 13)) * 0xC2B2AE35U;
  return v ^ (v >> 16);
}

/// Flips each bit by a hash of the bits below it: Owen's nested scrambling of a number whose bits are
/// reversed. Multiplying by an even number only carries upwards, which keeps the nesting (Laine and Karras
/// 2011, section 3.1).
inline std::uint32_t nested_scramble(std::uint32_t v, std::uint32_t seed) {
  v += seed;
  v ^= v * 0x6C50B47CU;
  v ^= v * 0xB82F1E52U;
  v ^= v * 0xC7AFE638U;
  v ^= v * 0x8D22F6E6U;
  return v;
}

/// Second dimension of Sobol's sequence, bits reversed. Its matrix is Pascal's triangle modulo 2, and by
/// Lucas' theorem bit i of the result is the sum of all bits j of the index with i a subset of j.
inline std::uint32_t sobol_second_reversed(std::uint32_t index) {
  index ^= (index & 0xAAAAAAAAU) >> 1;
  index ^= (index & 0xCCCCCCCCU) >> 2;
  index ^= (index & 0xF0F0F0F0U) >> 4;
  index ^= (index & 0xFF00FF00U) >> 8;
  index ^= (index & 0xFFFF0000U) >> 16;
  return index;
}

/// 24 bits, so that the float stays below 1.
inline float unit_float(std::uint32_t bits) { return static_cast<float>(bits >> 8) * (1.0F / 16777216.0F); }

/// The seeds of one pair of dimensions.
struct PairSeeds {
  std::uint32_t order, x, y;

  explicit PairSeeds(std::uint32_t pair)
      : order(mix_bits(0x9E3779B9U * (pair + 1))), x(mix_bits(order + 1)), y(mix_bits(order + 2)) {}
};

/// Point `index` of a pair of dimensions.
inline Point2 sample_point(std::uint32_t index, const PairSeeds& seeds) {
  const std::uint32_t order = reverse_bits(nested_scramble(reverse_bits(index), seeds.order));
  const std::uint32_t x = nested_scramble(order, seeds.x);
  const std::uint32_t y = nested_scramble(sobol_second_reversed(order), seeds.y);
  return {unit_float(reverse_bits(x)), unit_float(reverse_bits(y))};
}

/// The bits of x and y interleaved: the pixel's place on the Z-order curve.
inline std::uint32_t z_order(std::uint32_t x, std::uint32_t y) {
  const auto spread = [](std::uint32_t v) {
    v &= 0xFFFFU;
    v = (v | (v << 8)) & 0x00FF00FFU;
    v = (v | (v << 4)) & 0x0F0F0F0FU;
    v = (v | (v << 2)) & 0x33333333U;
    return (v | (v << 1)) & 0x55555555U;
  };
  return spread(x) | (spread(y) << 1);
}

}  // namespace repose
