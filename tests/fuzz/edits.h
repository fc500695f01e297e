#pragma once
// Changes to good bytes: what fuzz targets of binary files read from their input. Bytes at random would stop
// at the first name or checksum; these reach the numbers behind them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace repose {

/// Each change is 12 bytes of the input: where (4), how (1), 7 bytes of a value.
inline void apply_edits(std::span<const std::uint8_t> input, std::vector<std::byte>& bytes) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<double, 8> kOddNumbers{0, -1, 1e300, -1e300, kNan, kInfinity, 1e-300, 1e8};
  for (; input.size() >= 12 && !bytes.empty(); input = input.subspan(12)) {
    std::uint32_t where = 0;
    std::memcpy(&where, input.data(), 4);
    const std::size_t at = where % bytes.size();
    std::array<std::byte, 8> value{};
    std::size_t size = std::size_t{1} << (input[4] % 4U);  // 1, 2, 4 or 8 bytes of the input
    std::memcpy(value.data(), input.data() + 5, 7);
    if (input[4] >= 128) {  // or an odd number, in double or float
      const double number = kOddNumbers[input[5] % kOddNumbers.size()];
      const auto narrow = static_cast<float>(std::clamp(number, -1e38, 1e38));
      size = input[4] % 2U == 0 ? 8 : 4;
      if (size == 8)
        std::memcpy(value.data(), &number, 8);
      else
        std::memcpy(value.data(), &narrow, 4);
    }
    std::memcpy(bytes.data() + at, value.data(), std::min(size, bytes.size() - at));
  }
}

}  // namespace repose
