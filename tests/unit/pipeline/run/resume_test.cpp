// The promise of --resume: however a run was stopped, going on gives what an uninterrupted run gives.

#include <csignal>

#include "unit/pipeline/run_fixture.h"
#include <sys/resource.h>

#include "repose/io/run/checkpoint.h"

namespace repose::test {
namespace {

class ResumeTest : public RunTest {
 protected:
  ResumeTest() {
    whole_ = go("whole");
    EXPECT_GT(whole_.steps, 20U);
    EXPECT_EQ(whole_.state_hash.size(), 16U);
  }
  void expect_as_whole(const std::string& name, const RunSummary& summary) {
    EXPECT_EQ(summary.outcome, RunOutcome::done);
    EXPECT_EQ(summary.state_hash, whole_.state_hash);
    EXPECT_EQ(summary.steps, whole_.steps);
    EXPECT_EQ(summary.dt_min, whole_.dt_min);
    EXPECT_EQ(summary.dt_mean, whole_.dt_mean);
    EXPECT_EQ(manifest(name).state_hash, whole_.state_hash);
    EXPECT_EQ(manifest(name).status, RunStatus::done);
    EXPECT_EQ(manifest(name).written, manifest("whole").written);
    expect_equal(name, "whole");
  }
  RunSummary whole_;
};

TEST_F(ResumeTest, KilledAtAnyStepWithACheckpointAtEachStep) {
  options_.checkpoint_seconds = 0;
  for (int step = 1; step < static_cast<int>(whole_.steps); ++step) {
    SCOPED_TRACE(step);
    go_killed("killed", step);
    expect_as_whole("killed", resume("killed"));
    options_.force = true;
  }
}

TEST_F(ResumeTest, KilledAtAnyStepWithTheFirstCheckpointOnly) {
  for (int step = 1; step < static_cast<int>(whole_.steps); ++step) {
    SCOPED_TRACE(step);
    go_killed("killed", step);
    expect_as_whole("killed", resume("killed"));
    options_.force = true;
  }
}

TEST_F(ResumeTest, InterruptedAtAnyStep) {
  for (int step = 0; step + 1 < static_cast<int>(whole_.steps); ++step) {
    SCOPED_TRACE(step);
    std::atomic<bool> interrupt = false;
    options_.interrupt = &interrupt;
    on_step_ = [&](int n) { interrupt = n >= step; };
    const RunSummary stopped = go("stopped");
    EXPECT_EQ(stopped.outcome, RunOutcome::interrupted);
    EXPECT_NE(stopped.message.find("--resume"), std::string::npos);
    EXPECT_EQ(manifest("stopped").status, RunStatus::interrupted);
    EXPECT_EQ(stopped.steps, static_cast<std::uint64_t>(step + 1));
    interrupt = false;
    on_step_ = nullptr;
    expect_as_whole("stopped", resume("stopped"));
    options_.force = true;
  }
}

TEST_F(ResumeTest, ManyTimesInARow) {
  options_.checkpoint_seconds = 0;
  go_killed("killed", 5);
  options_.resume = true;
  for (int i = 0; i < 5; ++i) go_killed("killed", 3);
  expect_as_whole("killed", resume("killed"));
}

TEST_F(ResumeTest, DamagedCheckpointFallsBackToTheOneBefore) {
  options_.checkpoint_seconds = 0;
  go_killed("killed", 12);
  // With a checkpoint at each step the newest is the one of the later number; damage both in turn.
  for (const auto& path : CheckpointStore::files(at("killed") / "checkpoint")) {
    const std::string good = read_text(path);
    std::string bad = good;
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 64);
    write_file(path, bad);
    options_.resume = true;
    go_killed("killed", 3);
    options_.resume = false;
  }
  expect_as_whole("killed", resume("killed"));
  EXPECT_EQ(recorder_.messages.size(), 2U);
}

TEST_F(ResumeTest, NoGoodCheckpointIsRefusedWithARemedy) {
  go_killed("killed", 12);
  for (const auto& path : CheckpointStore::files(at("killed") / "checkpoint"))
    if (std::filesystem::exists(path)) write_file(path, "nonsense");
  EXPECT_EQ(
      error_of([&] { resume("killed"); }, ExitCode::usage),
      "cannot resume " + at("killed").string() + ": it holds no good checkpoint; start it anew with --force");
}

TEST_F(ResumeTest, OnAFinishedRunDoesNothing) {
  go("again");
  const auto before = contents("again");
  const RunSummary summary = resume("again");
  EXPECT_EQ(summary.outcome, RunOutcome::nothing_to_do);
  EXPECT_EQ(summary.state_hash, whole_.state_hash);
  EXPECT_EQ(summary.message, "nothing to do: the run is complete to frame 6");
  EXPECT_EQ(manifest("again").status, RunStatus::done);
  EXPECT_EQ(contents("again"), before);
  options_.frames = 2;
  EXPECT_EQ(resume("again").outcome, RunOutcome::nothing_to_do);
  EXPECT_EQ(contents("again"), before);
}

TEST_F(ResumeTest, TakesTheHashFromTheCheckpointNotFromTheManifest) {
  go("again");
  Manifest stale = manifest("again");
  stale.state_hash = "0000000000000000";
  write_manifest(at("again") / "manifest.json", stale);
  EXPECT_EQ(resume("again").state_hash, whole_.state_hash);
  EXPECT_EQ(manifest("again").state_hash, whole_.state_hash);
}

TEST_F(ResumeTest, WithALongerDurationGoesOn) {
  options_.frames = 3;
  go("short");
  EXPECT_EQ(manifest("short").frames_done, 3);
  options_.frames.reset();
  expect_as_whole("short", resume("short"));
}

TEST_F(ResumeTest, WithFewerFramesLeavesNoneBehind) {
  go_killed("killed", static_cast<int>(whole_.steps) - 1);
  options_.frames = 4;
  resume("killed");
  options_.frames.reset();
  set("scene.duration=0.2");
  go("four");
  expect_equal("killed", "four");
}

TEST_F(ResumeTest, AnyNumberOfThreadsGivesTheSame) {
  Threads one{1};
  options_.output = at("one");
  RunParts parts;
  parts.make_solver = [](const Scene& scene, Threads&, const LogSink&) {
    return std::make_unique<FakeSolver>(scene, nullptr);
  };
  EXPECT_EQ(run(scene_, options_, one, recorder_, parts).state_hash, whole_.state_hash);
}

TEST_F(ResumeTest, ChangedPhysicsIsRefusedWithTheKeys) {
  go_killed("killed", 12);
  set("scene.seed=99");
  set("material.sand.friction=0.9");
  set("scene.duration=0.5");
  set("output.every=2");
  const std::string text = error_of([&] { resume("killed"); }, ExitCode::usage);
  EXPECT_NE(text.find("which differs in: material.sand.friction, scene.seed;"), std::string::npos) << text;
  EXPECT_EQ(manifest("killed").status, RunStatus::running) << "a refusal changes nothing";
}

TEST_F(ResumeTest, AfterAFullDisk) {
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  on_step_ = [&](int n) {
    const rlimit limit{n < 10 ? old.rlim_cur : 600, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  const std::string text = error_of([&] { go("full"); }, ExitCode::run_failed);
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  on_step_ = nullptr;
  EXPECT_NE(text.find("cannot write " + at("full").string()), std::string::npos) << text;
  for (const auto& [name, content] : contents("full"))
    EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name << " was left behind";
  expect_as_whole("full", resume("full"));
}

}  // namespace
}  // namespace repose::test
