#include "support/collapse.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/measure/pile.h"

namespace repose::test {
namespace {

constexpr double kGravity = 9.81;            ///< [m/s2]
constexpr double kWidth = 5 * kColumnGrain;  ///< of a planar column between its periodic sides [m]
constexpr double kFloorFriction = 0.5;

Scene column_scene(const Column& column) {
  const double L = column.length * kColumnGrain, H = column.aspect * L, far = L + 12 * H + 0.2;
  Scene scene = box_scene(column.grain, Vec3d(1), kColumnGrain);
  scene.info.seed = column.seed;
  scene.materials[0].young = 1e6;
  scene.materials[0].density = 1500;
  scene.materials[0].friction = column.friction;
  scene.domain.friction.fill(kFloorFriction);
  scene.domain.max = {far, kWidth, 2 * H + 0.1};
  Shape heap;
  if (column.round) {
    scene.domain.min = {-far, -far, 0};
    scene.domain.max.y = far;
    scene.domain.faces = {FaceKind::open, FaceKind::open, FaceKind::open,
                          FaceKind::open, FaceKind::wall, FaceKind::open};
    heap.kind = ShapeKind::cylinder;
    heap.radius = L;
    heap.height = H;
    heap.pose.position = {0, 0, 0.5 * H};
  } else {
    // The wall behind the column is its plane of symmetry: nothing rubs there.
    scene.domain.faces = {FaceKind::wall,     FaceKind::open, FaceKind::periodic,
                          FaceKind::periodic, FaceKind::wall, FaceKind::open};
    scene.domain.friction[0] = 0;
    heap = box_shape({L, kWidth, H}, {0.5 * L, 0.5 * kWidth, 0.5 * H});
  }
  add_fill(scene, heap, Packing::settled);
  if (column.dt_factor != 1) scene.solver.dem.dt = column.dt_factor * automatic_dt(scene);
  return scene;
}

/// The distance from the wall that this share of the grains does not reach beyond [m].
double distance_of_share(const Frame& frame, double share) {
  std::vector<double> x;
  for (const Vec3d& position : frame.position) x.push_back(position.x);
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(x.size() - 1));
  std::nth_element(x.begin(), x.begin() + rank, x.end());
  return x[static_cast<std::size_t>(rank)];
}

}  // namespace

Deposit collapse(const Column& column) {
  const double L = column.length * kColumnGrain, H = column.aspect * L;
  const Scene scene = column_scene(column);
  Threads threads(1);
  DemSolver solver(scene, threads, {});
  const auto shapes = solver.grain_shapes();
  const GrainTable grains(scene, shapes);
  Shape everywhere = box_shape(Vec3d(1000), Vec3d(0));
  Frame frame;
  const auto read = [&] {
    solver.fill_frame(frame);
    return read_pile(everywhere, column.round ? PileAxis::radius : PileAxis::x, frame, grains,
                     solver.model().box, threads);
  };

  Deposit out;
  const double front_before = read().front;
  out.failure = advance(solver, 6 * std::sqrt(H / kGravity) + 0.2);
  const PileReading last = read();
  // The measure leaves out the outermost hundredth at both times.
  out.runout = (last.front - front_before) / front_before;
  out.toe = last.foot / L - 1;
  if (!column.round) out.edge = (2 * distance_of_share(frame, 0.99) - distance_of_share(frame, 0.96)) / L - 1;
  out.height = last.height / L;
  return out;
}

}  // namespace repose::test
