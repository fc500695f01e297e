// Settled packings: what a run waits for before its first step. The column CPU is the processor time of both
// threads together: it tells the cost also on a machine that others use.

#include <benchmark/benchmark.h>

#include "repose/particles/packing/blue_noise.h"
#include "repose/solvers/dem/dem_setup.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr double kDiameter = 0.004;  ///< bounding diameter of a grain [m]

/// A box with walls and an open top, `edge` diameters wide and filled as high.
Scene box_scene(const char* grain, double edge) {
  const double length = edge * kDiameter;
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = Vec3d(0);
  scene.domain.max = {length, length, 2 * length};
  scene.domain.faces.fill(FaceKind::wall);
  scene.domain.faces[5] = FaceKind::open;
  scene.solver.spacing = kDiameter;
  Material sand;
  sand.name = "sand";
  sand.grain = grain;
  sand.friction = 0.5;
  scene.materials.push_back(sand);
  Fill fill;
  fill.name = "bed";
  fill.material = "sand";
  fill.packing = Packing::settled;
  Shape box;
  box.size = Vec3d(length);
  box.pose.position = Vec3d(0.5 * length);
  fill.shape = box;
  scene.fills.push_back(fill);
  return scene;
}

void pack(benchmark::State& state, const char* grain) {
  Threads threads(kThreads);
  const Scene scene = box_scene(grain, static_cast<double>(state.range(0)));
  for (auto _ : state) {
    const DemSetup setup = make_dem_setup(scene, threads);
    state.counters["grains"] = static_cast<double>(setup.placement.state.size());
  }
}

void spread(benchmark::State& state) {
  Threads threads(kThreads);
  Shape box;
  box.size = Vec3d(static_cast<double>(state.range(0)) * kDiameter);
  for (auto _ : state) {
    const auto points = sample_blue_noise(box, {.spacing = kDiameter}, threads);
    state.counters["points"] = static_cast<double>(points.size());
  }
}

const auto set_up = [](benchmark::internal::Benchmark* b) {
  b->Iterations(1)->Unit(benchmark::kSecond)->MeasureProcessCPUTime()->UseRealTime();
};
BENCHMARK_CAPTURE(pack, tetrahedra, "tetrahedron")->Arg(8)->Arg(26)->Apply(set_up);
BENCHMARK_CAPTURE(pack, spheres, "sphere")->Arg(12)->Arg(36)->Apply(set_up);
BENCHMARK(spread)->Arg(40)->Arg(100)->Apply(set_up);

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
