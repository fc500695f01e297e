// The frame loop, the folder it writes, and what it refuses.

#include "repose/pipeline/run/run.h"

#include "unit/pipeline/run_fixture.h"

#include "repose/io/particles/ply.h"
#include "repose/io/tables/csv.h"
#include "repose/pipeline/run_folder.h"

namespace repose::test {
namespace {

TEST_F(RunTest, WritesTheFolderOfTheContract) {
  const RunSummary summary = go("points");
  EXPECT_EQ(summary.outcome, RunOutcome::done);
  EXPECT_EQ(summary.frames, 6);
  EXPECT_EQ(summary.frames_written, 7);
  std::vector<std::string> files;
  for (const auto& [name, text] : contents("points")) files.push_back(name);
  const std::vector<std::string> wanted{"bodies.csv",
                                        "grains.json",
                                        "particles/particles.0000.ply",
                                        "particles/particles.0001.ply",
                                        "particles/particles.0002.ply",
                                        "particles/particles.0003.ply",
                                        "particles/particles.0004.ply",
                                        "particles/particles.0005.ply",
                                        "particles/particles.0006.ply",
                                        "stats.csv"};
  EXPECT_EQ(files, wanted);
  EXPECT_TRUE(std::filesystem::exists(at("points") / "scene.resolved.toml"));

  const Manifest m = manifest("points");
  EXPECT_EQ(m.status, RunStatus::done);
  EXPECT_EQ(m.frames_done, 6);
  EXPECT_EQ(m.frames_total, 6);
  EXPECT_EQ(m.state_hash, summary.state_hash);
  EXPECT_EQ(m.solver, "dem");
  EXPECT_EQ(m.bodies, (std::vector<std::string>{"late", "domain.z-"}));
  EXPECT_EQ(m.channels.front(), "x");
  EXPECT_EQ(m.written, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(RunTest, FramesStandAtMultiplesOfTheInterval) {
  set("scene.fps=49");  // 49 * (1.0 / 49) is less than 1: only k / fps is right
  set("scene.duration=1");
  go("points");
  const CsvContent table = read_csv(at("points") / "stats.csv");
  ASSERT_EQ(table.rows.size(), 50U);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    EXPECT_EQ(table.rows[k][0], std::to_string(k));
    EXPECT_EQ(std::stod(table.rows[k][1]), static_cast<double>(k) / 49.0);
  }
  EXPECT_EQ(table.rows[0][3], "0") << "no step before frame 0";
  EXPECT_EQ(read_ply(at("points") / "particles/particles.0049.ply").time, 1.0);
}

TEST_F(RunTest, SettlesBeforeFrameZero) {
  scene_.info.settle = 0.1;
  go("points");
  const CsvContent table = read_csv(at("points") / "stats.csv");
  ASSERT_EQ(table.rows.size(), 7U);
  EXPECT_EQ(table.rows[0][1], "0");
  EXPECT_GT(std::stoi(table.rows[0][3]), 5);
  EXPECT_EQ(recorder_.starts.at(0).start_time, -0.1);
}

TEST_F(RunTest, StoppedWhileItSettlesItGoesOn) {
  scene_.info.settle = 0.1;
  const std::string whole = go("whole").state_hash;
  std::atomic<bool> interrupt{false};
  options_.interrupt = &interrupt;
  RunParts parts;
  parts.make_solver = [&](const Scene& scene, Threads&, const LogSink&) {
    return std::make_unique<FakeSolver>(scene, [&](int step) { interrupt = step == 2; });
  };
  options_.output = at("stopped");
  const RunSummary stopped = run(scene_, options_, threads_, recorder_, parts);
  EXPECT_EQ(stopped.outcome, RunOutcome::interrupted);
  EXPECT_EQ(stopped.frames, -1);
  EXPECT_LT(stopped.time, 0);
  EXPECT_NE(stopped.message.find("before frame 0"), std::string::npos) << stopped.message;
  options_.interrupt = nullptr;
  EXPECT_EQ(resume("stopped").state_hash, whole);
  expect_equal("stopped", "whole");
}

TEST_F(RunTest, SummaryAddsUp) {
  const RunSummary summary = go("points");
  const CsvContent table = read_csv(at("points") / "stats.csv");
  std::uint64_t steps = 0;
  double hop = 0;
  for (const auto& row : table.rows) {
    steps += std::stoul(row[3]);
    hop += std::stod(row[static_cast<std::size_t>(table.column("wall_hop"))]);
  }
  EXPECT_EQ(summary.steps, steps);
  EXPECT_NEAR(summary.dt_mean * static_cast<double>(steps), 0.3, 1e-12);
  EXPECT_LE(summary.dt_min, summary.dt_mean);
  EXPECT_LE(summary.dt_mean, summary.dt_max);
  double share = 0;
  for (const LimitShare& limit : summary.limits) share += limit.share;
  EXPECT_NEAR(share, 1, 1e-12);
  EXPECT_EQ(summary.limits.at(0).limit, "speed");
  EXPECT_EQ(summary.stage_times.at(0).name, "hop");
  EXPECT_NEAR(summary.stage_times[0].seconds, hop, 0.0021) << "the rest is after the last frame";
  ASSERT_EQ(recorder_.frames.size(), 7U);
  EXPECT_EQ(recorder_.frames[3].frame, 3);
  EXPECT_EQ(recorder_.frames[3].limit, "speed");
  EXPECT_GE(recorder_.frames[3].eta, 0);
  ASSERT_EQ(recorder_.starts.size(), 1U);
  EXPECT_EQ(recorder_.starts[0].last_frame, 6);
}

TEST_F(RunTest, WritesEachNthFrameButAllStatistics) {
  set("output.every=3");
  set("output.formats=[\"ply\", \"csv\"]");
  const RunSummary summary = go("points");
  EXPECT_EQ(summary.frames_written, 3);
  const RunFolder folder{at("points")};
  EXPECT_EQ(numbered_files(folder.particles(), "particles", "ply"), (std::vector<int>{0, 3, 6}));
  EXPECT_EQ(numbered_files(folder.particles(), "particles", "csv"), (std::vector<int>{0, 3, 6}));
  EXPECT_EQ(read_csv(folder.stats()).rows.size(), 7U);
  EXPECT_EQ(read_bodies(folder.bodies()).size(), 7U);
}

TEST_F(RunTest, FramesOverrideTheDuration) {
  options_.frames = 2;
  go("points");
  EXPECT_EQ(manifest("points").frames_total, 2);
  const Scene used = load_scene((at("points") / "scene.resolved.toml").string());
  EXPECT_EQ(used.frame_count(), 2);
  options_.frames = 0;
  error_of([&] { go("none"); }, ExitCode::usage);
  EXPECT_FALSE(std::filesystem::exists(at("none")));
}

TEST_F(RunTest, AFailedStepKeepsTheParticlesAndTheLastCheckpoint) {
  fail_after_ = 0.2;
  const std::string text = error_of([&] { go("bad"); }, ExitCode::run_failed);
  EXPECT_NE(text.find("on the way to frame"), std::string::npos) << text;
  EXPECT_NE(text.find("make the time step smaller"), std::string::npos) << text;
  EXPECT_GT(read_ply(at("bad") / "particles/failed.ply").particle_count(), 3U);
  EXPECT_EQ(manifest("bad").status, RunStatus::failed);
  EXPECT_EQ(manifest("bad").message, text);
  fail_after_ = 1e9;
  EXPECT_EQ(resume("bad").outcome, RunOutcome::done);
}

TEST_F(RunTest, RefusesAFolderWithARun) {
  go("points");
  const auto before = contents("points");
  const std::string text = error_of([&] { go("points"); }, ExitCode::usage);
  EXPECT_EQ(text,
            at("points").string() +
                " holds a run already: go on with it by --resume, replace it by --force, or choose another "
                "folder with -o");
  EXPECT_EQ(contents("points"), before);
}

TEST_F(RunTest, RefusesAFolderWithOtherFilesEvenByForce) {
  create_folder(at("mine"));
  write_file(at("mine") / "thesis.tex", "years of work");
  for (const bool force : {false, true}) {
    options_.force = force;
    const std::string text = error_of([&] { go("mine"); }, ExitCode::usage);
    EXPECT_NE(text.find("is not empty and holds no run (there is 'thesis.tex' in it)"), std::string::npos)
        << text;
  }
  EXPECT_EQ(contents("mine").size(), 1U);
}

TEST_F(RunTest, ForceRemovesTheRunAndNothingElse) {
  set("scene.duration=0.5");
  go("points");
  write_file(at("points") / "notes.txt", "mine");
  write_file(at("points") / "particles/particles.extra.ply", "mine");
  write_file(at("points") / "particles/particles.7.ply", "mine");
  set("scene.duration=0.2");
  options_.force = true;
  go("points");
  const auto files = contents("points");
  EXPECT_TRUE(files.contains("notes.txt"));
  EXPECT_TRUE(files.contains("particles/particles.extra.ply"));
  EXPECT_TRUE(files.contains("particles/particles.7.ply"));
  EXPECT_TRUE(files.contains("particles/particles.0004.ply"));
  EXPECT_FALSE(files.contains("particles/particles.0005.ply")) << "left from the longer run";
}

TEST_F(RunTest, RefusesToResumeWhatIsNotThere) {
  EXPECT_EQ(error_of([&] { resume("nothing"); }, ExitCode::usage),
            "there is no run in " + at("nothing").string() + " to resume: start it without --resume");
  EXPECT_FALSE(std::filesystem::exists(at("nothing")));
}

TEST_F(RunTest, RefusesAFileInThePlaceOfTheFolder) {
  write_file(at("file"), "x");
  error_of([&] { go("file"); }, ExitCode::usage);
  error_of([&] { go("file/below"); }, ExitCode::run_failed);
}

TEST_F(RunTest, NamesThatNoFileSystemTakesAreErrorsToo) {
  const std::string text = error_of([&] { go(std::string(300, 'n')); }, ExitCode::run_failed);
  EXPECT_NE(text.find("File name too long"), std::string::npos) << text;
}

TEST_F(RunTest, KeepsASecondProcessOut) {
  create_folder(at("points"));
  const FolderLock lock(at("points"));
  const std::string text = error_of([&] { go("points"); }, ExitCode::usage);
  EXPECT_NE(text.find("another repose is at work in"), std::string::npos) << text;
}

TEST_F(RunTest, ASceneThatCannotRunLeavesNoFolderAndNoDamage) {
  go("points");
  const auto before = contents("points");
  RunParts parts;
  parts.make_solver = [](const Scene&, Threads&, const LogSink&) -> std::unique_ptr<Solver> {
    throw Error(ExitCode::bad_scene, "cannot");
  };
  options_.force = true;
  for (const char* name : {"points", "new"}) {
    options_.output = at(name);
    error_of([&] { run(scene_, options_, threads_, recorder_, parts); }, ExitCode::bad_scene);
  }
  EXPECT_EQ(contents("points"), before);
  EXPECT_FALSE(std::filesystem::exists(at("new")));
}

TEST_F(RunTest, RemovesWhatAKilledProcessLeftHalfWritten) {
  go_killed("points", 12);
  write_file(at("points") / "particles" / ".tmp-1-particles.0003.ply", "half");
  write_file(at("points") / ".tmp-1-stats.csv", "half");
  resume("points");
  for (const auto& [name, text] : contents("points"))
    EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name;
}

TEST_F(RunTest, WarnsWhereTheDiskIsTooSmall) {
  options_.output = at("points");
  RunParts parts;
  parts.make_solver = [](const Scene& scene, Threads&, const LogSink&) {
    auto solver = std::make_unique<FakeSolver>(scene, nullptr);
    solver->planned.frame_bytes = 1e15;
    solver->planned.notes = {"young is set to 2 MPa"};
    return solver;
  };
  run(scene_, options_, threads_, recorder_, parts);
  ASSERT_EQ(recorder_.messages.size(), 1U);
  EXPECT_NE(recorder_.messages[0].find("the run may need"), std::string::npos) << recorder_.messages[0];
  EXPECT_EQ(recorder_.starts.at(0).notes, std::vector<std::string>{"young is set to 2 MPa"});
}

}  // namespace
}  // namespace repose::test
