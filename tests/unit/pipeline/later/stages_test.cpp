// What works on a finished run: images and film, export, info, ranges of frames.

#include "support/refuses.h"
#include "unit/pipeline/run_fixture.h"

#include "repose/io/particles/frame_check.h"
#include "repose/io/particles/ply.h"
#include "repose/io/pictures/film.h"
#include "repose/pipeline/later/cache.h"
#include "repose/pipeline/later/export_run.h"
#include "repose/pipeline/later/info.h"
#include "repose/pipeline/later/render_run.h"

namespace repose::test {
namespace {

using StagesTest = RunTest;

std::vector<int> images(const std::filesystem::path& run) {
  return numbered_files(run / "images", "image", "png");
}

TEST_F(StagesTest, ReadsFramesBackWithTheirBodies) {
  go("points");
  const RunCache cache = open_run(at("points"));
  EXPECT_EQ(cache.frames.size(), 7U);
  EXPECT_EQ(cache.shapes.at(0).name, "sphere");
  const Frame first = read_frame(cache, 0), last = read_frame(cache, 6);
  ASSERT_EQ(first.bodies.size(), 2U);
  EXPECT_EQ(first.bodies[0].name, "late");
  EXPECT_FALSE(first.bodies[0].present);
  EXPECT_TRUE(last.bodies[0].present);
  EXPECT_EQ(last.bodies[1].name, "domain.z-");
  EXPECT_EQ(last.index, 6);
  EXPECT_EQ(last.time, 0.3);
  EXPECT_EQ(run_scene(cache).info.title, "points");
}

TEST_F(StagesTest, OpeningDamagedRunsIsAnError) {
  error_of([&] { open_run(at("nothing")); }, ExitCode::usage);
  create_folder(at("empty"));
  error_of([&] { open_run(at("empty")); }, ExitCode::usage);
  go("points");
  write_file(at("points") / "particles/particles.0002.ply", "ply\nformat binary");
  const RunCache cache = open_run(at("points"));
  error_of([&] { read_frame(cache, 2); }, ExitCode::run_failed);
  write_file(at("points") / "bodies.csv", "frame,t\n1,x\n");
  error_of([&] { open_run(at("points")); }, ExitCode::run_failed);
}

TEST(CheckFrame, RefusesWhatTheRunDoesNotHave) {
  const auto message = [](auto change) {
    Frame frame;
    frame.id = {3, 4, 9};
    frame.position.assign(3, Vec3d(0));
    frame.velocity.assign(3, Vec3f(0));
    frame.radius.assign(3, 0.5F);
    frame.material = {0, 1, 1};
    frame.orientation.assign(3, Quatf(1, 0, 0, 0));
    frame.angular_velocity.assign(3, Vec3f(0));
    frame.shape = {0, 2, 1};
    change(frame);
    try {
      check_frame(frame, 3, 2, "frame.ply");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::run_failed);
      return std::string(error.what()).substr(0, 60);
    }
    return std::string();
  };
  EXPECT_EQ(message([](Frame&) {}), "");
  const auto begins = [&](auto change, const std::string& what) {
    const std::string text = message(change);
    EXPECT_TRUE(text.starts_with("frame.ply: particle " + what)) << text;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  begins([](Frame& f) { f.shape[2] = 3; }, "2 (counted from 0) has grain shape 3,");
  begins([](Frame& f) { f.material[0] = 2; }, "0 (counted from 0) has material 2,");
  begins([](Frame& f) { f.id[1] = 3; }, "1 (counted from 0) has id 3 after id 3");
  begins([](Frame& f) { f.id[2] = 1; }, "2 (counted from 0) has id 1 after id 4");
  begins([&](Frame& f) { f.position[1].z = nan; }, "1 (counted from 0) has a position");
  begins([&](Frame& f) { f.position[1].x = -1e30; }, "1 (counted from 0) has a position");
  begins([&](Frame& f) { f.velocity[1].x = nan; }, "1 (counted from 0) has a velocity");
  begins([](Frame& f) { f.radius[0] = -1; }, "0 (counted from 0) has a radius");
  begins([&](Frame& f) { f.radius[0] = nan; }, "0 (counted from 0) has a radius");
  begins([](Frame& f) { f.orientation[2] = Quatf(0, 0, 0, 0); }, "2 (counted from 0) has an orientation");
  begins([&](Frame& f) { f.angular_velocity[2].y = nan; }, "2 (counted from 0) has an angular");
}

TEST_F(StagesTest, ImagesInlineAndLaterAreTheSame) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  // Far from the origin, where positions in files are coarser than those of the solver.
  set("domain.max=[4097, 1, 2]");
  set("domain.min=[4095, -1, 0]");
  set("fill.heap.position=[4096, 0, 0.5]");
  set("render.size=[64, 36]");
  options_.render = true;
  const RunSummary summary = go("inline");
  EXPECT_EQ(summary.images, 7);
  EXPECT_EQ(summary.film, at("inline") / "inline.mp4");
  EXPECT_TRUE(std::filesystem::exists(summary.film));
  options_.render = false;
  go("later");
  EXPECT_TRUE(images(at("later")).empty());
  const RenderSummary rendered = render_run({.run = at("later"), .frames = {}}, threads_, recorder_);
  EXPECT_EQ(rendered.rendered, 7);
  EXPECT_TRUE(rendered.film_made);
  expect_equal("inline", "later");
}

TEST_F(StagesTest, ResumingAFinishedRunMakesMissingImages) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  go("points");
  options_.render = true;
  RunSummary summary = resume("points");
  EXPECT_EQ(summary.outcome, RunOutcome::done);
  EXPECT_EQ(summary.images, 7);
  EXPECT_TRUE(std::filesystem::exists(at("points") / "points.mp4"));
  summary = resume("points");
  EXPECT_EQ(summary.outcome, RunOutcome::nothing_to_do);
  EXPECT_EQ(summary.film, at("points") / "points.mp4");
  EXPECT_EQ(summary.images, 7);
}

TEST_F(StagesTest, WithoutFfmpegTheImagesStay) {
  const std::string path = std::getenv("PATH");
  options_.render = true;
  setenv("PATH", folder_.path().c_str(), 1);
  EXPECT_EQ(go("points").film, "");
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(std::any_of(recorder_.messages.begin(), recorder_.messages.end(), [](const std::string& text) {
    return text.starts_with("there is no film of ") &&
           text.find("apt-get install ffmpeg") != std::string::npos;
  }));
  EXPECT_EQ(images(at("points")).size(), 7U);
  EXPECT_EQ(manifest("points").frames_done, 6);
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  EXPECT_EQ(resume("points").film, at("points") / "points.mp4");
}

TEST_F(StagesTest, RunsWithoutPlyFilesHaveAFilmToo) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  set("output.formats=[\"csv\"]");
  options_.render = true;
  EXPECT_TRUE(std::filesystem::exists(go("points").film));
  error_of([&] { render_run({.run = at("points")}, threads_, recorder_); }, ExitCode::usage);
}

TEST_F(StagesTest, AResumeWithAnotherLookMakesAllImagesAgain) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  options_.render = true;
  options_.frames = 3;
  go("points");
  options_.frames.reset();
  set("render.size=[48, 28]");
  resume("points");
  go("whole");
  expect_equal("points", "whole");
}

TEST_F(StagesTest, RendersARangeAndTheMissingOnly) {
  go("points");
  RenderOptions options{.run = at("points"), .frames = parse_frame_range("1-5:2"), .film = false};
  EXPECT_EQ(render_run(options, threads_, recorder_).rendered, 3);
  EXPECT_EQ(images(at("points")), (std::vector<int>{1, 3, 5}));
  options.frames = {};
  options.missing_only = true;
  const RenderSummary rest = render_run(options, threads_, recorder_);
  EXPECT_EQ(rest.rendered, 4);
  EXPECT_EQ(rest.kept, 3);
  EXPECT_TRUE(rest.film.empty());
  options.frames = parse_frame_range("40-50");
  error_of([&] { render_run(options, threads_, recorder_); }, ExitCode::usage);
}

TEST_F(StagesTest, ImagesThatAreAddedHaveTheColorsOfTheOthers) {
  set("render.color_by=\"speed\"");
  options_.frames = 2;
  go("points");
  RenderOptions options{.run = at("points"), .frames = {}, .range_from_frames = true, .film = false};
  render_run(options, threads_, recorder_);
  const std::string kept = read_text(at("points") / "images/colors.json");
  const std::string second = read_text(at("points") / "images/image.0002.png");
  // With more frames the range of all would be another.
  options_.frames.reset();
  resume("points");
  std::filesystem::remove(at("points") / "images/image.0002.png");
  options.missing_only = true;
  EXPECT_EQ(render_run(options, threads_, recorder_).rendered, 5);
  EXPECT_EQ(read_text(at("points") / "images/colors.json"), kept);
  EXPECT_EQ(read_text(at("points") / "images/image.0002.png"), second);
  // All of them again: the range of all frames.
  options.missing_only = false;
  render_run(options, threads_, recorder_);
  EXPECT_NE(read_text(at("points") / "images/colors.json"), kept);
  EXPECT_NE(read_text(at("points") / "images/image.0002.png"), second);
}

TEST_F(StagesTest, ImagesThatAreAddedToThoseOfTheRunHaveItsColors) {
  if (!find_ffmpeg()) GTEST_SKIP() << "no ffmpeg here";
  set("render.color_by=\"speed\"");
  options_.render = true;
  go("points");
  const std::string third = read_text(at("points") / "images/image.0003.png");
  std::filesystem::remove(at("points") / "images/image.0003.png");
  RenderOptions options{
      .run = at("points"), .frames = {}, .missing_only = true, .range_from_frames = true, .film = false};
  EXPECT_EQ(render_run(options, threads_, recorder_).rendered, 1);
  EXPECT_EQ(read_text(at("points") / "images/image.0003.png"), third);
}

TEST_F(StagesTest, RenderingStopsOnInterrupt) {
  go("points");
  const std::atomic<bool> interrupt = true;
  const RenderSummary summary =
      render_run({.run = at("points"), .frames = {}, .interrupt = &interrupt}, threads_, recorder_);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.rendered, 0);
  EXPECT_TRUE(summary.film.empty());
}

TEST_F(StagesTest, ExportsToTheDefaultFolderAndAnother) {
  go("points");
  ExportSummary summary =
      export_run({.run = at("points"), .format = "csv", .output = {}, .frames = {}}, threads_, recorder_);
  EXPECT_EQ(summary.frames, 7);
  EXPECT_EQ(summary.output, at("points") / "export/csv");
  EXPECT_EQ(read_csv(summary.output / "particles.0006.csv").rows.size(),
            read_ply(at("points") / "particles/particles.0006.ply").particle_count());
  summary = export_run({.run = at("points"), .format = "ply", .output = at("out"), .frames = {2, 3}},
                       threads_, recorder_);
  EXPECT_EQ(summary.frames, 2);
  EXPECT_EQ(read_text(at("out") / "particles.0003.ply"),
            read_text(at("points") / "particles/particles.0003.ply"));
  EXPECT_EQ(error_of(
                [&] {
                  export_run({.run = at("points"), .format = "bgeo", .output = {}, .frames = {}}, threads_,
                             recorder_);
                },
                ExitCode::usage),
            "'bgeo' is no format to export to; formats: ply, csv, vtp, vdb");
}

TEST_F(StagesTest, InfoTellsWhatIsThere) {
  go("points");
  const RunInfo info = run_info(at("points"));
  EXPECT_EQ(info.status, "done");
  EXPECT_EQ(info.title, "points");
  EXPECT_EQ(info.frames_done, 6);
  EXPECT_EQ(info.time, 0.3);
  EXPECT_EQ(info.checkpoint_frame, 6);
  EXPECT_EQ(info.state_hash.size(), 16U);
  ASSERT_GE(info.files.size(), 3U);
  EXPECT_EQ(info.files[1].name, "particles");
  EXPECT_EQ(info.files[1].files, 7);
  EXPECT_GT(info.files[1].bytes, 1000U);
}

TEST_F(StagesTest, InfoTellsAKilledRunFromOneAtWork) {
  go_killed("points", 12);
  EXPECT_EQ(run_info(at("points")).status, "killed");
  const FolderLock at_work(at("points"));
  EXPECT_EQ(run_info(at("points")).status, "running");
}

TEST(FrameRange, ReadsWhatTheCommandTakes) {
  const auto text = [](const FrameRange& range) {
    return std::to_string(range.first) + "-" + (range.last ? std::to_string(*range.last) : "") + ":" +
           std::to_string(range.step);
  };
  EXPECT_EQ(text(parse_frame_range("7")), "7-7:1");
  EXPECT_EQ(text(parse_frame_range("3-40")), "3-40:1");
  EXPECT_EQ(text(parse_frame_range("3-40:5")), "3-40:5");
  EXPECT_EQ(text(parse_frame_range("3-")), "3-:1");
  EXPECT_EQ(text(parse_frame_range("3-:2")), "3-:2");
  for (const char* bad :
       {"", "-", "a", "3-2", "3-4:0", "3-4:-1", "3-4:", "3--4", "-3", "3,4", "3-4 ", "99999999999"})
    EXPECT_TRUE(test::refuses([&] { parse_frame_range(bad); }, "is no range of frames")) << bad;
  const FrameRange range = parse_frame_range("2-8:3");
  for (int frame = 0; frame < 12; ++frame)
    EXPECT_EQ(range.holds(frame), frame == 2 || frame == 5 || frame == 8) << frame;
}

}  // namespace
}  // namespace repose::test
