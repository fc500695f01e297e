#pragma once
// From the triangles of a file to a surface that can be worked with: corners that stand at the same place are
// joined, triangles without extent and second copies are left out, neighbours are found across edges, and
// triangles are made to agree on which side is outside. What had to be done is counted, with the first place,
// for the audit (mesh_audit.h).
//
// Orientation: within a part that hangs together, triangles are turned to agree with the part's first one
// only where they disagree; such a part, and a whole mesh whose volume comes out negative, is turned so that
// the volume is positive. A hollow inside a solid (a part of its own that faces inwards) stays a hollow.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "repose/geometry/mesh/mesh_data.h"

namespace repose {

/// How often something was found, and where first.
struct MeshCount {
  std::size_t count = 0;
  std::size_t triangle = 0;  ///< of the file, from 0
  Vec3d position{0, 0, 0};   ///< in the file's unit

  void add(std::size_t at_triangle, const Vec3d& at) {
    if (count++ > 0) return;
    triangle = at_triangle;
    position = at;
  }
};

struct MeshFacts {
  MeshCount merged_vertices;       ///< corners that had a twin within the tolerance (triangle: its index)
  MeshCount degenerate_triangles;  ///< two corners in one place (left out), or all on a line (kept)
  MeshCount duplicate_triangles;   ///< the same corners as an earlier one; left out if it faces the same way
  MeshCount turned_triangles;      ///< that disagreed with their neighbours
  MeshCount open_edges;            ///< edges of one triangle only
  MeshCount crowded_edges;         ///< edges that more than two triangles share
  MeshCount twisted_edges;         ///< where neighbours still disagree: a Moebius strip
  bool was_inside_out = false;     ///< and was turned
  std::size_t part_count = 0;      ///< that hang together over edges
};

/// One corner of a triangle, as 3 * triangle + corner; the edge that starts there goes to the next corner.
using MeshCorner = std::uint32_t;

struct MeshTopology {
  std::vector<Vec3d> positions;
  std::vector<Triangle> triangles;
  std::vector<std::uint32_t> source;  ///< by triangle: its index in the file

  std::vector<std::uint32_t> edge_of;       ///< by corner: the edge that starts there
  std::vector<std::uint32_t> edge_first;    ///< by edge: where its corners begin in edge_corners
  std::vector<MeshCorner> edge_corners;     ///< the corners that an edge starts from
  std::vector<std::uint32_t> vertex_first;  ///< by vertex: where its corners begin in vertex_corners
  std::vector<MeshCorner> vertex_corners;
  MeshFacts facts;

  std::size_t edge_count() const { return edge_first.empty() ? 0 : edge_first.size() - 1; }
  std::span<const MeshCorner> corners_of_edge(std::size_t edge) const {
    return std::span(edge_corners).subspan(edge_first[edge], edge_first[edge + 1] - edge_first[edge]);
  }
  std::span<const MeshCorner> corners_of_vertex(std::size_t vertex) const {
    return std::span(vertex_corners)
        .subspan(vertex_first[vertex], vertex_first[vertex + 1] - vertex_first[vertex]);
  }
  std::uint32_t vertex_at(MeshCorner corner) const { return triangles[corner / 3][corner % 3]; }
  /// The corner after this one in its triangle.
  static MeshCorner next(MeshCorner corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }
  /// Every edge has as many triangles on one side as on the other: the surface bounds a solid.
  bool is_closed() const { return facts.open_edges.count == 0 && facts.twisted_edges.count == 0; }
};

/// Corners nearer to each other than this share of the diagonal of the bounds are one.
inline constexpr double kWeldTolerance = 1e-6;

MeshTopology make_topology(const MeshData& data);

}  // namespace repose
