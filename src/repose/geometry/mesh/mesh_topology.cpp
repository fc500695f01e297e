#include "repose/geometry/mesh/mesh_topology.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "repose/geometry/mass_properties.h"

namespace repose {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Finds the first of the points so far that is within a tolerance of a new one, by cells a few tolerances
/// wide.
class PointWelder {
 public:
  PointWelder(const Box3d& box, double tolerance)
      : low_(box.min), tolerance_(tolerance), cell_(8 * tolerance) {}

  /// The index of a twin in `points`, or none; then the point is to be added to `points` at its end.
  std::uint32_t find_or_add(const Vec3d& p, const std::vector<Vec3d>& points) {
    std::uint32_t found = kNone;
    std::array<std::array<std::int64_t, 2>, 3> range;
    for (int i = 0; i < 3; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      range[axis] = {cell_of(p[i] - tolerance_ - low_[i]), cell_of(p[i] + tolerance_ - low_[i])};
    }
    for (std::int64_t z = range[2][0]; z <= range[2][1]; ++z)
      for (std::int64_t y = range[1][0]; y <= range[1][1]; ++y)
        for (std::int64_t x = range[0][0]; x <= range[0][1]; ++x)
          for (auto [at, end] = cells_.equal_range(key(x, y, z)); at != end; ++at)
            if ((points[at->second] - p).length() <= tolerance_) found = std::min(found, at->second);
    if (found == kNone)
      cells_.emplace(key(cell_of(p.x - low_.x), cell_of(p.y - low_.y), cell_of(p.z - low_.z)),
                     static_cast<std::uint32_t>(points.size()));
    return found;
  }

 private:
  std::int64_t cell_of(double x) const {
    return cell_ > 0 ? static_cast<std::int64_t>(std::floor(x / cell_)) : 0;
  }
  /// Cells of different places may share a key; the distance tells them apart.
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4FULL ^
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9ULL;
  }

  Vec3d low_;
  double tolerance_, cell_;  // [file unit]
  std::unordered_multimap<std::uint64_t, std::uint32_t> cells_;
};

/// Joins corners, and says for each vertex of the file which one it became. Vertices that no triangle uses
/// are left out.
std::vector<std::uint32_t> weld(const MeshData& data, MeshTopology& out) {
  std::vector<char> is_used(data.positions.size(), 0);
  Box3d box;
  for (const Triangle& t : data.triangles)
    for (const std::uint32_t v : t) {
      is_used[v] = 1;
      box.extendBy(data.positions[v]);
    }
  PointWelder welder(box, data.triangles.empty() ? 0.0 : kWeldTolerance * box.size().length());
  std::vector<std::uint32_t> became(data.positions.size(), kNone);
  for (std::size_t v = 0; v < data.positions.size(); ++v) {
    if (is_used[v] == 0) continue;
    became[v] = welder.find_or_add(data.positions[v], out.positions);
    if (became[v] != kNone) {
      out.facts.merged_vertices.add(v, data.positions[v]);
      continue;
    }
    became[v] = static_cast<std::uint32_t>(out.positions.size());
    out.positions.push_back(data.positions[v]);
  }
  return became;
}

/// Without twins, and on no line.
bool has_area(const MeshTopology& mesh, const Triangle& t) {
  const Vec3d &a = mesh.positions[t[0]], ab = mesh.positions[t[1]] - a, ac = mesh.positions[t[2]] - a,
              bc = ac - ab;
  const double longest = std::max({ab.length(), ac.length(), bc.length()});
  return ab.cross(ac).length() > 1e-12 * longest * longest;
}

/// Keeps the triangles that have three corners, once each.
void take_triangles(const MeshData& data, const std::vector<std::uint32_t>& became, MeshTopology& out) {
  std::vector<Triangle> corners(data.triangles.size());
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < data.triangles.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) corners[i][c] = became[data.triangles[i][c]];
    const Triangle& t = corners[i];
    const bool is_point = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
    if (is_point || !has_area(out, t)) out.facts.degenerate_triangles.add(i, out.positions[t[0]]);
    if (!is_point) order.push_back(static_cast<std::uint32_t>(i));
  }
  // Copies have the same corners when these are turned so that the smallest comes first.
  const auto turned = [&](std::uint32_t i) {
    Triangle t = corners[i];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  const auto sorted = [&](std::uint32_t i) {
    Triangle t = corners[i];
    std::sort(t.begin(), t.end());
    return t;
  };
  std::vector<std::uint32_t> by_corners = order;
  std::sort(by_corners.begin(), by_corners.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Triangle ta = sorted(a), tb = sorted(b);
    return ta != tb ? ta < tb : a < b;
  });
  std::vector<char> is_copy(data.triangles.size(), 0);
  for (std::size_t k = 0; k < by_corners.size(); ++k)
    for (std::size_t first = k; first-- > 0 && sorted(by_corners[first]) == sorted(by_corners[k]);) {
      is_copy[by_corners[k]] = 2;
      if (turned(by_corners[first]) == turned(by_corners[k])) {
        is_copy[by_corners[k]] = 1;
        break;
      }
      if (k - first > 8) break;  // a heap of copies; the audit has seen enough
    }
  for (const std::uint32_t i : order) {
    if (is_copy[i] != 0) out.facts.duplicate_triangles.add(i, out.positions[corners[i][0]]);
    if (is_copy[i] == 1) continue;
    out.triangles.push_back(corners[i]);
    out.source.push_back(i);
  }
}

void find_edges(MeshTopology& mesh) {
  const std::size_t corner_count = 3 * mesh.triangles.size();
  const auto ends = [&](MeshCorner c) {
    const std::uint32_t a = mesh.vertex_at(c), b = mesh.vertex_at(MeshTopology::next(c));
    return std::pair(std::min(a, b), std::max(a, b));
  };
  mesh.edge_corners.resize(corner_count);
  std::iota(mesh.edge_corners.begin(), mesh.edge_corners.end(), 0U);
  std::sort(mesh.edge_corners.begin(), mesh.edge_corners.end(), [&](MeshCorner a, MeshCorner b) {
    const auto ea = ends(a), eb = ends(b);
    return ea != eb ? ea < eb : a < b;
  });
  mesh.edge_of.resize(corner_count);
  for (std::size_t k = 0; k < corner_count; ++k) {
    if (k == 0 || ends(mesh.edge_corners[k]) != ends(mesh.edge_corners[k - 1]))
      mesh.edge_first.push_back(static_cast<std::uint32_t>(k));
    mesh.edge_of[mesh.edge_corners[k]] = static_cast<std::uint32_t>(mesh.edge_first.size() - 1);
  }
  mesh.edge_first.push_back(static_cast<std::uint32_t>(corner_count));
}

void find_vertex_corners(MeshTopology& mesh) {
  mesh.vertex_first.assign(mesh.positions.size() + 1, 0);
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) ++mesh.vertex_first[v + 1];
  std::partial_sum(mesh.vertex_first.begin(), mesh.vertex_first.end(), mesh.vertex_first.begin());
  mesh.vertex_corners.resize(3 * mesh.triangles.size());
  std::vector<std::uint32_t> next(mesh.vertex_first.begin(), mesh.vertex_first.end() - 1);
  for (std::uint32_t c = 0; c < mesh.vertex_corners.size(); ++c)
    mesh.vertex_corners[next[mesh.vertex_at(c)]++] = c;
}

/// Turns triangles to agree with their neighbours across edges of two, part by part.
class Orienter {
 public:
  explicit Orienter(MeshTopology& mesh) : mesh_(mesh), part_(mesh.triangles.size(), kNone) {}

  void orient() {
    for (std::uint32_t t = 0; t < part_.size(); ++t)
      if (part_[t] == kNone) orient_part(t);
    turn_inside_out_mesh();
  }

 private:
  void turn(std::uint32_t t) {
    std::swap(mesh_.triangles[t][1], mesh_.triangles[t][2]);
    // Corners 1 and 2 change places, and so do the edges: 01 12 20 becomes 02 21 10.
    std::swap(mesh_.edge_of[3 * t], mesh_.edge_of[3 * t + 2]);
  }

  void orient_part(std::uint32_t seed) {
    std::vector<std::uint32_t> members{seed};
    part_[seed] = static_cast<std::uint32_t>(mesh_.facts.part_count++);
    std::vector<std::uint32_t> turned;
    for (std::size_t k = 0; k < members.size(); ++k)
      for (std::uint32_t c = 0; c < 3; ++c) {
        const MeshCorner own = 3 * members[k] + c;
        const auto uses = triangles_of_edge(mesh_.edge_of[own]);
        if (uses.size() != 2) continue;
        const std::uint32_t other = uses[0] == members[k] ? uses[1] : uses[0];
        if (part_[other] != kNone) continue;
        part_[other] = part_[seed];
        members.push_back(other);
        if (!runs_against(own, other)) {
          turn(other);
          turned.push_back(other);
        }
      }
    if (turned.empty()) return;
    // The fewer of the two kinds are called the turned ones.
    std::vector<Triangle> part;
    for (const std::uint32_t t : members) part.push_back(mesh_.triangles[t]);
    if (mesh_moments(mesh_.positions, part).one < 0)
      for (const std::uint32_t t : members) turn(t);
    if (2 * turned.size() > members.size()) turned = difference(members, turned);
    std::sort(turned.begin(), turned.end());
    for (const std::uint32_t t : turned)
      mesh_.facts.turned_triangles.add(mesh_.source[t], mesh_.positions[mesh_.triangles[t][0]]);
  }

  static std::vector<std::uint32_t> difference(std::vector<std::uint32_t> all,
                                               std::vector<std::uint32_t> without) {
    std::sort(all.begin(), all.end());
    std::sort(without.begin(), without.end());
    std::vector<std::uint32_t> rest;
    std::set_difference(all.begin(), all.end(), without.begin(), without.end(), std::back_inserter(rest));
    return rest;
  }

  /// The triangles at an edge; corners are looked up by triangle, since turning moves them.
  std::vector<std::uint32_t> triangles_of_edge(std::uint32_t edge) const {
    std::vector<std::uint32_t> found;
    for (const MeshCorner c : mesh_.corners_of_edge(edge)) found.push_back(c / 3);
    return found;
  }
  /// Whether the triangle passes the edge that starts at `own` in the other direction, as neighbours do.
  bool runs_against(MeshCorner own, std::uint32_t triangle) const {
    const std::uint32_t a = mesh_.vertex_at(own), b = mesh_.vertex_at(MeshTopology::next(own));
    for (std::uint32_t c = 0; c < 3; ++c) {
      const MeshCorner other = 3 * triangle + c;
      if (mesh_.vertex_at(other) == b && mesh_.vertex_at(MeshTopology::next(other)) == a) return true;
    }
    return false;
  }

  void turn_inside_out_mesh() {
    for (std::size_t e = 0; e < mesh_.edge_count(); ++e)
      if (mesh_.corners_of_edge(e).size() == 1) return;  // an open mesh has no volume
    if (!(mesh_moments(mesh_.positions, mesh_.triangles).one < 0)) return;
    mesh_.facts.was_inside_out = true;
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) turn(t);
  }

  MeshTopology& mesh_;
  std::vector<std::uint32_t> part_;
};

/// Counts edges that are open, crowded or whose triangles do not pair up.
void judge_edges(MeshTopology& mesh) {
  for (std::size_t e = 0; e < mesh.edge_count(); ++e) {
    const auto corners = mesh.corners_of_edge(e);
    const std::uint32_t low =
        std::min(mesh.vertex_at(corners[0]), mesh.vertex_at(MeshTopology::next(corners[0])));
    int balance = 0;
    for (const MeshCorner c : corners) balance += mesh.vertex_at(c) == low ? 1 : -1;
    const std::size_t triangle = mesh.source[corners[0] / 3];
    const Vec3d middle = 0.5 * (mesh.positions[mesh.vertex_at(corners[0])] +
                                mesh.positions[mesh.vertex_at(MeshTopology::next(corners[0]))]);
    if (corners.size() > 2) mesh.facts.crowded_edges.add(triangle, middle);
    if (corners.size() % 2 == 1)
      mesh.facts.open_edges.add(triangle, middle);
    else if (balance != 0)
      mesh.facts.twisted_edges.add(triangle, middle);
  }
}

}  // namespace

MeshTopology make_topology(const MeshData& data) {
  MeshTopology mesh;
  const std::vector<std::uint32_t> became = weld(data, mesh);
  take_triangles(data, became, mesh);
  find_edges(mesh);
  Orienter(mesh).orient();
  // Turning moved corners about: list them anew.
  mesh.edge_first.clear();
  find_edges(mesh);
  find_vertex_corners(mesh);
  judge_edges(mesh);
  return mesh;
}

}  // namespace repose
