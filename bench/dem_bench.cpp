// Steps of the dem solver on settled beds of spheres and of tetrahedra, two threads. A sphere-step is one
// sphere advanced by one step.
//
// A bed is poured once into a small box that is periodic sideways and settles there; then it is laid out side
// by side, as often as the size asks for, so that every size is the same packing. The column CPU is the
// processor time of both threads together: it tells the cost also on a machine that others use.

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "repose/solvers/dem/dem_solver.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr double kDiameter = 0.004;         ///< bounding diameter of a grain [m]
constexpr double kTile = 10 * kDiameter;    ///< width of the box that settles [m]
constexpr double kHeight = 60 * kDiameter;  ///< of the domain [m]
constexpr double kSettling = 0.35;          ///< [s]

Scene bed_scene(const std::string& grain, double width) {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = Vec3d(0);
  scene.domain.max = {width, width, kHeight};
  scene.domain.faces = {FaceKind::periodic, FaceKind::periodic, FaceKind::periodic,
                        FaceKind::periodic, FaceKind::wall,     FaceKind::open};
  scene.solver.spacing = kDiameter;
  Material sand;
  sand.name = "sand";
  sand.grain = grain;
  sand.friction = 0.5;
  sand.young = 1e7;
  scene.materials.push_back(sand);
  Fill fill;
  fill.name = "bed";
  fill.material = "sand";
  fill.packing = Packing::jittered;
  scene.fills.push_back(fill);
  return scene;
}

void advance(Solver& solver, double time) {
  while (time - solver.time() > 1e-12)
    if (!solver.step(time - solver.time()).failure.empty()) return;
}

/// A settled bed in one tile: a grain a row.
FillRows settle(const std::string& grain, Threads& threads) {
  Scene scene = bed_scene(grain, kTile);
  Shape box;
  box.size = {kTile, kTile, 0.5 * kHeight};
  box.pose.position = {0.5 * kTile, 0.5 * kTile, 0.26 * kHeight};
  scene.fills[0].shape = box;
  DemSolver solver(scene, threads, {});
  advance(solver, kSettling);
  FillRows rows;
  rows.position = solver.state().position;
  rows.orientation = solver.state().orientation;
  return rows;
}

void steps(benchmark::State& state, const std::string& grain, const FillRows& tile) {
  Threads threads(kThreads);
  const auto copies = static_cast<int>(state.range(0));
  Scene scene = bed_scene(grain, kTile * copies);
  scene.fills[0].file = "settled";
  FillRows& rows = scene.fills[0].rows;
  for (int i = 0; i < copies; ++i)
    for (int k = 0; k < copies; ++k) {
      for (const Vec3d& x : tile.position) rows.position.push_back(x + Vec3d(i * kTile, k * kTile, 0));
      rows.orientation.insert(rows.orientation.end(), tile.orientation.begin(), tile.orientation.end());
    }
  DemSolver solver(scene, threads, {});
  for (int warm = 0; warm < 20; ++warm) solver.step(1);
  for (auto _ : state) solver.step(1);
  const SolverStats stats = solver.stats();
  const double spheres = static_cast<double>(stats.elements);
  state.counters["spheres"] = spheres;
  state.counters["contacts/sphere"] = stats.errors[1].value / spheres;
  state.counters["sphere-steps/s"] =
      benchmark::Counter(spheres * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// Settles a bed only if one of its benchmarks is asked for.
void register_bed(const std::string& grain, std::initializer_list<std::int64_t> sizes) {
  const auto tile = std::make_shared<FillRows>();
  for (const std::int64_t copies : sizes)
    benchmark::RegisterBenchmark(("steps/" + grain).c_str(),
                                 [grain, tile](benchmark::State& state) {
                                   if (tile->position.empty()) {
                                     Threads threads(kThreads);
                                     *tile = settle(grain, threads);
                                   }
                                   steps(state, grain, *tile);
                                 })
        ->Arg(copies)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  repose::register_bed("tetrahedron", {1, 3, 11});
  repose::register_bed("sphere", {2, 7, 22, 68});
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
