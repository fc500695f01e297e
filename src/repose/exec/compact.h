#pragma once
// Which of many numbers count: the step from a loop over all to a loop over few.

#include <cstddef>
#include <cstdint>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace repose {

/// indices_below() looks at so many at once.
inline constexpr std::size_t kCompactLanes = 16;

/// The i in [0, n) with values[i] < limit, in order, to `out`. Returns how many there are. n is a whole
/// number of kCompactLanes, and `out` has room for n and as many more.
inline std::size_t indices_below(const float* values, std::size_t n, float limit, std::uint32_t* out) {
  std::size_t count = 0;
#if defined(__AVX512F__)
  const __m512 limits = _mm512_set1_ps(limit);
  __m512i indices = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  for (std::size_t i = 0; i < n; i += kCompactLanes) {
    const __mmask16 found = _mm512_cmp_ps_mask(_mm512_loadu_ps(values + i), limits, _CMP_LT_OQ);
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(found, indices));
    count += static_cast<std::size_t>(__builtin_popcount(found));
    indices = _mm512_add_epi32(indices, _mm512_set1_epi32(kCompactLanes));
  }
#else
  for (std::size_t i = 0; i < n; ++i) {
    out[count] = static_cast<std::uint32_t>(i);
    count += values[i] < limit ? 1 : 0;
  }
#endif
  return count;
}

}  // namespace repose
