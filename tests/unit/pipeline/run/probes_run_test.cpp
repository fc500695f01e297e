// Probes and checks in a run: their tables are whole after any kill and resume, and what is measured again on
// the cache agrees.

#include "unit/pipeline/run_fixture.h"

#include "repose/io/tables/csv.h"
#include "repose/pipeline/later/measure_run.h"

namespace repose {
namespace {

using namespace test;

class ProbesRunTest : public RunTest {
 protected:
  ProbesRunTest() {
    set("probe.gate={type='flow', shape='plane', position=[0, 0, 0.4], interval=0.013}");
    set("probe.steps={type='flow', shape='sphere', radius=0.5, position=[0, 0, 0.3]}");
    set("probe.floor={type='force', body='domain.z-', interval=0.02, start=0.05, stop=0.25}");
    set("probe.all={type='region', shape='box', size=[2, 2, 2], position=[0, 0, 1], interval=0.05}");
    set("probe.heap={type='pile', shape='box', size=[2, 2, 2], interval=0.1}");
  }
  CsvContent table(const std::string& run, const std::string& probe) const {
    return read_csv(at(run) / "probes" / (probe + ".csv"));
  }
  static double number(const CsvContent& table, std::size_t row, std::string_view column) {
    return std::stod(table.rows.at(row).at(static_cast<std::size_t>(table.column(column))));
  }
};

TEST_F(ProbesRunTest, RowsComeAtMultiplesOfTheInterval) {
  go("run");
  const CsvContent gate = table("run", "gate"), floor = table("run", "floor"), all = table("run", "all");
  ASSERT_EQ(gate.rows.size(), 23U);  // 0.3 / 0.013
  EXPECT_EQ(gate.rows[0][0], "0.013");
  EXPECT_EQ(gate.rows[22][0], "0.299");
  ASSERT_EQ(floor.rows.size(), 10U);
  EXPECT_EQ(floor.rows[0][0], "0.07");
  EXPECT_EQ(floor.rows[9][0], "0.25");
  ASSERT_EQ(all.rows.size(), 7U);
  EXPECT_EQ(all.rows[0][0], "0");
  EXPECT_EQ(all.rows[6][0], "0.3");
  EXPECT_EQ(number(all, 0, "count"), 3);
  EXPECT_EQ(table("run", "steps").rows.size(), manifest("run").steps);
}

TEST_F(ProbesRunTest, ForcesAddUpToTheImpulsesOfBodiesCsv) {
  set("probe.floor={type='force', body='domain.z-', interval=0.02}");
  go("run");
  const CsvContent floor = table("run", "floor");
  ASSERT_EQ(floor.rows.size(), 15U);
  double probe = 0, frames = 0;
  for (std::size_t i = 0; i < floor.rows.size(); ++i) probe += 0.02 * number(floor, i, "fz");
  for (const auto& [frame, rows] : read_bodies(at("run") / "bodies.csv"))
    for (const BodyRow& row : rows)
      if (row.name == "domain.z-") frames += 0.05 * row.force.z;
  EXPECT_LT(frames, -1);
  EXPECT_NEAR(probe, frames, 1e-12 * std::abs(frames));
}

TEST_F(ProbesRunTest, KilledRunsGiveTheSameTables) {
  options_.checkpoint_seconds = 0;  // after every step
  go("whole");
  const int steps = static_cast<int>(manifest("whole").steps);
  ASSERT_GT(steps, 20);
  for (int kill = 1; kill < steps; ++kill) {
    const std::string name = "killed" + std::to_string(kill);
    options_.checkpoint_seconds = kill % 3 == 0 ? 1e9 : 0;  // or only after frame 0
    go_killed(name, kill);
    resume(name);
    expect_equal("whole", name);
  }
}

TEST_F(ProbesRunTest, ALongerRunGoesOnWithItsTables) {
  go("long");
  options_.frames = 3;
  go("grown");
  options_.frames.reset();
  resume("grown");
  expect_equal("long", "grown");
}

TEST_F(ProbesRunTest, ProbesDoNotChangeTheRun) {
  go("watched");
  const Scene scene = scene_;
  scene_.probes.clear();
  go("alone");
  EXPECT_EQ(manifest("watched").state_hash, manifest("alone").state_hash);
}

TEST_F(ProbesRunTest, AProbeWaitsForTheSettling) {
  set("scene.settle=0.1");
  go("run");
  EXPECT_EQ(table("run", "all").rows[0][0], "0");
  EXPECT_EQ(table("run", "gate").rows[0][0], "0.013");
  EXPECT_GT(std::stod(table("run", "steps").rows[0][0]), 0);
}

TEST_F(ProbesRunTest, ForceReplacesTheTables) {
  go("run");
  scene_.probes.clear();
  options_.force = true;
  go("run");
  EXPECT_FALSE(std::filesystem::exists(at("run") / "probes"));
}

TEST_F(ProbesRunTest, ChecksAreEvaluatedAtTheEnd) {
  set("check.count={probe='all', column='count', at=0, min=3, max=3}");
  set("check.mass={stat='mass', max=2}");
  set("check.later={stat='mass', at=7, min=0}");
  const RunSummary summary = go("run");
  ASSERT_EQ(summary.checks.size(), 3U);
  EXPECT_TRUE(summary.checks[0].passed);
  EXPECT_EQ(summary.checks[0].value, 3);
  EXPECT_FALSE(summary.checks[1].passed);
  EXPECT_GT(summary.checks[1].value, 2);
  EXPECT_FALSE(summary.checks[2].reached);
  const auto kept = manifest("run").checks;
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[1].value, summary.checks[1].value);
  EXPECT_EQ(kept[1].max, 2);
  EXPECT_FALSE(kept[1].min);
  EXPECT_EQ(kept[2].problem, "that time never came: the run ended at t = 0.3 s");
  // A run that is complete says the same again.
  EXPECT_EQ(resume("run").checks.size(), 3U);
}

TEST_F(ProbesRunTest, AMissingColumnIsABadScene) {
  set("check.c={stat='overlap', max=2}");
  EXPECT_EQ(error_of([&] { go("run"); }, ExitCode::bad_scene),
            "--set check.c={stat='overlap', max=2}: there is no column 'overlap' in stats.csv");
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(ProbesRunTest, MeasuringTheCacheAgreesAtFrames) {
  set("probe.gate.interval=0.05");
  set("probe.floor={type='force', body='domain.z-', interval=0.05}");
  set("probe.heap.interval=0.05");
  go("run");
  MeasureOptions options;
  options.run = at("run");
  const MeasureSummary summary = measure_run(options, threads_, recorder_);
  EXPECT_EQ(summary.frames, 7);
  ASSERT_EQ(summary.probes.size(), 5U);
  for (const MeasuredProbe& probe : summary.probes) {
    if (probe.name == "steps") continue;
    const CsvContent inline_table = table("run", probe.name), measured = read_csv(probe.file);
    EXPECT_EQ(probe.file, at("run") / "measure" / (probe.name + ".csv"));
    EXPECT_EQ(measured.columns, inline_table.columns);
    ASSERT_EQ(probe.rows.size(), inline_table.rows.size()) << probe.name;
    for (std::size_t i = 0; i < probe.rows.size(); ++i)
      for (std::size_t c = 0; c < probe.columns.size(); ++c) {
        if (probe.columns[c] == "peak" || std::isnan(probe.rows[i][c])) continue;
        const double value = number(inline_table, i, probe.columns[c]);
        EXPECT_NEAR(probe.rows[i][c], value, 1e-6 * (1 + std::abs(value)))
            << probe.name << ' ' << probe.columns[c];
      }
  }
  EXPECT_TRUE(std::isnan(summary.probes[2].rows[0][7])) << "no peaks in a cache";
}

TEST_F(ProbesRunTest, MeasuringTakesOtherProbesAndFewerFrames) {
  go("run");
  MeasureOptions options;
  options.run = at("run");
  options.output = at("tables");
  options.frames = parse_frame_range("1-5:2");
  std::vector<std::string> overrides = overrides_;
  overrides.emplace_back("probe.new={type='force', body='domain.z-'}");
  options.scene = parse_scene(kScene, "points.toml", folder_.path().string(), overrides);
  options.probes = {"new"};
  const MeasureSummary summary = measure_run(options, threads_, recorder_);
  ASSERT_EQ(summary.probes.size(), 1U);
  ASSERT_EQ(summary.probes[0].rows.size(), 2U);
  const auto bodies = read_bodies(at("run") / "bodies.csv");
  const auto force = [&](int frame) {
    for (const BodyRow& row : bodies.at(frame))
      if (row.name == "domain.z-") return row.force.z;
    return 0.0;
  };
  EXPECT_NEAR(summary.probes[0].rows[0][3], 0.5 * (force(2) + force(3)), 1e-12);
  EXPECT_TRUE(std::filesystem::exists(at("tables") / "new.csv"));

  options.probes = {"knew"};
  EXPECT_EQ(error_of([&] { measure_run(options, threads_, recorder_); }, ExitCode::usage),
            "there is no probe 'knew': did you mean 'new'?");
}

}  // namespace
}  // namespace repose
