#pragma once
// Threads: the only room of Repose that knows about them. A `Threads` is handed to whatever wants to work in
// parallel.
//
// Everything here gives the same bits for any number of threads: the work is cut into chunks whose size
// depends on the problem alone, partial results are kept by chunk, and they are joined in the order of the
// chunks.

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace repose {

class Threads {
 public:
  /// The most that can be asked for.
  static constexpr int kMost = 1024;

  /// 0: all cores, or one thread where the system refuses more. There may be more threads than cores.
  /// Throws Error(run_failed) where the system refuses `count`, Error(usage) past kMost.
  explicit Threads(int count = 0);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }

  /// Throws Error(interrupted) where the flag of a StopScope is raised: for long loops on one thread.
  void check_stop() const;

  /// Calls f(begin, end, chunk_index) for [0, n) cut into chunks of `chunk` items, in any order, on all
  /// threads.
  template <class F>
  void for_chunks(std::size_t n, std::size_t chunk, F&& f) {
    using Function = std::remove_reference_t<F>;
    struct Call {
      std::size_t n, chunk;
      Function* f;
    } call{n, chunk, &f};
    run((n + chunk - 1) / chunk, &call, [](void* data, std::size_t index) {
      const Call& c = *static_cast<Call*>(data);
      const std::size_t begin = index * c.chunk;
      const std::size_t end = begin + c.chunk < c.n ? begin + c.chunk : c.n;
      (*c.f)(begin, end, index);
    });
  }

  /// Calls f(i) for each i in [0, n).
  template <class F>
  void for_each(std::size_t n, F&& f, std::size_t chunk = kChunk) {
    for_chunks(n, chunk, [&f](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) f(i);
    });
  }

  /// join(... join(join(start, part(0, chunk)), part(chunk, 2 chunk)) ...): parts in parallel, joined in
  /// order.
  template <class T, class Part, class Join>
  T reduce(std::size_t n, T start, Part&& part, Join&& join, std::size_t chunk = kChunk) {
    static_assert(!std::is_same_v<T, bool>, "neighbours of a std::vector<bool> share a word: use char");
    std::vector<T> parts((n + chunk - 1) / chunk, start);
    for_chunks(n, chunk, [&](std::size_t begin, std::size_t end, std::size_t index) {
      parts[index] = part(begin, end);
    });
    for (const T& value : parts) start = join(start, value);
    return start;
  }

  /// Calls f() once, where libraries that run on oneTBB use these threads and no others.
  template <class F>
  void enclose(F&& f) {
    using Function = std::remove_reference_t<F>;
    run_enclosed(&f, [](void* data) { (*static_cast<Function*>(data))(); });
  }

  static constexpr std::size_t kChunk = 1024;

 private:
  void run_enclosed(void* data, void (*call)(void*));
  /// Calls call(data, i) for each i in [0, count), each exactly once, and returns when all are done.
  /// The first exception that a call throws is thrown again here.
  void run(std::size_t count, void* data, void (*call)(void*, std::size_t));

  friend class StopScope;
  struct Pool;
  int count_;
  std::unique_ptr<Pool> pool_;
  const std::atomic<bool>* stop_ = nullptr;
};

/// While it lives, parallel loops of these threads throw Error(interrupted) once the flag is raised, and so
/// obey Ctrl-C. For work whose results are thrown away then (a set-up, a picture), never around a solver's
/// step: its state would be left half-way. A null flag changes nothing.
class StopScope {
 public:
  StopScope(Threads& threads, const std::atomic<bool>* flag) : threads_(threads), outer_(threads.stop_) {
    if (flag != nullptr) threads.stop_ = flag;
  }
  ~StopScope() { threads_.stop_ = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  Threads& threads_;
  const std::atomic<bool>* outer_;
};

}  // namespace repose
