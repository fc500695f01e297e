#include "repose/core/machine.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include <sys/resource.h>
#include <unistd.h>

namespace repose {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The limit that a container is held to; the file holds a number, or "max" where there is none.
double group_limit(const char* path) {
  std::ifstream file(path);
  double bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : kInfinity;
}

}  // namespace

double available_memory() {
  double bytes = kInfinity;
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) bytes = static_cast<double>(pages) * static_cast<double>(page);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return std::min({bytes, group_limit("/sys/fs/cgroup/memory.max"),
                   group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

}  // namespace repose
