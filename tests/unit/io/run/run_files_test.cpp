// The files of a run folder besides particles: tables, manifest, grains, checkpoints.

#include <fstream>
#include <utility>

#include "support/refuses.h"
#include "support/temporary_folder.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/core/hash.h"
#include "repose/io/atomic_file.h"
#include "repose/io/particles/grains.h"
#include "repose/io/read_file.h"
#include "repose/io/run/checkpoint.h"
#include "repose/io/run/manifest.h"
#include "repose/io/tables/csv.h"
#include "repose/io/tables/csv_table.h"

namespace repose {
namespace {

StatsRow make_row() {
  StatsRow row;
  row.frame = 3;
  row.time = 0.125;
  row.dt = 1.0 / 3.0;
  row.steps = 42;
  row.stats.particles = 10;
  row.stats.mass = 2.5;
  row.stats.momentum = {1, -2, 3};
  row.stats.kinetic = 0.1;
  row.stats.potential = -7;
  row.stats.max_speed = 1e-20;
  row.stats.errors = {{"max_overlap", 0.002}};
  row.stats.escaped = 1;
  row.stats.left = 5;
  row.wall = {{"forces", 0.5}, {"write", 0.25}};
  return row;
}

TEST(Stats, HasTheColumnsOfTheContract) {
  EXPECT_EQ(
      stats_header(make_row()),
      "frame,t,dt,steps,particles,mass,px,py,pz,kinetic,potential,max_speed,max_overlap,asleep,escaped,left,"
      "wall_forces,wall_write");
  EXPECT_EQ(stats_line(make_row()),
            "3,0.125,0.3333333333333333,42,10,2.5,1,-2,3,0.1,-7,1e-20,0.002,0,1,5,0.500000,0.250000\n");
}

TEST(CsvTable, ResumeCutsRowsAfterTheFrameAndATornLine) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  const std::string rows = "0,a\n1,b\n1,c\n2,d\n10,e\n";
  for (const auto& [last, kept, frame] :
       {std::tuple{-1, "", -1}, {0, "0,a\n", 0}, {1, "0,a\n1,b\n1,c\n", 1}, {9, "0,a\n1,b\n1,c\n2,d\n", 2}}) {
    write_file(path, "frame,v\n" + rows + "11,torn");
    CsvTable table(path, "frame,v", last);
    EXPECT_EQ(read_text(path), std::string("frame,v\n") + kept);
    EXPECT_EQ(table.last_kept_frame(), frame);
  }
  write_file(path, "frame,v\n" + rows + "11,torn");
  CsvTable table(path, "frame,v", 99);
  table.append("11,whole\n");
  EXPECT_EQ(read_text(path), "frame,v\n" + rows + "11,whole\n");
}

TEST(CsvTable, RefusesOtherColumns) {
  const test::TemporaryFolder folder;
  write_file(folder.path() / "t.csv", "frame,other\n0,1\n");
  EXPECT_TRUE(test::refuses([&] { CsvTable(folder.path() / "t.csv", "frame,v", 5); },
                            "has other columns than this version of repose writes"));
}

TEST(CsvTable, ReaderLeavesOutATornLineAndRefusesAWrongOne) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  write_file(path, "frame,name\n0,\"a,\"\"b\"\"\"\n1,to");
  const CsvContent content = read_csv(path);
  ASSERT_EQ(content.rows.size(), 1U);
  EXPECT_EQ(content.rows[0][1], "a,\"b\"");
  EXPECT_EQ(content.column("name"), 1);
  EXPECT_EQ(content.column("nme"), -1);
  write_file(path, "frame,name\n0\n");
  EXPECT_TRUE(test::refuses([&] { read_csv(path); }, "t.csv:2: has 1 fields instead of 2"));
}

TEST(Bodies, ComeBackToTheBit) {
  const test::TemporaryFolder folder;
  Frame frame;
  frame.index = 5;
  frame.time = 0.2;
  BodyRow body;
  body.name = "a \"drum\", tilted";
  body.pose = {{0.1, -0.2, 1.0 / 3.0}, Quatd(0.5, 0.5, -0.5, 0.5)};
  body.velocity = {1e-300, 2, 3};
  body.angular_velocity = {4, 5, 6};
  body.force = {7, 8, 9};
  body.torque = {10, 11, 12};
  BodyRow absent;
  absent.name = "gone";
  absent.present = false;
  frame.bodies = {body, absent};
  const auto path = folder.path() / "bodies.csv";
  CsvTable(path, bodies_header()).append(bodies_lines(frame));
  const auto read = read_bodies(path);
  ASSERT_EQ(read.size(), 1U);
  ASSERT_EQ(read.at(5).size(), 1U);
  const BodyRow& got = read.at(5)[0];
  EXPECT_EQ(got.name, body.name);
  EXPECT_EQ(got.pose.position, body.pose.position);
  EXPECT_EQ(got.pose.rotation, body.pose.rotation);
  EXPECT_EQ(got.velocity, body.velocity);
  EXPECT_EQ(got.angular_velocity, body.angular_velocity);
  EXPECT_EQ(got.force, body.force);
  EXPECT_EQ(got.torque, body.torque);
}

Manifest make_manifest() {
  Manifest m;
  m.version = "0.1.0";
  m.status = RunStatus::interrupted;
  m.message = "go on";
  m.scene_path = "examples/demo.toml";
  m.scene_hash = "0123456789abcdef";
  m.seed = 0xffffffffffffffffU;
  m.fps = 24;
  m.frames_total = 100;
  m.frames_done = 7;
  m.written = {0, 2, 4, 6};
  m.bodies = {"drum", "domain.z-"};
  m.dt_limits = {{"contact stiffness", 900}, {"frame", 7}};
  m.timings = {{"forces", 1.5}};
  m.dt_mean = 1.0 / 3.0;
  m.state_hash = "fedcba9876543210";
  return m;
}

TEST(Manifest, ComesBack) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "manifest.json";
  Manifest m = make_manifest();
  write_manifest(path, m);
  EXPECT_EQ(m.created.size(), 20U);
  const Manifest read = read_manifest(path);
  EXPECT_EQ(read.status, RunStatus::interrupted);
  EXPECT_EQ(read.created, m.created);
  EXPECT_EQ(read.seed, m.seed);
  EXPECT_EQ(read.written, m.written);
  EXPECT_EQ(read.bodies, m.bodies);
  ASSERT_EQ(read.dt_limits.size(), 2U);
  EXPECT_EQ(read.dt_limits[1].limit, "frame");
  EXPECT_EQ(read.dt_limits[1].steps, 7U);
  EXPECT_EQ(read.timings[0].seconds, 1.5);
  EXPECT_EQ(read.dt_mean, m.dt_mean);
  EXPECT_EQ(read.state_hash, m.state_hash);
  EXPECT_EQ(read.frames_done, 7);
}

TEST(Manifest, EveryTruncationIsAnErrorAndAMissingOneIsUsage) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "manifest.json";
  try {
    read_manifest(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
  }
  Manifest m = make_manifest();
  write_manifest(path, m);
  const std::string text = read_text(path);
  for (std::size_t size = 0; size + 2 < text.size(); size += 3) {
    std::ofstream(path) << std::string_view(text).substr(0, size);
    EXPECT_TRUE(test::refuses([&] { read_manifest(path); }, "manifest.json: is damaged")) << size;
  }
  write_file(path, R"({"schema": 99})");
  EXPECT_TRUE(test::refuses([&] { read_manifest(path); }, "has schema 99"));
  write_file(path, R"({"schema": 1, "version": 5})");
  EXPECT_TRUE(test::refuses([&] { read_manifest(path); }, "manifest.json: is damaged"));
}

TEST(Manifest, RefusesNumbersThatNoRunHas) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "manifest.json";
  Manifest m = make_manifest();
  write_manifest(path, m);
  const std::string text = read_text(path);
  for (const auto& [key, bad] :
       {std::pair("\"fps\": ", "0"), std::pair("\"fps\": ", "-24"), std::pair("\"done\": ", "-2"),
        std::pair("\"done\": ", "1e300"), std::pair("\"checkpoint_frame\": ", "-7")}) {
    std::string changed = text;
    const std::size_t at = changed.find(key);
    ASSERT_NE(at, std::string::npos) << key;
    const std::size_t first = at + std::string(key).size();
    changed.replace(first, changed.find_first_of(",\n", first) - first, bad);
    write_file(path, changed);
    try {
      read_manifest(path);
      ADD_FAILURE() << key << bad;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("is damaged"), std::string::npos) << error.what();
    }
  }
}

TEST(Grains, ComeBackToTheBit) {
  const test::TemporaryFolder folder;
  const std::vector<GrainShape> shapes{{"sphere", {{{0, 0, 0}, 1}}},
                                       {"pair", {{{0.1, 0, -1.0 / 3}, 0.5}, {{-0.1, 1e-12, 0}, 0.7}}}};
  write_grains(folder.path() / "grains.json", shapes);
  const auto read = read_grains(folder.path() / "grains.json");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].name, "pair");
  ASSERT_EQ(read[1].spheres.size(), 2U);
  EXPECT_EQ(read[1].spheres[0].center, shapes[1].spheres[0].center);
  EXPECT_EQ(read[1].spheres[1].radius, 0.7);
  write_file(folder.path() / "grains.json", R"({"grains": [{"name": "x", "spheres": [[1, 2]]}]})");
  EXPECT_TRUE(test::refuses([&] { read_grains(folder.path() / "grains.json"); }, "grains.json: is damaged"));
  // A grain of nothing, and spheres that no grain can have.
  for (const char* spheres : {"[]", "[[0, 0, 0, -1]]", "[[0, 0, 0, 1e300]]", "[[1e9, 0, 0, 1]]"}) {
    write_file(folder.path() / "grains.json",
               fmt::format(R"({{"grains": [{{"name": "x", "spheres": {}}}]}})", spheres));
    try {
      read_grains(folder.path() / "grains.json");
      ADD_FAILURE() << spheres;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("grain 'x'"), std::string::npos) << error.what();
    }
  }
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class CheckpointTest : public testing::Test {
 protected:
  /// The newest good checkpoint's solver part, as a later process finds it.
  std::string newest() {
    CheckpointStore store(folder_.path() / "checkpoint");
    const auto found = store.read([this](LogLevel, std::string_view) { ++warnings_; });
    if (!found) return "none";
    const CheckpointSection* solver = found->find("solver");
    EXPECT_EQ(solver->hash, hash_bytes(solver->bytes));
    EXPECT_EQ(found->find("refine"), nullptr);
    return {reinterpret_cast<const char*>(solver->bytes.data()), solver->bytes.size()};
  }
  void write(CheckpointStore& store, std::string_view text) {
    const std::vector<std::byte> loop = bytes_of("loop"), solver = bytes_of(text);
    const std::vector<CheckpointSection> sections{{"loop", loop}, {"solver", solver}};
    EXPECT_EQ(store.write(sections)[1], hash_bytes(solver));
  }
  void damage(const std::filesystem::path& path, std::size_t position) {
    std::string text = read_text(path);
    text.at(position) = static_cast<char>(text[position] ^ 1);
    std::ofstream(path) << text;
  }

  test::TemporaryFolder folder_;
  int warnings_ = 0;
};

TEST_F(CheckpointTest, TheNewestIsFound) {
  EXPECT_EQ(newest(), "none");
  CheckpointStore store(folder_.path() / "checkpoint");
  for (const char* text : {"one", "two", "three"}) {
    write(store, text);
    EXPECT_EQ(newest(), text);
  }
  EXPECT_EQ(folder_.files().size(), 2U);
}

TEST_F(CheckpointTest, ALaterProcessKeepsTheNewestWhileItWritesItsOwn) {
  {
    CheckpointStore store(folder_.path() / "checkpoint");
    write(store, "one");
    write(store, "two");
    write(store, "three");
  }
  CheckpointStore store(folder_.path() / "checkpoint");
  store.read([](LogLevel, std::string_view) {});
  write(store, "four");
  damage(CheckpointStore::files(folder_.path() / "checkpoint")[0], 64);
  EXPECT_EQ(newest(), "three");
}

TEST_F(CheckpointTest, AnyDamageFallsBackToTheOlder) {
  CheckpointStore store(folder_.path() / "checkpoint");
  write(store, "older");
  write(store, "newer");
  const auto path = CheckpointStore::files(folder_.path() / "checkpoint")[0];
  const std::string text = read_text(path);
  ASSERT_NE(text.find("newer"), std::string::npos);
  for (std::size_t i = 0; i < text.size(); ++i) {
    damage(path, i);
    EXPECT_EQ(newest(), "older") << "byte " << i;
    std::ofstream(path) << text;
  }
  for (std::size_t size = 0; size < text.size(); ++size) {
    std::ofstream(path) << std::string_view(text).substr(0, size);
    EXPECT_EQ(newest(), "older") << "cut to " << size;
  }
  EXPECT_EQ(warnings_, static_cast<int>(2 * text.size()));
}

}  // namespace
}  // namespace repose
