#include "repose/exec/threads.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace repose {

struct Threads::Pool {
  explicit Pool(int count)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)), arena(count) {}
  tbb::global_control limit;
  tbb::task_arena arena;
};

Threads::Threads(int count)
    : count_(count > 0 ? count : tbb::info::default_concurrency()), pool_(std::make_unique<Pool>(count_)) {}
Threads::~Threads() = default;

void Threads::run(std::size_t count, void* data, void (*call)(void*, std::size_t)) {
  if (count == 0) return;
  if (count == 1 || count_ == 1) {
    for (std::size_t i = 0; i < count; ++i) call(data, i);
    return;
  }
  pool_->arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, count, [&](std::size_t i) { call(data, i); }, tbb::simple_partitioner{});
  });
}

}  // namespace repose
