// Threads on std::thread, for the thread sanitizer: every synchronisation is visible to it. The chunks are
// those of threads.cpp, so the results are the same to the bit. Libraries that run on oneTBB are held to one
// thread as long as a Threads lives.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <tbb/global_control.h>

#include "repose/exec/startable_threads.h"
#include "repose/exec/threads.h"

namespace repose {

namespace {

/// One call of Threads::run, on the stack of its caller.
struct Job {
  std::size_t count;
  void* data;
  void (*call)(void*, std::size_t);
  std::atomic<std::size_t> next = 0;  ///< the first index that nobody has taken
  int helper_count = 0;               ///< workers inside the job; guarded by the pool's mutex
  std::exception_ptr error{};         ///< likewise

  bool has_work() const { return next.load() < count; }
};

}  // namespace

struct Threads::Pool {
  explicit Pool(int count) : library_limit(tbb::global_control::max_allowed_parallelism, 1) {
    for (int i = 1; i < count; ++i) workers.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex);
      quit = true;
    }
    work_ready.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  /// Takes indices of the job until none is left. An exception ends the job early.
  void drain(Job& job) {
    for (std::size_t i; (i = job.next.fetch_add(1)) < job.count;) {
      try {
        job.call(job.data, i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!job.error) job.error = std::current_exception();
        job.next.store(job.count);
      }
    }
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      // The newest job first: it is the innermost of nested ones, and its caller waits for it.
      Job* job = nullptr;
      work_ready.wait(lock, [&] {
        const auto found = std::find_if(jobs.rbegin(), jobs.rend(), [](Job* j) { return j->has_work(); });
        job = found != jobs.rend() ? *found : nullptr;
        return quit || job != nullptr;
      });
      if (job == nullptr) return;
      ++job->helper_count;
      lock.unlock();
      drain(*job);
      lock.lock();
      if (--job->helper_count == 0) job_left.notify_all();
    }
  }

  void run(Job& job) {
    {
      const std::lock_guard lock(mutex);
      jobs.push_back(&job);
    }
    work_ready.notify_all();
    drain(job);
    {
      std::unique_lock lock(mutex);
      std::erase(jobs, &job);
      job_left.wait(lock, [&] { return job.helper_count == 0; });
    }
    if (job.error) std::rethrow_exception(job.error);
  }

  tbb::global_control library_limit;
  std::mutex mutex;
  std::condition_variable work_ready, job_left;
  std::vector<Job*> jobs;
  bool quit = false;
  std::vector<std::thread> workers;
};

Threads::Threads(int count)
    : count_(startable_threads(count, static_cast<int>(std::thread::hardware_concurrency()))),
      pool_(std::make_unique<Pool>(count_)) {}
Threads::~Threads() = default;

void Threads::run_enclosed(void* data, void (*call)(void*)) { call(data); }

void Threads::run(std::size_t count, void* data, void (*call)(void*, std::size_t)) {
  if (count == 0) return;
  if (count == 1 || count_ == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      check_stop();
      call(data, i);
    }
    return;
  }
  struct Checked {
    const Threads* threads;
    void* data;
    void (*call)(void*, std::size_t);
  } checked{this, data, call};
  Job job{.count = count, .data = &checked, .call = [](void* inner, std::size_t i) {
            const Checked& c = *static_cast<Checked*>(inner);
            c.threads->check_stop();
            c.call(c.data, i);
          }};
  pool_->run(job);
}

}  // namespace repose
