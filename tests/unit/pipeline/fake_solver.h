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
        x_center_(scene.fills.at(0).shape->pose.position.x),
        time_(-scene.info.settle),
        interval_start_(-scene.info.settle) {
    for (int i = 0; i < 3; ++i) add_point();
  }

  StepReport step(double max_dt) override {
    if (on_step_) on_step_(steps_here_++);
    const double own = 0.011 * (1.2 + std::sin(7.0 * time_ + static_cast<double>(points_.size())));
    StepReport report;
    report.dt = std::min(own, max_dt);
    report.limit = own <= max_dt ? "speed" : "frame";
    for (Point& p : points_) {
      p.v_z -= 9.81 * report.dt;
      p.x += report.dt * p.v_x;
      p.z += report.dt * p.v_z;
      if (p.z > 0) continue;
      p.z = -p.z;
      impulse_ += 2 * std::abs(p.v_z);
      p.v_z = std::abs(p.v_z);
    }
    time_ += report.dt;
    if (++steps_ % 4 == 0) add_point();
    if (time_ > fail_after) report.failure = "a point is not finite: make the time step smaller";
    return report;
  }
  double time() const override { return time_; }

  void fill_frame(Frame& frame) const override {
    frame = {};
    frame.kind = ParticleKind::grains;
    for (const Point& p : points_) {
      frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
      frame.position.emplace_back(p.x, p.y, p.z);
      frame.velocity.emplace_back(static_cast<float>(p.v_x), 0.0F, static_cast<float>(p.v_z));
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
    stats.particles = stats.elements = points_.size();
    stats.mass = static_cast<double>(points_.size());
    for (const Point& p : points_) {
      const Vec3d v(p.v_x, 0, p.v_z);
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
    out.put("points", points_);
  }
  void load(ArchiveReader& in) override {
    in.get("time", time_);
    in.get("interval start", interval_start_);
    in.get("impulse", impulse_);
    in.get("steps", steps_);
    in.get("points", points_);
  }
  std::vector<StageTime> take_stage_times() override { return {{"hop", 0.001}, {"think", 0.002}}; }

  SolverPlan plan() const override { return planned; }

  double fail_after = 1e9;  ///< [s]
  SolverPlan planned;

 private:
  struct Point {
    double x, y, z, v_x, v_z;
  };
  void add_point() {
    Random random(seed_, Stream::test, 0, points_.size());
    points_.push_back({.x = x_center_ + random.uniform(-0.5, 0.5),
                       .y = random.uniform(-0.5, 0.5),
                       .z = random.uniform(0, 1),
                       .v_x = random.uniform(-0.1, 0.1),
                       .v_z = 0});
  }

  std::function<void(int)> on_step_;
  std::uint64_t seed_;
  double x_center_;  ///< [m]
  double time_, interval_start_, impulse_ = 0;
  std::uint64_t steps_ = 0;
  int steps_here_ = 0;
  std::vector<Point> points_;
};

}  // namespace repose::test
