// Distances to a mesh: the tree of triangles that Repose uses (geometry/mesh/mesh_solid.h) against a level
// set of OpenVDB in a narrow band, read with trilinear weights. Bodies of about 1 m for grains of 1 cm;
// voxels of a half and a quarter of a grain, and a band that reaches a grain and a half. Queries stand in the
// order of cells, as grains do in memory. One thread asks; OpenVDB makes its grid with all threads of the
// machine, the tree is made with one.
//
// Errors are against the exact distance, in per cent of a grain's diameter: `worst` over all points near the
// surface, `rms` over them, `corner` over points within half a grain of a corner of the box, `lost` the share
// of points inside the solid that the level set puts outside.

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/geometry/mesh_cases.h"
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>
#include <openvdb/tools/MeshToVolume.h>

namespace repose {
namespace {

constexpr double kGrain = 0.01;  ///< diameter [m]
constexpr double kReach = 1.5;   ///< of the narrow band, in grains
constexpr std::size_t kQueries = 100000;

enum Body : std::int64_t { box, ball, plate, foil };
constexpr const char* kNames[] = {"box", "bumpy ball", "plate one grain thick",
                                  "foil a fifth of a grain thick"};
const Vec3d kBox(1.0, 0.8, 0.6), kPlate(1, 1, kGrain), kFoil(1, 1, 0.2 * kGrain);

Vec3d size_of(std::int64_t body) { return body == box ? kBox : body == plate ? kPlate : kFoil; }
Quatd turn() { return rotation_from_degrees({20, 30, 40}); }  // not along the voxels

/// 12 n^2 triangles.
MeshData make_mesh(std::int64_t body, std::uint32_t n) {
  MeshData mesh = box_mesh(body == ball ? Vec3d(2) : size_of(body), n);
  for (Vec3d& p : mesh.positions) {
    if (body == ball) {
      p.normalize();
      p *= 0.5 * (1 + 0.08 * std::sin(9 * p.x) * std::sin(8 * p.y) * std::sin(7 * p.z));
    }
    p = rotate(turn(), p);
  }
  return mesh;
}

struct LevelSet {
  LevelSet(const MeshData& mesh, double voxel) {
    openvdb::initialize();
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec3I> triangles;
    for (const Vec3d& p : mesh.positions) points.emplace_back(p.x, p.y, p.z);
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    const auto band = static_cast<float>(kReach * kGrain / voxel);
    grid = openvdb::tools::meshToLevelSet<openvdb::FloatGrid>(*transform, points, triangles, band);
  }

  struct Sample {
    double distance;
    Vec3d normal;
  };
  /// Value and gradient of the trilinear interpolation.
  static Sample sample(const openvdb::FloatGrid::ConstAccessor& voxels, double inverse_voxel,
                       const Vec3d& p) {
    const Vec3d q = p * inverse_voxel;
    const openvdb::Coord low(static_cast<int>(std::floor(q.x)), static_cast<int>(std::floor(q.y)),
                             static_cast<int>(std::floor(q.z)));
    const Vec3d w(q.x - low.x(), q.y - low.y(), q.z - low.z());
    double sum = 0;
    Vec3d gradient(0);
    for (int k = 0; k < 8; ++k) {
      const int i = k & 1, j = (k >> 1) & 1, l = k >> 2;
      const double v = voxels.getValue(low.offsetBy(i, j, l));
      const double a = i ? w.x : 1 - w.x, b = j ? w.y : 1 - w.y, c = l ? w.z : 1 - w.z;
      sum += a * b * c * v;
      gradient += v * Vec3d(i ? b * c : -b * c, j ? a * c : -a * c, l ? a * b : -a * b);
    }
    return {sum, gradient.normalized()};
  }

  openvdb::FloatGrid::Ptr grid;
};

void sort_by_cell(std::vector<Vec3d>& points) {
  const auto cell = [](double x) { return std::floor(x / (2 * kGrain)); };
  std::sort(points.begin(), points.end(), [&](const Vec3d& a, const Vec3d& b) {
    for (int i = 2; i >= 0; --i)
      if (cell(a[i]) != cell(b[i])) return cell(a[i]) < cell(b[i]);
    return a.x < b.x;
  });
}

Vec3d point_in_ball(Random& random, double radius) {
  while (true) {
    const Vec3d p(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    if (p.dot(p) <= 1) return radius * p;
  }
}

/// Within a grain of the surface.
std::vector<Vec3d> points_near(const MeshData& mesh) {
  Random random(1, Stream::test, 0, 0);
  std::vector<Vec3d> points(kQueries);
  for (Vec3d& p : points) {
    const auto t = static_cast<std::size_t>(random.uniform() * static_cast<double>(mesh.triangles.size()));
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const auto corner = [&](std::size_t c) { return mesh.positions[mesh.triangles[t][c]]; };
    p = corner(0) + u * (corner(1) - corner(0)) + v * (corner(2) - corner(0)) + point_in_ball(random, kGrain);
  }
  sort_by_cell(points);
  return points;
}

/// 1 to 2 m from the middle of the body.
std::vector<Vec3d> points_far() {
  Random random(2, Stream::test, 0, 0);
  std::vector<Vec3d> points(kQueries);
  for (Vec3d& p : points) {
    const Vec3d out = point_in_ball(random, 1);
    p = out.normalized() + out;
  }
  sort_by_cell(points);
  return points;
}

/// Around the corners of the box.
std::vector<Vec3d> points_at_corners() {
  Random random(3, Stream::test, 0, 0);
  std::vector<Vec3d> points(8000);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    points[i] = rotate(turn(), corner * kBox) + point_in_ball(random, 0.5 * kGrain);
  }
  return points;
}

/// The exact distance: in closed form where there is one, so that the tree is tested too.
double exact(std::int64_t body, const MeshSolid& solid, const Vec3d& p) {
  if (body == ball) return solid.signed_distance(p).distance;
  Shape shape;
  shape.size = size_of(body);
  return signed_distance(shape, rotate_back(turn(), p));
}

template <class Distance>
void count_errors(benchmark::State& state, std::int64_t body, const MeshData& mesh, Distance&& distance) {
  const MeshSolid solid(mesh);
  double worst = 0, squares = 0, inside = 0, lost = 0;
  const std::vector<Vec3d> points = points_near(mesh);
  for (const Vec3d& p : points) {
    const double truth = exact(body, solid, p), found = distance(p), error = (found - truth) / kGrain;
    worst = std::max(worst, std::abs(error));
    squares += error * error;
    inside += truth < 0;
    lost += truth < 0 && found >= 0;
  }
  state.counters["worst%"] = 100 * worst;
  state.counters["rms%"] = 100 * std::sqrt(squares / static_cast<double>(points.size()));
  state.counters["lost%"] = 100 * lost / inside;
  if (body != box) return;
  double corner = 0;
  for (const Vec3d& p : points_at_corners())
    corner = std::max(corner, std::abs(distance(p) - exact(body, solid, p)) / kGrain);
  state.counters["corner%"] = 100 * corner;
}

void finish(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kQueries));
  state.SetLabel(kNames[state.range(0)]);
}

double megabytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

MeshData mesh_of(const benchmark::State& state) {
  return make_mesh(state.range(0), static_cast<std::uint32_t>(state.range(1)));
}
double voxel_of(const benchmark::State& state) { return kGrain / static_cast<double>(state.range(2)); }

void tree_setup(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  const double before = megabytes_in_use();
  for (auto _ : state) {
    const MeshSolid solid(mesh);
    state.counters["MB"] = megabytes_in_use() - before;
  }
  state.SetLabel(kNames[state.range(0)]);
}

void level_set_setup(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  for (auto _ : state) {
    const LevelSet level_set(mesh, voxel_of(state));
    state.counters["MB"] = static_cast<double>(level_set.grid->memUsage()) / 1e6;
  }
  state.SetLabel(kNames[state.range(0)]);
}

void tree_near(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  const MeshSolid solid(mesh);
  const std::vector<Vec3d> points = points_near(mesh);
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(solid.signed_distance(p));
  count_errors(state, state.range(0), mesh,
               [&](const Vec3d& p) { return solid.signed_distance(p).distance; });
  finish(state);
}

/// What a grain asks for: every place where its sphere meets the surface.
void tree_touches(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  const MeshSolid solid(mesh);
  const std::vector<Vec3d> points = points_near(mesh);
  Touches touches;
  for (auto _ : state)
    for (const Vec3d& p : points) {
      touches.clear();
      solid.find_touches(p, 0.5 * kGrain, MeshSide::outside, touches);
      benchmark::DoNotOptimize(touches);
    }
  finish(state);
}

void level_set_near(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  const LevelSet level_set(mesh, voxel_of(state));
  const std::vector<Vec3d> points = points_near(mesh);
  const auto voxels = level_set.grid->getConstAccessor();
  const double inverse = 1 / voxel_of(state);
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(LevelSet::sample(voxels, inverse, p));
  count_errors(state, state.range(0), mesh,
               [&](const Vec3d& p) { return LevelSet::sample(voxels, inverse, p).distance; });
  finish(state);
}

/// The library's own sampler: distance only, no normal.
void level_set_near_value(benchmark::State& state) {
  const MeshData mesh = mesh_of(state);
  const LevelSet level_set(mesh, voxel_of(state));
  const std::vector<Vec3d> points = points_near(mesh);
  const auto voxels = level_set.grid->getConstAccessor();
  const openvdb::tools::GridSampler<openvdb::FloatGrid::ConstAccessor, openvdb::tools::BoxSampler> sampler(
      voxels, level_set.grid->transform());
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(sampler.wsSample(openvdb::Vec3d(p.x, p.y, p.z)));
  finish(state);
}

void tree_far(benchmark::State& state) {
  const MeshSolid solid(mesh_of(state));
  const std::vector<Vec3d> points = points_far();
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(solid.signed_distance(p));
  finish(state);
}

/// Only whether the surface is within a grain: what a level set says so far away.
void tree_far_within(benchmark::State& state) {
  const MeshSolid solid(mesh_of(state));
  const std::vector<Vec3d> points = points_far();
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(solid.has_surface_within(p, kGrain));
  finish(state);
}

void level_set_far(benchmark::State& state) {
  const LevelSet level_set(mesh_of(state), voxel_of(state));
  const std::vector<Vec3d> points = points_far();
  const auto voxels = level_set.grid->getConstAccessor();
  const double inverse = 1 / voxel_of(state);
  for (auto _ : state)
    for (const Vec3d& p : points) benchmark::DoNotOptimize(LevelSet::sample(voxels, inverse, p));
  finish(state);
}

// Arguments: the body, parts that an edge is cut into (41: 20 thousand triangles, 129: 200 thousand), voxels
// a grain. A fixed number of rounds, since the set-up around a round costs more than the round.
constexpr std::int64_t kCases[][2] = {{box, 41}, {ball, 41}, {ball, 129}, {plate, 41}, {foil, 41}};
void tree_cases(benchmark::internal::Benchmark* bench) {
  for (const auto& [body, n] : kCases) bench->Args({body, n});
  bench->Unit(benchmark::kMillisecond)->Iterations(3);
}
void level_set_cases(benchmark::internal::Benchmark* bench) {
  for (const auto& [body, n] : kCases)
    for (const std::int64_t voxels : {2, 4}) bench->Args({body, n, voxels});
  bench->Unit(benchmark::kMillisecond)->Iterations(3);
}
void far_cases(benchmark::internal::Benchmark* bench) {
  bench->Args({ball, 41, 2})->Args({ball, 129, 2})->Unit(benchmark::kMillisecond)->Iterations(3);
}
BENCHMARK(tree_setup)->Apply(tree_cases);
BENCHMARK(level_set_setup)->Apply(level_set_cases);
BENCHMARK(tree_near)->Apply(tree_cases);
BENCHMARK(tree_touches)->Apply(tree_cases);
BENCHMARK(level_set_near)->Apply(level_set_cases);
BENCHMARK(level_set_near_value)->Apply(far_cases);
BENCHMARK(tree_far)->Apply(far_cases);
BENCHMARK(tree_far_within)->Apply(far_cases);
BENCHMARK(level_set_far)->Apply(far_cases);

}  // namespace
}  // namespace repose

BENCHMARK_MAIN();
