#pragma once
// Large arrays on huge pages.

namespace repose {

/// Starts the program anew with glibc's `malloc` on huge pages of memory, once; comes back where that is so
/// already or cannot be. To be called first in main, with its argv.
///
/// A step of a solver touches hundreds of megabytes in small pieces: with pages of 4 KiB a twentieth of the
/// time of a dense bed goes into tables of pages (bench/peers/README.md). The C library reads this setting
/// from the environment at its start and nowhere else. Who has set glibc.malloc.hugetlb in GLIBC_TUNABLES is
/// obeyed, so =0 keeps a program as it is under a debugger or valgrind.
void restart_on_huge_pages(char** argv);

}  // namespace repose
