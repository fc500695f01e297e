#pragma once
// One piece of work at a time on a thread of its own, while the caller goes on.

#include <functional>
#include <memory>

namespace repose {

class Background {
 public:
  Background();
  /// Waits; what the work threw is lost.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Starts work() once what was started before is done, and throws what that threw. Where the system
  /// refuses a thread, work() is done here and now.
  void start(const std::function<void()>& work);
  /// Returns when nothing is at work; throws what the work threw.
  void wait();

 private:
  struct Job;
  std::unique_ptr<Job> job_;
};

}  // namespace repose
