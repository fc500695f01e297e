#include "repose/geometry/tessellate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "repose/geometry/mesh/mesh_drawing.h"
#include "repose/geometry/outline.h"

namespace repose {
namespace {

/// Triangles in the shape's own frame at scale 1.
struct Builder {
  struct Vertex {
    Vec3d position, normal;
  };
  std::vector<Vertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  std::uint32_t add(const Vec3d& position, const Vec3d& normal) {
    vertices.push_back({position, normal});
    return static_cast<std::uint32_t>(vertices.size() - 1);
  }
  /// Leaves out triangles of which two corners are at the same place.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vec3d &p = vertices[a].position, &q = vertices[b].position, &r = vertices[c].position;
    if (p != q && q != r && r != p) triangles.push_back({a, b, c});
  }
  /// Corners counter-clockwise.
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  void flat_quad(const std::array<Vec3d, 4>& corners, const Vec3d& normal) {
    std::array<std::uint32_t, 4> v{};
    for (std::size_t i = 0; i < 4; ++i) v[i] = add(corners[i], normal);
    quad(v[0], v[1], v[2], v[3]);
  }
};

/// The six faces of a box, seen from outside or (side = -1) from inside.
void add_box(Builder& out, const Vec3d& half, double side) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      Vec3d n(0), u(0), v(0);
      n[axis] = sign;
      u[(axis + 1) % 3] = half[(axis + 1) % 3];
      v[(axis + 2) % 3] = half[(axis + 2) % 3];
      if (sign * side < 0) std::swap(u, v);
      const Vec3d c = n * half;
      out.flat_quad({c - u - v, c + u - v, c + u + v, c - u + v}, side * n);
    }
}

/// Cosine and sine of a quarter turn's share; exact at its ends.
Vec2d quarter(int k, int parts) {
  if (k == 0) return {1, 0};
  if (k == parts) return {0, 1};
  const double a = 0.5 * kPi * k / parts;
  return {std::cos(a), std::sin(a)};
}

/// A box with its edges rounded by r outside of it: a sphere cut into eight at the axes and pulled apart.
void add_rounded_box(Builder& out, const Vec3d& half, double r, double tolerance) {
  const int parts = arc_parts(r, 0.5 * kPi, tolerance);
  // Directions in turn about z, those on an axis once for each of the two corners that they belong to.
  std::vector<std::pair<Vec2d, Vec2d>> around;  // direction, signs of the corner
  for (int q = 0; q < 4; ++q)
    for (int k = 0; k <= parts; ++k) {
      Vec2d d = quarter(k, parts), s(1, 1);
      for (int turn = 0; turn < q; ++turn) {
        d = {-d.y, d.x};
        s = {-s.y, s.x};
      }
      around.emplace_back(d, s);
    }
  std::vector<std::pair<Vec2d, double>> up;  // cosine and sine of the height over the horizon, sign
  for (int k = parts; k >= 0; --k) up.emplace_back(Vec2d(quarter(k, parts).x, -quarter(k, parts).y), -1.0);
  for (int k = 0; k <= parts; ++k) up.emplace_back(quarter(k, parts), 1.0);

  const auto columns = static_cast<std::uint32_t>(around.size());
  for (const auto& [height, sz] : up)
    for (const auto& [d, s] : around) {
      const Vec3d n(height.x * d.x, height.x * d.y, height.y);
      out.add(Vec3d(s.x, s.y, sz) * half + r * n, n);
    }
  for (std::uint32_t row = 0; row + 1 < up.size(); ++row)
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::uint32_t j = (i + 1) % columns;
      out.quad(row * columns + i, row * columns + j, (row + 1) * columns + j, (row + 1) * columns + i);
    }
  for (const double side : {-1.0, 1.0}) {
    const double z = side * (half.z + r), x = half.x * side;
    out.flat_quad({Vec3d(-x, -half.y, z), Vec3d(x, -half.y, z), Vec3d(x, half.y, z), Vec3d(-x, half.y, z)},
                  {0, 0, side});
  }
}

/// Turns a run of an outline about the z axis.
void add_revolved(Builder& out, const OutlineRun& run, int segments) {
  const auto columns = static_cast<std::uint32_t>(segments) + 1;
  const auto first = static_cast<std::uint32_t>(out.vertices.size());
  for (const OutlinePoint& p : run)
    for (std::uint32_t i = 0; i < columns; ++i) {
      // The last column stands where the first does. On the axis each triangle has its own vertex, whose
      // normal is that of the triangle's middle.
      const bool on_axis = p.point.x == 0;
      const double turn =
          (static_cast<double>(i % static_cast<std::uint32_t>(segments)) + (on_axis ? 0.5 : 0.0));
      const double a = 2 * kPi * turn / segments, c = std::cos(a), s = std::sin(a);
      out.add({p.point.x * c, p.point.x * s, p.point.y}, {p.normal.x * c, p.normal.x * s, p.normal.y});
    }
  for (std::uint32_t k = 0; k + 1 < run.size(); ++k)
    for (std::uint32_t i = 0; i + 1 < columns; ++i) {
      const std::uint32_t a = first + k * columns + i, b = a + columns;
      if (run[k].point.x == 0)
        out.triangle(a, b + 1, b);
      else
        out.quad(a, a + 1, run[k + 1].point.x == 0 ? b : b + 1, b);
    }
}

Builder build(const Shape& shape, double tolerance, double plane_size) {
  Builder out;
  const double offset = std::max(0.0, 0.5 * shape.thickness);
  if (shape.kind == ShapeKind::box) {
    const Vec3d half = 0.5 * shape.size, inner = half - Vec3d(offset);
    if (offset <= 0) {
      add_box(out, half, 1);
    } else {
      add_rounded_box(out, half, offset, tolerance);
      if (inner.x > 0 && inner.y > 0 && inner.z > 0) add_box(out, inner, -1);
    }
    return out;
  }
  if (shape.kind == ShapeKind::plane) {
    const double h = 0.5 * plane_size;
    if (offset > 0)
      add_box(out, {h, h, offset}, 1);
    else
      out.flat_quad({Vec3d(-h, -h, 0), Vec3d(h, -h, 0), Vec3d(h, h, 0), Vec3d(-h, h, 0)}, {0, 0, 1});
    return out;
  }
  if (shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield) {
    DrawnMesh drawn = draw_mesh(*shape.mesh, offset);
    for (std::size_t i = 0; i < drawn.positions.size(); ++i) out.add(drawn.positions[i], drawn.normals[i]);
    out.triangles = std::move(drawn.triangles);
    return out;
  }
  const std::vector<OutlineRun> runs = shape_outline(shape, tolerance);
  double widest = 0;
  for (const OutlineRun& run : runs)
    for (const OutlinePoint& p : run) widest = std::max(widest, p.point.x);
  // Whole quarters, so that symmetric shapes give symmetric meshes.
  const int segments = 4 * arc_parts(widest, 0.5 * kPi, tolerance);
  for (const OutlineRun& run : runs) add_revolved(out, run, segments);
  return out;
}

}  // namespace

TriangleMesh tessellate(const Shape& shape, double tolerance, double plane_size) {
  Shape at_scale_1 = shape;
  at_scale_1.thickness /= shape.scale;
  // Half of the tolerance for each of the two directions in which a surface bends.
  const Builder built = build(at_scale_1, 0.5 * tolerance / shape.scale, plane_size / shape.scale);
  const bool flip = shape.invert && shape.thickness <= 0;
  TriangleMesh mesh;
  mesh.positions.reserve(built.vertices.size());
  mesh.normals.reserve(built.vertices.size());
  for (const Builder::Vertex& v : built.vertices) {
    mesh.positions.emplace_back(Vec3f(shape.pose.to_world(shape.scale * v.position)));
    const Vec3d n = rotate(shape.pose.rotation, v.normal);
    mesh.normals.emplace_back(Vec3f(flip ? -n : n));
  }
  mesh.triangles = built.triangles;
  if (flip)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace repose
