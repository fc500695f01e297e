// Steps of the dem solver on settled beds of spheres and of tetrahedra, two threads. A sphere-step is one
// sphere advanced by one step.
//
// A bed is poured once in a small box that is periodic sideways and settles there; then it is laid out side
// by side, as often as the size asks for, so that every size is the same packing. Ten percent of what is
// measured goes into lists, as in a run, since grains still move a little. "cpu" is the rate by processor
// time of both threads, for machines that others use too.

#include <map>
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

const FillRows& settled_bed(const std::string& grain, Threads& threads) {
  static std::map<std::string, FillRows> beds;
  const auto found = beds.find(grain);
  return found != beds.end() ? found->second : beds.emplace(grain, settle(grain, threads)).first->second;
}

void steps(benchmark::State& state, const std::string& grain) {
  Threads threads(kThreads);
  const FillRows& tile = settled_bed(grain, threads);
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

BENCHMARK_CAPTURE(steps, tetrahedra, "tetrahedron")
    ->Arg(1)
    ->Arg(4)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(steps, spheres, "sphere")
    ->Arg(1)
    ->Arg(4)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
