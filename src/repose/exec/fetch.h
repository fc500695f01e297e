#pragma once
// Asks for memory before it is read. Processors do so by themselves where they see a pattern; this is for
// where they do not. A hint, without any effect on results.

#include <cstddef>

namespace repose {

/// All lines of memory that the `count` things from `first` on lie in.
template <class T>
inline void fetch(const T* first, std::size_t count) {
  constexpr std::size_t kLine = 64;
  const char* begin = reinterpret_cast<const char*>(first);
  const std::size_t bytes = count * sizeof(T);
  for (std::size_t k = 0; k < bytes; k += kLine) {
    __builtin_prefetch(begin + k);
    asm volatile("");  // g++ drops a loop that does nothing but give hints
  }
}

}  // namespace repose
