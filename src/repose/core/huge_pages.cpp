// Large arrays on huge pages: linked into a program (the command, the benchmarks), this file replaces its
// operator new. It is a target of its own, repose_huge_pages, and no part of the library: how a program
// allocates is the program's choice.
//
// A step of a solver touches hundreds of megabytes in small pieces: with pages of 4 KiB a twentieth of the
// time of a dense bed goes into tables of pages (bench/peers/README.md). glibc's malloc asks for huge pages
// only where an environment variable is set before the program starts, and drops that variable in set-user-id
// programs. Asking for each large array needs neither. All memory still comes from malloc, so that pointers,
// debuggers and sanitizers work as before.

#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace {

/// An array of half a huge page (2 MiB on x86-64) may share one with its neighbours. [bytes]
constexpr std::size_t kLargeArray = std::size_t{1} << 20;
constexpr std::uintptr_t kPage = 4096;  ///< [bytes]

/// Asks for huge pages under an array; systems that have none refuse, and nothing else happens. Whole pages
/// around it, so that neighbours join.
void ask_for_huge_pages(void* array, std::size_t size) {
  const std::size_t before = reinterpret_cast<std::uintptr_t>(array) % kPage;
  const std::size_t pages = (before + size + kPage - 1) / kPage;
  madvise(static_cast<char*>(array) - before, pages * kPage, MADV_HUGEPAGE);
}

void* try_to_allocate(std::size_t size, std::size_t alignment) {
  if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(size != 0 ? size : 1);
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  return whole < size ? nullptr : std::aligned_alloc(alignment, whole != 0 ? whole : alignment);
}

void* allocate(std::size_t size, std::size_t alignment) {
  while (true) {
    if (void* memory = try_to_allocate(size, alignment)) {
      if (size >= kLargeArray) ask_for_huge_pages(memory, size);
      return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

// The array and nothrow forms of the standard library call these.
void* operator new(std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
