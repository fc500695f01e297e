#pragma once
// A solver small enough to run hundreds of times in a test: points that hop on a floor, a new one every few
// steps. Its time step depends on its state, so that a resume which lost anything would show.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "repose/core/random.h"
#include "repose/solvers/solver.h"

namespace repose::test {

class FakeSolver final : public Solver {
 public:
  /// on_step is called before each step with the number of steps of this process.
  FakeSolver(const Scene& scene, std::function<void(int)> on_step)
      : on_step_(std::move(on_step)),
        seed_(scene.info.seed),
        time_(-scene.info.settle),
        interval_start_(-scene.info.settle) {
    for (int i = 0; i < 3; ++i) add_point();
  }

  StepReport step(double max_dt) override {
    if (on_step_) on_step_(steps_here_++);
    const double own = 0.011 * (1.2 + std::sin(7.0 * time_ + static_cast<double>(position_.size())));
    StepReport report;
    report.dt = std::min(own, max_dt);
    report.limit = own <= max_dt ? "speed" : "frame";
    for (std::size_t i = 0; i < position_.size(); ++i) {
      velocity_[i].z -= 9.81 * report.dt;
      position_[i] += report.dt * velocity_[i];
      if (position_[i].z > 0) continue;
      position_[i].z = -position_[i].z;
      impulse_ += 2 * std::abs(velocity_[i].z);
      velocity_[i].z = std::abs(velocity_[i].z);
    }
    time_ += report.dt;
    if (++steps_ % 4 == 0) add_point();
    if (time_ > fail_after) report.failure = "a point is not finite: make the time step smaller";
    return report;
  }
  double time() const override { return time_; }

  void fill_frame(Frame& frame) const override {
    for (std::size_t i = 0; i < position_.size(); ++i) {
      frame.id.push_back(static_cast<std::uint32_t>(i));
      frame.position.push_back(position_[i]);
      frame.velocity.emplace_back(velocity_[i]);
      frame.radius.push_back(0.1F);
      frame.material.push_back(0);
      frame.orientation.emplace_back(1.0F, 0.0F, 0.0F, 0.0F);
      frame.angular_velocity.emplace_back(0.0F, 0.0F, 0.0F);
      frame.shape.push_back(0);
    }
    BodyRow floor;
    floor.name = "domain.z-";
    const double span = time_ - interval_start_;
    floor.force = {0, 0, span > 0 ? -impulse_ / span : 0};
    BodyRow late;
    late.name = "late";
    late.present = time_ > 0.1;
    frame.bodies = {late, floor};
  }
  void begin_interval() override {
    interval_start_ = time_;
    impulse_ = 0;
  }
  SolverStats stats() const override {
    SolverStats stats;
    stats.particles = stats.elements = position_.size();
    stats.mass = static_cast<double>(position_.size());
    for (const Vec3d& v : velocity_) {
      stats.momentum += v;
      stats.kinetic += 0.5 * v.dot(v);
      stats.max_speed = std::max(stats.max_speed, v.length());
    }
    stats.errors = {{"max_overlap", 1.0 / (1.0 + time_ * time_)}};
    return stats;
  }
  std::vector<GrainShape> grain_shapes() const override { return {{"sphere", {{{0, 0, 0}, 1}}}}; }

  void save(ArchiveWriter& out) const override {
    out.put("time", time_);
    out.put("interval start", interval_start_);
    out.put("impulse", impulse_);
    out.put("steps", steps_);
    out.put("position", position_);
    out.put("velocity", velocity_);
  }
  void load(ArchiveReader& in) override {
    in.get("time", time_);
    in.get("interval start", interval_start_);
    in.get("impulse", impulse_);
    in.get("steps", steps_);
    in.get("position", position_);
    in.get("velocity", velocity_);
  }
  std::vector<StageTime> take_stage_times() override { return {{"hop", 0.001}, {"think", 0.002}}; }

  double fail_after = 1e9;  ///< [s]

 private:
  void add_point() {
    Random random(seed_, Stream::test, 0, position_.size());
    position_.emplace_back(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(0, 1));
    velocity_.emplace_back(random.uniform(-0.1, 0.1), 0, 0);
  }

  std::function<void(int)> on_step_;
  std::uint64_t seed_;
  double time_, interval_start_, impulse_ = 0;
  std::uint64_t steps_ = 0;
  int steps_here_ = 0;
  std::vector<Vec3d> position_, velocity_;
};

}  // namespace repose::test
