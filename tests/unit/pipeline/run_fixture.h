#pragma once
// Runs with the fake solver in a folder of their own, and what they left there.

#include <map>
#include <string>
#include <vector>

#include "support/temporary_folder.h"
#include "unit/pipeline/fake_solver.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/io/atomic_file.h"
#include "repose/io/read_file.h"
#include "repose/io/run/manifest.h"
#include "repose/io/tables/csv_table.h"
#include "repose/pipeline/run/run.h"
#include "repose/scene/load.h"

namespace repose::test {

/// What stands for kill -9: nothing in the pipeline catches it.
struct Killed {};

/// Remembers what a run said.
class Recorder : public Progress {
 public:
  void started(const RunStarted& run) override { starts.push_back(run); }
  void frame_done(const RunProgress& run) override { frames.push_back(run); }
  void job_advanced(const JobProgress& job) override { jobs.emplace_back(job.job); }
  void message(LogLevel, std::string_view text) override { messages.emplace_back(text); }

  std::vector<RunStarted> starts;
  std::vector<RunProgress> frames;
  std::vector<std::string> jobs, messages;
};

class RunTest : public testing::Test {
 protected:
  RunTest() { set("scene.duration=0.3"); }

  static constexpr const char* kScene = R"(
[scene]
version = 1
title = "points"
duration = 0.3
fps = 20
[domain]
min = [-1, -1, 0]
max = [1, 1, 2]
[solver]
type = "dem"
spacing = 0.1
[material.sand]
[fill.heap]
material = "sand"
shape = "box"
size = [0.5, 0.5, 0.5]
position = [0, 0, 0.5]
[render]
size = [32, 18]
samples = 1
)";

  /// Another value for a key, on top of those before.
  void set(const std::string& override) {
    overrides_.push_back(override);
    scene_ = parse_scene(kScene, "points.toml", folder_.path().string(), overrides_);
  }
  std::filesystem::path at(const std::string& name) const { return folder_.path() / name; }

  RunSummary go(const std::string& name) {
    options_.output = at(name);
    RunParts parts;
    parts.make_solver = [this](const Scene& scene, Threads&, const LogSink&) {
      auto solver = std::make_unique<FakeSolver>(scene, on_step_);
      solver->fail_after = fail_after_;
      return solver;
    };
    return run(scene_, options_, threads_, recorder_, parts);
  }
  RunSummary resume(const std::string& name) {
    options_.resume = true;
    RunSummary summary = go(name);
    options_.resume = false;
    return summary;
  }
  /// Runs until the solver takes its n-th step, and dies there.
  void go_killed(const std::string& name, int step) {
    on_step_ = [step](int n) {
      if (n == step) throw Killed{};
    };
    EXPECT_THROW(go(name), Killed);
    on_step_ = nullptr;
  }
  std::string error_of(const std::function<void()>& call, ExitCode code) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  /// All that two equal runs have in common: files by name, stats.csv without its wall times.
  std::map<std::string, std::string> contents(const std::string& name) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(at(name))) {
      const std::string file = entry.path().lexically_relative(at(name)).string();
      if (entry.is_directory() || file == "manifest.json" || file.ends_with(".mp4") ||
          file.starts_with("checkpoint") || file == "scene.resolved.toml")
        continue;
      files[file] = file == "stats.csv" ? stats_without_wall(entry.path()) : read_text(entry.path());
    }
    return files;
  }
  static std::string stats_without_wall(const std::filesystem::path& path) {
    const CsvContent table = read_csv(path);
    std::string text;
    const auto add = [&](const std::vector<std::string>& fields) {
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (!table.columns[i].starts_with("wall_")) text += fields[i] + ',';
      text += '\n';
    };
    add(table.columns);
    for (const auto& row : table.rows) add(row);
    return text;
  }
  void expect_equal(const std::string& a, const std::string& b) {
    const auto files_a = contents(a), files_b = contents(b);
    std::vector<std::string> names_a, names_b;
    for (const auto& [name, text] : files_a) names_a.push_back(name);
    for (const auto& [name, text] : files_b) names_b.push_back(name);
    ASSERT_EQ(names_a, names_b);
    for (const auto& [name, text] : files_a) EXPECT_TRUE(text == files_b.at(name)) << name << " differs";
  }
  Manifest manifest(const std::string& name) const { return read_manifest(at(name) / "manifest.json"); }

  TemporaryFolder folder_;
  std::vector<std::string> overrides_;
  Scene scene_;
  RunOptions options_{.output = {}, .frames = {}, .checkpoint_seconds = 1e9, .render = false};
  Threads threads_{2};
  Recorder recorder_;
  std::function<void(int)> on_step_;
  double fail_after_ = 1e9;
};

}  // namespace repose::test
