// Sand that is carried along under sph: what Ihmsen et al. 2013 say that theirs cannot do (section 6.1, "an
// accelerating dumper truck filled with sand").
//
// A layer without end on a plate that sets out with a steady acceleration a. Reference: Coulomb's law, with
// mu the plate's friction or tan(friction_angle), whichever is less. With a < mu g it goes along. While the
// shear stress builds up it shears by some hundredths, as sand does; from then on 99 in 100 particles move on
// the plate by less than a fiftieth of a spacing. With a > mu g it lags behind: its acceleration is mu g,
// within 0.5 % where the plate is smooth, within 2 degrees of the angle where sand shears in itself, which at
// these speeds pushes it up (see sph_sand_test.cpp).
//
// A heap on such a plate, with flanks at 20 degrees, of sand that stands at 40. Reference: what the plate
// feels as gravity is tilted by atan(a / g), so the heap keeps its form while 20 degrees and that are less
// than 40. At 34.8 degrees nine in ten of its particles move by less than 0.15 spacings until it rests on the
// plate. On a smoother plate it slides as a whole, with mu g within 1 %.

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/figure.h"
#include "support/sph_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kSpacing = 0.01, kPeriod = 16 * kSpacing;
constexpr double kWait = 0.2;  ///< time to settle before the plate sets out [s]

/// Where a plate is at time t that sets out at kWait [m].
double way_of(double acceleration, double t) {
  const double since = std::max(0.0, t - kWait);
  return 0.5 * acceleration * since * since;
}

/// Adds a floor at z = 0 that sets out along x, in place of that of the domain.
void add_plate(Scene& scene, double acceleration, double friction, double duration) {
  scene.domain.min.z = -0.1;
  scene.domain.faces[4] = FaceKind::open;
  BodyDefinition plate;
  plate.name = "plate";
  plate.shape.kind = ShapeKind::plane;
  plate.friction = friction;
  plate.motion = Motion::keyframed;
  plate.interpolation = Interpolation::linear;
  constexpr double kKey = 0.001;  // [s]
  for (int k = 0; k * kKey < duration + 0.1; ++k)
    plate.keyframes.push_back({k * kKey, {way_of(acceleration, k * kKey), 0, 0}, {0, 0, 0}});
  scene.bodies.push_back(plate);
}

/// Ten particles deep.
Scene layer_on_plate(double acceleration, double friction, double duration) {
  Scene scene = test::under_sph(test::sand_layer(5, kSpacing, 30, 0, friction));
  add_plate(scene, acceleration, friction, duration);
  return scene;
}

Scene heap_on_plate(double acceleration, double friction, double duration) {
  Scene scene = test::under_sph(test::sand_tank({4, 0.6, 0.3}, kSpacing, 40));
  scene.domain.min = {-0.5, -0.3, 0};
  scene.domain.max = {4, 0.3, 0.3};
  scene.domain.faces.fill(FaceKind::open);
  add_plate(scene, acceleration, friction, duration);
  Shape cone;
  cone.kind = ShapeKind::cone;
  cone.radius = 0.2;
  cone.radius_top = 0.04;
  cone.height = (cone.radius - cone.radius_top) * std::tan(radians(20));
  cone.pose.position.z = 0.5 * cone.height;
  test::add_sand(scene, cone);
  return scene;
}

/// By id, as seen from the plate [m].
std::vector<Vec3d> places_on_plate(const SphSolver& solver) {
  const SphState& state = solver.state();
  std::vector<Vec3d> places(state.size());
  for (std::size_t p = 0; p < state.size(); ++p)
    places[state.id[p]] = state.position[p] - solver.bodies()[0].pose.position;
  return places;
}

/// How far particles have moved on the plate, rising [spacings]. Those of a layer may have come in again.
std::vector<double> ways_on_plate(const std::vector<Vec3d>& then, const SphSolver& solver) {
  const std::vector<Vec3d> now = places_on_plate(solver);
  const bool is_layer = solver.model().place.period[0] > 0;
  std::vector<double> ways;
  for (std::size_t k = 0; k < now.size(); ++k) {
    Vec3d way = now[k] - then[k];
    for (const int axis : {0, 1})
      if (is_layer) way[axis] -= kPeriod * std::round(way[axis] / kPeriod);
    ways.push_back(way.length() / kSpacing);
  }
  std::sort(ways.begin(), ways.end());
  return ways;
}

/// What this share of the ways is below.
double share_of(const std::vector<double>& ways, double share) {
  return ways[static_cast<std::size_t>(share * static_cast<double>(ways.size()))];
}

/// Mean acceleration of the sand from 0.4 to 0.8 s [m/s2].
double acceleration_of(const Scene& scene) {
  Threads threads(2);
  SphSolver solver(scene, threads, {});
  EXPECT_EQ(test::advance(solver, 0.4), "");
  const double before = test::mean_speed(solver.state());
  EXPECT_EQ(test::advance(solver, 0.8), "");
  return (test::mean_speed(solver.state()) - before) / 0.4;
}

TEST(SphTruck, LayerGoesAlongBelowTheLimit) {
  Threads threads(2);
  SphSolver solver(layer_on_plate(4, 0.8, 1.2), threads, {});
  ASSERT_EQ(test::advance(solver, kWait), "");
  const std::vector<Vec3d> start = places_on_plate(solver);
  ASSERT_EQ(test::advance(solver, 0.6), "");
  const double shear = ways_on_plate(start, solver).back() / 10;
  const std::vector<Vec3d> then = places_on_plate(solver);
  ASSERT_EQ(test::advance(solver, 1.2), "");
  const double way = share_of(ways_on_plate(then, solver), 0.99);
  RecordProperty("shear", test::figure(shear));
  RecordProperty("way_in_spacings", test::figure(way));
  EXPECT_LT(shear, 0.12);
  EXPECT_LT(way, 0.02);
}

TEST(SphTruck, LayerLagsAboveTheLimit) {
  const double smooth = acceleration_of(layer_on_plate(3, 0.2, 0.8)),
               rough = acceleration_of(layer_on_plate(7, 10, 0.8));
  RecordProperty("acceleration_on_smooth", test::figure(smooth));
  RecordProperty("angle_on_rough", test::figure(degrees(std::atan(rough / 9.81))));
  EXPECT_NEAR(smooth, 0.2 * 9.81, 0.005 * 0.2 * 9.81);
  EXPECT_NEAR(degrees(std::atan(rough / 9.81)), 30, 2);
}

TEST(SphTruck, HeapKeepsItsFormBelowTheLimit) {
  Threads threads(2);
  SphSolver solver(heap_on_plate(2.6, 1, 1.2), threads, {});
  ASSERT_EQ(test::advance(solver, kWait), "");
  const std::vector<Vec3d> start = places_on_plate(solver);
  ASSERT_EQ(test::advance(solver, 0.6), "");
  const std::vector<double> first = ways_on_plate(start, solver);
  const std::vector<Vec3d> then = places_on_plate(solver);
  ASSERT_EQ(test::advance(solver, 1.2), "");
  const std::vector<double> later = ways_on_plate(then, solver);
  RecordProperty("way_of_nine_in_ten", test::figure(share_of(first, 0.9)));
  RecordProperty("way_at_rest", test::figure(share_of(later, 0.99)));
  EXPECT_LT(share_of(first, 0.9), 0.15);
  EXPECT_LT(share_of(later, 0.99), 0.02);
}

TEST(SphTruck, HeapSlidesAsAWholeOnASmootherPlate) {
  const double found = acceleration_of(heap_on_plate(4, 0.2, 0.8));
  RecordProperty("acceleration", test::figure(found));
  EXPECT_NEAR(found, 0.2 * 9.81, 0.01 * 0.2 * 9.81);
}

}  // namespace
}  // namespace repose
