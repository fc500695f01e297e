// Steps of the flip solver on breaking dams, two threads, and the surface of one: the cases that a widely
// used open FLIP solver was timed on, on a machine like the one that Repose is tuned on (2 threads, residual
// 1e-6). It took 1.15 s a step for 451 k particles on 100 x 60 x 60 cells and 1.7 s for 282 k on 100^3; level
// set and mesh of 282 k particles on 250^3 cells took it 2.2 s.
//
// The dam breaks for kStart steps, so that water falls and runs, and then kSteps are timed. The column CPU is
// the processor time of both threads together, and tells the cost also on a machine that others use: with
// nothing else to do a step takes about half of it. Counters: ns of wall time a particle by stage, and of the
// whole step a particle and a wet cell.
//
// scale/N: the first dam with N particles, a few steps after it broke, for the cost over size. B_particle is
// the most memory that the process has had, by particle: run one size alone to read it
// (--benchmark_filter=scale/10000000).

#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "repose/solvers/flip/flip_solver.h"
#include "repose/surface/surface.h"

namespace repose {
namespace {

constexpr int kThreads = 2;
constexpr int kStart = 16, kSteps = 4;
constexpr int kScaleStart = 3, kScaleSteps = 3;
constexpr double kCell = 0.01;  ///< [m]

struct DamCase {
  Vec3d cells;  ///< of the tank
  Vec3d water;  ///< likewise
};

/// 450 k and 282 k particles.
const DamCase kWide{{100, 60, 60}, {25, 60, 37.5}}, kCube{{100, 100, 100}, {20, 44, 40}};

Scene dam_scene(const DamCase& dam, MaterialKind kind = MaterialKind::fluid) {
  Scene scene;
  scene.domain.given = true;
  scene.domain.min = Vec3d(0);
  scene.domain.max = kCell * dam.cells;
  scene.domain.faces.fill(FaceKind::wall);
  scene.domain.faces[5] = FaceKind::open;
  scene.solver.type = SolverKind::flip;
  scene.solver.spacing = 0.5 * kCell;
  Material water;
  water.name = "water";
  water.kind = kind;
  water.friction_angle = radians(33.0);
  water.density = 1000;
  scene.materials.push_back(water);
  Fill fill;
  fill.name = "dam";
  fill.material = "water";
  Shape box;
  box.size = kCell * dam.water;
  box.pose.position = 0.5 * box.size;
  fill.shape = box;
  scene.fills.push_back(fill);
  return scene;
}

std::size_t wet_cells(const FlipSolver& solver) {
  std::size_t count = 0;
  for (const float phi : solver.scratch().phi) count += phi < 0 ? 1 : 0;
  return count;
}

void step_of_dam(benchmark::State& state, const DamCase& dam, MaterialKind kind, int start = kStart) {
  Threads threads(kThreads);
  FlipSolver solver(dam_scene(dam, kind), threads, {});
  for (int k = 0; k < start; ++k) solver.step(1);
  solver.take_stage_times();
  double iterations = 0;
  for (auto _ : state) {
    solver.step(1);
    iterations += solver.state().iterations;
  }
  const auto steps = static_cast<double>(state.iterations());
  const auto particles = static_cast<double>(solver.state().size());
  const std::vector<StageTime> stages = solver.take_stage_times();
  double seconds = 0;
  for (const StageTime& stage : stages) {
    state.counters["ns_" + std::string(stage.name)] = 1e9 * stage.seconds / steps / particles;
    seconds += stage.seconds / steps;
  }
  state.counters["ns_particle"] = 1e9 * seconds / particles;
  state.counters["ns_wet_cell"] = 1e9 * seconds / static_cast<double>(wet_cells(solver));
  state.counters["particles"] = particles;
  state.counters["iterations"] = iterations / steps;
  state.counters["residual"] = solver.state().residual;
}

/// The first dam, larger or smaller.
void step_of_size(benchmark::State& state) {
  const double length =
      std::cbrt(static_cast<double>(state.range(0)) / (8 * kWide.water.x * kWide.water.y * kWide.water.z));
  // Whole cells of water, so that there are as many particles as asked for, or nearly.
  const auto whole = [&](double cells) { return std::round(length * cells); };
  const Vec3d water(whole(kWide.water.x), whole(kWide.water.y), whole(kWide.water.z));
  step_of_dam(state, {{whole(kWide.cells.x), water.y, whole(kWide.cells.z)}, water}, MaterialKind::fluid,
              kScaleStart);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["B_particle"] = 1024.0 * static_cast<double>(usage.ru_maxrss) / state.counters["particles"];
}

/// Level set and mesh of the second case, 250 cells of the surface's grid to the tank's 100.
void surface_of_dam(benchmark::State& state) {
  Threads threads(kThreads);
  Scene scene = dam_scene(kCube);
  scene.surface.spacing = kCell * 100 / 250;
  FlipSolver solver(scene, threads, {});
  for (int k = 0; k < kStart; ++k) solver.step(1);
  Frame frame;
  solver.fill_frame(frame);
  const SurfaceOptions options = surface_options(scene, ParticleKind::fluid);
  std::size_t vertices = 0;
  for (auto _ : state)
    vertices = make_surface(frame, scene.materials, options, threads).mesh.positions.size();
  state.counters["vertices"] = static_cast<double>(vertices);
}

template <class F>
void add(const char* name, const F& f) {
  benchmark::RegisterBenchmark(name, f)
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Iterations(kSteps);
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  repose::add("step/100x60x60", [](benchmark::State& s) {
    repose::step_of_dam(s, repose::kWide, repose::MaterialKind::fluid);
  });
  repose::add("step/100x100x100", [](benchmark::State& s) {
    repose::step_of_dam(s, repose::kCube, repose::MaterialKind::fluid);
  });
  repose::add("sand_step/100x60x60", [](benchmark::State& s) {
    repose::step_of_dam(s, repose::kWide, repose::MaterialKind::granular);
  });
  repose::add("surface/250x250x250", [](benchmark::State& s) { repose::surface_of_dam(s); });
  benchmark::RegisterBenchmark("scale", repose::step_of_size)
      ->ArgsProduct({{100000, 1000000, 10000000}})
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Iterations(repose::kScaleSteps);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
