// Threads on oneTBB, the scheduler that Embree runs on too. The thread sanitizer cannot see into Debian's
// libtbb; its build takes threads_std.cpp instead.

#include "repose/exec/threads.h"

#include <algorithm>

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "repose/exec/startable_threads.h"

namespace repose {

namespace {
// oneTBB never runs more threads than cores unless a global_control asks for it, and of several such objects
// the smallest value counts. So every Threads asks for the same large value, and its arena is what limits it:
// objects of different sizes live side by side without taking threads from each other.
constexpr int kProcessLimit = 256;
}  // namespace

struct Threads::Pool {
  explicit Pool(int count)
      : limit(tbb::global_control::max_allowed_parallelism,
              static_cast<std::size_t>(std::max(count, kProcessLimit))),
        arena(count) {}
  tbb::global_control limit;
  tbb::task_arena arena;
};

Threads::Threads(int count)
    : count_(startable_threads(count, tbb::info::default_concurrency())),
      pool_(std::make_unique<Pool>(count_)) {}
Threads::~Threads() = default;

void Threads::run_enclosed(void* data, void (*call)(void*)) {
  pool_->arena.execute([&] { call(data); });
}

void Threads::run(std::size_t count, void* data, void (*call)(void*, std::size_t)) {
  if (count == 0) return;
  if (count == 1 || count_ == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      check_stop();
      call(data, i);
    }
    return;
  }
  // Isolated: a thread that waits for its own inner loop must not pick up a chunk of an outer one meanwhile.
  pool_->arena.execute([&] {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(
          std::size_t{0}, count,
          [&](std::size_t i) {
            check_stop();
            call(data, i);
          },
          tbb::simple_partitioner{});
    });
  });
}

}  // namespace repose
