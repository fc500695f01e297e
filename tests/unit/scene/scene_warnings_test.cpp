#include "repose/scene/scene_warnings.h"

#include "scene_text.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace repose {
namespace {

/// A scene that nothing is to be said of; cases change one thing of it.
constexpr std::string_view kGood = R"([scene]
duration = 1
gravity = [0, 0, -9.81]
[domain]
min = [-1, -1, 0]
max = [1, 1, 2]
friction = 0.5
[solver]
type = "dem"
spacing = 0.02
[material.sand]
density = 1500
friction = 0.5
young = 1e7
[fill.heap]
material = "sand"
shape = "box"
size = [0.4, 0.4, 0.4]
position = [-0.5, 0, 0.3]
[emitter.spout]
material = "sand"
shape = "box"
size = [0.2, 0.2, 0.1]
position = [0.5, 0, 1]
velocity = [0, 0, -1]
rate = 20
[body.block]
shape = "box"
size = [0.2, 0.2, 0.2]
position = [0, 0.6, 0.1]
friction = 0.4
[contact.pair]
between = ["sand", "block"]
friction = 0.3
)";

struct Case {
  const char* title;
  std::vector<std::string> set;  ///< --set KEY=VALUE
  std::string name;              ///< of the one warning that is expected; "": none
  std::string place, part;       ///< where it stands, where that is asked for, and a part of what it says
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.title; }

class SceneWarnings : public testing::TestWithParam<Case> {};

TEST_P(SceneWarnings, AreExactlyThese) {
  const Case& c = GetParam();
  Threads threads(1);
  const Scene scene = parse_scene(kGood, "s.toml", "", c.set);
  std::string names;
  const std::vector<SceneWarning> warnings = find_scene_warnings(scene, threads);
  for (const SceneWarning& warning : warnings) names += (names.empty() ? "" : " ") + warning.name;
  EXPECT_EQ(names, c.name);
  if (warnings.size() != 1) return;
  if (!c.place.empty()) {
    EXPECT_EQ(warnings[0].place, c.place);
  }
  EXPECT_NE(warnings[0].text.find(c.part), std::string::npos) << warnings[0].text;
}

INSTANTIATE_TEST_SUITE_P(
    Table, SceneWarnings,
    testing::Values(
        Case{"nothing", {}, "", "", ""},
        Case{"fill outside", {"fill.heap.position=[3,0,0.3]"}, "fill_outside", "", "outside the domain"},
        Case{"fill cut to a sixth by the domain",
             {"fill.heap.position=[-1.13,0,0.3]"},
             "fill_cut_by_domain",
             "",
             "only 18 % of fill 'heap' lies in the domain"},
        Case{"fill cut to a half by the domain", {"fill.heap.position=[-1,0,0.3]"}, "", "", ""},
        Case{"fill cut by a body",
             {"body.block.position=[-0.56,0,0.3]", "body.block.size=[0.4,0.6,0.6]"},
             "fill_cut_by_bodies",
             "s.toml:19:12: ",
             "leave only 15 % of fill 'heap'"},
        Case{"points outside",
             {"fill.more.material='sand'", "fill.more.points=[[5,0,1],[6,0,1],[7,0,1],[8,0,1],[0,0,1]]"},
             "fill_cut_by_domain",
             "",
             "only 20 % of fill 'more'"},
        Case{"emitter outside",
             {"emitter.spout.position=[0.5,0,2.5]"},
             "emitter_outside",
             "",
             "nothing comes"},
        Case{"emitter partly outside", {"emitter.spout.position=[0.5,0,2]"}, "", "", ""},
        Case{"emitter in a body",
             {"body.block.position=[0.5,0,1]", "body.block.size=[0.3,0.3,0.3]"},
             "emitter_in_body",
             "s.toml:24:12: ",
             "inside body 'block'"},
        Case{"emitter in a body that moves away",
             {"body.block.position=[0.5,0,1]", "body.block.size=[0.3,0.3,0.3]", "body.block.motion='moving'",
              "body.block.velocity=[1,0,0]"},
             "",
             "",
             ""},
        Case{"emitter in a hollow body",
             {"body.block.position=[0.5,0,1]", "body.block.size=[0.3,0.3,0.3]", "body.block.thickness=0.02"},
             "",
             "",
             ""},
        Case{"emitter smaller than a grain",
             {"emitter.spout.size=[0.015,0.2,0.1]", "emitter.spout.rate=0.1"},
             "emitter_small",
             "",
             "0.015 m wide across its stream, less than a grain of 0.02 m"},
        Case{"emitter flatter than a grain", {"emitter.spout.size=[0.2,0.2,0.01]"}, "", "", ""},
        Case{"emitter too small for the largest of its grains",
             {"emitter.spout.size=[0.05,0.2,0.1]", "emitter.spout.rate=1",
              "material.sand.sizes=[[1,0.5],[3,0.5]]"},
             "emitter_small",
             "",
             "less than a grain of 0.06 m"},
        // 1500 kg/m3 through 0.04 m2 at sqrt(1 + 2 g 0.1) = 1.72 m/s are 103 kg/s.
        Case{"emitter with too much mass",
             {"emitter.spout.rate=110"},
             "emitter_rate",
             "",
             "is to give 110 kg/s, but its opening of 0.04 m2 lets at most 103 kg/s through at 1.72 m/s"},
        Case{"emitter at its limit", {"emitter.spout.rate=100"}, "", "", ""},
        Case{"emitter that does not move",
             {"emitter.spout.velocity=[0,0,0]", "scene.gravity=[0,0,0]"},
             "emitter_rate",
             "s.toml:26:8: ",
             "at most 0 kg/s"},
        Case{"body outside", {"body.block.position=[0,5,0.1]"}, "body_outside", "", "meets nothing"},
        Case{"body outside that comes in",
             {"body.block.position=[0,5,0.1]", "body.block.motion='moving'", "body.block.velocity=[0,-6,0]"},
             "",
             "",
             ""},
        Case{"body outside that goes away",
             {"body.block.position=[0,5,0.1]", "body.block.motion='moving'", "body.block.velocity=[0,6,0]"},
             "body_outside",
             "",
             "body 'block'"},
        Case{"body above that falls in",
             {"body.block.position=[0,0.6,4]", "body.block.motion='dynamic'", "body.block.density=1000"},
             "",
             "",
             ""},
        Case{"body with keyframes that stay outside",
             {"body.block.motion='keyframed'",
              "body.block.keyframes=[{t=0,position=[5,0,0]},{t=1,position=[5,5,0]}]"},
             "body_outside",
             "",
             ""},
        Case{"body with keyframes that pass through",
             {"body.block.motion='keyframed'",
              "body.block.keyframes=[{t=0,position=[5,0,0]},{t=1,position=[-5,0,0]}]"},
             "",
             "",
             ""},
        Case{"copies outside, told once",
             {"body.block.position=[0,5,0.1]", "body.block.copies=[3,1,1]", "body.block.step=[1,0,0]"},
             "body_outside",
             "",
             ""},
        Case{"body beyond a periodic face",
             {"body.block.position=[0,5,0.1]", "domain.y='periodic'"},
             "",
             "",
             ""},
        Case{"gravity past the floor",
             {"scene.gravity=[0,-9.81,0]", "body.block.position=[0,0.6,1.8]"},
             "gravity_past_floor",
             "",
             "gravity pulls to y-, which is open, and the floor is at z-"},
        Case{"gravity to a floor of that axis",
             {"scene.gravity=[0,-9.81,0]", "domain.y=['wall','open']"},
             "",
             "",
             ""},
        Case{"gravity onto a body",
             {"scene.gravity=[0,-9.81,0]", "body.block.position=[0,-0.9,0.4]", "body.block.size=[2,0.1,2]"},
             "",
             "",
             ""},
        Case{
            "gravity out of a hopper", {"domain.x='wall'", "domain.y='wall'", "domain.z='open'"}, "", "", ""},
        Case{"gravity of a slope", {"scene.gravity=[4,0,-8]"}, "", "", ""},
        Case{"friction as an angle",
             {"material.sand.friction=30"},
             "friction_is_angle",
             "",
             "30 degrees are 0.577"},
        Case{"friction of a body as an angle", {"body.block.friction=20"}, "friction_is_angle", "", ""},
        Case{"friction of a contact as an angle", {"contact.pair.friction=20"}, "friction_is_angle", "", ""},
        Case{"friction of a wall as an angle", {"domain.friction=30"}, "friction_is_angle", "", ""},
        Case{"friction without slip", {"domain.friction=inf"}, "", "", ""},
        Case{"young in GPa", {"material.sand.young=70"}, "young_unit", "", "70 GPa are 70e9"},
        Case{"young of a body in GPa", {"body.block.young=200"}, "young_unit", "", "200 GPa"},
        Case{"young that sph does not read", {"material.sand.young=70", "solver.type='sph'"}, "", "", ""}));

TEST(SceneWarningPlaces, AreThoseOfTheFile) {
  Threads threads(1);
  std::string text(kGood);
  text.replace(text.find("friction = 0.5\nyoung"), 14, "friction = 30 ");
  const auto warnings = find_scene_warnings(parse_scene(text, "s.toml", "", {}), threads);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(
      warnings[0].line(),
      "s.toml:13:12: material.sand.friction = 30 is a coefficient (tangent of an angle): 30 degrees are "
      "0.577");
}

}  // namespace
}  // namespace repose
