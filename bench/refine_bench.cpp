// Fine grains a second: grain-steps of 10 ms over guides that move, with a floor, walls and bodies, by the
// default method and settings. 250 grains a guide, so that 20.8 million grains have the 83,000 guides of
// Ihmsen 2013, figure 4; few_a_guide has as many guides and 12 grains each. "bytes" are by grain: the most
// memory that was in use at any time, less what the program had before it made grains.
//
// At the least, each frame reads 28 bytes a grain and writes 24. memory_triad says how fast this machine can
// read and write: what of that is reached is bytes_moved over its rate.

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <malloc.h>

#include "repose/core/random.h"
#include "repose/refine/refiner.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01, kFrame = 0.04;  // [m], [s]: four steps a frame
constexpr int kRatio = 250;                       // fine grains a guide

/// A bed of sand that swirls, three times as wide as deep, with a ball and a box in it.
Scene bed_scene(std::size_t guides, int ratio) {
  Scene scene;
  scene.solver.spacing = kSpacing;
  const double depth = kSpacing * std::cbrt(static_cast<double>(guides) / 9);
  scene.domain = {.given = true, .min = {0, 0, 0}, .max = {3 * depth, 3 * depth, 3 * depth}};
  scene.domain.faces = {FaceKind::wall, FaceKind::wall, FaceKind::wall,
                        FaceKind::wall, FaceKind::wall, FaceKind::open};
  scene.refine.given = true;
  scene.refine.ratio = ratio;
  BodyDefinition ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.3 * depth;
  ball.shape.pose.position = {1.5 * depth, 1.5 * depth, depth};
  scene.bodies.push_back(ball);
  BodyDefinition box;
  box.name = "box";
  box.shape.size = Vec3d(0.4 * depth);
  box.shape.pose.position = {0.6 * depth, 0.6 * depth, 0.5 * depth};
  scene.bodies.push_back(box);
  return scene;
}

Frame bed_frame(const Scene& scene, std::size_t guides, const Bodies& bodies) {
  Frame frame;
  const auto deep = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(guides) / 9)));
  const std::size_t wide = 3 * deep;
  const Vec3d middle = 0.5 * (scene.domain.min + scene.domain.max);
  for (std::size_t k = 0; k < wide * wide * deep; ++k) {
    Random random(1, Stream::test, 0, k);
    const auto jitter = [&] { return 0.5 + random.uniform(-0.3, 0.3); };
    const double x = static_cast<double>(k % wide) + jitter(),
                 y = static_cast<double>(k / wide % wide) + jitter(),
                 z = static_cast<double>(k / (wide * wide)) + jitter();
    const Vec3d at = kSpacing * Vec3d(x, y, z), arm = at - middle;
    frame.id.push_back(static_cast<std::uint32_t>(k));
    frame.position.push_back(at);
    frame.velocity.push_back(to_float(0.5 * Vec3d(-arm.y, arm.x, 0)));
    frame.radius.push_back(static_cast<float>(0.5 * kSpacing));
    frame.material.push_back(0);
  }
  bodies.fill_rows(frame.bodies, 0);
  return frame;
}

/// A line of /proc/self/status [bytes].
double memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string key;
  for (double kilobytes = 0; status >> key;)
    if (key == name + ":") return status >> kilobytes ? 1024 * kilobytes : 0;
  return 0;
}

/// What is in use from here on is the most so far.
double forget_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
  return memory("VmRSS");
}

void refine(benchmark::State& state, std::size_t guides, int ratio) {
  const double before = forget_peak_memory();
  const Scene scene = bed_scene(guides, ratio);
  Threads threads(static_cast<int>(state.range(1)));
  Refiner refiner(scene, ParticleKind::granular);
  Frame from = bed_frame(scene, guides, refiner.model().bodies);
  refiner.start(from, threads);
  for ([[maybe_unused]] auto _ : state) {
    Frame to = from;
    to.time += kFrame;
    for (std::size_t i = 0; i < to.particle_count(); ++i) to.position[i] += kFrame * Vec3d(to.velocity[i]);
    refiner.advance(from, to, threads);
    from = std::move(to);
  }
  const auto grains = static_cast<double>(refiner.grains().size()),
             frames = static_cast<double>(state.iterations());
  state.counters["grain_steps"] = benchmark::Counter(4.0 * grains * frames, benchmark::Counter::kIsRate);
  state.counters["bytes_moved"] = benchmark::Counter(52.0 * grains * frames, benchmark::Counter::kIsRate);
  state.counters["grains"] = grains;
  state.counters["bytes"] = (memory("VmHWM") - before) / grains;
}

void refine_bed(benchmark::State& state) {
  refine(state, static_cast<std::size_t>(state.range(0) / kRatio), kRatio);
}
BENCHMARK(refine_bed)
    ->ArgsProduct({{100'000, 1'000'000, 5'000'000, 20'800'000}, {1, 2}})
    ->Iterations(8)  // one sort in space
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void few_a_guide(benchmark::State& state) {
  refine(state, static_cast<std::size_t>(state.range(0) / 12), 12);
}
BENCHMARK(few_a_guide)
    ->Args({1'000'000, 1})
    ->Args({1'000'000, 2})
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

/// a = b + s c, over arrays far larger than any cache: 24 bytes a turn.
void memory_triad(benchmark::State& state) {
  constexpr std::size_t kSize = 1U << 25U;
  Threads threads(static_cast<int>(state.range(0)));
  std::vector<double> a(kSize), b(kSize, 1), c(kSize, 2);
  for ([[maybe_unused]] auto _ : state) {
    threads.for_chunks(kSize, 1U << 16U, [&](std::size_t begin, std::size_t end, std::size_t) {
      for (std::size_t i = begin; i < end; ++i) a[i] = b[i] + 3 * c[i];
    });
    benchmark::ClobberMemory();
  }
  state.counters["bytes_moved"] =
      benchmark::Counter(24.0 * static_cast<double>(kSize) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}
BENCHMARK(memory_triad)->Arg(1)->Arg(2)->Iterations(8)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
