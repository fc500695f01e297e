#include "repose/refine/fine_grains.h"

#include <array>
#include <bit>

#include "repose/core/hash.h"

namespace repose {

std::uint64_t hash_grains(const FineGrains& grains, Threads& threads) {
  const auto hash_of = [&](std::size_t i) {
    const std::array<std::uint32_t, 7> row{std::bit_cast<std::uint32_t>(grains.x[i]),
                                           std::bit_cast<std::uint32_t>(grains.y[i]),
                                           std::bit_cast<std::uint32_t>(grains.z[i]),
                                           std::bit_cast<std::uint32_t>(grains.vx[i]),
                                           std::bit_cast<std::uint32_t>(grains.vy[i]),
                                           std::bit_cast<std::uint32_t>(grains.vz[i]),
                                           grains.id[i]};
    return hash_bytes(std::as_bytes(std::span(row)));
  };
  // A sum does not depend on the order.
  return threads.reduce(
      grains.size(), std::uint64_t{0},
      [&](std::size_t begin, std::size_t end) {
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += hash_of(i);
        return sum;
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

}  // namespace repose
