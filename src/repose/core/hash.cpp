#include "repose/core/hash.h"

#include <cstring>

namespace repose {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t start) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t h = start ^ (bytes.size() * kPrime);
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * kPrime;
    h ^= h >> 29;
  }
  for (; i < bytes.size(); ++i) h = (h ^ std::to_integer<std::uint64_t>(bytes[i])) * kPrime;
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdU;
  return h ^ (h >> 33);
}

std::string to_hex(std::uint64_t value) {
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4)
    text[static_cast<std::size_t>(i)] = "0123456789abcdef"[value & 15U];
  return text;
}

}  // namespace repose
