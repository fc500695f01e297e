// What the integrators of dem cost at equal error: docs/integrators.md.
//
// A cloud of tetrahedra that fly into each other in a box, without friction, for 30 ms: short enough that
// chaos has not eaten all digits. The error is the largest distance of any grain from where the finest run of
// all has it, in diameters; the cost is the number of times that all forces were computed.

#include <algorithm>
#include <cstdio>

#include "repose/solvers/dem/dem_solver.h"

namespace repose {
namespace {

constexpr double kDiameter = 0.01;
constexpr double kTime = 0.03;

Scene cloud(Integrator integrator) {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = Vec3d(0);
  scene.domain.max = {0.06, 0.06, 0.06};
  scene.domain.faces.fill(FaceKind::wall);
  scene.domain.friction.fill(0);
  scene.solver.spacing = kDiameter;
  scene.solver.dem.integrator = integrator;
  Material sand;
  sand.name = "sand";
  sand.grain = "tetrahedron";
  sand.friction = 0;
  sand.young = 1e6;
  sand.restitution = 0.6;
  scene.materials.push_back(sand);
  Fill fill;
  fill.name = "cloud";
  fill.material = "sand";
  fill.packing = Packing::jittered;
  fill.velocity_spread = 0.3;
  Shape box;
  box.size = Vec3d(0.058);
  box.pose.position = Vec3d(0.03);
  fill.shape = box;
  scene.fills.push_back(fill);
  return scene;
}

struct Outcome {
  std::vector<Vec3d> position;  ///< by id
  double evaluations = 0;
};

Outcome run(const Scene& scene) {
  Threads threads(2);
  DemSolver solver(scene, threads, {});
  while (kTime - solver.time() > 1e-12)
    if (!solver.step(kTime - solver.time()).failure.empty()) break;
  Outcome out;
  for (const std::uint32_t g : order_by_id(solver.state()))
    out.position.push_back(solver.state().position[g]);
  out.evaluations = static_cast<double>(solver.state().force_count);
  return out;
}

double error_of(const Outcome& a, const Outcome& best) {
  double largest = 0;
  for (std::size_t k = 0; k < a.position.size(); ++k)
    largest = std::max(largest, (a.position[k] - best.position[k]).length());
  return largest / kDiameter;
}

}  // namespace
}  // namespace repose

int main() {
  using namespace repose;
  Scene scene = cloud(Integrator::verlet);
  Threads threads(2);
  const double automatic = DemSolver(scene, threads, {}).model().dt;
  scene.solver.dem.dt = automatic / 512;
  const Outcome best = run(scene);
  std::printf("%zu grains, automatic dt %.3g s\n", best.position.size(), automatic);
  for (const Integrator integrator : {Integrator::verlet, Integrator::euler}) {
    scene = cloud(integrator);
    for (const double share : {1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125}) {
      scene.solver.dem.dt = share * automatic;
      const Outcome out = run(scene);
      std::printf("%s dt %6.4f of automatic: %8.0f evaluations, error %.2e diameters\n",
                  integrator == Integrator::verlet ? "verlet" : "euler ", share, out.evaluations,
                  error_of(out, best));
    }
  }
  scene = cloud(Integrator::rkf45);
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    scene.solver.dem.tolerance = tolerance;
    const Outcome out = run(scene);
    std::printf("rkf45  tolerance %.0e:       %8.0f evaluations, error %.2e diameters\n", tolerance,
                out.evaluations, error_of(out, best));
  }
  return 0;
}
