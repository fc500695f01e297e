#pragma once
// Where the wall time of a run goes: named stages, each with the seconds spent in it so far.

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace repose {

struct StageTime {
  std::string name;
  double seconds;
};

/// The stages are named once, so that tables made of them keep their columns. Used from one thread.
///
///   StageTimer timer{"neighbors", "contacts"};
///   { const auto measured = timer.measure(0); find_neighbors(); }
class StageTimer {
 public:
  StageTimer(std::initializer_list<const char*> names) {
    for (const char* name : names) stages_.push_back({name, 0});
  }

  /// Adds the time until it goes out of scope to its stage.
  class Measured {
   public:
    explicit Measured(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
    ~Measured() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    double& seconds_;
    Clock::time_point start_;
  };

  [[nodiscard]] Measured measure(std::size_t stage) { return Measured(stages_[stage].seconds); }

  /// The seconds of every stage since the last call, in the order of the names.
  std::vector<StageTime> take() {
    std::vector<StageTime> taken = stages_;
    for (StageTime& stage : stages_) stage.seconds = 0;
    return taken;
  }

 private:
  std::vector<StageTime> stages_;
};

}  // namespace repose
