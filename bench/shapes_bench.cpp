// What shapes cost: distance and touches of a body for points around it, one thread; and filling a cylinder
// with five million points.

#include <benchmark/benchmark.h>

#include "repose/bodies/bodies.h"
#include "repose/core/random.h"
#include "repose/geometry/sampling.h"

namespace repose {
namespace {

constexpr ShapeKind kKinds[] = {ShapeKind::box,     ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::cone,
                                ShapeKind::capsule, ShapeKind::torus,  ShapeKind::plane,    ShapeKind::lathe};
constexpr const char* kNames[] = {"box", "sphere", "cylinder", "cone", "capsule", "torus", "plane", "lathe"};

Bodies one_body(std::int64_t kind, bool invert) {
  BodyDefinition body;
  body.shape.kind = kKinds[kind];
  body.shape.radius_top = 0.2;
  body.shape.profile = {{0.1, -0.5}, {0.1, -0.3}, {0.5, 0.1}, {0.5, 0.5}};
  body.shape.invert = invert;
  body.shape.pose.rotation = rotation_from_degrees({20, 30, 40});
  Scene scene;
  scene.domain.faces.fill(FaceKind::open);
  scene.bodies.push_back(body);
  return Bodies(scene);
}

std::vector<Vec3d> points_around() {
  std::vector<Vec3d> points(10000);
  Random random(1, Stream::test, 0, 0);
  for (Vec3d& p : points)
    for (int axis = 0; axis < 3; ++axis) p[axis] = random.uniform(-1, 1);
  return points;
}

void nearest(benchmark::State& state) {
  const Bodies bodies = one_body(state.range(0), false);
  const std::vector<Vec3d> points = points_around();
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(bodies.nearest(0, p));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(points.size()));
  state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(nearest)->DenseRange(0, 7);

void touches(benchmark::State& state) {
  const Bodies bodies = one_body(state.range(0), true);
  const std::vector<Vec3d> points = points_around();
  Touches found;
  for (auto _ : state)
    for (const Vec3d& p : points) {
      bodies.find_touches(0, p, 0.1, found);
      benchmark::DoNotOptimize(found);
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(points.size()));
  state.SetLabel(kNames[state.range(0)]);
}
BENCHMARK(touches)->DenseRange(0, 7);

void fill(benchmark::State& state) {
  Threads threads(2);
  Shape cylinder;
  cylinder.kind = ShapeKind::cylinder;
  VolumeSampling sampling;
  sampling.spacing = 0.0055;
  sampling.jittered = state.range(0) != 0;
  sampling.min_distance = 0.0045;
  sampling.radius = 0.00225;
  std::int64_t count = 0;
  for (auto _ : state) count += static_cast<std::int64_t>(sample_volume(cylinder, sampling, threads).size());
  state.SetItemsProcessed(count);
  state.SetLabel(sampling.jittered ? "jittered" : "lattice");
}
BENCHMARK(fill)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
