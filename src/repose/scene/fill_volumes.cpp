#include "repose/scene/fill_volumes.h"

#include <algorithm>
#include <cmath>

#include "repose/core/random.h"

namespace repose {
namespace {

constexpr std::size_t kCells = 48, kMeshCells = 32;  ///< along each axis of the box that is sampled

bool is_of_triangles(const Shape& shape) {
  return shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield;
}

Box3d common_box(const Box3d& a, const Box3d& b) {
  Box3d box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = std::max(a.min[axis], b.min[axis]);
    box.max[axis] = std::min(a.max[axis], b.max[axis]);
  }
  return box;
}

/// Shapes that take room from a fill in this box: bodies, and the fills before it.
std::vector<Shape> shapes_in_the_way(const Scene& scene, std::size_t fill, const Box3d& box) {
  std::vector<Shape> shapes;
  const auto add = [&](const Shape& shape) {
    if (boxes_overlap(bounds(shape), box)) shapes.push_back(shape);
  };
  for (const BodyDefinition& body : scene.bodies) add(shape_at_start(body));
  for (std::size_t other = 0; other < fill; ++other)
    if (scene.fills[other].shape) add(*scene.fills[other].shape);
  return shapes;
}

struct Count {
  double inside = 0, free = 0;
};

}  // namespace

bool boxes_overlap(const Box3d& a, const Box3d& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis])) return false;
  return true;
}

Shape shape_at_start(const BodyDefinition& body) {
  Shape shape = body.shape;
  if (!body.keyframes.empty()) {
    shape.pose.position = body.keyframes.front().position;
    shape.pose.rotation = rotation_from_degrees(body.keyframes.front().rotation);
  }
  return shape;
}

FillVolume measure_fill(const Scene& scene, std::size_t fill, Threads& threads) {
  const Shape& shape = *scene.fills[fill].shape;
  const Box3d own = bounds(shape), box = common_box(own, {scene.domain.min, scene.domain.max});
  FillVolume out;
  out.shape = volume(shape);
  if (!boxes_overlap(box, box)) return out;
  const std::vector<Shape> others = shapes_in_the_way(scene, fill, box);
  if (own.min == box.min && own.max == box.max && others.empty()) {
    out.in_domain = out.free = out.shape;
    return out;
  }
  const bool slow = is_of_triangles(shape) || std::any_of(others.begin(), others.end(), is_of_triangles);
  const std::size_t n = slow ? kMeshCells : kCells;
  const Vec3d cell = box.size() / static_cast<double>(n);
  const Count count = threads.reduce(
      n * n * n, Count{},
      [&](std::size_t begin, std::size_t end) {
        Count part;
        for (std::size_t i = begin; i < end; ++i) {
          Random random(1, Stream::tile_order, 3, i);
          const std::size_t column = i % n, row = i / n % n, layer = i / (n * n);
          const Vec3d at(static_cast<double>(column) + random.uniform(),
                         static_cast<double>(row) + random.uniform(),
                         static_cast<double>(layer) + random.uniform());
          const Vec3d x = box.min + at * cell;
          if (signed_distance(shape, x) >= 0) continue;
          part.inside += 1;
          part.free += std::none_of(others.begin(), others.end(),
                                    [&](const Shape& other) { return signed_distance(other, x) < 0; })
                           ? 1
                           : 0;
        }
        return part;
      },
      [](Count a, const Count& b) {
        return Count{a.inside + b.inside, a.free + b.free};
      });
  const double by_point = cell.x * cell.y * cell.z;
  out.in_domain = count.inside * by_point;
  out.free = count.free * by_point;
  return out;
}

}  // namespace repose
