#include "repose/core/huge_pages.h"

#include <cstdlib>
#include <string>

#include <unistd.h>

namespace repose {

void restart_on_huge_pages(char** argv) {
  const char* given = std::getenv("GLIBC_TUNABLES");
  std::string tunables = given != nullptr ? given : "";
  if (tunables.find("glibc.malloc.hugetlb=") != std::string::npos) return;
  if (!tunables.empty()) tunables += ':';
  tunables += "glibc.malloc.hugetlb=1";  // transparent ones; systems and libraries that have none ignore it
  if (setenv("GLIBC_TUNABLES", tunables.c_str(), 1) == 0) execv("/proc/self/exe", argv);
}

}  // namespace repose
