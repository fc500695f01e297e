#include "repose/exec/startable_threads.h"

#include <algorithm>
#include <latch>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "repose/core/error.h"
#include "repose/exec/threads.h"

namespace repose {
namespace {

/// Starts up to `count` threads that live at the same time; how many there were.
int count_startable(int count) {
  std::latch all_started(1);
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) threads.emplace_back([&all_started] { all_started.wait(); });
  } catch (const std::system_error&) {
    // The system refused one: those before it are the answer.
  }
  all_started.count_down();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

}  // namespace

void Threads::check_stop() const {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed))
    throw Error(ExitCode::interrupted, "interrupted");
}

int startable_threads(int wanted, int cores) {
  if (wanted > Threads::kMost)
    throw Error(ExitCode::usage, "at most " + std::to_string(Threads::kMost) + " threads can be used, not " +
                                     std::to_string(wanted));
  const int count = wanted > 0 ? wanted : std::clamp(cores, 1, Threads::kMost);
  const int started = 1 + count_startable(count - 1);
  if (started == count) return count;
  if (wanted == 0) return 1;
  throw Error(ExitCode::run_failed, "cannot start " + std::to_string(wanted) +
                                        " threads: the system allows " + std::to_string(started) +
                                        " here; use fewer threads (--threads), or raise its limits on "
                                        "processes and memory (ulimit -u, ulimit -v)");
}

}  // namespace repose
