// Settled packings are at rest.
//
// A box with walls is filled with packing = "settled" and left alone under gravity. Expected: the mass is
// density x volume and the solid fraction density / grain_density within 2 %; no overlap is deeper than 1 %
// of a diameter at the start; after 0.05 s the kinetic energy of a grain is, in the mean, below 1e-4 of what
// it gains in falling by its own diameter (m g d), that is a speed of 4 mm/s for grains of 5 mm; and the bed
// has sunk by less than a quarter of a diameter.
//
// Why 1e-4: compounds have friction without memory (Bell 2005, eq. 18), so what it holds creeps at 10 g dt or
// so, about 2 mm/s or 3e-5 m g d at these time steps. A bed that falls together by a tenth of a diameter is
// at 1e-1. Lone spheres have friction with memory, which holds for good, and start with its forces: 1e-6
// (measured: 5e-8). In the mixture of 5 : 1 small ones rattle in the pores between the large, and the box is
// but two large diameters wide: 1.5e-3 (measured: 6e-4).

#include <algorithm>
#include <cmath>

#include "support/dem_scenes.h"
#include <gtest/gtest.h>

namespace repose {
namespace {

constexpr double kDiameter = 0.005;

struct Bed {
  const char* name;
  const char* grain;
  std::vector<SizeClass> sizes;
  double edge;      ///< of the box, in diameters
  double fraction;  ///< asked for
  double energy;    ///< allowed, in m g d
};

class SettledBed : public testing::TestWithParam<Bed> {};

TEST_P(SettledBed, IsAtRest) {
  const Bed& bed = GetParam();
  const double edge = bed.edge * kDiameter;
  Scene scene = test::box_scene(bed.grain, {edge, edge, 3 * edge}, kDiameter);
  scene.grains.push_back(
      {.name = "knuckle",
       .spheres = {{0, 0, 0, 0.6}, {0.5, 0, 0, 0.45}, {0, 0.5, 0, 0.45}, {0, 0, 0.5, 0.45}},
       .file = {}});
  Material& material = scene.materials[0];
  material.sizes = bed.sizes;
  material.restitution = 0.4;
  material.density = bed.fraction * material.grain_density;
  test::add_fill(scene, test::box_shape(Vec3d(edge), Vec3d(0.5 * edge)), Packing::settled);
  Threads threads(2);
  DemSolver solver(scene, threads, {});

  const SolverStats start = solver.stats();
  const double volume = edge * edge * edge;
  EXPECT_NEAR(start.mass / (material.density * volume), 1, 0.02);
  EXPECT_LT(start.errors.at(0).value, 0.01);
  const auto height = [&] {
    double sum = 0, mass = 0;
    for (std::size_t g = 0; g < solver.state().size(); ++g) {
      const double m = std::pow(solver.state().radius[g], 3);
      sum += m * solver.state().position[g].z;
      mass += m;
    }
    return sum / mass;
  };
  const double before = height();
  // The fraction inside, one diameter off the walls and the surface.
  double inside = 0;
  const double d = kDiameter;
  for (std::size_t g = 0; g < solver.state().size(); ++g) {
    const Vec3d& x = solver.state().position[g];
    const bool deep = std::min({x.x, x.y, x.z, edge - x.x, edge - x.y, edge - x.z}) > d;
    if (deep) inside += solver.model().shapes[0].volume * std::pow(solver.state().radius[g], 3);
  }
  if (bed.sizes.size() == 1) {
    EXPECT_NEAR(inside / std::pow(edge - 2 * d, 3) / bed.fraction, 1, 0.12)
        << "a hundred grains: only gross errors show";
  }

  ASSERT_EQ(test::advance(solver, 0.05), "");
  double falling = 0;  // m g d, of all grains together [J]
  for (std::size_t g = 0; g < solver.state().size(); ++g)
    falling +=
        solver.model().grain_mass(0, 0, solver.state().radius[g]) * 9.81 * 2 * solver.state().radius[g];
  EXPECT_LT(solver.stats().kinetic / falling, bed.energy);
  EXPECT_LT(2 * (before - height()), 0.25 * kDiameter) << "the surface sinks twice as far as the middle";
  EXPECT_EQ(solver.stats().escaped, 0U);
}
INSTANTIATE_TEST_SUITE_P(Grains, SettledBed,
                         testing::Values(Bed{"Spheres", "sphere", {{1, 1}}, 7, 0.62, 1e-6},
                                         Bed{"Tetrahedra", "tetrahedron", {{1, 1}}, 6, 0.604, 1e-4},
                                         Bed{"FiveToOne", "sphere", {{1, 0.5}, {0.2, 0.5}}, 2, 0.72, 1.5e-3},
                                         Bed{"Custom", "knuckle", {{1, 1}}, 5, 0.66, 1e-4}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace repose
