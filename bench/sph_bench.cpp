// What a step of sph costs: a bed of sand at rest in a box, on two threads, with three iterations of pressure
// and friction (as Ihmsen et al. 2013 take), in sizes from ten thousand to two million particles. "ns_..."
// are by particle and step, "pairs" by particle.

#include <cmath>
#include <cstdint>
#include <string>

#include <benchmark/benchmark.h>

#include "repose/solvers/sph/sph_solver.h"

namespace repose {
namespace {

Scene bed(std::int64_t particles) {
  constexpr double kSpacing = 0.01, kDepth = 25;
  const double side = std::round(std::sqrt(static_cast<double>(particles) / kDepth)) * kSpacing;
  Scene scene;
  scene.domain.min = Vec3d(0);
  scene.domain.max = {side, side, 1};
  scene.domain.faces.fill(FaceKind::wall);
  scene.solver.type = SolverKind::sph;
  scene.solver.spacing = kSpacing;
  scene.solver.sph.iterations = 3;
  Material& sand = scene.materials.emplace_back();
  sand.name = "sand";
  sand.kind = MaterialKind::granular;
  sand.density = 1600;
  sand.friction_angle = radians(35.0);
  Fill& fill = scene.fills.emplace_back();
  fill.name = "bed";
  fill.material = "sand";
  Shape box;
  box.kind = ShapeKind::box;
  box.size = {side, side, kDepth * kSpacing};
  box.pose.position = 0.5 * box.size;
  fill.shape = box;
  fill.packing = Packing::settled;
  return scene;
}

void step(benchmark::State& state) {
  constexpr int kWarm = 20, kSteps = 5;
  Threads threads(2);
  SphSolver solver(bed(state.range(0)), threads, {});
  for (int k = 0; k < kWarm; ++k) solver.step(0.005);
  solver.take_stage_times();
  double steps = 0;
  for (auto _ : state)
    for (int k = 0; k < kSteps; ++k) {
      solver.step(0.005);
      ++steps;
    }
  const auto n = static_cast<double>(solver.state().size());
  double pairs = 0;
  for (std::size_t s = 0; s < solver.scratch().slab_count; ++s)
    pairs += static_cast<double>(solver.scratch().slabs[s].offset.back());
  state.counters["particles"] = n;
  state.counters["pairs"] = pairs / n;
  state.counters["particle_steps"] = benchmark::Counter(n * steps, benchmark::Counter::kIsRate);
  for (const StageTime& stage : solver.take_stage_times())
    state.counters[std::string("ns_") + stage.name] = 1e9 * stage.seconds / (n * steps);
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RegisterBenchmark("step", repose::step)
      ->Arg(10'000)
      ->Arg(100'000)
      ->Arg(1'000'000)
      ->Arg(2'000'000)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
