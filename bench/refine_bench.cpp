// Fine grains a second: grain-steps of 10 ms over guides that move, with a floor, walls and bodies. What a
// machine can do at most is to read and write 28 bytes a grain and frame.

#include <cmath>

#include <benchmark/benchmark.h>

#include "repose/core/random.h"
#include "repose/refine/refiner.h"

namespace repose {
namespace {

constexpr double kSpacing = 0.01, kFrame = 0.04;  // [m], [s]: four steps a frame

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

void refine_bed(benchmark::State& state) {
  const auto grains = static_cast<double>(state.range(0));
  const std::size_t guides = 83000;
  const int ratio = std::max(1, static_cast<int>(std::lround(grains / static_cast<double>(guides))));
  const auto used = static_cast<std::size_t>(grains / ratio);
  const Scene scene = bed_scene(used, ratio);
  Threads threads(static_cast<int>(state.range(1)));
  Refiner refiner(scene, ParticleKind::granular);
  Frame from = bed_frame(scene, used, refiner.model().bodies);
  refiner.start(from, threads);
  for ([[maybe_unused]] auto _ : state) {
    Frame to = from;
    to.time += kFrame;
    for (std::size_t i = 0; i < to.particle_count(); ++i) to.position[i] += kFrame * Vec3d(to.velocity[i]);
    refiner.advance(from, to, threads);
    from = std::move(to);
  }
  state.counters["grain_steps"] = benchmark::Counter(
      4.0 * static_cast<double>(refiner.grains().size()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
  state.counters["grains"] = static_cast<double>(refiner.grains().size());
}
BENCHMARK(refine_bed)
    ->Args({1000000, 1})
    ->Args({100000, 2})
    ->Args({1000000, 2})
    ->Args({5000000, 2})
    ->Args({20800000, 2})
    ->Args({20800000, 1})
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
