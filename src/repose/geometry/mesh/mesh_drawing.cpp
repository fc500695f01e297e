#include "repose/geometry/mesh/mesh_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace repose {
namespace {

constexpr double kSmooth = 0.866;       // cosine of 30 degrees
constexpr double kSharpestMiter = 0.3;  // edges that are sharper are cut off

/// How far a vertex moves for an offset of 1 of all faces around it.
Vec3d miter(const MeshSolid& mesh, std::uint32_t vertex) {
  const MeshTopology& topology = mesh.topology();
  Vec3d sum(0);
  for (const MeshCorner c : topology.corners_of_vertex(vertex)) sum += mesh.face_normal(c / 3);
  sum.normalize();
  double least = 1;
  for (const MeshCorner c : topology.corners_of_vertex(vertex))
    least = std::min(least, mesh.face_normal(c / 3).dot(sum));
  return sum / std::max(least, kSharpestMiter);
}

class Drawer {
 public:
  explicit Drawer(const MeshSolid& mesh) : mesh_(mesh), topology_(mesh.topology()) {}

  /// The surface moved by `offset`, facing the other way with turned = true.
  void add_side(double offset, bool turned) {
    std::vector<std::uint32_t> index(3 * topology_.triangles.size());
    for (std::uint32_t v = 0; v < topology_.positions.size(); ++v) add_vertex(v, offset, turned, index);
    for (std::uint32_t t = 0; t < topology_.triangles.size(); ++t) {
      Triangle corners{index[3 * t], index[3 * t + 1], index[3 * t + 2]};
      if (turned) std::swap(corners[1], corners[2]);
      out_.triangles.push_back(corners);
    }
  }

  /// Strips along the open edges, from one side of a shell to the other.
  void add_rims(double offset) {
    for (std::size_t e = 0; e < topology_.edge_count(); ++e) {
      const auto corners = topology_.corners_of_edge(e);
      if (corners.size() != 1) continue;
      const std::uint32_t a = topology_.vertex_at(corners[0]),
                          b = topology_.vertex_at(MeshTopology::next(corners[0]));
      const Vec3d &pa = topology_.positions[a], &pb = topology_.positions[b], ma = miter(mesh_, a),
                  mb = miter(mesh_, b);
      const Vec3d n = (pb - pa).cross(mesh_.face_normal(corners[0] / 3)).normalized();
      const std::uint32_t first = add(pb + offset * mb, n);
      add(pa + offset * ma, n);
      add(pa - offset * ma, n);
      add(pb - offset * mb, n);
      out_.triangles.push_back({first, first + 1, first + 2});
      out_.triangles.push_back({first, first + 2, first + 3});
    }
  }

  DrawnMesh take() { return std::move(out_); }

 private:
  std::uint32_t add(const Vec3d& position, const Vec3d& normal) {
    out_.positions.push_back(position);
    out_.normals.push_back(normal);
    return static_cast<std::uint32_t>(out_.positions.size() - 1);
  }

  /// A vertex for each direction that the faces around it agree on.
  void add_vertex(std::uint32_t v, double offset, bool turned, std::vector<std::uint32_t>& index) {
    const auto corners = topology_.corners_of_vertex(v);
    const Vec3d at = topology_.positions[v] + (offset != 0 ? offset * miter(mesh_, v) : Vec3d(0));
    const std::size_t first = out_.positions.size();
    // Of faces that lie in one plane all get the same: the bottom of a height field is a fan of up to 100,000
    // of them about one vertex, too many to compare each with each.
    std::map<std::array<double, 3>, std::uint32_t> drawn;  // by normal of the face
    angles_.clear();
    for (const MeshCorner c : corners) angles_.push_back(angle_at(c));
    for (const MeshCorner c : corners) {
      const Vec3d& face = mesh_.face_normal(c / 3);
      const auto [known, is_new] = drawn.try_emplace({face.x, face.y, face.z});
      if (!is_new) {
        index[c] = known->second;
        continue;
      }
      Vec3d n(0);
      for (std::size_t k = 0; k < corners.size(); ++k)
        if (mesh_.face_normal(corners[k] / 3).dot(face) > kSmooth)
          n += angles_[k] * mesh_.face_normal(corners[k] / 3);
      n = n.dot(n) > 0 ? n.normalized() : Vec3d(0, 0, 1);
      if (turned) n = -n;
      std::size_t place = first;
      while (place < out_.normals.size() && (out_.normals[place] - n).length() > 1e-6) ++place;
      if (place == out_.normals.size()) add(at, n);
      index[c] = known->second = static_cast<std::uint32_t>(place);
    }
  }

  double angle_at(MeshCorner c) const {
    const MeshCorner next = MeshTopology::next(c), last = MeshTopology::next(next);
    const Vec3d &p = topology_.positions[topology_.vertex_at(c)],
                u = topology_.positions[topology_.vertex_at(next)] - p,
                w = topology_.positions[topology_.vertex_at(last)] - p;
    return std::atan2(u.cross(w).length(), u.dot(w));
  }

  const MeshSolid& mesh_;
  const MeshTopology& topology_;
  std::vector<double> angles_;  ///< of the corners at one vertex [rad]
  DrawnMesh out_;
};

}  // namespace

DrawnMesh draw_mesh(const MeshSolid& mesh, double offset) {
  Drawer drawer(mesh);
  drawer.add_side(offset, false);
  if (offset > 0) {
    drawer.add_side(-offset, true);
    drawer.add_rims(offset);
  }
  return drawer.take();
}

}  // namespace repose
