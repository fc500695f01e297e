// What colours can show under each solver: frames as the real solvers fill them.

#include "unit/pipeline/run_fixture.h"

#include "repose/pipeline/later/render_run.h"
#include "repose/render/color_fields.h"

namespace repose::test {
namespace {

constexpr const char* kWetSand = R"(
[scene]
version = 1
duration = 0.1
fps = 20
[domain]
min = [-0.1, -0.1, 0]
max = [0.1, 0.1, 0.2]
[solver]
type = "sph"
spacing = 0.02
[solver.sph]
sleep = true
[material.sand]
wetness = 0.4
[fill.heap]
material = "sand"
shape = "box"
size = [0.1, 0.1, 0.1]
position = [0, 0, 0.05]
[render]
size = [32, 18]
samples = 1
)";

struct Shown {
  const char *solver, *value;
  bool is_there;
};

class ColorsOfSolver : public testing::TestWithParam<Shown> {};

TEST_P(ColorsOfSolver, AreInItsFrames) {
  Threads threads(1);
  const std::string type = std::string("solver.type=\"") + GetParam().solver + '"';
  const std::string shown = std::string("render.color_by=\"") + GetParam().value + '"';
  const std::vector<std::string> overrides{type, shown};
  const Scene scene = parse_scene(kWetSand, "wet.toml", ".", overrides);
  const std::unique_ptr<Solver> solver = make_solver(scene, threads, {});
  Frame frame;
  solver->step(0.01);
  solver->fill_frame(frame);
  EXPECT_EQ(lacks_color_values(scene, frame), !GetParam().is_there);
  EXPECT_EQ(color_values(frame, GetParam().value).size(), GetParam().is_there ? frame.particle_count() : 0U);
}

constexpr Shown kShown[] = {
    {"sph", "pressure", true},  {"sph", "density", true},   {"sph", "wetness", true},
    {"sph", "asleep", true},    {"sph", "spin", false},     {"sph", "speed", true},
    {"flip", "pressure", true}, {"flip", "density", true},  {"flip", "wetness", false},
    {"flip", "asleep", false},  {"dem", "pressure", false}, {"dem", "spin", true},
};
INSTANTIATE_TEST_SUITE_P(Solvers, ColorsOfSolver, testing::ValuesIn(kShown), [](const auto& test) {
  return std::string(test.param.solver) + "_" + test.param.value;
});

using ColorsTest = RunTest;

TEST_F(ColorsTest, ARunSaysThatItsFramesLackThem) {
  set("render.color_by=\"pressure\"");
  set("render.formats=[\"exr\"]");  // and no film
  options_.render = true;
  go("points");
  ASSERT_EQ(recorder_.messages.size(), 1U);
  EXPECT_NE(recorder_.messages[0].find("no channel 'pressure'"), std::string::npos) << recorder_.messages[0];
}

TEST_F(ColorsTest, RenderingRefusesWhatFramesLackAlsoWithARange) {
  set("render.color_by=\"pressure\"");
  go("points");
  const RenderOptions options{.run = at("points"), .frames = {}, .range_from_frames = true, .film = false};
  error_of([&] { render_run(options, threads_, recorder_); }, ExitCode::usage);
  set("render.range=[0, 1]");
  go("ranged");
  const RenderOptions ranged{.run = at("ranged"), .frames = {}, .range_from_frames = true, .film = false};
  error_of([&] { render_run(ranged, threads_, recorder_); }, ExitCode::usage);
}

}  // namespace
}  // namespace repose::test
