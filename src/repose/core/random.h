#pragma once
// Random numbers from a counter: the value at (seed, stream, index) is a pure function, so results do not
// depend on the order of calls or the number of threads, and nothing has to be saved for a restart.
// Philox4x32-10 of Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3", section 3.3.

#include <array>
#include <cstdint>

namespace repose {

/// Names of the independent streams. A stream number never changes its meaning: results depend on it.
enum class Stream : std::uint32_t {
  fill_position = 1,
  fill_orientation = 2,
  fill_velocity = 3,
  fill_size = 4,
  emitter_position = 5,
  emitter_orientation = 6,
  emitter_size = 7,
  color = 8,
  pixel = 9,
  tile_place = 10,
  tile_order = 11,
  fill_shift = 12,
  body_jitter = 20,
  surface_particle = 30,
  fine_grain = 40,
  fine_spread = 41,
  test = 1000
};

/// Four independent 32-bit words for a 64-bit index and a 64-bit key.
inline std::array<std::uint32_t, 4> philox4x32(std::uint64_t key, std::uint64_t stream, std::uint64_t index) {
  std::array<std::uint32_t, 4> c{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                                 static_cast<std::uint32_t>(stream),
                                 static_cast<std::uint32_t>(stream >> 32)};
  std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53U} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57U} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

/// A short sequence of uniform numbers for one (seed, stream, sub-stream, index).
class Random {
 public:
  Random(std::uint64_t seed, Stream stream, std::uint32_t substream, std::uint64_t index)
      : seed_(seed),
        stream_((std::uint64_t{static_cast<std::uint32_t>(stream)} << 32) | substream),
        index_(index) {}

  /// Next 32 random bits. An index gives 2^16 * 4 words before it would meet its neighbour's (index < 2^48).
  std::uint32_t bits() {
    if (used_ == 4) {
      words_ = philox4x32(seed_, stream_, (index_ << 16) | block_++);
      used_ = 0;
    }
    return words_[used_++];
  }
  /// Uniform in [0, 1), 53 bits.
  double uniform() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;
    return static_cast<double>(high * 67108864U + low) * (1.0 / 9007199254740992.0);
  }
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

 private:
  std::uint64_t seed_, stream_, index_;
  std::array<std::uint32_t, 4> words_{};
  std::uint64_t block_ = 0;
  unsigned used_ = 4;
};

}  // namespace repose
