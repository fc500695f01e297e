#include "repose/exec/threads.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/exec/stage_timer.h"
#include "repose/exec/startable_threads.h"

namespace repose {
namespace {

TEST(Threads, CallsEachChunkOnce) {
  for (const int count : {1, 2, 4, 7}) {
    Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (const std::size_t n : {0U, 1U, 99U, 100U, 101U, 5000U}) {
      std::vector<int> calls(n, 0);
      std::vector<int> chunks((n + 99) / 100, 0);
      threads.for_chunks(n, 100, [&](std::size_t begin, std::size_t end, std::size_t chunk) {
        EXPECT_EQ(begin, chunk * 100);
        EXPECT_EQ(end, std::min(begin + 100, n));
        ++chunks[chunk];
        for (std::size_t i = begin; i < end; ++i) ++calls[i];
      });
      EXPECT_EQ(calls, std::vector<int>(n, 1));
      EXPECT_EQ(chunks, std::vector<int>((n + 99) / 100, 1));
    }
  }
}

/// The threads that take part when `count` calls wait for each other; waiting ends after a second.
std::size_t threads_that_meet(Threads& threads, std::size_t count) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  const auto met = [&] {
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
    return ids.size();
  };
  threads.for_chunks(count, 1, [&](std::size_t, std::size_t, std::size_t) {
    while (met() < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  return ids.size();
}

TEST(Threads, RunsAsManyThreadsAsAskedEvenBesideOtherObjects) {
  Threads one(1), two(2), four(4);
  EXPECT_EQ(threads_that_meet(four, 4), 4U);
  EXPECT_EQ(threads_that_meet(two, 2), 2U);
  EXPECT_EQ(threads_that_meet(four, 4), 4U);
}

TEST(Threads, NeverRunsMoreThreadsThanAsked) {
  Threads two(2), four(4);
  std::atomic<int> running = 0, most = 0;
  two.for_chunks(200, 1, [&](std::size_t, std::size_t, std::size_t) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 2);
}

TEST(Threads, ReducesToTheSameBitsForAnyNumberOfThreads) {
  const std::size_t n = 100003;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = std::sin(static_cast<double>(i)) * std::exp(1e-4 * static_cast<double>(i));
  const auto sum = [&](int count) {
    Threads threads(count);
    return threads.reduce(
        n, 0.0,
        [&](std::size_t begin, std::size_t end) {
          double s = 0;
          for (std::size_t i = begin; i < end; ++i) s += values[i];
          return s;
        },
        [](double a, double b) { return a + b; });
  };
  const double expected = sum(1);
  EXPECT_NEAR(expected, std::accumulate(values.begin(), values.end(), 0.0), 1e-9 * std::abs(expected));
  for (const int count : {2, 4, 7}) EXPECT_EQ(sum(count), expected);
}

TEST(Threads, ReduceOfNothingIsTheStart) {
  Threads threads(2);
  EXPECT_EQ(threads.reduce(
                0, 5, [](std::size_t, std::size_t) { return 1; }, [](int a, int b) { return a + b; }),
            5);
}

TEST(Threads, ThrowsAgainWhatAChunkThrew) {
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    for (int round = 0; round < 20; ++round) {
      EXPECT_THROW(threads.for_each(
                       10000,
                       [](std::size_t i) {
                         if (i == 7777) throw std::out_of_range("7777");
                       },
                       10),
                   std::out_of_range);
    }
    // And works on as before.
    std::atomic<int> calls = 0;
    threads.for_each(
        1000, [&](std::size_t) { ++calls; }, 10);
    EXPECT_EQ(calls, 1000);
  }
}

TEST(Threads, LoopsMayBeNested) {
  for (const int count : {1, 2, 4}) {
    Threads threads(count);
    std::vector<int> calls(40 * 50, 0);
    threads.for_each(
        40,
        [&](std::size_t i) {
          // An outer chunk that this thread picked up while it waits for the inner loop would block here.
          std::mutex mutex;
          const std::lock_guard lock(mutex);
          threads.for_each(
              50, [&](std::size_t j) { ++calls[i * 50 + j]; }, 5);
        },
        1);
    EXPECT_EQ(calls, std::vector<int>(40 * 50, 1));
  }
}

TEST(Threads, AWaitingThreadDoesNotStartAnotherOuterChunk) {
  Threads threads(4);
  std::atomic<int> entered_twice = 0;
  threads.for_each(
      64,
      [&](std::size_t) {
        thread_local int depth = 0;
        if (++depth > 1) ++entered_twice;
        threads.for_each(
            64, [](std::size_t) { std::this_thread::yield(); }, 1);
        --depth;
      },
      1);
  EXPECT_EQ(entered_twice, 0);
}

TEST(Threads, ServesSeveralCallersAtOnce) {
  Threads threads(3);
  std::atomic<int> calls = 0;
  const auto caller = [&] {
    for (int round = 0; round < 50; ++round)
      threads.for_each(
          100, [&](std::size_t) { ++calls; }, 5);
  };
  std::thread other(caller);
  caller();
  other.join();
  EXPECT_EQ(calls, 2 * 50 * 100);
}

TEST(Threads, StopWhileAScopeSaysSo) {
  for (const int count : {1, 3}) {
    Threads threads(count);
    std::atomic<bool> stop = false;
    std::atomic<int> calls = 0;
    const auto loop = [&] {
      threads.for_each(
          1000, [&](std::size_t) { stop = ++calls >= 10; }, 1);
    };
    {
      const StopScope scope(threads, &stop);
      try {
        loop();
        FAIL() << "it was not stopped";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::interrupted);
      }
      EXPECT_LT(calls, 10 + 2 * count);
      const StopScope inner(threads, nullptr);
      EXPECT_THROW(threads.check_stop(), Error) << "a null flag changes nothing";
    }
    calls = 0;
    loop();
    EXPECT_EQ(calls, 1000) << "outside of the scope nothing stops";
    threads.check_stop();
  }
}

TEST(Threads, AreNoMoreThanCanBe) {
  EXPECT_THROW(Threads(Threads::kMost + 1), Error);
  EXPECT_EQ(startable_threads(3, 1), 3);
  EXPECT_EQ(startable_threads(0, 2), 2);
  EXPECT_EQ(startable_threads(0, 0), 1);
}

TEST(StageTimer, AddsUpTheTimeOfEachStage) {
  StageTimer timer{"neighbors", "contacts"};
  for (int i = 0; i < 2; ++i) {
    const auto measured = timer.measure(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const std::vector<StageTime> first = timer.take(), second = timer.take();
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].name, "neighbors");
  EXPECT_EQ(first[0].seconds, 0);
  EXPECT_EQ(first[1].name, "contacts");
  EXPECT_GE(first[1].seconds, 0.01);
  EXPECT_EQ(second[1].name, "contacts");
  EXPECT_EQ(second[1].seconds, 0);
}

}  // namespace
}  // namespace repose
