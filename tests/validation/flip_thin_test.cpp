// Thin plates that part a tank, under flip.
//
// A plate parts a tank, with water or sand on one side. Reference: none of it passes, wherever on the grid
// the plate stands, whatever its direction, at rest or moving; thicknesses from 0.3 to 1.5 cells (geometry
// alone, down to 0.02: tests/unit/solvers/thin_solids_test.cpp).
//
// Force. Reference: hydrostatics, with the level that follows from the mass. Within 2 % for plates along the
// grid, with 8 cells of depth and 15 of length, or 11 of depth above a shelf: beside a plate up to a sixth of
// a cell stays without particles, and the level is higher by that. A tilted plate is a stair on the grid, and
// at its foot, where pressure is largest, the floor bears what belongs to a cell of it, or it what belongs to
// the floor: within 15 % for one of 8 cells. This is a limit of the method.

#include <cmath>
#include <vector>

#include "support/plate_tank.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

/// In a tank that is small, but more than a tile long.
test::PlateCase small_tank(const Vec3d& normal, double thickness, double place) {
  test::PlateCase plate;
  plate.normal = normal;
  plate.thickness = thickness;
  plate.tank = {11, 4, 9};
  plate.top = 6;
  plate.middle = {place, 2, 3};
  if (normal.x == 0 && normal.y == 0) {
    plate.tank = {4, 4, 14};
    plate.middle = {2, 2, place};
    plate.top = place + 5;
  }
  if (normal.x == 0 && normal.z == 0) {
    plate.tank = {4, 11, 9};
    plate.middle = {2, place, 3};
  }
  return plate;
}

void expect_that_all_stays(const test::PlateCase& plate) {
  const test::PlateResult result = run_plate(plate);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.particles, 300);
  EXPECT_EQ(result.passed + result.lost, 0)
      << "of " << result.particles << " past a plate of " << plate.thickness << " cells at " << plate.middle
      << ", normal " << plate.normal;
}

// Middles of cells, where rounding tells on which side of corners a plate of one cell lies, a border of tiles
// within it, and at its side.
std::vector<double> places(double thickness) { return {6.5, 7.2, 7.9, 8 + 0.5 * thickness}; }

class FlipThin : public testing::TestWithParam<Vec3d> {};

TEST_P(FlipThin, PlateHoldsWater) {
  for (const double thickness : {0.3, 1.0, 1.5})
    for (const double place : places(thickness)) {
      test::PlateCase plate = small_tank(GetParam(), thickness, place);
      plate.time = 0.4;
      plate.fits = thickness == 1 && plate.normal.length() == 1;
      expect_that_all_stays(plate);
    }
}

TEST_P(FlipThin, PlateHoldsSand) {
  for (const double thickness : {0.3, 1.0})
    for (const double place : places(thickness)) {
      test::PlateCase plate = small_tank(GetParam(), thickness, place);
      plate.is_sand = true;
      plate.time = 0.15;
      expect_that_all_stays(plate);
    }
}

TEST_P(FlipThin, MovingPlateTakesItsMatterAlong) {
  // Into the matter, out of it, and along.
  const Vec3d n = GetParam().normalized(), along = n.x == 0 ? Vec3d(1, 0, 0) : Vec3d(0, 0, 1);
  for (const bool is_sand : {false, true})
    for (const Vec3d& velocity : {-0.15 * n, 0.3 * n, 0.3 * along + 0.1 * n}) {
      test::PlateCase plate = small_tank(GetParam(), 0.3, 7.2);
      plate.is_sand = is_sand;
      plate.velocity = velocity;
      plate.time = 0.2;
      expect_that_all_stays(plate);
    }
}

INSTANTIATE_TEST_SUITE_P(Directions, FlipThin,
                         testing::Values(Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, -1), Vec3d(1, 0, 1),
                                         Vec3d(2, 0, -1), Vec3d(1, 1, -1)));

TEST(FlipThinMesh, HoldsWaterAndSand) {
  for (const test::PlateKind kind : {test::PlateKind::mesh, test::PlateKind::sheet})
    for (const Vec3d& normal : {Vec3d(1, 0, 0), Vec3d(2, 0, -1), Vec3d(1, 1, -1)})
      for (const bool is_sand : {false, true})
        for (const double place : {6.5, 7.9}) {
          test::PlateCase plate = small_tank(normal, 0.3, place);
          plate.kind = kind;
          plate.is_sand = is_sand;
          plate.time = 0.2;
          expect_that_all_stays(plate);
        }
}

TEST(FlipThinKeyframed, PlateTakesItsMatterAlong) {
  for (const Vec3d& normal : {Vec3d(1, 0, 0), Vec3d(2, 0, -1)})
    for (const bool is_sand : {false, true})
      for (const double speed : {-0.15, 0.3}) {
        test::PlateCase plate = small_tank(normal, 0.3, 7.2);
        plate.kind = test::PlateKind::keyframed;
        plate.is_sand = is_sand;
        plate.velocity = speed * normal.normalized();
        plate.time = 0.2;
        expect_that_all_stays(plate);
      }
}

TEST(FlipThinShell, HoldsWhatIsInside) {
  // Boxes and balls, closed all around, turned and not, at places on the grid.
  const double h = test::kPlateCell;
  for (const bool is_sand : {false, true})
    for (const ShapeKind kind : {ShapeKind::box, ShapeKind::sphere})
      for (const double turn : {0.0, 25.0}) {
        Scene scene = is_sand ? test::sand_tank(h * Vec3d(14, 14, 14), test::kPlateSpacing, 30)
                              : test::tank_scene(h * Vec3d(14, 14, 14), test::kPlateSpacing);
        BodyDefinition shell;
        shell.name = "shell";
        shell.shape.kind = kind;
        shell.shape.size = h * Vec3d(7, 7, 7);
        shell.shape.radius = 3.6 * h;
        shell.shape.thickness = 0.3 * h;
        shell.shape.pose.position = h * Vec3d(7.2, 6.9, 7.37);
        shell.shape.pose.rotation.setAxisAngle(Vec3d(0.3, 1, 0).normalized(), radians(turn));
        scene.bodies.push_back(shell);
        Shape inside;
        inside.kind = ShapeKind::sphere;
        inside.radius = 3 * h;
        inside.pose.position = shell.shape.pose.position;
        test::add_fill(scene, inside);
        Threads threads(1);
        FlipSolver solver(scene, threads, {});
        const std::size_t particles = solver.state().size();
        EXPECT_GT(particles, 500);
        ASSERT_EQ(test::advance(solver, 0.3), "");
        EXPECT_EQ(solver.state().size(), particles);
        Shape whole = shell.shape;
        whole.thickness = 0;
        for (const Vec3d& x : solver.state().position)
          ASSERT_LT(signed_distance(whole, x), 0) << (is_sand ? "sand in " : "water in ") << turn;
      }
}

TEST(FlipThinForce, IsThatOfWaterAtRest) {
  double worst = 0;
  for (const double thickness : {0.3, 1.0, 1.3})
    for (const double place : {15.2, 15.5, 15.9}) {
      test::PlateCase wall{
          .thickness = thickness, .middle = {place, 1.5, 4}, .tank = {20, 3, 11}, .time = 1.2};
      test::PlateCase shelf{.thickness = thickness,
                            .middle = {2, 2, place - 8},
                            .normal = {0, 0, -1},
                            .top = 19,
                            .tank = {4, 4, 24},
                            .time = 1.2};
      for (const test::PlateCase& plate : {wall, shelf}) {
        const test::PlateResult result = run_plate(plate, true);
        EXPECT_NEAR(result.force, result.at_rest, 0.02 * result.at_rest)
            << thickness << " cells at " << plate.middle;
        worst = std::max(worst, std::abs(result.force / result.at_rest - 1));
      }
    }
  RecordProperty("worst", std::to_string(worst));
}

TEST(FlipThinForce, OfATiltedPlateIsRightButForItsFoot) {
  for (const Vec3d& normal : {Vec3d(1, 0, 1), Vec3d(2, 0, -1)})
    for (const double thickness : {0.3, 1.3}) {
      const test::PlateCase plate{.thickness = thickness,
                                  .middle = {15.8, 1.5, 4},
                                  .normal = normal,
                                  .tank = {23, 3, 12},
                                  .time = 1.2};
      const test::PlateResult result = run_plate(plate, true);
      EXPECT_NEAR(result.force, result.at_rest, 0.15 * result.at_rest) << normal << " " << thickness;
    }
}

}  // namespace
}  // namespace repose
