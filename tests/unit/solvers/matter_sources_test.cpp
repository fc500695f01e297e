// Matter that comes and goes under continuum methods.

#include "repose/solvers/continuum/matter_sources.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "support/flip_scenes.h"
#include "support/refuses.h"
#include <gtest/gtest.h>

#include "repose/core/error.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01;
constexpr double kMass = 1e-3;  ///< of a particle of water [kg]

/// A tank with an emitter of 4 x 4 x 4 places that pours downwards.
Scene spout_scene() {
  Scene scene = test::tank_scene({0.4, 0.4, 0.4}, kSpacing);
  Emitter emitter;
  emitter.name = "spout";
  emitter.material = "water";
  emitter.shape = test::box_shape({0.04, 0.04, 0.04}, {0.2, 0.2, 0.3});
  emitter.rate = 1;
  emitter.velocity = {0, 0, -1};
  scene.emitters.push_back(emitter);
  return scene;
}

/// Emitters, and what they have given.
struct Pour {
  explicit Pour(const Scene& scene)
      : settings(make_matter_settings(scene, "flip")),
        emitters(make_matter_emitters(scene, settings, Bodies(scene))),
        states(emitters.size()) {}

  /// Over a step of this length [s]; nothing moves.
  Emission step(double dt) {
    Emission emission = emit_matter(emitters, settings, {time, dt, steps++}, position, states);
    time += dt;
    const std::vector<Vec3d>& more = emission.matter.position;
    position.insert(position.end(), more.begin(), more.end());
    return emission;
  }

  /// How many places of the lattice have a particle.
  std::size_t places() const {
    std::set<std::tuple<int, int, int>> cells;
    for (const Vec3d& x : position) {
      const Vec3d c = x / kSpacing + Vec3d(1e-6);
      cells.emplace(static_cast<int>(c.x), static_cast<int>(c.y), static_cast<int>(c.z));
    }
    return cells.size();
  }

  MatterSettings settings;
  std::vector<MatterEmitter> emitters;
  std::vector<MatterEmitterState> states;
  std::vector<Vec3d> position;
  double time = 0;
  std::uint64_t steps = 0;
};

TEST(MatterEmitter, GivesWhatIsDueAndKeepsTheRest) {
  Scene scene = spout_scene();
  scene.emitters[0].start = 0.01;
  scene.emitters[0].stop = 0.02;
  Pour pour(scene);
  EXPECT_EQ(pour.step(0.01).matter.size(), 0U) << "before it starts";
  const NewMatter first = pour.step(0.0055).matter;
  ASSERT_EQ(first.size(), 5U);
  EXPECT_EQ(first.velocity[0], Vec3d(0, 0, -1));
  EXPECT_NEAR(pour.states[0].owed, 0.5 * kMass, 1e-12);
  EXPECT_EQ(pour.step(0.1).matter.size(), 5U) << "until it stops";
  EXPECT_EQ(pour.states[0].emitted, 10U);
}

TEST(MatterEmitter, TakesMassesByMaterial) {
  Scene scene = spout_scene();
  scene.materials.push_back(scene.materials[0]);
  scene.materials[1].name = "heavy";
  scene.materials[1].density = 4000;
  scene.emitters[0].material = "heavy";
  const NewMatter matter = Pour(scene).step(0.0205).matter;
  ASSERT_EQ(matter.size(), 5U);
  EXPECT_EQ(matter.material[0], 1);
}

TEST(MatterEmitter, FillsEmptyPlacesFromTheBack) {
  Pour pour(spout_scene());
  pour.step(0.0165);
  ASSERT_EQ(pour.position.size(), 16U);
  for (const Vec3d& x : pour.position) EXPECT_GT(x.z, 0.31) << "the layer furthest against the stream";
  pour.step(0.04);
  EXPECT_EQ(pour.position.size(), 56U);
  EXPECT_EQ(pour.places(), 56U) << "one particle a place";
}

TEST(MatterEmitter, WaitsWhereThereIsNoRoom) {
  Pour pour(spout_scene());
  EXPECT_TRUE(pour.step(0.12).blocked.empty());
  EXPECT_EQ(pour.position.size(), 64U);
  EXPECT_EQ(pour.step(0.01).blocked, std::vector<std::size_t>{0}) << "it owes more than 64 particles";
  EXPECT_NEAR(pour.states[0].owed, 0.13 - 64 * kMass, 1e-12);
  EXPECT_NE(blocked_warning(pour.emitters[0]).find("'spout' finds no room"), std::string::npos);
  pour.position.clear();
  EXPECT_EQ(pour.step(0).matter.size(), 64U);
}

TEST(MatterEmitter, WaitsWhereOthersAreDense) {
  Scene scene = spout_scene();
  scene.emitters[0].shape = test::box_shape(Vec3d(kSpacing), {0.2, 0.2, 0.3});
  Pour pour(scene);
  pour.settings.tries = 12;
  // A lattice whose corners are those of the place: it is dense, and none is inside.
  for (int k = 0; k < 64; ++k)
    pour.position.push_back(Vec3d(0.2, 0.2, 0.3) +
                            1.001 * kSpacing * Vec3d(k % 4 - 1.5, k / 4 % 4 - 1.5, k / 16 - 1.5));
  pour.settings.most_crowded = 0.8;
  EXPECT_EQ(pour.step(0.0015).matter.size(), 0U);
  EXPECT_NEAR(pour.states[0].owed, 1.5 * kMass, 1e-12) << "kept for later";
  Pour scarce = pour;
  scarce.position.resize(32);  // below the place alone
  EXPECT_EQ(scarce.step(0).matter.size(), 1U);
  pour.settings.most_crowded = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pour.step(0).matter.size(), 1U) << "the place is empty";
}

TEST(MatterEmitter, DoesNotCrowdAnother) {
  Scene scene = spout_scene();
  scene.emitters.push_back(scene.emitters[0]);
  scene.emitters[1].name = "other";
  Pour pour(scene);
  const NewMatter matter = pour.step(0.0325).matter;
  EXPECT_EQ(std::count(matter.source.begin(), matter.source.end(), 0U), 32);
  EXPECT_EQ(std::count(matter.source.begin(), matter.source.end(), 1U), 32);
  EXPECT_EQ(pour.places(), 64U);
}

TEST(MatterEmitter, KeepsOutOfFixedBodies) {
  Scene scene = spout_scene();
  BodyDefinition lid;
  lid.name = "lid";
  lid.shape = test::box_shape({0.1, 0.1, 0.02}, {0.2, 0.2, 0.31});
  scene.bodies.push_back(lid);
  Pour pour(scene);
  pour.step(1);
  EXPECT_EQ(pour.position.size(), 32U);
  scene.bodies[0].shape = test::box_shape({0.1, 0.1, 0.1}, {0.2, 0.2, 0.3});
  try {
    Pour none(scene);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no room for a particle"), std::string::npos);
  }
}

TEST(MatterDepartures, TellWhatEscapesWhatLeavesAndWhatSinksTake) {
  Scene scene = test::tank_scene({0.4, 0.4, 0.4}, kSpacing);
  Sink sink;
  sink.shape = test::box_shape({0.1, 0.1, 0.1}, {0.05, 0.05, 0.05});
  sink.start = 1;
  sink.stop = 2;
  scene.sinks.push_back(sink);
  const MatterSettings settings = make_matter_settings(scene, "flip");
  const std::vector<SinkShape> sinks = make_sinks(scene);
  Threads threads(2);
  std::vector<Vec3d> position{
      {0.05, 0.05, 0.05}, {0.2, 0.2, 0.2}, {0.2, 0.2, 0.5}, {0.3, 0.3, 0.3}, {0.2, 0.2, -0.1}};
  const auto at = [&](double time) { return find_departures(sinks, settings, time, threads, position); };
  EXPECT_EQ(at(1).drained, 1U);
  EXPECT_EQ(at(1).left, 1U) << "through the open top";
  EXPECT_EQ(at(1).escaped, 1U) << "through the floor";
  EXPECT_EQ(at(1).staying, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(at(0.9).drained, 0U) << "not yet";
  EXPECT_EQ(at(2).drained, 0U) << "no more";
  position.pop_back();
  position.erase(position.begin() + 2);
  EXPECT_FALSE(at(0).any());
}

TEST(MatterDepartures, ComeBackThroughPeriodicFaces) {
  Scene scene = test::tank_scene({0.5, 0.5, 0.5}, kSpacing);
  scene.domain.faces[0] = scene.domain.faces[1] = FaceKind::periodic;
  const MatterSettings settings = make_matter_settings(scene, "flip");
  Threads threads(1);
  std::vector<Vec3d> position{{0.75, 0.25, 0.25}, {-0.125, 0.25, 0.25}, {0.25, -0.125, 0.25}};
  const Departures departures = find_departures({}, settings, 0, threads, position);
  EXPECT_EQ(departures.escaped, 1U);
  EXPECT_EQ(departures.staying, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(position[0], Vec3d(0.25, 0.25, 0.25));
  EXPECT_EQ(position[1], Vec3d(0.375, 0.25, 0.25));
}

TEST(MatterSettings, WantTwoPeriodicFacesOrNone) {
  Scene scene = test::tank_scene({0.4, 0.4, 0.4}, kSpacing);
  scene.domain.faces[2] = FaceKind::periodic;
  EXPECT_TRUE(
      test::refuses([&] { make_matter_settings(scene, "flip"); }, "both faces must be periodic, or none"));
  scene.domain.faces[3] = FaceKind::periodic;
  const MatterSettings settings = make_matter_settings(scene, "flip");
  EXPECT_EQ(settings.box.periodic, (std::array<bool, 3>{false, true, false}));
}

}  // namespace
}  // namespace repose
