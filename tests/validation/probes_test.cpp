// Probes on dem against closed forms.
//
//  - Free fall of a lattice through a plane: n grains by layer of height a pass at g t n / a; counted
//  exactly.
//  - A bed at rest presses on floor and walls with its weight: 1e-3 of it, which is what is left of the bed's
//    motion over the interval (the impulse is exact: force - weight = change of momentum / time).
//  - Stress in a bed at rest without walls at its sides: szz = weight above / area = rho g h (Love-Weber). 1
//  %
//    of it: grains at the region's border count by the share of their ball, which is not the share of their
//    stress.
//    The same over the whole bed is the sum of m g z over its volume, whatever the packing (the virial of the
//    contacts): 0.5 %, since the floor is pressed in a little.
//  - Fraction and coordination of the bed: random packings of spheres have 0.55 to 0.64; 4 contacts a grain
//  are
//    the least that hold with friction, 6 without, and grains that are pressed in by per cents have a few
//    more.

#include <cmath>
#include <string>

#include "support/dem_scenes.h"
#include "support/drum.h"
#include "support/temporary_folder.h"
#include <gtest/gtest.h>

#include "repose/io/tables/csv_table.h"
#include "repose/pipeline/run/run.h"

namespace repose {
namespace {

using namespace test;

class DemProbes : public testing::Test {
 protected:
  ProbeDefinition& add_probe(const std::string& name, ProbeKind type, double interval) {
    ProbeDefinition probe;
    probe.name = name;
    probe.type = type;
    probe.interval = interval;
    scene_.probes.push_back(probe);
    return scene_.probes.back();
  }
  void go(double duration) {
    scene_.info.duration = duration;
    scene_.info.fps = 20;
    scene_.render.enabled = false;
    Threads threads(2);
    Progress progress;
    const RunSummary summary = run(scene_, {.output = folder_.path() / "run"}, threads, progress);
    EXPECT_EQ(summary.escaped, 0U);
  }
  /// A number of the last row of a probe's table.
  double last(const std::string& probe, std::string_view column) const {
    const CsvContent table = read_csv(folder_.path() / "run/probes" / (probe + ".csv"));
    return std::stod(table.rows.back().at(static_cast<std::size_t>(table.column(column))));
  }

  static constexpr double kGravity = 9.81;
  TemporaryFolder folder_;
  Scene scene_;
};

TEST_F(DemProbes, CountAFallingLatticeExactly) {
  // 4 x 4 x 10 grains, the lowest layer at 0.5 m, layers 0.05 m apart; the plane at 0.4 m.
  scene_ = void_scene("sphere", 0.02);
  scene_.info.gravity = {0, 0, -kGravity};
  for (int k = 0; k < 10; ++k)
    for (int i = 0; i < 16; ++i)
      add_point(scene_,
                {0.05 * (i % 4), 0.05 * (i / 4), 0.5 + 0.05 * k});  // NOLINT(bugprone-integer-division)
  Shape plane;
  plane.kind = ShapeKind::plane;
  plane.pose.position = {0, 0, 0.4};
  add_probe("gate", ProbeKind::flow, 0.01).shape = plane;
  go(0.3);
  const CsvContent table = read_csv(folder_.path() / "run/probes/gate.csv");
  const double mass = 2500 * 4 * kPi / 3 * std::pow(0.01F, 3);
  ASSERT_EQ(table.rows.size(), 30U);
  double before = 0;
  for (std::size_t n = 0; n < table.rows.size(); ++n) {
    const double t = 0.01 * static_cast<double>(n + 1), way = 0.5 * kGravity * t * t;
    const double layers = way < 0.1 ? 0 : std::min(10.0, 1 + std::floor((way - 0.1) / 0.05));
    EXPECT_EQ(std::stod(table.rows[n][3]), 16 * layers) << t;
    EXPECT_NEAR(std::stod(table.rows[n][2]), 16 * layers * mass, 1e-12) << t;
    EXPECT_NEAR(std::stod(table.rows[n][1]), 16 * (layers - before) * mass / 0.01, 1e-9) << t;
    before = layers;
  }
  EXPECT_EQ(before, 7) << "the rest is still above";
}

TEST_F(DemProbes, ABedAtRestPressesWithItsWeight) {
  scene_ = box_scene("tetrahedron", Vec3d(0.1, 0.1, 0.4), 0.012);
  scene_.materials[0].young = 2e6;
  scene_.materials[0].restitution = 0.2;
  add_fill(scene_, box_shape({0.098, 0.098, 0.12}, {0.05, 0.05, 0.062}));
  add_probe("floor", ProbeKind::force, 0.1).body.items = {"domain.x-", "domain.x+", "domain.y-", "domain.y+",
                                                          "domain.z-"};
  add_probe("all", ProbeKind::region, 0.1).shape = box_shape(Vec3d(0.1, 0.1, 0.4), {0.05, 0.05, 0.2});
  go(0.8);
  const double weight = kGravity * last("all", "mass");
  EXPECT_GT(weight, 1);
  EXPECT_NEAR(last("floor", "fz"), -weight, 1e-3 * weight);
  EXPECT_NEAR(last("floor", "fx"), 0, 1e-3 * weight);
  EXPECT_GE(last("floor", "peak"), weight * (1 - 1e-6));
  EXPECT_LT(last("floor", "peak"), 1.5 * weight);
}

TEST_F(DemProbes, StressInABedIsTheWeightAbove) {
  // Regions are wider than the domain, so that its periodic sides cut no grain.
  const double width = 0.06, area = 0.2 * 0.2;
  scene_ = box_scene("sphere", Vec3d(width, width, 0.3), 0.01);
  for (const std::size_t face : {0U, 1U, 2U, 3U}) scene_.domain.faces[face] = FaceKind::periodic;
  scene_.materials[0].young = 1e6;
  scene_.materials[0].restitution = 0.2;
  scene_.materials[0].friction = 0.2;
  // Friction with memory would hold some shear and make each layer of a bed so small its own.
  scene_.solver.dem.tangential = TangentialLaw::coulomb_viscous;
  add_fill(scene_, box_shape({0.059, 0.059, 0.16}, {0.03, 0.03, 0.082}));
  const auto layer = [](double from, double to) {
    return box_shape({0.2, 0.2, to - from}, {0.03, 0.03, 0.5 * (from + to)});
  };
  add_probe("layer", ProbeKind::region, 0.1).shape = layer(0.02, 0.06);
  add_probe("above", ProbeKind::region, 0.1).shape = layer(0.06, 0.3);
  add_probe("all", ProbeKind::region, 0.1).shape = box_shape(Vec3d(0.2), {0.03, 0.03, 0.09});
  go(1.2);
  const double pressure = kGravity * (last("above", "mass") + 0.5 * last("layer", "mass")) / area;
  EXPECT_GT(pressure, 30);
  EXPECT_LT(last("layer", "temperature"), 1e-5);
  EXPECT_NEAR(last("layer", "szz"), pressure, 0.01 * pressure);
  EXPECT_NEAR(last("layer", "sxy"), 0, 0.05 * pressure);
  EXPECT_NEAR(last("layer", "pressure"),
              (last("layer", "sxx") + last("layer", "syy") + last("layer", "szz")) / 3, 1e-9 * pressure);
  EXPECT_NEAR(last("layer", "solid_fraction") * area / (width * width), 0.61, 0.05);
  EXPECT_GT(last("layer", "coordination"), 4);
  EXPECT_LT(last("layer", "coordination"), 8);
  const CsvContent stats = read_csv(folder_.path() / "run/stats.csv");
  const double virial = std::stod(stats.rows.back()[static_cast<std::size_t>(stats.column("potential"))]);
  EXPECT_NEAR(last("all", "szz") * 0.008, virial, 0.005 * virial);
}

/// The bed of a drum: by the probe, by a line through slices, and by the centre of mass, which half a
/// cylinder has at right angles below its surface. Grains of a twentieth of the drum: 4 degrees. It is no
/// pile.
TEST_F(DemProbes, TheBedOfADrumHasASlopeAndIsNoPile) {
  scene_ = drum_scene({.froude = 4e-3, .radius = 9, .width = 4});
  const double speed = scene_.bodies[0].angular_velocity.y;
  for (const ProbeKind kind : {ProbeKind::slope, ProbeKind::pile}) {
    ProbeDefinition& probe = add_probe(kind == ProbeKind::slope ? "slope" : "pile", kind, 0.1 / speed);
    probe.start = 0.9 / speed;
    probe.shape = box_shape(Vec3d(1), {0, 0, 0});
  }
  scene_.probes[1].start = 0;
  go(1.3 / speed);
  const CsvContent table = read_csv(folder_.path() / "run/probes/slope.csv");
  const auto number = [&](std::size_t row, std::string_view column) {
    return std::stod(table.rows[row].at(static_cast<std::size_t>(table.column(column))));
  };
  ASSERT_GE(table.rows.size(), 4U);
  double angle = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    angle += number(row, "angle") / static_cast<double>(table.rows.size());
    EXPECT_NEAR(number(row, "direction"), 0, 30) << "it turns from z to x: the bed goes up at x < 0";
    EXPECT_LT(number(row, "roughness"), 0.005);
  }
  Drum drum{.froude = 4e-3, .radius = 9, .width = 4, .turn = 0.9, .watch = 0.4};
  const DrumFlow flow = turn_drum(drum);
  EXPECT_EQ(flow.failure, "");
  EXPECT_NEAR(angle, flow.angle, 4);
  EXPECT_NEAR(angle, flow.by_mass, 4);
  const CsvContent pile = read_csv(folder_.path() / "run/probes/pile.csv");
  for (const auto& row : pile.rows)
    EXPECT_TRUE(std::isnan(std::stod(row.at(static_cast<std::size_t>(pile.column("angle"))))));
}

}  // namespace
}  // namespace repose
