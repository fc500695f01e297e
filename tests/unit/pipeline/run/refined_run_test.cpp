// Fine grains in a run: the same inline, after a kill, and later on its files.

#include "unit/pipeline/run_fixture.h"

#include "repose/io/particles/fine_file.h"
#include "repose/pipeline/later/refine_run.h"

namespace repose::test {
namespace {

class RefinedRunTest : public RunTest {
 protected:
  RefinedRunTest() { set("refine.ratio=20"); }

  RefineRunSummary refine(const std::string& name, const std::string& output, bool resume = false) {
    later_.run = at(name);
    later_.output = at(output);
    later_.resume = resume;
    return refine_run(later_, threads_, recorder_);
  }
  /// The files of fine grains by name.
  std::map<std::string, std::string> fine_files(const std::filesystem::path& folder) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.is_regular_file()) files[entry.path().filename().string()] = read_text(entry.path());
    return files;
  }

  RefineRunOptions later_;
};

TEST_F(RefinedRunTest, EveryFrameHasItsGrains) {
  go("run");
  const Manifest m = manifest("run");
  EXPECT_LE(m.fine_grains, 20 * m.particles);  // some left through open faces
  EXPECT_GE(m.fine_grains, 18 * m.particles);
  const FineGrains grains = read_fine_grains(at("run") / "fine", 6, threads_);
  EXPECT_EQ(grains.size(), m.fine_grains);
  EXPECT_EQ(grains.ratio, 20U);
  EXPECT_EQ(fine_files(at("run") / "fine").size(), 7U);
}

TEST_F(RefinedRunTest, KilledAtAnyStepAndResumedGivesTheSameFiles) {
  const RunSummary whole = go("whole");
  for (const double checkpoint_seconds : {0.0, 1e9}) {
    options_.checkpoint_seconds = checkpoint_seconds;
    for (int step = 1; step < static_cast<int>(whole.steps); step += 3) {
      SCOPED_TRACE(step);
      go_killed("killed", step);
      resume("killed");
      options_.force = true;
      EXPECT_EQ(manifest("killed").fine_hash, manifest("whole").fine_hash);
      expect_equal("killed", "whole");
    }
  }
}

TEST_F(RefinedRunTest, LaterOnTheFilesGivesTheSameGrains) {
  set("output.every=2");
  go("run");
  const RefineRunSummary later = refine("run", "later");
  EXPECT_EQ(later.frames, 4);
  EXPECT_EQ(later.hash, manifest("run").fine_hash);
  EXPECT_TRUE(fine_files(at("later")) == fine_files(at("run") / "fine"));
}

TEST_F(RefinedRunTest, HashesDoNotDependOnThreads) {
  go("run");
  for (const int count : {1, 4}) {
    Threads threads(count);
    later_.run = at("run");
    later_.output = at("later");
    EXPECT_EQ(refine_run(later_, threads, recorder_).hash, manifest("run").fine_hash) << count;
  }
}

TEST_F(RefinedRunTest, LaterCallThatWasStoppedGoesOn) {
  go("run");
  later_.frames = parse_frame_range("0-2");
  refine("run", "later");
  later_.frames = {};
  const RefineRunSummary rest = refine("run", "later", true);
  EXPECT_EQ(rest.kept, 3);
  EXPECT_EQ(rest.frames, 4);
  EXPECT_EQ(rest.hash, manifest("run").fine_hash);
  EXPECT_TRUE(fine_files(at("later")) == fine_files(at("run") / "fine"));
  EXPECT_EQ(refine("run", "later", true).frames, 0);

  std::atomic<bool> interrupt = true;
  later_.interrupt = &interrupt;
  EXPECT_TRUE(refine("run", "other").interrupted);
}

TEST_F(RefinedRunTest, ResumeRefusesOtherSettingsAndNothing) {
  go("run");
  later_.run = at("run");
  EXPECT_NE(error_of([&] { refine("run", "later", true); }, ExitCode::usage).find("nothing in"),
            std::string::npos);
  refine("run", "later");
  Scene other = scene_;
  other.refine.ratio = 21;
  later_.scene = other;
  EXPECT_NE(error_of([&] { refine("run", "later", true); }, ExitCode::usage).find("other settings"),
            std::string::npos);
}

TEST_F(RefinedRunTest, PartsTogetherAreTheWhole) {
  set("refine.density_limit=false");
  go("run");
  for (std::uint32_t k = 0; k < 3; ++k) {
    later_.part = {k, 3};
    refine("run", "parts");
  }
  const FineGrains parts = read_fine_grains(at("parts"), 6, threads_),
                   whole = read_fine_grains(at("run") / "fine", 6, threads_);
  EXPECT_EQ(parts.size(), whole.size());
  EXPECT_EQ(hash_grains(parts, threads_), hash_grains(whole, threads_));
  std::filesystem::remove(at("parts") / "fine.0006.2-of-3.vdb");
  EXPECT_FALSE(has_fine_grains(at("parts"), 6));
}

TEST_F(RefinedRunTest, ForceRemovesFineFiles) {
  go("run");
  options_.force = true;
  overrides_.clear();
  set("scene.duration=0.1");
  go("run");
  EXPECT_FALSE(std::filesystem::exists(at("run") / "fine"));
}

}  // namespace
}  // namespace repose::test
