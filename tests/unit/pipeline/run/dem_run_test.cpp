// The promise of --resume with the real dem solver: grains in contact, a moving body, an emitter and a sink.

#include "unit/pipeline/run_fixture.h"

namespace repose::test {
namespace {

constexpr const char* kGrains = R"(
[scene]
version = 1
duration = 0.12
fps = 50
[domain]
min = [-0.1, -0.1, 0]
max = [0.1, 0.1, 0.3]
x = "wall"
y = ["wall", "open"]
z = ["wall", "open"]
[solver]
type = "dem"
spacing = 0.02
[material.sand]
young = 2e5
friction = 0.5
[fill.heap]
material = "sand"
shape = "box"
size = [0.1, 0.08, 0.06]
position = [0, 0, 0.04]
velocity = [0.3, 0.2, -0.5]
[emitter.tap]
material = "sand"
shape = "box"
size = [0.06, 0.06, 0.03]
position = [0, 0, 0.2]
rate = 0.4
velocity = [0, 0, -1]
[sink.hole]
shape = "box"
size = [0.04, 0.2, 0.1]
position = [0.08, 0, 0]
[body.paddle]
shape = "box"
size = [0.02, 0.1, 0.05]
position = [-0.07, 0, 0.03]
motion = "keyframed"
keyframes = [{t = 0, position = [-0.07, 0, 0.03]}, {t = 0.12, position = [0.02, 0, 0.03], rotation = [0, 0, 40]}]
[render]
size = [32, 18]
samples = 1
)";

/// The real solver, which dies at its n-th step.
class MortalSolver final : public Solver {
 public:
  MortalSolver(std::unique_ptr<Solver> solver, int last_step)
      : solver_(std::move(solver)), left_(last_step) {}
  StepReport step(double max_dt) override {
    if (left_-- == 0) throw Killed{};
    return solver_->step(max_dt);
  }
  double time() const override { return solver_->time(); }
  void fill_frame(Frame& frame) const override { solver_->fill_frame(frame); }
  void begin_interval() override { solver_->begin_interval(); }
  SolverStats stats() const override { return solver_->stats(); }
  std::vector<GrainShape> grain_shapes() const override { return solver_->grain_shapes(); }
  SolverPlan plan() const override { return solver_->plan(); }
  void save(ArchiveWriter& out) const override { solver_->save(out); }
  void load(ArchiveReader& in) override { solver_->load(in); }
  std::vector<StageTime> take_stage_times() override { return solver_->take_stage_times(); }

 private:
  std::unique_ptr<Solver> solver_;
  int left_;
};

class DemRunTest : public RunTest {
 protected:
  DemRunTest() { scene_ = parse_scene(kGrains, "grains.toml", folder_.path().string()); }

  RunSummary go_dem(const std::string& name, Threads& threads) {
    options_.output = at(name);
    return run(scene_, options_, threads, recorder_);
  }
  void go_dem_killed(const std::string& name, int step) {
    RunParts parts = default_parts();
    parts.make_solver = [step](const Scene& scene, Threads& threads, const LogSink& log) {
      return std::make_unique<MortalSolver>(make_solver(scene, threads, log), step);
    };
    options_.output = at(name);
    EXPECT_THROW(run(scene_, options_, threads_, recorder_, parts), Killed);
  }
};

TEST_F(DemRunTest, KilledAndResumedGivesTheSameForAnyNumberOfThreads) {
  const RunSummary whole = go_dem("whole", threads_);
  EXPECT_GT(whole.steps, 100U);
  EXPECT_GT(whole.particles, 20U);
  Threads one{1}, four{4};
  EXPECT_EQ(go_dem("one", one).state_hash, whole.state_hash);
  expect_equal("one", "whole");

  options_.checkpoint_seconds = 0;
  const int steps = static_cast<int>(whole.steps);
  for (const int step : {1, steps / 6, steps / 3, steps / 2, steps - 1}) {
    SCOPED_TRACE(step);
    options_.resume = false;
    options_.force = true;
    go_dem_killed("killed", step);
    options_.resume = true;
    EXPECT_EQ(go_dem("killed", four).state_hash, whole.state_hash);
    expect_equal("killed", "whole");
  }
}

TEST_F(DemRunTest, KilledWhileItSettlesItGoesOnToTheSame) {
  scene_.info.settle = 0.02;
  options_.frames = 2;
  const RunSummary whole = go_dem("whole", threads_);
  options_.checkpoint_seconds = 0;
  for (const int step : {1, 20}) {
    options_.resume = false;
    options_.force = true;
    go_dem_killed("killed", step);
    ASSERT_FALSE(std::filesystem::exists(at("killed") / "particles")) << "not in the settling";
    options_.resume = true;
    EXPECT_EQ(go_dem("killed", threads_).state_hash, whole.state_hash);
    expect_equal("killed", "whole");
  }
}

TEST_F(DemRunTest, PlansWhatItsFilesNeed) {
  options_.frames = 1;
  go_dem("grains", threads_);
  const SolverPlan plan = plan_run(scene_, threads_);
  const CsvContent table = read_csv(at("grains") / "stats.csv");
  const std::uintmax_t header =
      read_text(at("grains") / "particles/particles.0000.ply").find("end_header") + 11;
  const double row = static_cast<double>(
                         std::filesystem::file_size(at("grains") / "particles/particles.0000.ply") - header) /
                     std::stod(table.rows[0][4]);
  EXPECT_EQ(plan.frame_bytes, row * plan.particles());
}

TEST_F(DemRunTest, PicturesDoNotChangeTheRun) {
  options_.frames = 2;
  options_.render = true;
  const std::string drawn = go_dem("drawn", threads_).state_hash;
  options_.render = false;
  EXPECT_EQ(go_dem("plain", threads_).state_hash, drawn);
}

}  // namespace
}  // namespace repose::test
