// What solvers of a continuum do alike: their rows, the length of a step, why a step failed.

#include "repose/solvers/continuum/matter_state.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "support/refuses.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"
#include "repose/solvers/continuum/matter_report.h"
#include "repose/solvers/continuum/matter_step.h"

namespace repose {
namespace {

template <class State>
class MatterRows : public testing::Test {};
using States = testing::Types<FlipState, SphState>;
TYPED_TEST_SUITE(MatterRows, States);

NewMatter three_particles() {
  NewMatter matter;
  for (int k = 0; k < 3; ++k) matter.add({0.1 + 0.2 * k, 0.5, 0.5}, {0, 0, -1.0 * k}, k == 2 ? 1 : 0, 0);
  return matter;
}

MatterSettings open_box() {
  Scene scene = test::sand_tank({1, 1, 1}, 0.1, 30);
  scene.domain.faces.fill(FaceKind::open);
  return make_matter_settings(scene, "test");
}

TYPED_TEST(MatterRows, ComeWithTheNextIdsAndLeaveByPlace) {
  Threads threads(1);
  TypeParam state;
  add_rows(state, three_particles());
  add_rows(state, three_particles());
  ASSERT_EQ(state.size(), 6U);
  EXPECT_EQ(state.id, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(state.material[5], 1);
  TypeParam::for_each_channel(
      state, [&](const char* name, const auto& array) { EXPECT_EQ(array.size(), 6U) << name; });

  state.position[1] = {0.5, 0.5, 1.2};
  state.position[3] = {0.5, 0.5, 0.05};
  const std::vector<SinkShape> sinks{
      {test::box_shape(Vec3d(0.2), {0.5, 0.5, 0.05}), Box3d(Vec3d(-1), Vec3d(2)), 0, 10}};
  const std::vector<Vec3d> left = remove_departed(std::span(sinks), open_box(), threads, state);
  EXPECT_EQ(left, (std::vector<Vec3d>{{0.5, 0.5, 1.2}, {0.5, 0.5, 0.05}}));
  EXPECT_EQ(state.id, (std::vector<std::uint32_t>{0, 2, 4, 5}));
  EXPECT_EQ(state.escaped, 0U);
  EXPECT_EQ(state.drained, 1U);
  EXPECT_TRUE(remove_departed(std::span(sinks), open_box(), threads, state).empty());
  EXPECT_EQ(state.size(), 4U);
}

TYPED_TEST(MatterRows, AreLoadedByTheirOwnSceneOnly) {
  TypeParam state;
  add_rows(state, three_particles());
  state.emitters.resize(2);
  ArchiveWriter out;
  save_state(state, out);
  const auto load = [&](std::size_t materials, std::size_t emitters) {
    TypeParam loaded;
    ArchiveReader in(out.bytes());
    load_state(materials, emitters, in, loaded);
    return loaded.id;
  };
  EXPECT_EQ(load(2, 2), state.id);
  EXPECT_TRUE(test::refuses([&] { load(1, 2); }, "of a material that the scene has not"));
  EXPECT_TRUE(test::refuses([&] { load(2, 1); }, "another number of emitters than the scene"));
}

/// Saves a state after a change that no run makes; the message with which it is refused.
template <class State, class Change>
std::string refusal_of(Change change) {
  State state;
  add_rows(state, three_particles());
  change(state);
  // Rows are saved by id: out of order they would be put right. So a saved state is changed in its bytes.
  ArchiveWriter out;
  State::for_each_channel(state, [&](const char* name, const auto& array) {
    std::vector<std::uint32_t> rows(array.size());
    std::iota(rows.begin(), rows.end(), 0U);
    put_rows(out, name, array, rows);
  });
  State::for_each_number(state, [&](const char* name, const auto& value) { out.put(name, value); });
  State loaded;
  ArchiveReader in(out.bytes());
  try {
    load_state(2, 0, in, loaded);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(MatterRows, AreRefusedWhereASavedStateIsNoState) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [](auto change) { return refusal_of<TypeParam>(change); };
  EXPECT_EQ(refuse([](TypeParam&) {}), "");
  const std::string ids = "with ids that do not fit together";
  EXPECT_NE(refuse([](TypeParam& s) { s.id[1] = s.id[0]; }).find(ids), std::string::npos);
  EXPECT_NE(refuse([](TypeParam& s) { std::swap(s.id[0], s.id[2]); }).find(ids), std::string::npos);
  EXPECT_NE(refuse([](TypeParam& s) { s.next_id = 2; }).find(ids), std::string::npos);
  const std::string place = "a position or velocity that is not a number up to 1e9";
  EXPECT_NE(refuse([&](TypeParam& s) { s.position[2].y = nan; }).find(place), std::string::npos);
  EXPECT_NE(refuse([&](TypeParam& s) { s.position[0].x = -1e300; }).find(place), std::string::npos);
  EXPECT_NE(refuse([&](TypeParam& s) { s.velocity[1].z = INFINITY; }).find(place), std::string::npos);
  const std::string number = "a number beyond 1e15";
  EXPECT_NE(refuse([&](TypeParam& s) { s.time = nan; }).find(number), std::string::npos);
  EXPECT_NE(refuse([&](TypeParam& s) { s.max_speed = INFINITY; }).find(number), std::string::npos);
}

TEST(MatterStep, GoesNoFurtherThanItMay) {
  // With the speed at its end, as steps that change the velocity first do.
  for (const double speed : {0.0, 0.3, 20.0})
    for (const double gravity : {0.0, 9.81}) {
      if (speed == 0 && gravity == 0) continue;
      const double t = time_over(0.01, speed, gravity);
      EXPECT_NEAR((speed + gravity * t) * t, 0.01, 1e-15) << speed << ' ' << gravity;
    }
  EXPECT_EQ(time_over(0.01, 0, 0), std::numeric_limits<double>::infinity());
}

TEST(MatterStep, PartsOfAFrameAreAlike) {
  EXPECT_DOUBLE_EQ(even_part(0.04, 0.03), 0.02);
  EXPECT_DOUBLE_EQ(even_part(0.04, 0.0133), 0.01);
  EXPECT_DOUBLE_EQ(even_part(0.9, 0.03), 0.03) << "0.9 / 0.03 is more than 30 in its last digit";
  TimeStep step{0.04, "frame"};
  step.limit_to(0.05, "speed");
  EXPECT_STREQ(step.limit, "frame");
  step.limit_to(0.01, "speed");
  EXPECT_STREQ(step.limit, "speed");
  EXPECT_EQ(step.dt, 0.01);
}

TEST(MatterReport, FindsWhatIsNotANumber) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(larger_speed(1, 2, {0, 0, 0}), 2);
  EXPECT_EQ(larger_speed(3, 2, {0, 0, 0}), 3);
  EXPECT_FALSE(std::isfinite(larger_speed(3, kNone, {0, 0, 0})));
  EXPECT_FALSE(std::isfinite(larger_speed(3, 2, {0, kNone, 0})));
  EXPECT_FALSE(std::isfinite(larger_speed(larger_speed(3, kNone, {0, 0, 0}), 2, {0, 0, 0})));
  const Bodies none;
  EXPECT_EQ(failure_of("sph", 1, 5, none), "");
  EXPECT_NE(failure_of("sph", 1, larger_speed(0, kNone, {0, 0, 0}), none).find("solver.sph.cfl"),
            std::string::npos);
}

}  // namespace
}  // namespace repose
